// Where lines begin, and the one conversion between positions: a text's UTF-16 units, its lines and columns, its bytes.

/** A place: lines count from 1, columns from 0, in UTF-16 units, as editors and their protocols count them. */
export interface Place {
  readonly line: number;
  readonly col: number;
}

/** The lines of a text. A line ends behind `\n`; a final `\n` begins no further line but where the text is looked at there. */
export class Lines {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** How many lines there are, as a file's lines are counted: none in an empty text. */
  get count(): number {
    return this.#starts.length - (this.#starts.at(-1) === this.#text.length ? 1 : 0);
  }

  /** The place of an index. */
  at(index: number): Place {
    const line = this.#lineOf(index);
    return { line: line + 1, col: index - (this.#starts[line] ?? 0) };
  }

  /** The line of an index, from 1. */
  lineAt(index: number): number {
    return this.#lineOf(index) + 1;
  }

  /** The index of a place; a column past the end of its line is the end of the line. -1 for a line that is not there. */
  indexOf({ line, col }: Place): number {
    const start = this.#starts[line - 1];
    if (start === undefined) return -1;
    return Math.min(start + Math.max(0, col), this.endOf(line));
  }

  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  /** The end of a line, without its line end. */
  endOf(line: number): number {
    const next = this.#starts[line];
    if (next === undefined) return this.#text.length;
    return this.#text[next - 2] === '\r' ? next - 2 : next - 1;
  }

  /** A line without its line end, at most `most` units of it. */
  text(line: number, most = 500): string {
    const start = this.startOf(line);
    const end = this.endOf(line);
    return end - start <= most
      ? this.#text.slice(start, end)
      : `${this.#text.slice(start, start + most).toWellFormed()}…`;
  }

  #lineOf(index: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low;
  }
}

/**
 * The UTF-8 offsets of UTF-16 indices, which must ascend. One pass over the text; half of a surrogate pair counts as the three
 * bytes of the replacement character it is written as.
 */
export function toByteOffsets(text: string, indices: readonly number[]): number[] {
  let from = 0;
  let bytes = 0;
  return indices.map((index) => {
    if (index < from) throw new RangeError('indices must ascend');
    bytes += Buffer.byteLength(text.slice(from, index));
    from = index;
    return bytes;
  });
}
