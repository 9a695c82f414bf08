// Zip files: the central directory, and members unpacked one by one within a bound. (PKWARE APPNOTE 6.3)
import { crc32, inflateRawSync } from 'node:zlib';
import { bytes, Enough, Skip } from './limits.ts';
import type { Sink } from './sink.ts';
import type { Source } from './source.ts';

export interface ZipMember {
  readonly name: string;
  readonly directory: boolean;
  /** bytes unpacked, as the directory claims */
  readonly size: number;
  readonly packed: number;
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly at: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** Longest central directory that is read: room for far more members than are looked at. */
const DIRECTORY_LIMIT = 32 * 1024 * 1024;

/** The members of a zip in its own order, at most `limit` of them, and how many there are. Throws Skip. */
export function zipMembers(source: Source, limit: number): { members: ZipMember[]; total: number } {
  const { at, size, total, shift } = findDirectory(source);
  const directory = source.read(at + shift, Math.min(size, DIRECTORY_LIMIT));
  const members: ZipMember[] = [];
  let from = 0;
  while (members.length < limit && members.length < total && from + 46 <= directory.length) {
    if (directory.readUInt32LE(from) !== CENTRAL) throw new Skip('damaged zip directory');
    const nameLength = directory.readUInt16LE(from + 28);
    const extraLength = directory.readUInt16LE(from + 30);
    const next = from + 46 + nameLength + extraLength + directory.readUInt16LE(from + 32);
    if (next > directory.length) break;
    members.push(memberOf(directory.subarray(from, next), nameLength, extraLength, shift));
    from = next;
  }
  return { members, total: Math.max(total, members.length) };
}

/** The bytes of a member. Throws Skip (this member) or Enough (the whole file). */
export function unpack(source: Source, wanted: ZipMember, sink: Sink): Buffer {
  if (wanted.encrypted) throw new Skip('encrypted');
  if (wanted.method !== 0 && wanted.method !== 8) throw new Skip(`compression method ${wanted.method} is not known`);
  const limit = sink.limits.member;
  if (wanted.size > limit) throw tooLarge(wanted, limit);
  const header = source.read(wanted.at, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== LOCAL) throw new Skip('damaged or truncated');
  const data = wanted.at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  // Deflate grows what it cannot shrink by a few bytes per block: what is packed larger unpacks to more than the limit.
  if (wanted.packed > limit + 64 * 1024) throw tooLarge(wanted, limit);
  const packed = source.read(data, wanted.packed);
  if (packed.length < wanted.packed) throw new Skip('damaged or truncated');
  const plain = wanted.method === 0 ? packed : inflate(packed, wanted, sink);
  sink.unpacked(plain.length);
  if (crc32(plain) !== wanted.crc) throw new Skip('damaged (its checksum is wrong)');
  return plain;
}

function inflate(packed: Buffer, wanted: ZipMember, sink: Sink): Buffer {
  const { member, unpacked } = sink.limits;
  const room = Math.min(member, sink.unpackable);
  if (room <= 0) sink.unpacked(1);
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw new Skip('damaged or truncated');
    if (room < member) throw new Enough(`unpacks to more than ${bytes(unpacked)} in all`);
    throw tooLarge(wanted, member);
  }
}

function tooLarge(wanted: ZipMember, limit: number): Skip {
  const claim = wanted.size > limit ? ` (${bytes(wanted.size)})` : '';
  return new Skip(`unpacks to more than ${bytes(limit)}${claim}`);
}

function findDirectory(source: Source): { at: number; size: number; total: number; shift: number } {
  const tailLength = Math.min(source.size, 22 + 0xffff);
  const tail = source.read(source.size - tailLength, tailLength);
  for (let i = tail.length - 22; i >= 0; i--) {
    if (tail[i] !== 0x50 || tail.readUInt32LE(i) !== END) continue;
    if (i + 22 + tail.readUInt16LE(i + 20) > tail.length) continue;
    const end = source.size - tailLength + i;
    const plain = {
      total: tail.readUInt16LE(i + 10),
      size: tail.readUInt32LE(i + 12),
      at: tail.readUInt32LE(i + 16),
    };
    const large = plain.at === 0xffffffff || plain.total === 0xffff || plain.size === 0xffffffff;
    const found = (large ? zip64(source, end) : undefined) ?? { ...plain, end };
    // Bytes put before the archive (a self-extracting program) move everything; the directory ends where the end mark begins.
    const shift = found.end - found.size - found.at;
    if (shift < 0) throw new Skip('damaged or truncated zip');
    return { ...found, shift };
  }
  throw new Skip('damaged or truncated zip');
}

function zip64(source: Source, end: number): { at: number; size: number; total: number; end: number } | undefined {
  const locator = source.read(end - 20, 20);
  if (end < 20 || locator.length < 20 || locator.readUInt32LE(0) !== LOCATOR_64) return undefined;
  const at = Number(locator.readBigUInt64LE(8));
  const record = source.read(at, 56);
  if (record.length < 56 || record.readUInt32LE(0) !== END_64) throw new Skip('damaged or truncated zip');
  return {
    total: Number(record.readBigUInt64LE(32)),
    size: Number(record.readBigUInt64LE(40)),
    at: Number(record.readBigUInt64LE(48)),
    end: at,
  };
}

function memberOf(record: Buffer, nameLength: number, extraLength: number, shift: number): ZipMember {
  const flags = record.readUInt16LE(8);
  const name = memberName(record.subarray(46, 46 + nameLength));
  const extra = record.subarray(46 + nameLength, 46 + nameLength + extraLength);
  const [size, packed, at] = wide(extra, [
    record.readUInt32LE(24),
    record.readUInt32LE(20),
    record.readUInt32LE(42),
  ] as const);
  return {
    name,
    directory: name.endsWith('/'),
    size,
    packed,
    method: record.readUInt16LE(10),
    encrypted: (flags & 1) !== 0,
    crc: record.readUInt32LE(16),
    at: at + shift,
  };
}

/** APPNOTE 4.5.3: fields that are all ones stand in the extra field, in this order. */
function wide(extra: Buffer, fields: readonly [number, number, number]): [number, number, number] {
  const values: [number, number, number] = [...fields];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let from = at + 4;
    for (const i of [0, 1, 2] as const) {
      if (fields[i] !== 0xffffffff || from + 8 > extra.length) continue;
      values[i] = Number(extra.readBigUInt64LE(from));
      from += 8;
    }
  }
  return values;
}

/** UTF-8 where it is, whatever the flag says; else one byte, one character. */
export function memberName(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    return raw.toString('latin1');
  }
}
