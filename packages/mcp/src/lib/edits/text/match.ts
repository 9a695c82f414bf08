// Where a caller's text stands in a file's text: exactly first, then by ever wider but bounded readings.
import { fold, type Folding, isAsciiText } from './fold.ts';
import { lineEndAt, lineEndBefore } from './lines.ts';

/** A stretch of the file's text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How a text was found. Everything but `exact` is lenient, and reported. */
export type Strategy = 'exact' | Folding;

/** Where a text stands: the first places in file order, and how many there are. Overlapping places count. */
export interface Found {
  readonly strategy: Strategy;
  readonly spans: readonly Span[];
  readonly total: number;
}

/** Lenient readings, narrowest first; the first with a candidate decides. */
const LENIENT: readonly Folding[] = [
  'line-ends',
  'trailing-whitespace',
  'quotes',
  'unicode',
  'whitespace',
  'unicode-whitespace',
];

/** Above this many characters only exact matching is done: a lenient reading keeps a map as long as the text. */
export const LENIENT_LIMIT = 8 * 1024 * 1024;

/** Places remembered; the rest are counted. */
const REMEMBERED = 1000;

/** A lenient match may span at most this many times the requested text (or this fraction), plus room for indentation. */
const SPAN_RATIO = 2;
const INDENT_ALLOWANCE = 16;

/**
 * Every place where `wanted` (LF line ends) stands in `text`, its LF matching the line end that is there.
 * `lenient` allows the wider readings, which are tried only where there is no exact place.
 */
export function locate(text: string, wanted: string, cr: boolean, lenient: boolean): Found {
  const exact = collect(findExact(text, wanted, cr));
  if (exact.total > 0 || !lenient || text.length > LENIENT_LIMIT) return { strategy: 'exact', ...exact };
  for (const strategy of applicable(text, wanted)) {
    const found = collect(findFolded(text, wanted, strategy));
    if (found.total > 0) return { strategy, ...found };
  }
  return { strategy: 'exact', ...exact };
}

function collect(places: Iterable<Span>): { spans: Span[]; total: number } {
  const spans: Span[] = [];
  let total = 0;
  for (const span of places) {
    total++;
    if (spans.length < REMEMBERED) spans.push(span);
  }
  return { spans, total };
}

/** Readings that can find what the narrower ones do not: without a CR, or without a character beyond ASCII, some are alike. */
export function applicable(text: string, wanted: string): readonly Folding[] {
  const ascii = isAsciiText(text) && isAsciiText(wanted);
  // What only passes over blanks and line ends needs every word of the wanted text as it is.
  const word = wanted.split(/\s+/).reduce((longest, each) => (each.length > longest.length ? each : longest), '');
  const worded = word === '' || text.includes(word);
  return LENIENT.filter((each) => {
    const blanksOnly = each === 'line-ends' || each === 'trailing-whitespace' || each === 'whitespace';
    if (blanksOnly && !worded) return false;
    if (each === 'line-ends') return text.includes('\r');
    return !ascii || each === 'trailing-whitespace' || each === 'whitespace';
  });
}

function bounded(span: Span, wanted: string): boolean {
  const room = INDENT_ALLOWANCE * wanted.split('\n').length;
  const length = span.end - span.start;
  return length <= wanted.length * SPAN_RATIO + room && wanted.length <= length * SPAN_RATIO + room;
}

/** All exact places, overlapping ones too. */
function* findExact(text: string, wanted: string, cr: boolean): Generator<Span> {
  if (wanted === '') return;
  if (!wanted.includes('\n') || !text.includes('\r')) {
    for (const start of indexesOf(text, wanted)) yield { start, end: start + wanted.length };
    return;
  }
  const segments = wanted.split('\n');
  let anchor = 0;
  for (let i = 1; i < segments.length; i++) if (segments[i]!.length > segments[anchor]!.length) anchor = i;
  for (const place of segments[anchor] === '' ? lineEnds(text, cr) : indexesOf(text, segments[anchor]!)) {
    const start = backward(text, segments, anchor, place, cr);
    const end = start < 0 ? -1 : forward(text, segments, anchor, place, cr);
    if (end >= 0) yield { start, end };
  }
}

function* indexesOf(text: string, wanted: string): Generator<number> {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) yield at;
}

function* lineEnds(text: string, cr: boolean): Generator<number> {
  for (let i = 0; i < text.length; i++) {
    const length = lineEndAt(text, i, cr);
    if (length === 0) continue;
    yield i;
    i += length - 1;
  }
}

function forward(text: string, segments: readonly string[], anchor: number, place: number, cr: boolean): number {
  let at = place + segments[anchor]!.length;
  for (let i = anchor + 1; i < segments.length; i++) {
    const end = lineEndAt(text, at, cr);
    if (end === 0 || !text.startsWith(segments[i]!, at + end)) return -1;
    at += end + segments[i]!.length;
  }
  return at;
}

function backward(text: string, segments: readonly string[], anchor: number, place: number, cr: boolean): number {
  let at = place;
  for (let i = anchor - 1; i >= 0; i--) {
    const end = lineEndBefore(text, at, cr);
    const segment = segments[i]!;
    const start = at - end - segment.length;
    if (end === 0 || start < 0 || !text.startsWith(segment, start)) return -1;
    at = start;
  }
  return at;
}

/** All places under a lenient reading, of bounded length. */
function* findFolded(text: string, wanted: string, strategy: Folding): Generator<Span> {
  const needle = fold(wanted, strategy);
  if (needle.text.trim() === '') return;
  const core = needle.trims ? trimBlanks(needle.text) : { text: needle.text, lead: false, trail: false };
  const hay = fold(text, strategy);
  for (const at of indexesOf(hay.text, core.text)) {
    const stop = at + core.text.length;
    // A place that starts or ends inside one folded character (half of an ellipsis, a letter without its accent) is none.
    if (hay.inner(at) || hay.inner(stop)) continue;
    let start = hay.map[at]!;
    let end = hay.map[stop - 1]! + hay.width(stop - 1);
    if (core.lead) while (start > 0 && isBlank(text.charCodeAt(start - 1))) start--;
    if (core.trail) while (end < text.length && isBlank(text.charCodeAt(end))) end++;
    if (bounded({ start, end }, wanted)) yield { start, end };
  }
}

/** The blanks at both ends of a needle are matched by however many stand in the file, none included. */
function trimBlanks(text: string): { text: string; lead: boolean; trail: boolean } {
  const lead = text.startsWith(' ');
  const trail = text.endsWith(' ') && text.length > 1;
  return { text: text.slice(lead ? 1 : 0, trail ? -1 : undefined), lead, trail };
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 0xa0;
}
