// xlsx: the cells of each sheet, with numbers and dates as a reader of the sheet sees them where that is simple.
import { formatOf, type Format, formatValue } from './cell-format.ts';
import type { OfficePackage } from './package.ts';
import type { Opened } from './opened.ts';
import { Rows } from './rows.ts';
import { heading } from './sink.ts';
import { walkXml } from './xml.ts';

/** Places: `sheet Data!B4`. A shown row is its number, then its cells, with tabs between. */
export function readSheets(office: OfficePackage, { sink, entries }: Opened): void {
  const targets = office.relations(office.main);
  const ofType = (type: string): string | undefined => {
    const target = targets.find((each) => each.type === type)?.target;
    return target !== undefined && office.has(target) ? target : undefined;
  };
  const strings = ofType('sharedStrings');
  const styles = ofType('styles');
  const book = {
    strings: strings === undefined ? [] : sharedStrings(office.xml(strings)),
    formats: styles === undefined ? [] : cellFormats(office.xml(styles)),
    from1904: false,
  };
  const sheets: { name: string; target: string }[] = [];
  walkXml(office.xml(office.main), {
    open(name, attributes) {
      if (name === 'workbookPr') book.from1904 = /^(1|true)$/.test(attributes.get('date1904') ?? '');
      if (name !== 'sheet') return;
      const ids = attributes.all('id');
      const target = targets.find((each) => each.type === 'worksheet' && ids.includes(each.id))?.target;
      if (target !== undefined) sheets.push({ name: attributes.get('name') ?? '', target });
    },
  });
  for (const sheet of sheets) {
    sink.show(heading(entries, `sheet ${sheet.name}`));
    readSheet(office.xml(sheet.target), book, new Rows(sink, entries, sheet.name));
  }
}

interface Book {
  strings: string[];
  formats: Format[];
  from1904: boolean;
}

function sharedStrings(xml: string): string[] {
  const found: string[] = [];
  let text = '';
  let inText = false;
  let phonetic = 0;
  walkXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic++;
      else if (name === 't') inText = phonetic === 0;
    },
    close(name) {
      if (name === 'si') found.push(text);
      else if (name === 'rPh') phonetic--;
      else if (name === 't') inText = false;
    },
    text(part) {
      if (inText) text += part;
    },
  });
  return found;
}

/** The number format of each cell style (`cellXfs`), by index. */
function cellFormats(xml: string): Format[] {
  const codes = new Map<number, string>();
  const found: Format[] = [];
  let inCells = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) {
        const id = Number(attributes.get('numFmtId') ?? 0);
        found.push(formatOf(id, codes.get(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return found;
}

function readSheet(xml: string, book: Book, rows: Rows): void {
  let row = 0;
  let column = 0;
  let cell: { type: string; style: number; value: string; inline: string } | undefined;
  let into: 'value' | 'inline' | undefined;
  let phonetic = 0;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes.get('r') ?? row + 1);
        column = 0;
      } else if (name === 'c') {
        const at = /^([A-Z]{1,3})\d+$/.exec(attributes.get('r') ?? '');
        column = at ? columnNumber(at[1] ?? '') : column + 1;
        cell = { type: attributes.get('t') ?? 'n', style: Number(attributes.get('s') ?? -1), value: '', inline: '' };
      } else if (name === 'rPh') phonetic++;
      else if (name === 'v') into = 'value';
      else if (name === 't' && phonetic === 0) into = 'inline';
    },
    close(name) {
      if (name === 'rPh') phonetic--;
      if (name === 'v' || name === 't') into = undefined;
      if (name === 'row') rows.end();
      if (name !== 'c' || !cell) return;
      rows.cell(row, column, cellText(cell, book));
      cell = undefined;
    },
    text(part) {
      if (cell && into) cell[into] += part;
    },
  });
  rows.end();
}

function cellText(cell: { type: string; style: number; value: string; inline: string }, book: Book): string {
  if (cell.type === 's') return book.strings[Number(cell.value)] ?? '';
  if (cell.type === 'inlineStr') return cell.inline;
  if (cell.type === 'b') return cell.value === '' ? '' : cell.value === '0' ? 'FALSE' : 'TRUE';
  if (cell.type !== 'n' || cell.value === '') return cell.value;
  return formatValue(cell.value, book.formats[cell.style], book.from1904);
}

/** `A` is 1, `Z` 26, `AA` 27. */
function columnNumber(name: string): number {
  let number = 0;
  for (const letter of name) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
