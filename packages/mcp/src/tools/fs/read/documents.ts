// The door to the document readers, which are loaded when the first document is read.
import type { BigIntStats } from 'node:fs';
import type { DocumentText } from '@hanzo/search/documents';
import type { Ctx } from '../../../local.ts';
import type { Local } from '../../../local.ts';

/** Texts kept, so that the pages of a document are read from one parse. */
const KEPT = 4;

const perServer = new WeakMap<Local, Map<string, DocumentText>>();

/**
 * The text of a PDF, office file or archive; undefined for anything else. `binary` is what the bytes look like: text that
 * only mentions a document's signature is text.
 */
export async function documentText(
  ctx: Ctx,
  file: string,
  head: Buffer,
  stat: BigIntStats,
  binary: boolean,
): Promise<DocumentText | undefined> {
  if (!binary && head.toString('latin1', 0, 5) !== '%PDF-') return undefined;
  const { isDocument, readDocument } = await import('@hanzo/search/documents');
  if (!isDocument(file, head)) return undefined;
  let kept = perServer.get(ctx.env);
  if (!kept) perServer.set(ctx.env, (kept = new Map()));
  const key = [file, stat.ino, stat.size, stat.mtimeNs].join(':');
  const known = kept.get(key);
  if (known) return known;
  const document = await readDocument(file, ctx.signal);
  kept.set(key, document);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return document;
}
