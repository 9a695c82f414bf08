// Messages of the stdio transport: one JSON text per line, passed on as the bytes they came as.
import { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';

/** Gives every line without its end, the last one too where it has none; waits for each to be taken. */
export async function eachLine(from: Readable, take: (line: Buffer) => Promise<void> | void): Promise<void> {
  let parts: Buffer[] = [];
  for await (const chunk of from as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      const line = Buffer.concat(parts);
      parts = [];
      start = end + 1;
      if (line.length > 0) await take(line);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(parts);
  if (rest.length > 0) await take(rest);
}

/** Writes a line; resolves when more may be written. A reader that is gone is no error here: its end is seen elsewhere. */
export async function writeLine(to: Writable, line: Uint8Array | string): Promise<void> {
  if (to.destroyed || to.writableEnded) return;
  to.cork();
  to.write(line);
  const more = to.write('\n');
  to.uncork();
  if (more) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      to.off('drain', done);
      to.off('close', done);
      resolve();
    };
    to.once('drain', done);
    to.once('close', done);
  });
}
