// What a file is, by its first bytes and, where these do not tell, its name.
import path from 'node:path';

/** Containers as their bytes show them; office documents are told apart inside the zip. */
export type Container = 'pdf' | 'zip' | 'tar' | 'gzip' | 'cfb';

/** Bytes of the head that tell a container: a tar header lies at 257, a PDF mark within the first 1024. */
export const HEAD_LENGTH = 1024;

const OLD_OFFICE = /\.(docx?|docm|dotx?|xlsx?|xlsm|xltx?|pptx?|pptm|ppsx?)$/i;

/** The container of a file, undefined for anything else. */
export function containerOf(name: string, head: Buffer): Container | undefined {
  const start = head.toString('latin1', 0, 8);
  if (start.startsWith('%PDF-')) return 'pdf';
  // Readers take bytes before the mark (PDF 1.7, H.3.4.1); a program that writes PDFs has the mark in its text as well.
  if (path.extname(name).toLowerCase() === '.pdf' && head.subarray(0, HEAD_LENGTH).includes('%PDF-')) return 'pdf';
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return 'zip';
  if (start.startsWith('\x1f\x8b')) return 'gzip';
  if (head.toString('latin1', 257, 262) === 'ustar' && isTarHeader(head.subarray(0, 512))) return 'tar';
  if (path.extname(name).toLowerCase() === '.tar' && isTarHeader(head.subarray(0, 512))) return 'tar';
  if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' && OLD_OFFICE.test(name)) return 'cfb';
  return undefined;
}

/** True if the checksum of a tar header holds (POSIX ustar: the sum of its bytes, its own field taken as blanks). */
export function isTarHeader(header: Buffer): boolean {
  if (header.length < 512) return false;
  let sum = 0;
  for (let i = 0; i < 512; i++) sum += i >= 148 && i < 156 ? 32 : (header[i] ?? 0);
  return Number.parseInt(header.toString('latin1', 148, 156).replaceAll('\0', ' ').trim(), 8) === sum;
}
