// Where code stands in the text that was asked about: code inside quoted words keeps its place as far as it has one.
import type { Span } from './value.ts';

export interface Source {
  readonly text: string;
  /** the place, in the text asked about, of a range of this text */
  span(start: number, end: number): Span;
}

/** The text that was asked about. */
export function wholeText(text: string): Source {
  return { text, span: (start, end) => [start, end] };
}

/** Code that stands word for word at a place of another source, `offset` characters into it. */
export function partOf(outer: Source, text: string, offset: number): Source {
  return { text, span: (start, end) => outer.span(offset + start, offset + end) };
}

/** Code that was put together, or comes from a file: all of it stands where it is used. */
export function madeAt(text: string, span: Span): Source {
  return { text, span: () => span };
}
