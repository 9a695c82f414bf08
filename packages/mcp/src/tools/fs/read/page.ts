// One page of a text: whole lines while they fit, a piece of a line where one alone does not.
import { utf8Length } from '@hanzo/tool';
import { lineEndAt, lineStop } from '../../../lib/edits/text/lines.ts';

/** A line up to this many characters is never divided between two pages. */
const WHOLE_LINE = 2000;

export interface PageOptions {
  /** 0-based line and character the text starts at */
  readonly line: number;
  readonly column: number;
  /** most lines, and most UTF-8 bytes */
  readonly limit: number;
  readonly room: number;
  /** line numbers before the lines, LF after them; else the text as it is */
  readonly gutter: boolean;
  readonly cr: boolean;
}

export interface Page {
  readonly text: string;
  /** the text of the file behind it: line ends as they are, no gutter */
  readonly source: string;
  /** lines begun on this page */
  readonly lines: number;
  /** where the next page starts; undefined at the end of the text */
  readonly next: { readonly line: number; readonly column: number } | undefined;
}

/** The number of a line (1-based) as it stands before it. */
function gutter(line: number): string {
  return `${String(line).padStart(6)}│`;
}

/** Fills a page from pieces of text; reads no further than it needs. Pages follow one another without gap or overlap. */
export async function fillPage(pieces: AsyncIterable<string> | Iterable<string>, options: PageOptions): Promise<Page> {
  const page = new Filler(options);
  let pending = '';
  for await (const piece of pieces) {
    pending += piece;
    // a CR at the end of a piece may be half of a CRLF
    const usable = pending.endsWith('\r') ? pending.length - 1 : pending.length;
    pending = page.take(pending.slice(0, usable), false) + pending.slice(usable);
    if (page.full) break;
  }
  if (!page.full) page.take(pending, true);
  return page.finish();
}

class Filler {
  full = false;
  #out: string[] = [];
  #source: string[] = [];
  #left: number;
  #begun = 0;
  #line: number;
  #column: number;
  #more = false;
  readonly #options: PageOptions;

  constructor(options: PageOptions) {
    this.#options = options;
    this.#left = options.room;
    this.#line = options.line;
    this.#column = options.column;
    // The piece of a line that an earlier page began counts as a line of this one.
    this.#begun = options.column > 0 ? 1 : 0;
  }

  /** Uses up what it can of `text` and gives back the rest, an unfinished line. */
  take(text: string, last: boolean): string {
    const { cr, gutter: numbered, limit } = this.#options;
    for (let at = 0; at < text.length;) {
      const stop = lineStop(text, at, cr);
      const end = lineEndAt(text, stop, cr);
      const whole = end > 0 || last;
      if (this.#column === 0 && this.#begun >= limit) return this.#stop();
      const prefix = this.#column === 0 && numbered ? gutter(this.#line + 1) : '';
      const body = text.slice(at, stop);
      const tail = numbered && end > 0 ? '\n' : text.slice(stop, stop + end);
      const size = utf8Length(prefix) + utf8Length(body) + tail.length;
      if (!whole && size <= this.#left) return text.slice(at);
      if (size <= this.#left) {
        this.#put(prefix + body + tail, body + text.slice(stop, stop + end), size);
        if (end > 0) {
          this.#line++;
          this.#column = 0;
        } else this.#column += body.length;
        at = stop + end;
        continue;
      }
      if (!whole && body.length <= WHOLE_LINE && this.#out.length > 0) return text.slice(at);
      if (body.length <= WHOLE_LINE && this.#out.length > 0) return this.#stop();
      const piece = fit(body, this.#left - utf8Length(prefix), this.#out.length === 0);
      if (piece > 0) {
        const shownPiece = body.slice(0, piece);
        this.#put(prefix + shownPiece, shownPiece, this.#left);
        this.#column += piece;
      }
      return this.#stop();
    }
    return '';
  }

  finish(): Page {
    return {
      text: this.#out.join(''),
      source: this.#source.join(''),
      lines: this.#begun,
      next: this.#more ? { line: this.#line, column: this.#column } : undefined,
    };
  }

  #put(text: string, source: string, size: number): void {
    if (this.#column === 0) this.#begun++;
    this.#out.push(text);
    this.#source.push(source);
    this.#left -= size;
  }

  #stop(): string {
    this.full = true;
    this.#more = true;
    return '';
  }
}

/** How many units of `text` fit into `room` bytes without dividing a code point; at least one code point if `some`. */
function fit(text: string, room: number, some: boolean): number {
  let bytes = 0;
  let at = 0;
  while (at < text.length) {
    const point = text.codePointAt(at)!;
    const units = point > 0xffff ? 2 : 1;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point > 0xffff ? 4 : 3;
    if (bytes > room && !(some && at === 0)) break;
    at += units;
  }
  return at;
}
