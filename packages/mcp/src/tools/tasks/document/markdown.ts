// Markdown: checklists as GitHub has them, nested by indentation. What a box cannot say stands in a comment at the end of its line.
import { shorten } from '@hanzo/tool';
import type { Item } from '../items.ts';
import type { Status } from '../params.ts';
import { inTree } from '../tree.ts';
import { furtherLines } from '../view.ts';
import { asMap, checkParents, draftOf, type Fields, type ItemDraft, type Report } from './draft.ts';
import { extras, type Parsed } from './json.ts';

const BOX = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([^\]]{1,4})\](?:[ \t]+(.*))?$/;
/** What a line of a content became that would be read as a box. */
const ESCAPED = /^([ \t]*)\\(\\*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)/;
const OPEN = '<!-- task ';
const CLOSE = ' -->';

/** GitHub knows two marks; the other two are read. */
const MARKS: ReadonlyMap<string, Status> = new Map([
  [' ', 'pending'],
  ['x', 'completed'],
  ['X', 'completed'],
  ['~', 'in_progress'],
  ['/', 'in_progress'],
  ['-', 'cancelled'],
]);

export function toMarkdown(items: readonly Item[]): string {
  const byId = new Map(items.map((item) => [item.id, item]));
  const lines = inTree(items).map(({ id, depth }) => lineOf(byId.get(id) as Item, '  '.repeat(depth)));
  return `# Tasks\n\n${lines.join('')}`;
}

function lineOf(item: Item, indent: string): string {
  const box = item.status === 'completed' || item.status === 'cancelled' ? 'x' : ' ';
  const facts = {
    id: String(item.id),
    status: item.status,
    priority: item.priority,
    created: item.created,
    updated: item.updated,
    ...extras(item),
  };
  const comment = JSON.stringify(facts).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  const [first = '', ...others] = item.content.split('\n');
  return `${indent}- [${box}] ${first} ${OPEN}${comment}${CLOSE}\n${furtherLines(others, indent)}`;
}

interface Open {
  readonly indent: number;
  /** place in the list of items */
  readonly index: number;
}

interface Read {
  readonly place: string;
  readonly mark: string;
  readonly lines: string[];
  readonly parent: number | undefined;
}

/** Reads the boxes of a text; what is no box and stands below none is passed over. Throws a sentence when there is no box. */
export function parseMarkdown(text: string, report: Report): Parsed {
  const read = boxesOf(text);
  if (read.length === 0) throw new Error("it has no checklist, such as '- [ ] content'");
  const places = new Map<number, number>();
  const items: ItemDraft[] = [];
  for (const [i, each] of read.entries()) {
    const draft = toDraft(each, report);
    if (!draft) continue;
    draft.parent = each.parent === undefined ? undefined : places.get(each.parent);
    places.set(i, items.push(draft) - 1);
  }
  checkParents(items, report);
  return { items, lastId: 0 };
}

function boxesOf(text: string): Read[] {
  const read: Read[] = [];
  const stack: Open[] = [];
  let blank = 0;
  let fenced = false;
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const current = stack.at(-1);
    const width = widthOf(line);
    const box = fenced ? null : BOX.exec(line);
    if (box) {
      while ((stack.at(-1)?.indent ?? -1) >= width) stack.pop();
      const parent = stack.at(-1)?.index;
      read.push({ place: `line ${i + 1}`, mark: box[2] ?? ' ', lines: [box[3] ?? ''], parent });
      stack.push({ indent: width, index: read.length - 1 });
      blank = 0;
    } else if (line.trim() === '') blank++;
    else if (current && !fenced && width >= current.indent + 2) {
      const own = cut(line, current.indent + 2).replace(ESCAPED, '$1$2');
      read[current.index]?.lines.push(...Array<string>(blank).fill(''), own);
      blank = 0;
    } else {
      if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
      stack.length = 0;
      blank = 0;
    }
  }
  return read;
}

function toDraft({ place, mark, lines }: Read, report: Report): ItemDraft | undefined {
  const status = MARKS.get(mark);
  if (!status) report(`${place}: [${shorten(mark, 4)}] is no mark of a task; there are [ ], [x], [~] and [-]`);
  const [first = '', ...others] = lines;
  const { own, facts } = factsOf(first, place, report);
  const fields = new Map(facts);
  const written = fields.get('status');
  const said = typeof written === 'string' && agree(mark, written) ? written : status;
  fields.set('status', said);
  fields.set('content', [own, ...others].join('\n'));
  const draft = draftOf(fields, place, report);
  return draft && { ...draft, ticked: written !== undefined && said !== written ? draft.status : undefined };
}

/** GitHub's box is ticked for what is over, and empty for what is not. */
function agree(mark: string, written: string): boolean {
  const over = written === 'completed' || written === 'cancelled';
  if (mark === ' ') return !over;
  return mark === 'x' || mark === 'X' ? over : MARKS.get(mark) === written;
}

function factsOf(line: string, place: string, report: Report): { own: string; facts: Fields } {
  const none = { own: line, facts: new Map<string, unknown>() };
  const end = line.trimEnd();
  const at = end.lastIndexOf(OPEN);
  if (at < 0 || !end.endsWith(CLOSE)) return none;
  try {
    const facts = asMap(JSON.parse(end.slice(at + OPEN.length, -CLOSE.length)));
    if (facts) return { own: line.slice(0, at).replace(/ $/, ''), facts };
  } catch {
    // said below
  }
  report(`${place}: its comment is no JSON object`);
  return none;
}

/** Columns of the blanks a line begins with; a tab goes to the next multiple of 4 (CommonMark 0.31, 2.2). */
function widthOf(line: string): number {
  let width = 0;
  for (const char of line) {
    if (char === ' ') width++;
    else if (char === '\t') width += 4 - (width % 4);
    else break;
  }
  return width;
}

/** The line without blanks of so many columns. */
function cut(line: string, columns: number): string {
  let width = 0;
  let i = 0;
  for (; width < columns; i++) width += line[i] === '\t' ? 4 - (width % 4) : 1;
  return line.slice(i);
}
