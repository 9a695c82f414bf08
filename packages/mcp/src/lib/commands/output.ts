// What of a command's output an answer shows: all of it, or head and tail with the way to the rest, or one page.
import { type Body, utf8Length } from '@hanzo/tool';
import type { Capture } from '../processes/capture.ts';
import type { Proc } from '../processes/proc.ts';

export type StreamName = 'stdout' | 'stderr';

/** Room for the line that says what was left out. */
const NOTE = 200;
/** How much of an abridged output is its beginning; the end matters more, errors stand there. */
const HEAD = 0.4;

/** Both streams within `room` bytes. `data` is empty, or says that something was left out. */
export function showBoth(proc: Proc, room: number): { bodies: Body[]; data: Record<string, unknown> } {
  const [out, err] = [proc.stdout.size, proc.stderr.size];
  const forErr = out + err <= room ? err : Math.min(err, Math.max(Math.floor(room / 4), room - out));
  const stderr = show(proc, 'stderr', forErr);
  const stdout = show(proc, 'stdout', room - utf8Length(stderr.text));
  const truncated = stdout.truncated || stderr.truncated;
  return {
    bodies: [
      { kind: 'text', key: 'stdout', text: stdout.text },
      { kind: 'text', key: 'stderr', text: stderr.text },
    ],
    data: truncated ? { stdout_bytes: out, stderr_bytes: err, truncated } : {},
  };
}

function show(proc: Proc, name: StreamName, room: number): { text: string; truncated: boolean } {
  const capture = proc[name];
  const { size, lost } = capture;
  if (size <= room && !lost) {
    const text = capture.read(0, size).toString();
    if (utf8Length(text) <= room) return { text, truncated: false };
  }
  // Bytes that are no UTF-8 grow to three each when they are replaced: then a third of the room holds them.
  for (let tries = room - NOTE; tries > 64; tries = Math.floor(tries / 3)) {
    const head = cutEnd(capture.read(0, Math.floor(tries * HEAD)));
    const tail = cutStart(capture.read(size - Math.floor(tries * (1 - HEAD)), size));
    const [from, to] = [head.length, size - tail.length];
    const gone = lost ? `; ${lost.from} to ${lost.to} are past the log's bound and lost` : '';
    const note = `[${to - from} of ${size} bytes left out: exec logs proc_id=${proc.id} stream=${name} offset=${from}${gone}]`;
    const text = `${lineEnd(head.toString())}${note}\n${tail.toString()}`;
    if (utf8Length(text) <= room) return { text, truncated: true };
  }
  return { text: '', truncated: true };
}

/** The last `lines` lines within `room` bytes; `cut` when the room was too small for them. */
export function showTail(capture: Capture, lines: number, room: number): { text: string; cut: boolean } {
  const { size } = capture;
  for (let tries = Math.min(room, size); tries > 0; tries = Math.floor(tries / 3)) {
    const bytes = capture.read(size - tries, size);
    let at = bytes.at(-1) === 0x0a ? bytes.length - 1 : bytes.length;
    for (let found = 0; found < lines && at >= 0; found++) at = at > 0 ? bytes.lastIndexOf(0x0a, at - 1) : -1;
    const cut = at < 0 && tries < size;
    const text = (cut ? cutStart(bytes) : bytes.subarray(at + 1)).toString();
    if (utf8Length(text) <= room) return { text, cut };
  }
  return { text: '', cut: size > 0 };
}

/** One page of a stream. Pages from `next` to `next` concatenate to the whole, byte for byte. */
export interface Page {
  readonly text: string;
  readonly from: number;
  readonly next: number;
}

/** The page at byte `offset` of at most `room` bytes: whole lines where they fit, whole characters always. */
export function page(capture: Capture, offset: number, room: number): Page {
  const { lost, settled } = capture;
  const from = lost && offset >= lost.from && offset < lost.to ? lost.to : offset;
  const stop = lost && from < lost.from ? Math.min(settled, lost.from) : settled;
  for (let tries = Math.min(room, stop - from); tries > 0; tries = Math.floor(tries / 3)) {
    const bytes = capture.read(from, from + tries);
    const kept = from + tries < stop ? cutEnd(bytes) : bytes;
    const text = kept.toString();
    if (utf8Length(text) <= room) return { text, from, next: from + kept.length };
  }
  return { text: '', from, next: from };
}

/** Without what follows the last line end, if that leaves half; else without a character cut at its end. */
function cutEnd(bytes: Buffer): Buffer {
  const line = bytes.lastIndexOf(0x0a) + 1;
  if (line > bytes.length / 2) return bytes.subarray(0, line);
  let lead = bytes.length - 1;
  while (lead > 0 && bytes.length - lead < 4 && (bytes[lead]! & 0xc0) === 0x80) lead--;
  const width = bytes[lead]! >= 0xf0 ? 4 : bytes[lead]! >= 0xe0 ? 3 : bytes[lead]! >= 0xc0 ? 2 : 1;
  return lead > 0 && lead + width > bytes.length ? bytes.subarray(0, lead) : bytes;
}

/** Without what precedes the first line, if that leaves half; else without a character cut at its start. */
function cutStart(bytes: Buffer): Buffer {
  const line = bytes.indexOf(0x0a) + 1;
  if (line > 0 && line < bytes.length / 2) return bytes.subarray(line);
  let start = 0;
  while (start < 3 && start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

function lineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
