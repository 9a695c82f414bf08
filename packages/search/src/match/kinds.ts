// Which places between bytes a look accepts, by the kind of the byte on either side. Knows no automaton.
import type { Look } from '../syntax/hir.ts';

/** What stands beside a place. In lines read one by one, both line ends are `EDGE`. */
export const EDGE = 0;
export const NEWLINE = 1;
export const RETURN = 2;
export const WORD = 3;
export const OTHER = 4;
/** a byte above 127: whether it belongs to a word character is not known here */
export const HIGH = 5;
export const KINDS = 6;

/** Answer of `behind`: it depends on what comes. */
export const OPEN = 2;

/** Is the byte kind a word character? A high byte is both, unless only ASCII counts. */
const maybeWord = (kind: number, unicode: boolean): boolean => kind === WORD || (kind === HIGH && unicode);
const maybeNotWord = (kind: number): boolean => kind !== WORD;

/** Does the look hold after a byte of this kind: 0 no, 1 yes, or `OPEN`? Where bytes do not decide, yes. */
export function behind(look: Look, before: number): number {
  switch (look) {
    case 'line-start':
      return before === EDGE || before === NEWLINE ? 1 : 0;
    case 'line-start-crlf':
      if (before === RETURN) return OPEN;
      return before === EDGE || before === NEWLINE ? 1 : 0;
    case 'text-start':
      return before === EDGE ? 1 : 0;
    case 'word-start-half':
      return maybeNotWord(before) ? 1 : 0;
    default:
      return OPEN;
  }
}

/** Does the look hold between bytes of these kinds? Where bytes do not decide, yes. */
export function between(look: Look, unicode: boolean, before: number, after: number): boolean {
  switch (look) {
    case 'line-end':
      return after === EDGE || after === NEWLINE;
    case 'text-end':
      return after === EDGE;
    // "\r\n" is one line end: nothing starts or ends between its two bytes
    case 'line-start-crlf':
      return before === EDGE || before === NEWLINE || (before === RETURN && after !== NEWLINE);
    case 'line-end-crlf':
      return after === EDGE || after === RETURN || (after === NEWLINE && before !== RETURN);
    case 'word':
      return (maybeWord(before, unicode) && maybeNotWord(after)) || (maybeNotWord(before) && maybeWord(after, unicode));
    case 'not-word':
      return (maybeWord(before, unicode) && maybeWord(after, unicode)) || (maybeNotWord(before) && maybeNotWord(after));
    case 'word-start':
      return maybeNotWord(before) && maybeWord(after, unicode);
    case 'word-end':
      return maybeWord(before, unicode) && maybeNotWord(after);
    case 'word-end-half':
      return maybeNotWord(after);
    default:
      return behind(look, before) === 1;
  }
}
