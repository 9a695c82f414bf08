// What a document becomes: its text to be read, the same in named pieces, and both as an engine searches them.
import type { Skipped } from '../types.ts';
import type { Limits } from './limits.ts';

export type DocumentKind =
  | 'pdf'
  | 'docx'
  | 'pptx'
  | 'xlsx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'zip'
  | 'tar'
  | 'tar.gz'
  | 'gz'
  | 'office'
  | 'unknown';

/** A piece of a document that can be named. */
export interface Part {
  /** `page 2`, `slide 3`, `para 5`, `sheet Data!B4`, `footnote 1`; empty for a plain member of an archive */
  place: string;
  /** the member of an archive it lies in; `!` goes into a nested archive (`a.zip!b.docx`) */
  entry?: string;
  text: string;
  /** why a member has no text */
  skipped?: string;
}

export interface DocumentText {
  kind: DocumentKind;
  /** the whole document to be read: lines, with a heading line before each page, slide, sheet or member */
  text: string;
  /** the same, in named pieces, to be searched */
  parts: Part[];
  /** why it could not be read, or not to its end */
  skipped?: string;
}

/** What has been found since the last batch. */
export interface Batch {
  parts: Part[];
  text: string;
}

/** What the reading thread is asked. */
export interface Request {
  id: number;
  file: string;
  limits: Limits;
}

/** What the reading thread sends about a document: batches, then one `done`. */
export type Message = { batch: Batch } | { done: { kind: DocumentKind; skipped?: string } };

export interface Answer {
  /** of the request */
  id: number;
  message: Message;
}

/** Where a part of a document lies in its text. */
export interface DocumentPart {
  /** member of an archive; members of nested archives joined by `!` */
  readonly entry?: string;
  /** `page 2`, `slide 3`, `para 5`, `sheet Data!B4` */
  readonly place?: string;
  /** bytes `[start, end)` of the text; a line end of the part's own is in it, one that was added behind it is not */
  readonly start: number;
  readonly end: number;
}

/** A document, ready to be searched. */
export interface DocumentParts {
  /** UTF-8 without a mark and without NUL; all parts in the order of the document, each ends with a line end */
  readonly text: Uint8Array;
  readonly parts: readonly DocumentPart[];
  /** why the document, or a member of it, could not be read, or not to its end */
  readonly skipped: readonly Skipped[];
}

/** What tells one state of a file from another. Times in milliseconds. */
export interface Identity {
  readonly size: number;
  readonly ctime: number;
  readonly ino: number;
}
