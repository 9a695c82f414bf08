// Tables of files in shared memory: made, read and searched here. Paths are compared by their UTF-8 bytes.
import type { FileTable } from './types.ts';

/** What identifies the content of a file. */
export interface FileStat {
  /** milliseconds with fraction */
  readonly ctime: number;
  readonly size: number;
  readonly ino: number;
}

/** A table of `paths`, which must be sorted by `comparePaths`; `stats` and `flags`, where given, run beside them. */
export function makeFileTable(
  paths: readonly string[],
  stats?: ArrayLike<FileStat>,
  flags?: ArrayLike<number>,
): FileTable {
  const count = paths.length;
  let bytes = 0;
  for (const path of paths) bytes += Buffer.byteLength(path);
  const table: FileTable = {
    count,
    pathBytes: new Uint8Array(new SharedArrayBuffer(bytes)),
    pathOffsets: new Uint32Array(new SharedArrayBuffer(4 * (count + 1))),
    ctime: new Float64Array(new SharedArrayBuffer(8 * count)),
    size: new Float64Array(new SharedArrayBuffer(8 * count)),
    ino: new Float64Array(new SharedArrayBuffer(8 * count)),
    flags: new Uint8Array(new SharedArrayBuffer(count)),
  };
  const target = bufferOf(table.pathBytes);
  let at = 0;
  for (let i = 0; i < count; i++) {
    at += target.write(paths[i]!, at);
    table.pathOffsets[i + 1] = at;
    const stat = stats?.[i];
    if (stat) {
      table.ctime[i] = stat.ctime;
      table.size[i] = stat.size;
      table.ino[i] = stat.ino;
    }
    if (flags) table.flags[i] = flags[i]!;
  }
  return table;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** One Buffer per table: to make it anew for each path would cost more than the decoding. */
const buffers = new WeakMap<Uint8Array, Buffer>();

/** The path of file `i`. */
export function pathOf(table: FileTable, i: number): string {
  let buffer = buffers.get(table.pathBytes);
  if (!buffer) buffers.set(table.pathBytes, (buffer = bufferOf(table.pathBytes)));
  return buffer.toString('utf8', table.pathOffsets[i], table.pathOffsets[i + 1]);
}

/** The index of `path`, or -1. */
export function findPath(table: FileTable, path: string): number {
  const bytes = Buffer.from(path);
  const at = lowerBound(table, bytes);
  return at < table.count && compareAt(table, at, bytes) === 0 ? at : -1;
}

/** The first file whose path is not before `path`; `count` if there is none. */
export function lowerBound(table: FileTable, path: Uint8Array, from = 0): number {
  let low = from;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(table, middle, path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The files below `directory` ('' for all): from `first` up to, not with, `end`. */
export function rangeOf(table: FileTable, directory: string): { first: number; end: number } {
  if (directory === '') return { first: 0, end: table.count };
  const prefix = Buffer.from(`${directory}/`);
  const first = lowerBound(table, prefix);
  // the byte after `/`
  prefix[prefix.length - 1] = 0x30;
  return { first, end: lowerBound(table, prefix, first) };
}

function compareAt(table: FileTable, i: number, path: Uint8Array): number {
  const bytes = table.pathBytes;
  const start = table.pathOffsets[i]!;
  const length = table.pathOffsets[i + 1]! - start;
  const shared = Math.min(length, path.length);
  for (let k = 0; k < shared; k++) {
    const difference = bytes[start + k]! - path[k]!;
    if (difference !== 0) return difference;
  }
  return length - path.length;
}

/** Orders by UTF-8 bytes. That is the order of UTF-16 units but where surrogates meet U+E000 and above. */
export function comparePaths(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for what is above U+FFFF and come last. */
function rank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Sorts in place by `comparePaths`. */
export function sortPaths(paths: string[]): string[] {
  for (let i = 1; i < paths.length; i++) {
    // a directory's entries mostly come sorted, and comparing is cheaper than sorting
    if (comparePaths(paths[i - 1]!, paths[i]!) > 0) return paths.sort(comparePaths);
  }
  return paths;
}

/** Room for one bit per file. */
export function makeBits(count: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(4 * ((count + 31) >>> 5)));
}

export function hasBit(bits: Uint32Array, i: number): boolean {
  return ((bits[i >>> 5]! >>> (i & 31)) & 1) === 1;
}

/** Returns whether that was news. */
export function putBit(bits: Uint32Array, i: number, on: boolean): boolean {
  const before = bits[i >>> 5]!;
  const after = on ? before | (1 << (i & 31)) : before & ~(1 << (i & 31));
  bits[i >>> 5] = after;
  return after >>> 0 !== before;
}
