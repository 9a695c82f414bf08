// PDF: the text of each page, by pdf.js as unpdf packs it. It is loaded with the first PDF.
import { Enough, Skip } from './limits.ts';
import type { Opened } from './opened.ts';
import { heading } from './sink.ts';

/** Places: `page 2`. A page without text (a scan) has none. */
export async function readPdf(bytes: Buffer, { sink, entries }: Opened): Promise<void> {
  const entry = entries.length > 0 ? { entry: entries.join('!') } : {};
  const { getDocumentProxy } = await import('unpdf');
  // pdf.js takes the memory of what it is given, and must not get a shared buffer.
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, useSystemFonts: false }).catch(
    (error: Error) => {
      throw new Skip(reason(error));
    },
  );
  let textual = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    sink.breathe();
    const text = await pageText(pdf, number);
    if (text !== '') textual++;
    sink.part({ place: `page ${number}`, ...entry, text });
    sink.show(heading(entries, `page ${number}`) + (text === '' ? '' : `${text}\n`));
  }
  await pdf.loadingTask.destroy();
  if (textual === 0) throw new Skip(`no text in its ${pdf.numPages} pages; it may be a scan`);
}

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>;

async function pageText(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    return text.replaceAll('\0', '').trimEnd();
  } catch (error) {
    if (error instanceof Enough) throw error;
    return `(page ${number} is damaged: ${error instanceof Error ? error.message : String(error)})`;
  }
}

function reason(error: Error): string {
  if (error.name === 'PasswordException') return 'password-protected';
  return `damaged or truncated PDF (${error.message})`;
}
