// From an office package to the reader of its kind, loaded when the first such document is read.
import type { Opened } from './opened.ts';
import type { OfficePackage } from './package.ts';

/** Reads a package with the reader of its kind. */
export async function readOffice(office: OfficePackage, opened: Opened): Promise<void> {
  if (office.kind === 'docx') (await import('./word.ts')).readWord(office, opened);
  else if (office.kind === 'pptx') (await import('./slides.ts')).readSlides(office, opened);
  else if (office.kind === 'xlsx') (await import('./sheets.ts')).readSheets(office, opened);
  else (await import('./opendocument.ts')).readOpenDocument(office, opened);
}
