// The lines of one file that a page shows: the file is read again, and searched again for as far as the page needs.
import type { LineScanner, Matcher } from '../match/types.ts';
import { NUL, UTF16, UTF8_MARK } from '../match/types.ts';
import type { How } from './job.ts';
import { type Line, showLines, spanner, type Wanted } from './lines.ts';
import { OpenFile } from './read.ts';

export interface ExcerptJob {
  readonly how: How;
  /** absolute path */
  readonly file: string;
  /** [ctime, size, ino] of what was counted */
  readonly stamp: readonly number[];
  readonly wanted: Wanted;
}

export interface ShownLine extends Line {
  readonly type?: 'definition' | 'reference';
}

export interface Excerpt {
  readonly lines: readonly ShownLine[];
  /** the file is not what was counted */
  readonly changed: boolean;
}

/** What reading it again needs beside the job. */
export interface Tools {
  readonly scanner: LineScanner;
  readonly matcher: Matcher;
  readonly defines: ((line: string, path: string) => boolean) | undefined;
}

export function excerpt(job: ExcerptJob, tools: Tools): Excerpt {
  const file = new OpenFile();
  if (!file.open(job.file)) return { lines: [], changed: true };
  try {
    const changed = file.ctime !== job.stamp[0] || file.size !== job.stamp[1] || file.ino !== job.stamp[2];
    const read = file.whole(tools.scanner, job.how.maxFileBytes);
    if (read < 0) return { lines: [], changed: true };
    const { length, flags } = tools.scanner.normalise(read);
    if ((flags & NUL) !== 0) return { lines: [], changed: true };
    const lines = linesOf(length, flags, job, tools);
    return { lines, changed: changed || lines.length < job.wanted.take };
  } finally {
    file.close();
  }
}

function linesOf(length: number, flags: number, job: ExcerptJob, tools: Tools): ShownLine[] {
  const { skip, take } = job.wanted;
  // one more than is shown: it owns lines that would else be context
  const { spans } = tools.scanner.lines(length, flags, skip + take + 1);
  const room = tools.scanner.room(length);
  const bytes = Buffer.from(room.buffer, room.byteOffset, length);
  const spansOf = spanner(bytes, tools.matcher, job.how.spec.multiline);
  const shown = showLines({ bytes, hits: spans, firstLine: 1, spansOf }, job.wanted);
  const { defines } = tools;
  return shown.map((line) => ({
    ...line,
    offset: inFile(line.offset, bytes, flags),
    ...(defines ? { type: defines(line.text, job.file) ? ('definition' as const) : ('reference' as const) } : {}),
  }));
}

/** An offset in the text as one in the file, which may begin with a mark or be written in UTF-16. */
function inFile(offset: number, bytes: Buffer, flags: number): number {
  if ((flags & UTF16) !== 0) return 2 + 2 * bytes.toString('utf8', 0, offset).length;
  return (flags & UTF8_MARK) !== 0 ? offset + 3 : offset;
}
