// Paragraphs and table rows as they come out of a walk over XML: numbered pieces, and lines to be shown.

/** Where finished paragraphs and lines go. */
export interface FlowTarget {
  /** a paragraph ended; `number` counts all of them, empty ones too, from 1 */
  paragraph(number: number, text: string): void;
  /** a line to be shown: a paragraph, or a table row with tabs between its cells */
  line(text: string): void;
}

type Cell = string[];
type Row = string[];

/** Follows paragraphs (which may nest: text boxes) and tables (which may nest too). */
export class Flow {
  readonly #target: FlowTarget;
  readonly #paragraphs: { number: number; text: string }[] = [];
  readonly #tables: (Row | Cell)[] = [];
  #count = 0;

  constructor(target: FlowTarget) {
    this.#target = target;
  }

  get inParagraph(): boolean {
    return this.#paragraphs.length > 0;
  }

  openParagraph(): void {
    this.#paragraphs.push({ number: ++this.#count, text: '' });
  }

  /** Adds to the innermost open paragraph; text outside of any is not content. */
  add(text: string): void {
    const open = this.#paragraphs.at(-1);
    if (open) open.text += text;
  }

  /** Adds text in which a run of white space is one blank, and none begins a paragraph (OpenDocument 1.3, 6.1.2). */
  addCollapsed(text: string): void {
    const open = this.#paragraphs.at(-1);
    if (!open) return;
    const collapsed = text.replaceAll(/[ \t\r\n]+/g, ' ');
    const joined = open.text === '' || /[ \n\t]$/.test(open.text) ? collapsed.replace(/^ /, '') : collapsed;
    open.text += joined;
  }

  closeParagraph(): void {
    const closed = this.#paragraphs.pop();
    if (!closed) return;
    this.#target.paragraph(closed.number, closed.text);
    this.#put(closed.text);
  }

  openRow(): void {
    this.#tables.push([]);
  }

  openCell(): void {
    this.#tables.push([]);
  }

  closeCell(): void {
    const cell = this.#tables.pop();
    this.#tables.at(-1)?.push((cell ?? []).join(' ').replaceAll('\n', ' '));
  }

  closeRow(): void {
    const row = this.#tables.pop();
    this.#put((row ?? []).join('\t'));
  }

  #put(text: string): void {
    const cell = this.#tables.at(-1);
    if (cell) cell.push(text);
    else this.#target.line(text);
  }
}
