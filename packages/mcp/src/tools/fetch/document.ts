// PDF and office files that come over the web, as the text fs read shows of them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Ctx } from '../../local.ts';
import type { Received } from './answer.ts';

export interface WebDocument {
  /** `pdf`, `docx`, `xlsx` ... */
  readonly kind: string;
  readonly text: string;
  /** why it could not be read, or not to its end */
  readonly skipped?: string | undefined;
}

const TYPES = /pdf|officedocument|opendocument|msword|ms-(?:excel|powerpoint|word)/;
const NAMES = /\.(?:pdf|docx?|docm|xlsx?|xlsm|pptx?|pptm|odt|ods|odp)$/i;
/** Bytes of the head by which documents are told. */
const HEAD = 1024;

/** The text of a document that came whole; undefined for anything else, archives among it. */
export async function documentOf(
  ctx: Ctx,
  { media, url, bytes, truncated }: Received,
): Promise<WebDocument | undefined> {
  const name = path.posix.basename(URL.parse(url)?.pathname ?? '');
  const head = Buffer.from(bytes.subarray(0, HEAD));
  const pdf = head.toString('latin1', 0, 5) === '%PDF-';
  if (truncated || (!pdf && !TYPES.test(media.mime) && !NAMES.test(name))) return undefined;
  const { isDocument, readDocument } = await import('@hanzo/search/documents');
  // The reader works on files, in a thread of its own; of the name it only needs the ending.
  const file = `document${NAMES.exec(name)?.[0].toLowerCase() ?? (pdf ? '.pdf' : '')}`;
  if (!isDocument(file, head)) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'hanzo-fetch-'));
  try {
    await writeFile(path.join(folder, file), bytes);
    const { kind, text, skipped } = await readDocument(path.join(folder, file), ctx.signal);
    return { kind, text, skipped };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
