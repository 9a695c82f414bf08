// odt, ods, odp: one content.xml each, walked once. (OpenDocument 1.3 part 3)
import { Flow } from './flow.ts';
import type { OfficePackage } from './package.ts';
import type { Opened } from './opened.ts';
import { Rows } from './rows.ts';
import { heading } from './sink.ts';
import { type Attributes, type Visitor, walkXml } from './xml.ts';

/** Most copies of a repeated cell or row that are taken as content; more are filling. */
const REPEAT_LIMIT = 100;
/** Subtrees that are not text of the document. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'tracked-changes',
  'annotation',
  'annotation-end',
  'note-citation',
  'ruby-text',
  'forms',
]);

/** Places: `para 5` and `footnote 1` in a text, `sheet Data!B4` in a spreadsheet, `slide 3` and `slide 3 notes` in a presentation. */
export function readOpenDocument(office: OfficePackage, opened: Opened): void {
  const xml = office.xml(office.main);
  if (office.kind === 'ods') readSpreadsheet(xml, opened);
  else if (office.kind === 'odp') readPresentation(xml, opened);
  else readText(xml, opened);
}

function readText(xml: string, { sink, entries }: Opened): void {
  const entry = entries.length > 0 ? { entry: entries.join('!') } : {};
  const notes: string[] = [];
  let note: string[] | undefined;
  const body = new Flow({
    paragraph: (number, text) => sink.part({ place: `para ${number}`, ...entry, text: text.trimEnd() }),
    line: (text) => sink.show(`${text.trimEnd()}\n`),
  });
  const aside = new Flow({ paragraph: () => {}, line: (text) => note?.push(text.trimEnd()) });
  walkXml(
    xml,
    textVisitor(() => (note ? aside : body), {
      open(name) {
        if (name === 'note-body') note = [];
      },
      close(name) {
        if (name !== 'note-body') return;
        notes.push((note ?? []).join('\n').trim());
        note = undefined;
      },
    }),
  );
  for (const [i, text] of notes.entries()) {
    sink.part({ place: `footnote ${i + 1}`, ...entry, text });
    sink.show(`${heading(entries, `footnote ${i + 1}`)}${text}\n`);
  }
}

function readPresentation(xml: string, { sink, entries }: Opened): void {
  const entry = entries.length > 0 ? { entry: entries.join('!') } : {};
  let slide = 0;
  let lines: string[] = [];
  let notes: string[] | undefined;
  let noted: string[] = [];
  const flow = new Flow({
    paragraph: () => {},
    line: (text) => {
      if (text.trim() !== '') (notes ?? lines).push(text.trimEnd());
    },
  });
  const put = (place: string, text: string): void => {
    sink.part({ place, ...entry, text });
    sink.show(heading(entries, place) + (text === '' ? '' : `${text}\n`));
  };
  walkXml(
    xml,
    textVisitor(() => flow, {
      open(name) {
        if (name === 'page') {
          slide++;
          lines = [];
          noted = [];
        } else if (name === 'notes') notes = [];
      },
      close(name) {
        if (name === 'notes') {
          noted = notes ?? [];
          notes = undefined;
        } else if (name === 'page') {
          put(`slide ${slide}`, lines.join('\n'));
          if (noted.length > 0) put(`slide ${slide} notes`, noted.join('\n'));
        }
      },
    }),
  );
}

function readSpreadsheet(xml: string, { sink, entries }: Opened): void {
  let rows: Rows | undefined;
  let row = 1;
  let rowCopies = 1;
  let column = 1;
  let cellCopies = 1;
  let cells: { column: number; text: string }[] = [];
  let text: string[] = [];
  const flow = new Flow({ paragraph: (_number, part) => text.push(part.trimEnd()), line: () => {} });
  const visitor = textVisitor(() => flow, {
    open(name, attributes) {
      if (name === 'table') {
        const sheet = attributes.get('name') ?? '';
        sink.show(heading(entries, `sheet ${sheet}`));
        rows = new Rows(sink, entries, sheet);
        row = 1;
      } else if (name === 'table-row') {
        rowCopies = repeated(attributes, 'number-rows-repeated');
        column = 1;
        cells = [];
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        cellCopies = repeated(attributes, 'number-columns-repeated');
        text = [];
      }
    },
    close(name) {
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const shown = text.join('\n');
        const copies = shown === '' ? 0 : Math.min(cellCopies, REPEAT_LIMIT);
        for (let i = 0; i < copies; i++) cells.push({ column: column + i, text: shown });
        column += cellCopies;
      } else if (name === 'table-row') {
        for (let i = 0; cells.length > 0 && i < Math.min(rowCopies, REPEAT_LIMIT); i++) {
          for (const cell of cells) rows?.cell(row + i, cell.column, cell.text);
          rows?.end();
        }
        row += rowCopies;
      }
    },
  });
  walkXml(xml, visitor);
}

function repeated(attributes: Attributes, name: string): number {
  const count = Number(attributes.get(name) ?? 1);
  return Number.isSafeInteger(count) && count > 0 ? count : 1;
}

/** Visits paragraphs, headings, blanks and tables and tells the flow of the moment; `hooks` sees every tag that counts. */
function textVisitor(flow: () => Flow, hooks: Visitor): Visitor {
  let leftOut = 0;
  return {
    open(name, attributes) {
      if (leftOut > 0 || LEFT_OUT.has(name)) {
        leftOut++;
        return;
      }
      hooks.open?.(name, attributes);
      if (name === 'p' || name === 'h') flow().openParagraph();
      else if (name === 's') flow().add(' '.repeat(Math.min(1000, Math.max(1, Number(attributes.get('c') ?? 1) || 1))));
      else if (name === 'tab') flow().add('\t');
      else if (name === 'line-break') flow().add('\n');
      else if (name === 'table-row') flow().openRow();
      else if (name === 'table-cell' || name === 'covered-table-cell') flow().openCell();
    },
    close(name) {
      if (leftOut > 0) {
        leftOut--;
        return;
      }
      if (name === 'p' || name === 'h') flow().closeParagraph();
      else if (name === 'table-cell' || name === 'covered-table-cell') flow().closeCell();
      else if (name === 'table-row') flow().closeRow();
      hooks.close?.(name);
    },
    text(text) {
      if (leftOut === 0) flow().addCollapsed(text);
    },
  };
}
