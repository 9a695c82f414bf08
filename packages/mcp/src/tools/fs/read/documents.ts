// The door to the document readers, which are loaded when the first document is read.

export interface DocumentText {
  readonly text: string;
  readonly kind: string;
  readonly parts: number;
}

/** The text of a PDF or office file; undefined if this build has no reader for it. */
export async function documentText(_file: string): Promise<DocumentText | undefined> {
  return undefined;
}
