// What a file is by its first bytes: an image that can be shown, or something else that is not text.
const IMAGES: readonly (readonly [mime: string, test: (head: Buffer) => boolean])[] = [
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))],
  ['image/jpeg', (head) => head.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/webp', (head) => /^RIFF....WEBP/s.test(head.toString('latin1', 0, 12))],
];

const MAGIC: readonly (readonly [mime: string, prefix: string])[] = [
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
  ['application/gzip', '\x1f\x8b'],
  ['application/zstd', '\x28\xb5\x2f\xfd'],
  ['application/x-bzip2', 'BZh'],
  ['application/x-xz', '\xfd7zXZ\0'],
  ['application/x-7z-compressed', "7z\xbc\xaf'\x1c"],
  ['application/vnd.sqlite3', 'SQLite format 3\0'],
  ['application/wasm', '\0asm'],
  ['application/x-elf', '\x7fELF'],
  ['application/x-mach-binary', '\xcf\xfa\xed\xfe'],
  ['application/vnd.microsoft.portable-executable', 'MZ'],
  ['application/java-vm', '\xca\xfe\xba\xbe'],
  ['audio/mpeg', 'ID3'],
  ['audio/flac', 'fLaC'],
  ['audio/ogg', 'OggS'],
  ['font/woff2', 'wOF2'],
  ['font/woff', 'wOFF'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/bmp', 'BM'],
  ['image/x-icon', '\0\0\x01\0'],
];

/** The mime type of an image clients can show, undefined for anything else. */
export function imageType(head: Buffer): string | undefined {
  return IMAGES.find(([, test]) => test(head))?.[0];
}

/** A guess at what a binary file is. */
export function binaryType(head: Buffer): string {
  const start = head.toString('latin1', 0, 16);
  if (/^....ftyp/s.test(start)) return 'video/mp4';
  return MAGIC.find(([, prefix]) => start.startsWith(prefix))?.[0] ?? 'application/octet-stream';
}
