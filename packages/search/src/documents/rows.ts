// Cells of a spreadsheet, as they become parts and shown rows; the same for both families of formats.
import type { Sink } from './sink.ts';

/** Empty columns in a row that are shown as tabs; a longer gap is named by the column after it. */
const GAP = 20;

/** Puts cells, which come row by row, into parts and shown lines. */
export class Rows {
  readonly #sink: Sink;
  readonly #entry: { entry?: string };
  readonly #sheet: string;
  #row = 0;
  #column = 0;
  #line = '';

  constructor(sink: Sink, entries: readonly string[], sheet: string) {
    this.#sink = sink;
    this.#entry = entries.length > 0 ? { entry: entries.join('!') } : {};
    this.#sheet = sheet;
  }

  /** `row` and `column` from 1. An empty text is no cell. */
  cell(row: number, column: number, text: string): void {
    if (text === '') return;
    if (row !== this.#row) this.end();
    this.#sink.part({ place: `sheet ${this.#sheet}!${columnName(column)}${row}`, ...this.#entry, text });
    const gap = column - this.#column;
    if (this.#line === '') this.#line = `${row}`;
    this.#line += gap > 0 && gap <= GAP ? '\t'.repeat(gap) : `\t[${columnName(column)}] `;
    this.#line += text.replaceAll(/[\t\r\n]+/g, ' ');
    this.#row = row;
    this.#column = column;
  }

  /** Ends the row. */
  end(): void {
    if (this.#line !== '') this.#sink.show(`${this.#line}\n`);
    this.#line = '';
    this.#column = 0;
  }
}

/** 1 is `A`, 26 `Z`, 27 `AA`. */
function columnName(number: number): string {
  let name = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}
