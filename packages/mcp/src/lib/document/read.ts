// A document from the disk, as text or as the value of its JSON; bounded.
import { open } from 'node:fs/promises';
import { constants } from 'node:fs';

/** Largest document. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The parsed JSON of a file. Rejects with the system's error, or with a sentence about what is wrong with it. */
export async function readJson(file: string): Promise<unknown> {
  return parseJson(await readText(file));
}

/** The value of a JSON text. Throws a sentence when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`it is not JSON (${(error as Error).message})`, { cause: error });
  }
}

/** The text of a file, without a byte order mark. Rejects as `readJson` does. */
export async function readText(file: string): Promise<string> {
  // Without waiting: a pipe in its place has perhaps no writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is no regular file');
    if (stat.size > MOST_BYTES) throw new Error(`it has ${stat.size} bytes, more than ${MOST_BYTES}`);
    const text = await handle.readFile('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  } finally {
    await handle.close();
  }
}
