// What the two file formats have in common: where a text stops being readable, and what an edit is.

/** A place a person can go to: both counted from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A text that is not what the client reads, or cannot be edited in place. `place` is where it stops making sense. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly place: Place;

  constructor(message: string, place: Place) {
    super(message);
    this.place = place;
  }
}

/** The settings of one server, as a client's file holds them. */
export type Entry = Readonly<Record<string, unknown>>;

/** One file format, editable in place. Every method is pure over the text; all throw FormatError. */
export interface Format {
  /** the value at `path`, or undefined where any part of the path is missing; an empty text holds nothing */
  get(text: string, path: readonly string[]): unknown;
  /**
   * The text with the members of `entry` at `path`: members that are there and equal are not touched, members named in
   * `drop` go, everything else stays as it is, byte by byte.
   */
  set(text: string, path: readonly string[], entry: Entry, drop: readonly string[]): string;
  /** The texts without `path`, best first: they differ in what an edit cannot know (an empty parent, a last line end). */
  remove(text: string, path: readonly string[]): readonly string[];
}

/** Line and column of an offset. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** The line end most of a text's lines have; `\n` where there is none. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const crlf = text.split('\r\n').length - 1;
  return crlf * 2 > all ? '\r\n' : '\n';
}
