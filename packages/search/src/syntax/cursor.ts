// Where in a pattern the parser stands, and how a mistake is reported. Knows characters and verbose mode, no grammar.
import { SearchError } from '../types.ts';

/** What verbose mode skips: Pattern_White_Space. */
const BLANK = /[\t-\r \x85\u200e\u200f\u2028\u2029]/;

export class Cursor {
  readonly #chars: readonly string[];
  #at = 0;
  /** flag x: blanks and comments are skipped */
  verbose = false;

  constructor(pattern: string) {
    this.#chars = Array.from(pattern);
    const half = this.#chars.findIndex((char) => char.length === 1 && char >= '\ud800' && char <= '\udfff');
    if (half >= 0) this.fail('half of a surrogate pair is not a character; write whole characters', half);
  }

  get at(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** The character here; '' at the end. */
  get char(): string {
    return this.#chars[this.#at] ?? '';
  }

  /** Is this the character here? */
  is(char: string): boolean {
    return this.char === char;
  }

  /** The character after this one; '' at the end. */
  get next(): string {
    return this.#chars[this.#at + 1] ?? '';
  }

  /** Characters from `start` up to here. */
  since(start: number): string {
    return this.#chars.slice(start, this.#at).join('');
  }

  bump(): void {
    this.#at++;
  }

  back(at: number): void {
    this.#at = at;
  }

  /** Past `text` if it stands here. */
  take(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.#chars[this.#at + i] !== text[i]) return false;
    this.#at += text.length;
    return true;
  }

  /** Past this character, and past what verbose mode skips. */
  step(): void {
    this.#at++;
    this.skip();
  }

  /** Past blanks and comments, in verbose mode only. */
  skip(): void {
    if (!this.verbose) return;
    while (!this.done) {
      if (BLANK.test(this.char)) this.#at++;
      else if (this.char === '#') while (!this.done && this.#chars[this.#at++] !== '\n') continue;
      else return;
    }
  }

  /** The character after this one and what verbose mode skips. */
  nextSkipping(): string {
    const at = this.#at;
    this.step();
    const { char } = this;
    this.#at = at;
    return char;
  }

  /** `at` is an index of a character; the error carries UTF-16 units. */
  fail(message: string, at: number = this.#at): never {
    throw new SearchError('PATTERN', message, this.offset(at));
  }

  offset(at: number): number {
    let offset = 0;
    for (let i = 0; i < at && i < this.#chars.length; i++) offset += this.#chars[i]!.length;
    return offset;
  }
}
