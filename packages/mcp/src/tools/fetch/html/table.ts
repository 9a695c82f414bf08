// Tables of data as GFM tables; tables that only arrange a page are told apart and left to the block writer.
import { attribute, inline } from './inline.ts';
import type { Element } from './tree.ts';
import type { Context } from './writer.ts';

interface Row {
  readonly cells: readonly Element[];
}

/** What no GFM cell can hold. */
const LARGE: ReadonlySet<string> = new Set(
  'table ul ol dl pre blockquote h1 h2 h3 h4 h5 h6 hr form article section'.split(' '),
);
const MOST_COLUMNS = 64;
const LONGEST_CELL = 2000;

/** The rows of a table of data, or undefined for a layout. */
export function tableRows(table: Element): readonly Row[] | undefined {
  if (attribute(table, 'role') === 'presentation' || attribute(table, 'role') === 'none') return undefined;
  const rows: Row[] = [];
  collect(table, rows);
  if (rows.every((row) => row.cells.length < 2)) return undefined;
  return rows.some((row) => row.cells.some(holdsLarge)) ? undefined : rows;
}

function collect(node: Element, rows: Row[]): void {
  for (const child of node.children) {
    if (typeof child === 'string') continue;
    if (child.name === 'tr') {
      const cells = child.children.filter(
        (each) => typeof each !== 'string' && (each.name === 'td' || each.name === 'th'),
      );
      // The filter has left elements only.
      if (cells.length > 0) rows.push({ cells: cells as Element[] });
    } else if (child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot') {
      collect(child, rows);
    }
  }
}

function holdsLarge(node: Element): boolean {
  if (!node.hasBlock) return false;
  return node.children.some((child) => typeof child !== 'string' && (LARGE.has(child.name) || holdsLarge(child)));
}

/** Writes rows as a GFM table, the first one as its head; false if a cell is too long for that. */
export function writeTable(table: Element, rows: readonly Row[], { writer, resolve }: Context): boolean {
  const lines: string[][] = [];
  for (const row of rows) {
    const line: string[] = [];
    for (const cell of row.cells) {
      const text = inline(cell.children, resolve).replaceAll('\n', ' ').replaceAll('|', '\\|');
      if (text.length > LONGEST_CELL) return false;
      const span = Math.max(1, Number.parseInt(attribute(cell, 'colspan') || '1', 10) || 1);
      line.push(text);
      for (let i = 1; i < span && line.length < MOST_COLUMNS; i++) line.push('');
      if (line.length >= MOST_COLUMNS) break;
    }
    if (line.some((each) => each !== '')) lines.push(line);
  }
  const columns = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const caption = table.children.find((child) => typeof child !== 'string' && child.name === 'caption');
  if (caption && typeof caption !== 'string') writer.block(inline(caption.children, resolve));
  const text = lines.map(
    (line) => `| ${[...line, ...Array.from({ length: Math.max(0, columns - line.length) }, () => '')].join(' | ')} |`,
  );
  if (text.length > 0) writer.block([text[0], `|${'---|'.repeat(columns)}`, ...text.slice(1)].join('\n'));
  return true;
}
