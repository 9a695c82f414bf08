// A JSON document from the disk, bounded.
import { open } from 'node:fs/promises';
import { constants } from 'node:fs';

/** Largest document. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The parsed JSON of a file. Rejects with the system's error, or with a sentence about what is wrong with it. */
export async function readJson(file: string): Promise<unknown> {
  // Without waiting: a pipe in its place has perhaps no writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is no regular file');
    if (stat.size > MOST_BYTES) throw new Error(`it has ${stat.size} bytes, more than ${MOST_BYTES}`);
    const text = await handle.readFile('utf8');
    try {
      return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown;
    } catch (error) {
      throw new Error(`it is not JSON (${(error as Error).message})`, { cause: error });
    }
  } finally {
    await handle.close();
  }
}
