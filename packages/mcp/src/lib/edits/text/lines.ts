// Line ends: what ends a line in a given file, and what end a new line takes.

export type LineEnd = '\n' | '\r\n' | '\r';

/** Bytes (or characters) of a file's start that decide whether it is one of carriage returns only. */
export const STYLE_SNIFF = 65_536;

/**
 * True if the file ends its lines with a lone CR (old Macintosh style): a CR inside its first 64 KiB and no LF there.
 * Elsewhere a lone CR is a character like any other.
 */
export function isCrText(head: string): boolean {
  const sniff = head.slice(0, STYLE_SNIFF);
  return sniff.includes('\r') && !sniff.includes('\n');
}

/** Length of the line end at `i`, 0 if none is there. */
export function lineEndAt(text: string, i: number, cr: boolean): number {
  const unit = text.charCodeAt(i);
  if (unit === 10) return 1;
  if (unit !== 13) return 0;
  if (text.charCodeAt(i + 1) === 10) return 2;
  return cr ? 1 : 0;
}

/** Length of the line end that stops just before `i`, 0 if none does. */
export function lineEndBefore(text: string, i: number, cr: boolean): number {
  if (i <= 0) return 0;
  const unit = text.charCodeAt(i - 1);
  if (unit === 10) return i > 1 && text.charCodeAt(i - 2) === 13 ? 2 : 1;
  return cr && unit === 13 ? 1 : 0;
}

/** Where the line that holds `i` starts. */
export function lineStart(text: string, i: number, cr: boolean): number {
  if (i <= 0) return 0;
  const lf = text.lastIndexOf('\n', i - 1) + 1;
  return cr ? Math.max(lf, text.lastIndexOf('\r', i - 1) + 1) : lf;
}

/** Where the line that holds `i` stops, before its line end. */
export function lineStop(text: string, i: number, cr: boolean): number {
  if (cr) {
    const any = /[\r\n]/g;
    any.lastIndex = i;
    return any.exec(text)?.index ?? text.length;
  }
  const stop = text.indexOf('\n', i);
  if (stop < 0) return text.length;
  return stop > i && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
}

/** 1-based numbers of the lines that hold the given ascending positions. */
export function lineNumbers(text: string, positions: readonly number[], cr: boolean): number[] {
  const numbers: number[] = [];
  let line = 1;
  let at = 0;
  for (const position of positions) {
    for (;;) {
      const stop = lineStop(text, at, cr);
      const end = lineEndAt(text, stop, cr);
      if (end === 0 || stop + end > position) break;
      at = stop + end;
      line++;
    }
    numbers.push(line);
  }
  return numbers;
}

/** A line without its end, and the end: '' only for a last line that has none. */
export interface Line {
  readonly text: string;
  readonly end: LineEnd | '';
}

/** All lines of a text; a final line end starts no further line, an empty text has none. */
export function splitLines(text: string, cr: boolean): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length;) {
    const stop = lineStop(text, at, cr);
    const end = lineEndAt(text, stop, cr);
    lines.push({ text: text.slice(at, stop), end: text.slice(stop, stop + end) as LineEnd | '' });
    at = stop + end;
  }
  return lines;
}

/** The end a line takes that is put next to position `at`: its neighbour's above, else below, else LF (CR in a CR file). */
export function neighbourEnd(text: string, at: number, cr: boolean): LineEnd {
  const start = lineStart(text, at, cr);
  const before = lineEndBefore(text, start, cr);
  if (before > 0) return text.slice(start - before, start) as LineEnd;
  const stop = lineStop(text, at, cr);
  const end = lineEndAt(text, stop, cr);
  if (end > 0) return text.slice(stop, stop + end) as LineEnd;
  return cr ? '\r' : '\n';
}

/** A caller's text with CRLF as LF: in a caller's text both mean "the file's own line end". */
export function unixEnds(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}
