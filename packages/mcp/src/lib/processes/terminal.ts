// What a terminal would show of a stream of bytes: carriage returns, backspaces and cursor moves are carried out, every
// other control is dropped. Works on bytes, in one pass, with any cut between chunks; UTF-8 passes through untouched. The time it
// takes is linear in what is fed, whatever that is: see `#pay`.
import { isContinuation, Row } from './row.ts';

/** Where finished lines go, and where the last ones are taken back from when the cursor moves up into them. */
export interface Paper {
  append(bytes: Uint8Array): void;
  /** the last `count` lines, oldest first, without their line ends, and off the paper; fewer where there are fewer */
  takeBack(count: number): Buffer[];
}

/** Bytes of a line after which its beginning is put on paper and can no longer be overwritten. */
const MAX_LINE = 64 * 1024;
/** Furthest a cursor moves at once, in rows or columns, and most rows that can be written over. */
const MAX_MOVE = 200;

/** Work, in steps of about a nanosecond, that each byte fed pays for, and how much of it is saved up at most. */
const EARNED = 256;
const MAX_CREDIT = 1 << 24;
/** What a look back into the paper costs before anything is found there. */
const LOOK_BACK = 4096;

const LF = 0x0a;
const NEWLINE = Buffer.from('\n');

/** Bytes that stand for themselves wherever they come: not controls, not DEL, not the lead byte of the C1 controls. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === 0x09 || byte === LF || (byte >= 0x20 && byte !== 0x7f && byte !== 0xc2) ? 1 : 0,
);

type State = 'text' | 'c1' | 'escape' | 'escape-more' | 'control' | 'string' | 'string-escape' | 'string-c1';

/** The place after a colour that starts at `from` and is whole, 0 else. Colours are by far the most frequent sequence. */
function pastColour(chunk: Uint8Array, from: number): number {
  if (chunk[from] !== 0x5b) return 0;
  let at = from + 1;
  while (at < chunk.length && chunk[at]! >= 0x30 && chunk[at]! <= 0x3b) at++;
  return chunk[at] === 0x6d ? at + 1 : 0;
}

/** A terminal without edges that writes what has become final to `paper`. */
export class Terminal {
  readonly #paper: Paper;
  #rows: Row[] = [new Row()];
  #row = 0;
  /** byte offset in the current row; past its end after a cursor move, and then the gap is blank once something is written */
  #at = 0;
  #state: State = 'text';
  #parameters = '';
  #credit = MAX_CREDIT;

  constructor(paper: Paper) {
    this.#paper = paper;
  }

  /** What is shown but not yet on paper: normally the unfinished last line. */
  pending(): Buffer {
    if (this.#rows.length === 1) return this.#rows[0]!.text();
    return Buffer.concat(this.#rows.flatMap((row, i) => (i === 0 ? [row.text()] : [NEWLINE, row.text()])));
  }

  /** Bytes of `pending()`. */
  get length(): number {
    return this.#rows.reduce((sum, row) => sum + row.length, this.#rows.length - 1);
  }

  /** Puts everything on paper. */
  end(): void {
    this.#paper.append(this.pending());
    this.#rows = [new Row()];
    this.#row = 0;
    this.#at = 0;
  }

  feed(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length;) {
      if (this.#state !== 'text') {
        this.#earn(1);
        this.#step(chunk[i]!);
        i++;
        continue;
      }
      let end = i;
      while (end < chunk.length && PLAIN[chunk[end]!] === 1) end++;
      if (end > i) this.#write(chunk.subarray(i, end));
      i = end + 1;
      if (end >= chunk.length) return;
      const after = chunk[end] === 0x1b ? pastColour(chunk, i) : 0;
      this.#earn(Math.max(after, i) - end);
      if (after > 0) i = after;
      else this.#control(chunk[end]!);
    }
  }

  #earn(bytes: number): void {
    this.#credit = Math.min(this.#credit + bytes * EARNED, MAX_CREDIT);
  }

