// One pass over a file's bytes: where a line starts, how many there are, and what else a whole pass tells.
import type { FileHandle } from 'node:fs/promises';
import { hasher } from '../../../lib/edits/disk/hash.ts';
import { type Format, SNIFF_BYTES, Utf8Census } from '../../../lib/edits/text/encoding.ts';
import { STYLE_SNIFF } from '../../../lib/edits/text/lines.ts';

/** Bytes read at a time; with a few of these alive a pass costs the same memory for every size of file. */
const CHUNK = 256 * 1024;

/** The first bytes of a file, as many as the sniffing of encoding and line ends looks at. */
export async function readHead(handle: FileHandle): Promise<Buffer> {
  const head = Buffer.allocUnsafe(STYLE_SNIFF + SNIFF_BYTES);
  let length = 0;
  while (length < head.length) {
    const { bytesRead } = await handle.read(head, length, head.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return head.subarray(0, length);
}

export interface ScanOptions {
  /** UTF-16 or not is known before a pass, from the head */
  readonly encoding: Format['encoding'];
  readonly cr: boolean;
  /** byte and 0-based line to start at */
  readonly from: { readonly byte: number; readonly line: number };
  /** the line whose first byte is wanted */
  readonly line: number;
  /** go on to the end for hash, count and census (needs `from` to be the start) */
  readonly whole: boolean;
  readonly signal: AbortSignal;
}

export interface Scan {
  /** first byte of the wanted line; undefined if the file ends before it */
  readonly start: number | undefined;
  /** lines passed, all of them after a whole pass or when `start` is undefined */
  readonly lines: number;
  /** the file does not end with a line end (and is not empty) */
  readonly open: boolean;
  readonly size: number;
  readonly hash: string;
  readonly census: Utf8Census;
  /** line ends that are CRLF, of all `ends` */
  readonly crlf: number;
  readonly ends: number;
  /** bytes 80-9F occur */
  readonly c1: boolean;
}

/** Runs over the file; stops at the wanted line unless `whole`. */
export async function scan(handle: FileHandle, options: ScanOptions): Promise<Scan> {
  const wide = options.encoding === 'utf-16le' ? 0 : options.encoding === 'utf-16be' ? 1 : -1;
  const hash = hasher();
  const census = new Utf8Census();
  const chunk = Buffer.allocUnsafe(CHUNK);
  let at = options.from.byte;
  let line = options.from.line;
  let start = line === options.line ? at : undefined;
  let lineAt = at;
  let crlf = 0;
  let ends = 0;
  let previous = -1;
  let c1 = false;
  for (;;) {
    options.signal.throwIfAborted();
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, at);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (options.whole) {
      hash.update(bytes);
      if (wide < 0) {
        census.add(bytes);
        c1 ||= census.invalid > 0 && bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);
      }
    }
    const step = wide < 0 ? 1 : 2;
    // A pass starts at an even byte and chunks are even, so that units of two bytes never straddle two chunks.
    for (let i = 0; i < bytesRead; i += step) {
      const unit = wide < 0 ? bytes[i]! : (bytes[i + wide] ?? 0) | ((bytes[i + 1 - wide] ?? 0) << 8);
      if (unit !== 10 && (unit !== 13 || !options.cr)) {
        previous = unit;
        continue;
      }
      const joined = unit === 10 && previous === 13;
      previous = unit;
      lineAt = at + i + step;
      if (joined) crlf++;
      if (joined && options.cr) {
        if (line === options.line && start !== undefined) start = lineAt;
        continue;
      }
      ends++;
      line++;
      if (line !== options.line) continue;
      start = lineAt;
      // a CR's LF may follow, which belongs to it
      if (!options.whole && !options.cr)
        return { start, lines: line, open: false, size: at, hash: '', census, crlf, ends, c1 };
    }
    at += bytesRead;
    if (!options.whole && start !== undefined) break;
  }
  const open = lineAt < at;
  const reached = start !== undefined && (start < at || options.line === 0);
  return {
    start: reached ? start : undefined,
    lines: line + (open ? 1 : 0),
    open,
    size: at,
    hash: hash.digest(),
    census: census.finish(),
    crlf,
    ends,
    c1,
  };
}
