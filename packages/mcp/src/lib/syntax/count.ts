// Lines of code, of comment and blank ones, told by a scan that knows comments and strings but needs no tree.
import type { LanguageId } from './languages/index.ts';

/** Counts of lines. A line with code and a comment is code. */
export interface LineCounts {
  readonly lines: number;
  readonly code: number;
  readonly comment: number;
  readonly blank: number;
}

interface Marks {
  readonly line: readonly string[];
  readonly block: readonly (readonly [open: string, close: string])[];
  /** quotes of strings that end with their line at the latest, and of those that may go on */
  readonly quotes: string;
  readonly long: readonly string[];
  /** `#` begins a comment only behind a blank */
  readonly apart?: boolean;
  /** block comments begin and end lines (`=begin`) */
  readonly ruled?: boolean;
}

const C: Marks = { line: ['//'], block: [['/*', '*/']], quotes: '"\'', long: [] };
const SCRIPT: Marks = { ...C, long: ['`'] };
const HASH: Marks = { line: ['#'], block: [], quotes: '"\'', long: [] };

const MARKS: Readonly<Record<LanguageId, Marks>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  python: { ...HASH, long: ['"""', "'''"] },
  go: SCRIPT,
  rust: C,
  java: { ...C, long: ['"""'] },
  c: C,
  cpp: C,
  csharp: { ...C, long: ['"""'] },
  ruby: { ...HASH, block: [['=begin', '=end']], ruled: true, apart: true },
  php: { ...C, line: ['//', '#'] },
  bash: { ...HASH, apart: true },
  json: C,
};

/** Counts the lines of a text. A final line end begins no further line. */
export function countLines(text: string, language: LanguageId): LineCounts {
  const marks = MARKS[language];
  let [code, comment, blank] = [0, 0, 0];
  // what is open at the start of a line: the close of a block comment, or of a long string
  let open: { close: string; isComment: boolean } | undefined;
  for (let from = 0; from < text.length;) {
    const stop = text.indexOf('\n', from);
    const end = stop < 0 ? text.length : stop;
    const line = scanLine(text, from, end, marks, open);
    open = line.open;
    if (line.code) code++;
    else if (line.comment) comment++;
    else blank++;
    from = end + 1;
  }
  return { lines: code + comment + blank, code, comment, blank };
}

interface Scanned {
  readonly code: boolean;
  readonly comment: boolean;
  readonly open: { close: string; isComment: boolean } | undefined;
}

function scanLine(text: string, from: number, end: number, marks: Marks, before: Scanned['open']): Scanned {
  let open = before;
  let code = false;
  let comment = false;
  for (let at = from; at < end;) {
    const unit = text.charCodeAt(at);
    if (unit === 32 || (unit >= 9 && unit <= 13)) {
      at++;
      continue;
    }
    if (open) {
      if (open.isComment) comment = true;
      else code = true;
      // within the line only: what does not close would be looked for to the end, from every line
      const close = text.slice(at, end).indexOf(open.close);
      if (close < 0) return { code, comment, open };
      at += close + open.close.length;
      if (marks.ruled === true && open.isComment) return { code, comment, open: undefined };
      open = undefined;
      continue;
    }
    if (marks.line.some((mark) => text.startsWith(mark, at)) && (marks.apart !== true || isApart(text, at, from))) {
      return { code, comment: true, open };
    }
    const block = marks.block.find(([mark]) => text.startsWith(mark, at));
    if (block && (marks.ruled !== true || at === from)) {
      open = { close: block[1], isComment: true };
      comment = true;
      at += block[0].length;
      continue;
    }
    code = true;
    const long = marks.long.find((mark) => text.startsWith(mark, at));
    if (long !== undefined) {
      open = { close: long, isComment: false };
      at += long.length;
      continue;
    }
    at = marks.quotes.includes(text[at] as string) ? endOfString(text, at, end) : at + 1;
  }
  return { code, comment, open };
}

const isApart = (text: string, at: number, from: number): boolean => at === from || /\s/.test(text[at - 1] ?? ' ');

/** Behind the close of a string, or the end of its line. */
function endOfString(text: string, at: number, end: number): number {
  const quote = text[at];
  for (let i = at + 1; i < end; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i + 1;
  }
  // not closed on this line: it may have been no string at all (an apostrophe, a lifetime)
  return at + 1;
}