  /**
   * Accounts for work that grows with what is shown rather than with what is fed. Who moves about in long rows without end runs out
   * of credit; then all that is shown becomes final, and with it short.
   */
  #pay(steps: number): void {
    this.#credit -= steps;
    if (this.#credit < 0) this.end();
  }

  /** Plain bytes at the cursor. */
  #write(run: Uint8Array): void {
    let from = 0;
    while (from < run.length) {
      const row = this.#rows[this.#row]!;
      if (this.#rows.length === 1 && this.#at === row.length) {
        const last = run.lastIndexOf(LF);
        if (last >= from) {
          this.#paper.append(row.text());
          this.#paper.append(run.subarray(from, last + 1));
          this.#earn(last + 1 - from);
          row.length = 0;
          from = last + 1;
        }
        const rest = run.subarray(from);
        this.#earn(rest.length);
        row.splice(row.length, 0, rest.length);
        row.bytes.set(rest, row.length - rest.length);
        this.#at = row.length;
        if (row.length > MAX_LINE) this.end();
        return;
      }
      const byte = run[from++]!;
      this.#earn(1);
      if (byte === LF) this.#newline();
      else this.#put(row, byte);
      if (row.length > MAX_LINE) this.end();
    }
  }

  /** One byte over what is at the cursor; the further bytes of a character join its first. */
  #put(row: Row, byte: number): void {
    const gap = Math.max(this.#at - row.length, 0);
    if (gap > 0) {
      row.splice(row.length, 0, gap);
      row.bytes.fill(0x20, this.#at - gap, this.#at);
    }
    const moved = row.splice(this.#at, isContinuation(byte) ? 0 : row.width(this.#at), 1);
    row.bytes[this.#at++] = byte;
    this.#pay((gap + moved) >> 4);
  }

  #newline(): void {
    this.#at = 0;
    if (this.#row < this.#rows.length - 1) {
      this.#row++;
      return;
    }
    this.#paper.append(this.pending());
    this.#paper.append(NEWLINE);
    this.#rows[0]!.length = 0;
    this.#rows.length = 1;
    this.#row = 0;
  }

  /** C0 controls, DEL, and the lead byte of C1 (ECMA-48). */
  #control(byte: number): void {
    if (byte === 0x0d) this.#at = 0;
    else if (byte === 0x1b) this.#state = 'escape';
    else if (byte === 0xc2) this.#state = 'c1';
    else if (byte === 0x08) this.#at = this.#rows[this.#row]!.left(this.#at, 1);
    else if (byte === 0x0b || byte === 0x0c) this.#newline();
  }

  #step(byte: number): void {
    switch (this.#state) {
      case 'c1':
        return this.#c1(byte);
      case 'escape':
        return this.#escape(byte);
      case 'escape-more': // intermediates of a short sequence, such as a character set
        if (byte < 0x20 || byte > 0x2f) this.#leave(byte, byte >= 0x30 && byte <= 0x7e);
        return;
      case 'control':
        return this.#controlSequence(byte);
      case 'string-escape':
        if (byte === 0x5c) this.#state = 'text';
        else this.#escape(byte);
        return;
      case 'string-c1':
        this.#state = byte === 0x9c ? 'text' : 'string';
        if (byte !== 0x9c) this.#string(byte);
        return;
      default:
        return this.#string(byte);
    }
  }

  #c1(byte: number): void {
    this.#state = 'text';
    if (byte === 0x9b) this.#begin('control');
    else if (byte === 0x90 || byte === 0x98 || (byte >= 0x9d && byte <= 0x9f)) this.#begin('string');
    else if (byte === 0x84 || byte === 0x85) this.#newline();
    else if (byte < 0x80 || byte > 0x9f) {
      this.#write(Uint8Array.of(0xc2));
      this.feed(Uint8Array.of(byte));
    }
  }

  #escape(byte: number): void {
    if (byte === 0x5b) this.#begin('control');
    else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#begin('string');
    else if (byte >= 0x20 && byte <= 0x2f) this.#state = 'escape-more';
    else if (byte === 0x4d) {
      this.#state = 'text';
      this.#vertical(-1);
    } else this.#leave(byte, byte >= 0x30 && byte <= 0x7e);
  }

  #begin(state: State): void {
    this.#state = state;
    this.#parameters = '';
  }

  /** Back to text; a byte that is not part of the sequence is taken as what it is. */
  #leave(byte: number, consumed: boolean): void {
    this.#state = 'text';
    if (!consumed) this.feed(Uint8Array.of(byte));
  }

  /** OSC, DCS and their like end at BEL or ST. A line end breaks them off, so that a lost end hides no more than its line. */
  #string(byte: number): void {
    if (byte === 0x07 || byte === 0x18 || byte === 0x1a) this.#state = 'text';
    else if (byte === 0x1b) this.#state = 'string-escape';
    else if (byte === 0xc2) this.#state = 'string-c1';
    else if (byte === LF) this.#leave(byte, false);
  }

  #controlSequence(byte: number): void {
    if (byte >= 0x20 && byte <= 0x3f) {
      if (this.#parameters.length < 32) this.#parameters += String.fromCharCode(byte);
      return;
    }
    if (byte < 0x40 || byte > 0x7e) return this.#leave(byte, false);
    this.#state = 'text';
    const first = /^\d*/.exec(this.#parameters)?.[0] ?? '';
    const number = first === '' ? undefined : Math.min(Number(first), MAX_MOVE);
    this.#perform(String.fromCharCode(byte), number);
  }

  /** The control functions that move or erase; colours, modes and the rest show nothing. */
  #perform(name: string, number: number | undefined): void {
    const row = this.#rows[this.#row]!;
    const count = Math.max(number ?? 1, 1);
    if (name === 'A') this.#vertical(-count);
    else if (name === 'B') this.#vertical(count);
    else if (name === 'E' || name === 'F') {
      this.#vertical(name === 'E' ? count : -count);
      this.#at = 0;
    } else if (name === 'C') this.#at = row.right(this.#at, count);
    else if (name === 'D') this.#at = row.left(this.#at, count);
    else if (name === 'G') this.#at = row.right(0, count - 1);
    else if (name === 'K') this.#eraseLine(row, number ?? 0);
    else if (name === 'J' && (number ?? 0) === 0) {
      this.#eraseLine(row, 0);
      this.#rows.length = this.#row + 1;
    } else if (name === 'P') {
      const end = Math.min(row.right(this.#at, count), row.length);
      if (end > this.#at) this.#pay(row.splice(this.#at, end - this.#at, 0) >> 4);
    }
  }

  #eraseLine(row: Row, which: number): void {
    if (which === 0) row.length = Math.min(row.length, this.#at);
    else if (which === 1 || which === 2) {
      const erased = Math.min(this.#at, row.length);
      const column = row.column(this.#at);
      const blanks = which === 2 ? 0 : row.column(erased);
      row.splice(0, which === 2 ? row.length : erased, blanks);
      row.bytes.fill(0x20, 0, blanks);
      this.#at = row.right(0, column);
      this.#pay(erased * 3);
    }
  }

  #vertical(by: number): void {
    const before = this.#rows[this.#row]!;
    const column = before.column(this.#at);
    let target = this.#row + by;
    let steps = Math.min(this.#at, before.length);
    const most = Math.min(-target, MAX_MOVE - this.#rows.length);
    if (target < 0) {
      const lines = most > 0 && this.#credit >= 0 ? this.#paper.takeBack(most) : [];
      this.#rows.unshift(...lines.map((line) => Row.of(line)));
      target = Math.max(target + lines.length, 0);
      steps += lines.reduce((sum, line) => sum + line.length, LOOK_BACK);
    }
    this.#row = Math.min(target, this.#rows.length - 1);
    this.#at = this.#rows[this.#row]!.right(0, column);
    this.#pay(steps + this.#at);
  }
}
