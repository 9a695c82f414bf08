// Where readers put what they find. Keeps the bounds on text, parts, unpacked bytes and time.
import { bytes, Enough, type Limits } from './limits.ts';
import type { Batch, Part } from './types.ts';

/** Collects parts (to be searched) and text (to be shown), and hands them on in batches. */
export class Sink {
  readonly limits: Limits;
  readonly #emit: (batch: Batch) => void;
  readonly #deadline: number;
  #parts: Part[] = [];
  #text = '';
  #partCount = 0;
  #characters = 0;
  #unpacked = 0;

  constructor(emit: (batch: Batch) => void, limits: Limits) {
    this.#emit = emit;
    this.limits = limits;
    this.#deadline = performance.now() + limits.time;
  }

  /** Records a part; an empty text is not worth one unless it says why it is empty. */
  part(part: Part): void {
    if (part.text === '' && part.skipped === undefined) return;
    this.breathe();
    if (++this.#partCount > this.limits.parts) {
      throw new Enough(`more than ${this.limits.parts} parts; the rest is left out`);
    }
    const room = this.limits.text - this.#characters;
    this.#parts.push(part.text.length > room ? { ...part, text: wellCut(part.text, room) } : part);
    if (this.#parts.length >= 512) this.flush();
  }

  /** Shows text; a character is counted here once. */
  show(text: string): void {
    const room = this.limits.text - this.#characters;
    if (text.length > room) {
      this.#text += wellCut(text, room);
      throw new Enough(`more than ${this.limits.text} characters of text; the rest is left out`);
    }
    this.#characters += text.length;
    this.#text += text;
    if (this.#text.length >= 256 * 1024) this.flush();
  }

  /** Bytes that may still be unpacked. */
  get unpackable(): number {
    return this.limits.unpacked - this.#unpacked;
  }

  /** Counts unpacked bytes. */
  unpacked(count: number): void {
    this.#unpacked += count;
    if (this.#unpacked > this.limits.unpacked) {
      throw new Enough(`unpacks to more than ${bytes(this.limits.unpacked)} in all`);
    }
    this.breathe();
  }

  /** Ends the reading when its time is over. */
  breathe(): void {
    if (performance.now() > this.#deadline) throw new Enough('took too long; the rest is left out');
  }

  /** Hands on what is there. */
  flush(): void {
    if (this.#parts.length === 0 && this.#text === '') return;
    this.#emit({ parts: this.#parts, text: this.#text });
    this.#parts = [];
    this.#text = '';
  }
}

function wellCut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** The line before a page, slide or sheet; `entries` leads to a document inside an archive. */
export function heading(entries: readonly string[], place: string): string {
  return entries.length > 0 ? `--- ${entries.join('!')} ${place} ---\n` : `--- ${place} ---\n`;
}
