// Bytes into lines, whatever the chunks: bounded, strict about UTF-8, deaf to what is too long.
import { isUtf8 } from 'node:buffer';

/** A line as text, or why it is none. */
export type Line = { text: string } | { fault: 'too-long' | 'not-utf8' };

export interface LineReader {
  push(chunk: Buffer): void;
  /** the end of input: what is left is a line too */
  end(): void;
}

/** Calls `take` for every line that is not blank; a line longer than `max` bytes is skipped to its end and reported once. */
export function createLineReader(max: number, take: (line: Line) => void): LineReader {
  let parts: Buffer[] = [];
  let held = 0;
  let skipping = false;

  const hold = (part: Buffer): void => {
    if (skipping || part.length === 0) return;
    if (held + part.length > max) {
      parts = [];
      held = 0;
      skipping = true;
      take({ fault: 'too-long' });
      return;
    }
    parts.push(part);
    held += part.length;
  };
  const finish = (): void => {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    held = 0;
    if (skipping) {
      skipping = false;
      return;
    }
    if (!isUtf8(bytes)) return take({ fault: 'not-utf8' });
    const text = bytes.toString('utf8');
    // A mark at the start and the CR of CRLF are no part of a message; JSON ignores white space at either end.
    const trimmed = text.replace(/^\uFEFF/, '').trim();
    if (trimmed !== '') take({ text: trimmed });
  };
  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        hold(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start < chunk.length) hold(chunk.subarray(start));
    },
    end: finish,
  };
}
