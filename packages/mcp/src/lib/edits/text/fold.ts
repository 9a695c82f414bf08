// Lenient readings of text: what is taken for equal, with a map from the folded text back to the original.

export type Folding = 'line-ends' | 'trailing-whitespace' | 'quotes' | 'unicode' | 'whitespace' | 'unicode-whitespace';

/** A text as one reading sees it. */
export interface Folded {
  readonly text: string;
  /** index in the original of each folded unit */
  readonly map: Uint32Array;
  /** blanks at a needle's ends are flexible under this reading */
  readonly trims: boolean;
  /** units of the original that folded unit `i` stands for */
  width(i: number): number;
  /** true if `i` lies inside what one original character was folded to, or before a combining mark */
  inner(i: number): boolean;
}

/** Quotes and apostrophes of all kinds, by what they are read as. */
const QUOTES: ReadonlyMap<number, string> = new Map([
  ...[...'\u2018\u2019\u201a\u201b\u2032\u02bc\u02b9\uff07\u00b4\u2039\u203a'].map(
    (each) => [each.charCodeAt(0), "'"] as const,
  ),
  ...[...'\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02'].map((each) => [each.charCodeAt(0), '"'] as const),
]);

/** Dashes, spaces and an ellipsis; the empty string is for what has no width. */
const SIGNS: ReadonlyMap<number, string> = new Map([
  ...[...'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d'].map(
    (each) => [each.charCodeAt(0), '-'] as const,
  ),
  ...[...'\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'].map(
    (each) => [each.charCodeAt(0), ' '] as const,
  ),
  ...[...'\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff'].map((each) => [each.charCodeAt(0), ''] as const),
  [0x2026, '...'],
]);

/** True if no character lies beyond ASCII. */
export function isAsciiText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[^\x00-\x7f]/.test(text);
}

/** Reads `text` leniently. Line ends are LF in every reading. */
export function fold(text: string, folding: Folding): Folded {
  const quotes = folding === 'quotes' || folding === 'unicode' || folding === 'unicode-whitespace';
  const signs = folding === 'unicode' || folding === 'unicode-whitespace';
  const runs = folding === 'whitespace' || folding === 'unicode-whitespace';
  const out = new Builder(text.length);
  for (let i = 0; i < text.length;) {
    const unit = text.charCodeAt(i);
    if (unit === 13 || unit === 10) {
      const width = unit === 13 && text.charCodeAt(i + 1) === 10 ? 2 : 1;
      if (runs || folding === 'trailing-whitespace') out.dropBlanks();
      out.push('\n', i, width);
      i += width;
      if (runs) while (i < text.length && blank(text.charCodeAt(i), signs)) i++;
      continue;
    }
    if (runs && blank(unit, signs)) {
      let end = i + 1;
      while (end < text.length && blank(text.charCodeAt(end), signs)) end++;
      out.push(' ', i, end - i);
      i = end;
      continue;
    }
    if (unit < 0x80 || folding === 'line-ends' || folding === 'whitespace' || folding === 'trailing-whitespace') {
      out.pushUnit(unit, i);
      i++;
      continue;
    }
    const width = unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length ? 2 : 1;
    out.push(foldCharacter(text, i, width, unit, quotes, signs), i, width);
    i += width;
  }
  if (folding === 'trailing-whitespace') out.dropBlanks();
  return out.finish(runs);
}

function foldCharacter(text: string, i: number, width: number, unit: number, quotes: boolean, signs: boolean): string {
  const quote = quotes ? QUOTES.get(unit) : undefined;
  if (quote !== undefined) return quote;
  const sign = signs ? SIGNS.get(unit) : undefined;
  if (sign !== undefined) return sign;
  const character = text.slice(i, i + width);
  return signs ? character.normalize('NFD') : character;
}

function blank(unit: number, signs: boolean): boolean {
  return unit === 32 || unit === 9 || (signs && unit >= 0x80 && SIGNS.get(unit) === ' ');
}

function moved<T extends Uint16Array | Uint32Array>(old: T, bigger: T): T {
  bigger.set(old);
  return bigger;
}

/** Collects folded text and its map. */
class Builder {
  #units: Uint16Array;
  #map: Uint32Array;
  #widths: Uint32Array;
  #length = 0;

  constructor(size: number) {
    this.#units = new Uint16Array(size + 16);
    this.#map = new Uint32Array(size + 16);
    this.#widths = new Uint32Array(size + 16);
  }

  push(text: string, at: number, width: number): void {
    for (let i = 0; i < text.length; i++) this.#put(text.charCodeAt(i), at, width);
  }

  pushUnit(unit: number, at: number): void {
    this.#put(unit, at, 1);
  }

  /** forgets the blanks at the end of what was collected */
  dropBlanks(): void {
    while (this.#length > 0 && (this.#units[this.#length - 1] === 32 || this.#units[this.#length - 1] === 9)) {
      this.#length--;
    }
  }

  finish(trims: boolean): Folded {
    const units = this.#units.subarray(0, this.#length);
    const map = this.#map.subarray(0, this.#length);
    const widths = this.#widths;
    // the units were collected in this machine's byte order, which is little-endian wherever Node runs
    return {
      text: Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le'),
      map,
      trims,
      width: (i) => widths[i]!,
      inner: (i) =>
        i > 0 && i < map.length && (map[i] === map[i - 1] || /^\p{M}/u.test(String.fromCharCode(units[i]!))),
    };
  }

  #put(unit: number, at: number, width: number): void {
    if (this.#length === this.#units.length) this.#grow();
    this.#units[this.#length] = unit;
    this.#map[this.#length] = at;
    this.#widths[this.#length] = width;
    this.#length++;
  }

  #grow(): void {
    const size = this.#units.length * 2;
    this.#units = moved(this.#units, new Uint16Array(size));
    this.#map = moved(this.#map, new Uint32Array(size));
    this.#widths = moved(this.#widths, new Uint32Array(size));
  }
}
