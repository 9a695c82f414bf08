// Tar archives (POSIX ustar and pax, GNU long names) read in one pass, from a file or out of gzip.
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { isTarHeader } from './kind.ts';
import { bytes, Enough, Skip } from './limits.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';
import { memberName } from './zip.ts';

/** Bytes that come one after another. */
export interface Stream {
  /** the next `length` bytes, fewer at the end */
  take(length: number): Promise<Buffer>;
  skip(length: number): Promise<void>;
}

export interface TarMember {
  readonly name: string;
  readonly size: number;
  /** a regular file; links, folders and devices have no bytes of their own */
  readonly file: boolean;
  /** its bytes; to be asked for before the next member, if at all */
  body(): Promise<Buffer>;
}

/** The bytes of a source as they are. */
export function plainStream(source: Source): Stream {
  let at = 0;
  return {
    async take(length) {
      const taken = source.read(at, length);
      at += taken.length;
      return taken;
    },
    async skip(length) {
      at += length;
    },
  };
}

/** The unpacked bytes of a gzip file; each counts against the sink's bound. A cut file ends in Skip. */
export function gunzipStream(source: Source, sink: Sink): Stream & { close(): void } {
  const packed = Readable.from(blocks(source));
  const gunzip = createGunzip();
  packed.on('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);
  const next = async (): Promise<boolean> => {
    try {
      const { done, value } = await chunks.next();
      if (done) return false;
      held = value;
    } catch {
      throw new Skip('damaged or truncated gzip');
    }
    sink.unpacked(held.length);
    return true;
  };
  return {
    async take(length) {
      const taken: Buffer[] = [];
      for (let missing = length; missing > 0;) {
        if (held.length === 0 && !(await next())) break;
        const part = held.subarray(0, missing);
        taken.push(part);
        held = held.subarray(part.length);
        missing -= part.length;
      }
      return Buffer.concat(taken);
    },
    async skip(length) {
      for (let missing = length; missing > 0;) {
        if (held.length === 0 && !(await next())) break;
        const part = Math.min(missing, held.length);
        held = held.subarray(part);
        missing -= part;
      }
    },
    close() {
      packed.destroy();
      gunzip.destroy();
    },
  };
}

function* blocks(source: Source): Generator<Buffer> {
  for (let at = 0; at < source.size; at += 256 * 1024) yield source.read(at, 256 * 1024);
}

/** A stream whose first bytes were taken to look at them. */
export function unread(first: Buffer, rest: Stream): Stream {
  let held = first;
  return {
    async take(length) {
      if (held.length === 0) return rest.take(length);
      const part = held.subarray(0, length);
      held = held.subarray(part.length);
      return part.length < length ? Buffer.concat([part, await rest.take(length - part.length)]) : part;
    },
    async skip(length) {
      const part = Math.min(length, held.length);
      held = held.subarray(part);
      if (part < length) await rest.skip(length - part);
    },
  };
}

/** The members in order; a body of more than `limit` bytes is not given. Throws Skip where the archive is broken. */
export async function* tarMembers(stream: Stream, limit: number): AsyncGenerator<TarMember> {
  let long: { name?: string; size?: number } = {};
  for (;;) {
    const header = await stream.take(512);
    if (header.every((byte) => byte === 0)) return;
    if (header.length < 512) throw new Skip('truncated tar');
    if (!isTarHeader(header)) throw new Skip('damaged tar');
    const type = String.fromCharCode(header[156] ?? 0);
    const size = sizeOf(header);
    if (type === 'x' || type === 'g' || type === 'L' || type === 'K') {
      if (size > 1024 * 1024) throw new Skip('damaged tar');
      const body = await stream.take(padded(size));
      if (type === 'x') long = { ...long, ...pax(body.subarray(0, size)) };
      if (type === 'L') long = { ...long, name: cString(body.subarray(0, size)) };
      continue;
    }
    const member = { name: long.name ?? nameOf(header), size: long.size ?? size };
    long = {};
    const file = type === '0' || type === '\0' || type === '7';
    const stored = file ? member.size : 0;
    let taken = false;
    yield {
      ...member,
      file,
      async body() {
        if (stored > limit) throw new Skip(`larger than ${bytes(limit)}`);
        taken = true;
        const body = await stream.take(stored);
        if (body.length < stored) throw new Enough('truncated tar');
        await stream.skip(padded(stored) - stored);
        return body;
      },
    };
    if (!taken) await stream.skip(padded(stored));
  }
}

function padded(size: number): number {
  return Math.ceil(size / 512) * 512;
}

function cString(field: Buffer): string {
  const end = field.indexOf(0);
  return memberName(end < 0 ? field : field.subarray(0, end));
}

function nameOf(header: Buffer): string {
  const name = cString(header.subarray(0, 100));
  const prefix = header.toString('latin1', 257, 263) === 'ustar\0' ? cString(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** Octal digits, or base 256 when the first bit is set (GNU, star). */
function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136);
  const first = field[0] ?? 0;
  const size =
    first & 0x80
      ? Number(field.readBigUInt64BE(4))
      : Number.parseInt(field.toString('latin1').replaceAll('\0', ' ').trim() || '0', 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Skip('damaged tar');
  return size;
}

/** Records `LENGTH KEY=VALUE\n` (POSIX pax, 4.18.3). */
function pax(body: Buffer): { name?: string; size?: number } {
  const found: { name?: string; size?: number } = {};
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(0x20, at);
    const length = Number.parseInt(body.toString('latin1', at, space), 10);
    if (space < 0 || !(length > 0)) break;
    const record = body.subarray(space + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    const key = record.toString('latin1', 0, equals);
    if (key === 'path') found.name = memberName(record.subarray(equals + 1));
    if (key === 'size') found.size = Number(record.toString('latin1', equals + 1));
    at += length;
  }
  return found;
}
