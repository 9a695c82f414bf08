// Makes of a pattern what a thread needs to search: the needles to look for, and whether they decide. Plain data, no search.
import type { Hir, Look } from '../syntax/hir.ts';
import { MAX_NEEDLE_BYTES, literals, needlesOf } from './literals.ts';
import type { Run } from './literals.ts';
import { AUTOMATON_COST, FOLD, cost } from './rarity.ts';
import type { ScanSpec } from './types.ts';

/** Everything a thread needs to search for `hir`. `multiline`: a match may cross lines. */
export function makeSpec(hir: Hir, options: { readonly multiline: boolean }): ScanSpec {
  const multiline = options.multiline && leavesLine(hir);
  const sure = multiline ? undefined : decisive(hir);
  if (sure !== undefined) return { hir, multiline, ...sure };
  const runs = needlesOf(literals(hir));
  const none: ScanSpec = { hir, multiline, needles: [], fold: false, certain: 'never', word: false };
  if (runs === undefined) return none;
  // common needles only stop the automaton's stride; over many lines they decide about whole files, at once
  if (!multiline && cost(runs) > AUTOMATON_COST) return none;
  const fold = runs.some(folds);
  return { ...none, needles: runs.map((run) => bytesOf(run, fold)), fold };
}

type Decisive = Pick<ScanSpec, 'needles' | 'fold' | 'certain' | 'word'>;

/** The needles of a pattern that is nothing but literals, perhaps between word boundaries. */
function decisive(hir: Hir): Decisive | undefined {
  const { inner, word, edges } = withoutWordLooks(hir);
  const { exact, pure } = literals(inner);
  if (!pure || exact === undefined || exact.length === 0) return undefined;
  if (!exact.every((run) => run.length > 0 && run.length <= MAX_NEEDLE_BYTES)) return undefined;
  const fold = exact.some(folds);
  // one search has one rule for case
  if (fold && exact.some((run) => run.some((symbol) => symbol < FOLD && isLetter(symbol)))) return undefined;
  if (edges && !exact.every((run) => isWordSymbol(run[0]!) && isWordSymbol(run.at(-1)!))) return undefined;
  return {
    needles: exact.map((run) => bytesOf(run, fold)),
    fold,
    certain: fold && exact.some((run) => run.some(foldsToAscii)) ? 'ascii' : 'always',
    word,
  };
}

const STARTS: readonly Look[] = ['word', 'word-start', 'word-start-half'];
const ENDS: readonly Look[] = ['word', 'word-end', 'word-end-half'];

/**
 * Takes word looks off both ends, as often as they stand there. `edges`: they mean "no word character beside" only where
 * the literal begins and ends with one.
 */
function withoutWordLooks(hir: Hir): { inner: Hir; word: boolean; edges: boolean } {
  let parts: readonly Hir[] = [hir];
  let word = false;
  let edges = false;
  for (;;) {
    const only: Hir | undefined = parts.length === 1 ? parts[0] : undefined;
    if (only?.kind === 'concat') {
      parts = only.parts;
      continue;
    }
    const first = parts[0];
    const last = parts.at(-1);
    if (parts.length < 3 || first?.kind !== 'look' || last?.kind !== 'look') break;
    if (!STARTS.includes(first.look) || !ENDS.includes(last.look)) break;
    edges ||= !first.look.endsWith('-half') || !last.look.endsWith('-half');
    word = true;
    parts = parts.slice(1, -1);
  }
  return { inner: { kind: 'concat', parts }, word, edges };
}

/** Can a match hold a line end, or does it matter where in the text its line lies? */
function leavesLine(hir: Hir): boolean {
  switch (hir.kind) {
    case 'empty':
      return false;
    case 'class':
    case 'bytes':
      return holds(hir.ranges, 10);
    case 'look':
      return hir.look.startsWith('text-') || hir.look.endsWith('-crlf');
    case 'concat':
    case 'alternate':
      return hir.parts.some(leavesLine);
    case 'repeat':
      return hir.max > 0 && leavesLine(hir.body);
  }
}

function holds(ranges: readonly number[], value: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (ranges[i]! <= value && value <= ranges[i + 1]!) return true;
  return false;
}

const isLetter = (byte: number): boolean => (byte | 0x20) >= 97 && (byte | 0x20) <= 122;

const folds = (run: Run): boolean => run.some((symbol) => symbol >= FOLD);

/** k and s have a third form, U+212A and U+017F. */
const foldsToAscii = (symbol: number): boolean => symbol === (0x6b | FOLD) || symbol === (0x73 | FOLD);

function isWordSymbol(symbol: number): boolean {
  const byte = symbol & 0xff;
  return isLetter(byte) || (byte >= 48 && byte <= 57) || byte === 95;
}

function bytesOf(run: Run, fold: boolean): Uint8Array {
  return Uint8Array.from(run, (symbol) => {
    const byte = symbol & 0xff;
    return fold && byte >= 65 && byte <= 90 ? byte | 0x20 : byte;
  });
}
