// From a pattern's meaning to the condition that every document with a match satisfies. It may let through too much, never
// too little.
import { ALL, and, leaves, or, shrink } from './query.ts';
import {
  beginnings,
  condition,
  countOf,
  ends,
  MOST_STRINGS,
  MOST_SYMBOLS,
  product,
  seam,
  symbolsOf,
  utf8,
} from './strings.ts';
import type { Size } from './strings.ts';
import type { GramQuery, Plan } from './types.ts';
import type { Hir, Ranges } from '../syntax/hir.ts';

/** the most lists a query reads: 2,048 take some 30 ms, and a scan of all files ten times that */
const MOST_LEAVES = 2048;
/** a pair reads up to 256 lists */
const MOST_PAIRS = 64;
/** sets grow no further than this through classes: beyond, one condition per place says nearly the same with fewer lists */
const MOST_VARIANTS = 8;
/** strings in all of a set, in bytes */
const MOST_BYTES = 1 << 16;
/** conditions on one sequence */
const MOST_CONDITIONS = 256;
/** copies of a repeated part that are looked at */
const MOST_COPIES = 8;

const KELVIN = 0x212a;
const LONG_S = 0x17f;

/**
 * What is known of the strings that a part of the pattern matches. `\n` in them may stand for a place where a line begins or
 * ends, which is a byte of the text as well, though none of the match.
 */
type Known =
  /** every match is one of these */
  | { readonly exact: readonly string[] }
  /** every match begins with one of `prefix` and ends with one of `suffix` (at most size - 1 bytes each), and its document satisfies all of `must` */
  | {
      readonly exact?: undefined;
      readonly prefix: readonly string[];
      readonly suffix: readonly string[];
      readonly must: readonly GramQuery[];
    };

const NOTHING: Known = { prefix: [''], suffix: [''], must: [] };
const EMPTY: Known = { exact: [''] };

/**
 * Plans a search.
 *
 * @param hir what `parsePattern` made of the pattern
 * @param options `multiline`: a match may cross lines
 */
export function makePlan(hir: Hir, options: { readonly multiline: boolean }): Plan {
  const grams = new Analysis(3);
  let query = shrink(grams.query(hir), MOST_LEAVES);
  let { plusFolding } = grams;
  if (query.kind === 'all') {
    const pairs = new Analysis(2);
    const weaker = pairs.query(hir);
    query = leaves(weaker) <= MOST_PAIRS ? weaker : ALL;
    ({ plusFolding } = pairs);
  }
  return {
    query,
    nonAscii: needsNonAscii(hir),
    plusFolding: plusFolding && query.kind !== 'all',
    perFile: options.multiline && leavesLine(hir),
  };
}

class Analysis {
  /** a variant through KELVIN SIGN or LONG S was left out */
  plusFolding = false;
  readonly #size: Size;

  constructor(size: Size) {
    this.#size = size;
  }

  query(hir: Hir): GramQuery {
    const known = this.#open(this.#known(hir));
    return and(known.must);
  }

