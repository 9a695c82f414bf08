// The text of a file a person or a tool wrote for a project: bounded, regular files only.
import { readFile, stat } from 'node:fs/promises';

/** Rejects with a sentence where it is no file, or larger than `most` bytes. A mark at its start is dropped. */
export async function boundedText(file: string, most: number): Promise<string> {
  const found = await stat(file);
  if (!found.isFile()) throw new Error('is not a file');
  if (found.size > most) throw new Error(`is larger than ${most} bytes`);
  return (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
}
