// How a shard lies on disk: constants and the header. It knows nothing of grams' meaning and opens no file.
//
//   header      64 bytes: sixteen u32 in the machine's byte order, the last one the checksum of the others
//   postings    lists one after another by ascending gram: LEB128 deltas, or a bitmap of ceil(docs / 8) bytes
//   directory   u32[65537]      first list of each pair of leading bytes
//               u32[grams + 1]  where each list begins in the postings; the top bit says that it is a bitmap
//               u32[blocks]     checksum of each block of the postings
//               u8[grams]       third byte of each gram
import { checksum } from './checksum.ts';

export const HEADER_BYTES = 64;
/** every 16 KiB of postings have a checksum: a list that is read alone costs at most two blocks more, once */
export const BLOCK_BYTES = 1 << 14;
export const PAIRS = 65537;
export const IS_BITMAP = 0x8000_0000;
export const OFFSET = 0x7fff_ffff;

const MAGIC = [0x7a6e_6168, 0x6472_736f] as const; // "hanzosrd" read as two little-endian words
const ORDER = 0x0102_0304;
const VERSION = 1;

export interface ShardHeader {
  readonly docs: number;
  readonly grams: number;
  readonly postings: number;
  /** checksum of the whole directory */
  readonly directory: number;
}

/** A header that was read. */
export interface SummedHeader extends ShardHeader {
  /** the header's own sum, which covers that of the directory, which covers those of the postings: it names the content */
  readonly sum: number;
}

export const blocksOf = (postings: number): number => Math.ceil(postings / BLOCK_BYTES);

export const directoryBytes = (grams: number, postings: number): number =>
  4 * (PAIRS + grams + 1 + blocksOf(postings)) + grams;

/** Postings end where a word begins, so that a directory read into memory is aligned in the file as well. */
export const directoryAt = (postings: number): number => HEADER_BYTES + ((postings + 3) & ~3);

export function encodeHeader(header: ShardHeader): Uint8Array {
  const words = new Uint32Array(HEADER_BYTES / 4);
  words.set([...MAGIC, ORDER, VERSION, header.docs, header.grams, header.postings, header.directory]);
  const bytes = new Uint8Array(words.buffer);
  words[15] = checksum(bytes.subarray(0, HEADER_BYTES - 4));
  return bytes;
}

/** What a header says, or why it says nothing. */
export function decodeHeader(bytes: Uint8Array): SummedHeader | string {
  const words = new Uint32Array(new Uint8Array(bytes.subarray(0, HEADER_BYTES)).buffer);
  if (words[0] !== MAGIC[0] || words[1] !== MAGIC[1]) return 'is not a shard';
  if (words[2] !== ORDER) return 'was written on a machine of another byte order';
  if (words[3] !== VERSION) return 'is of another version';
  const sum = checksum(bytes.subarray(0, HEADER_BYTES - 4));
  if (words[15] !== sum) return 'has an altered header';
  const [docs, grams, postings, directory] = words.subarray(4, 8);
  return { docs: docs ?? 0, grams: grams ?? 0, postings: postings ?? 0, directory: directory ?? 0, sum };
}
