// Opens a file and finds the reader for what is in it; nested documents come back here.
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import path from 'node:path';
import { containerOf, HEAD_LENGTH } from './kind.ts';
import { type Limits, Skip } from './limits.ts';
import { type Opened, reasonOf, whole } from './opened.ts';
import { Sink } from './sink.ts';
import { fileSource, type Source } from './source.ts';
import type { Batch, DocumentKind } from './types.ts';

/** Reads a file, handing on what is found; the answer says what it is and why it ended early. Never throws. */
export async function readFileAt(
  file: string,
  limits: Limits,
  emit: (batch: Batch) => void,
): Promise<{ kind: DocumentKind; skipped?: string }> {
  const sink = new Sink(emit, limits);
  const seen: { kind: DocumentKind } = { kind: 'unknown' };
  let fd: number | undefined;
  try {
    // Opening a pipe would block a thread that nothing can end.
    fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Skip('not a regular file');
    const source = fileSource(fd, stat.size);
    await readOpened({ source, name: path.basename(file), entries: [], sink, nested: readOpened }, (kind) => {
      seen.kind = kind;
    });
    sink.flush();
    return seen;
  } catch (error) {
    sink.flush();
    return { ...seen, skipped: reasonOf(error) };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Reads a document or archive; `is` hears its kind as soon as it is known. Throws Skip or Enough. */
async function readOpened(opened: Opened, is: (kind: DocumentKind) => void): Promise<void> {
  const { source, name, entries, sink } = opened;
  if (entries.length > sink.limits.depth) throw new Skip(`more than ${sink.limits.depth} archives inside each other`);
  if (source.size === 0) throw new Skip('empty file');
  const container = containerOf(name, source.read(0, HEAD_LENGTH));
  switch (container) {
    case 'pdf': {
      is('pdf');
      await (await import('./pdf.ts')).readPdf(whole(opened), opened);
      return;
    }
    case 'zip': {
      await (await import('./archive.ts')).readZip(opened, is);
      return;
    }
    case 'tar':
    case 'gzip': {
      await (await import('./archive.ts')).readTarOrGzip(opened, container, is);
      return;
    }
    case 'cfb': {
      is('office');
      throw new Skip(oldOffice(source));
    }
    default: {
      throw new Skip('not a PDF, office or archive file');
    }
  }
}

/** [MS-CFB] 2.2: the directory tells an encrypted package from an old binary format. */
function oldOffice(source: Source): string {
  const header = source.read(0, 512);
  if (header.length < 512) return 'damaged or truncated';
  const sector = 2 ** header.readUInt16LE(30);
  const directory = source.read((header.readUInt32LE(48) + 1) * sector, 16 * 1024);
  return directory.includes(Buffer.from('EncryptedPackage', 'utf16le'))
    ? 'password-protected'
    : 'in the old binary Office format; saved as docx, xlsx, pptx or OpenDocument it can be read';
}
