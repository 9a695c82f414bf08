// What a document becomes: its text, and the same in named pieces.

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

/** What the reading thread sends: batches, then one `done`. */
export type Message = { batch: Batch } | { done: { kind: DocumentKind; skipped?: string } };