  #known(hir: Hir): Known {
    switch (hir.kind) {
      case 'empty':
        return EMPTY;
      case 'look':
        return this.#look(hir.look);
      case 'class':
        return this.#class(hir.ranges);
      case 'bytes':
        return countOf(hir.ranges) > MOST_SYMBOLS
          ? NOTHING
          : { exact: symbolsOf(hir.ranges).map((byte) => String.fromCharCode(byte)) };
      case 'concat':
        return this.#concat(hir.parts.map((part) => this.#known(part)));
      case 'alternate':
        return this.#alternate(hir.parts.map((part) => this.#known(part)));
      case 'repeat':
        return this.#repeat(hir);
    }
  }

  /** Where a line or the text begins or ends there is a line end, real or counted as one. With CRLF it may be `\r`: nothing is said. */
  #look(look: Extract<Hir, { readonly kind: 'look' }>['look']): Known {
    const edge = look === 'line-start' || look === 'line-end' || look === 'text-start' || look === 'text-end';
    return edge ? { exact: ['\n'] } : EMPTY;
  }

  #class(ranges: Ranges): Known {
    if (countOf(ranges) > MOST_SYMBOLS) return NOTHING;
    const symbols = symbolsOf(ranges);
    const has = (point: number): boolean => symbols.includes(point);
    const kept = symbols.filter((point) => {
      const folds = (point === KELVIN && (has(75) || has(107))) || (point === LONG_S && (has(83) || has(115)));
      if (folds) this.plusFolding = true;
      return !folds;
    });
    return { exact: kept.map(utf8) };
  }

  /** Sets of strings are joined as long as they stay small, so that alternatives keep their own conditions. */
  #concat(parts: readonly Known[]): Known {
    if (parts.length === 0) return EMPTY;
    const runs: Known[] = [];
    for (const part of parts) {
      const last = runs.at(-1);
      const joined = last?.exact && part.exact && joinExact(last.exact, part.exact);
      if (joined) runs[runs.length - 1] = { exact: joined };
      else runs.push(part);
    }
    const [first, ...others] = runs;
    if (first === undefined || others.length === 0) return first ?? EMPTY;

    const keep = this.#size - 1;
    const must: GramQuery[] = [...this.#open(first).must];
    let { prefix, suffix } = this.#open(first);
    // a beginning that does not fill `keep` bytes goes on in the next part, as long as all before it is known to the end
    let growing = first.exact !== undefined;
    for (const part of others) {
      const opened = this.#open(part);
      // conditions may be left out: of a very long pattern the first ones say enough
      if (must.length < MOST_CONDITIONS) must.push(...opened.must, ...seam(suffix, opened.prefix, this.#size));
      if (growing && prefix.length * opened.prefix.length <= MOST_STRINGS) {
        prefix = beginnings(product(prefix, opened.prefix), keep);
        growing = part.exact !== undefined;
      } else growing = false;
      // an end goes back into the part before it, if that leaves few enough of them
      const long = part.exact !== undefined && suffix.length * opened.suffix.length <= MOST_STRINGS * 4;
      suffix = long ? ends(product(suffix, opened.suffix), keep) : opened.suffix;
    }
    return { prefix, suffix, must };
  }

  #alternate(parts: readonly Known[]): Known {
    const all = new Set<string>();
    let bytes = 0;
    const exact = parts.every((part) => {
      for (const text of part.exact ?? []) {
        all.add(text);
        bytes += text.length;
      }
      return part.exact !== undefined && all.size <= MOST_STRINGS && bytes <= MOST_BYTES;
    });
    if (exact) return { exact: [...all] };
    const opened = parts.filter((part) => part.exact?.length !== 0).map((part) => this.#open(part));
    const keep = this.#size - 1;
    return {
      prefix: beginnings(
        opened.flatMap((part) => part.prefix),
        keep,
      ),
      suffix: ends(
        opened.flatMap((part) => part.suffix),
        keep,
      ),
      must: [or(opened.map((part) => and(part.must)))],
    };
  }

  #repeat({ body, min, max }: Extract<Hir, { readonly kind: 'repeat' }>): Known {
    if (max === 0) return EMPTY;
    const once = this.#known(body);
    if (min === 0) return max === 1 ? this.#alternate([once, EMPTY]) : NOTHING;
    const copies = Math.min(min, MOST_COPIES);
    const known = this.#concat(Array.from({ length: copies }, () => once));
    // more copies may follow: it still begins and ends as these do
    return min === max && copies === min ? known : this.#open(known);
  }

  /**
   * The same without its strings: what they say of grams is said, and their beginnings and ends are kept. Exact sets are
   * small enough that none is cut shorter than it has to be, which is why those may still be joined to what is beside them.
   */
  #open(known: Known): Exclude<Known, { readonly exact: readonly string[] }> {
    if (known.exact === undefined) return known;
    const keep = this.#size - 1;
    return {
      prefix: beginnings(known.exact, keep),
      suffix: ends(known.exact, keep),
      must: [condition(known.exact, this.#size)],
    };
  }
}

function joinExact(left: readonly string[], right: readonly string[]): string[] | undefined {
  const count = left.length * right.length;
  const grows = left.length > 1 && right.length > 1;
  if (count > (grows ? MOST_VARIANTS : MOST_STRINGS)) return undefined;
  const bytes = right.length * left.reduce((sum, text) => sum + text.length, 0);
  return bytes > MOST_BYTES ? undefined : product(left, right);
}

/** Does every match hold a byte above 127? */
function needsNonAscii(hir: Hir): boolean {
  switch (hir.kind) {
    case 'class':
    case 'bytes':
      return (hir.ranges[0] ?? 128) >= 128;
    case 'concat':
      return hir.parts.some(needsNonAscii);
    case 'alternate':
      return hir.parts.every(needsNonAscii);
    case 'repeat':
      return hir.min > 0 && needsNonAscii(hir.body);
    default:
      return false;
  }
}

/** May a match hold a line end? */
/** A match may cross lines, or depends on where the whole text begins or ends: a block of a file does not tell. */
function leavesLine(hir: Hir): boolean {
  switch (hir.kind) {
    case 'class':
    case 'bytes':
      return hir.ranges.some((low, i) => i % 2 === 0 && low <= 10 && (hir.ranges[i + 1] ?? -1) >= 10);
    case 'concat':
    case 'alternate':
      return hir.parts.some(leavesLine);
    case 'repeat':
      return hir.max > 0 && leavesLine(hir.body);
    case 'look':
      return hir.look === 'text-start' || hir.look === 'text-end';
    default:
      return false;
  }
}
