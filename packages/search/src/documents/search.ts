// Documents as an engine searches them: one text for each, with the places of its parts, kept on disk once it is extracted.
import { fstatSync, closeSync, constants, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Skipped } from '../types.ts';
import { HEAD_LENGTH } from './kind.ts';
import { isDocument, readDocument } from './index.ts';
import { recall, remember } from './kept.ts';
import type { DocumentPart, DocumentParts, DocumentText, Identity } from './types.ts';

export type { DocumentParts } from './types.ts';

/** Characters of text that are searched; more than are shown, because nobody reads them. */
const TEXT = 32 * 1024 * 1024;
/** Members that are named when they could not be read. */
const NAMED = 20;
/** Reasons that may be gone at the next try. */
const PASSING = /^(took too long|needs too much memory|cannot be read)/;
/** Milliseconds within which a second change may leave no trace in a file's times. */
const RACY_MS = 2000;

/**
 * The text of a document; undefined for a file that is none or cannot be opened. Never rejects for what the file is:
 * bombs, encrypted, truncated and oversize documents come back with a reason and what could be read of them.
 * `cache` is a folder of the caller's in which extracted text is kept (made when it is missing). Rejects with the signal's
 * reason when `signal` is aborted.
 */
export async function documentParts(
  file: string,
  signal?: AbortSignal,
  cache?: string,
): Promise<DocumentParts | undefined> {
  signal?.throwIfAborted();
  const before = look(file);
  if (!before) return undefined;
  const known = cache === undefined ? undefined : recall(cache, file, before);
  if (known) return known;
  // Judged before it is read: a change in the same instant as the last one, but after the reading, would not show.
  const settled = Date.now() - before.ctime > RACY_MS;
  const document = await readDocument(file, signal, { text: TEXT });
  const found = toParts(file, document);
  const after = look(file);
  const same = after && after.size === before.size && after.ctime === before.ctime && after.ino === before.ino;
  const lasting = ![document, ...document.parts].some((each) => PASSING.test(each.skipped ?? ''));
  if (cache !== undefined && same && settled && lasting) remember(cache, file, before, found);
  return found;
}

/** What tells one state of a file from another; undefined if it is no document. */
function look(file: string): Identity | undefined {
  let fd: number | undefined;
  try {
    // Opening a pipe would wait for a writer.
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const head = Buffer.alloc(HEAD_LENGTH);
    const length = readSync(fd, head, 0, HEAD_LENGTH, 0);
    if (!isDocument(path.basename(file), head.subarray(0, length))) return undefined;
    return { size: stat.size, ctime: stat.ctimeMs, ino: stat.ino };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function toParts(file: string, document: DocumentText): DocumentParts {
  const skipped: Skipped[] = [];
  if (document.skipped !== undefined) skipped.push({ file, reason: document.skipped });
  let unread = 0;
  const parts: DocumentPart[] = [];
  const texts: string[] = [];
  let at = 0;
  for (const { entry, place, text, skipped: reason } of document.parts) {
    // As in a tree, binary members are not searched and not spoken of.
    if (reason !== undefined && reason !== 'binary' && ++unread <= NAMED) {
      skipped.push({ file, reason: `${entry ?? place}: ${reason}` });
    }
    if (text === '') continue;
    const clean = text.replaceAll('\0', '\ufffd').replace(/^\ufeff/, '');
    const length = Buffer.byteLength(clean);
    const ended = clean.endsWith('\n');
    parts.push({ ...(entry ? { entry } : {}), ...(place ? { place } : {}), start: at, end: at + length });
    texts.push(clean, ended ? '' : '\n');
    at += length + (ended ? 0 : 1);
  }
  if (unread > NAMED) skipped.push({ file, reason: `${unread - NAMED} more members could not be read` });
  return { text: Buffer.from(texts.join('')), parts, skipped };
}
