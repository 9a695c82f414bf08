// How an item is shown: as a line of a checklist, and as data.
import { shorten } from '@hanzo/tool';
import { isOverdue, type Item, tagsOf } from './items.ts';
import type { Status } from './params.ts';

const MARKS: Readonly<Record<Status, string>> = {
  pending: ' ',
  in_progress: '~',
  completed: 'x',
  cancelled: '-',
};

/** Levels that are indented; what is deeper stands below them. */
const INDENTED = 32;

const LIKE_A_BOX = /^([ \t]*)(\\*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)/;

/** The further lines of a content as they stand below its first; a backslash keeps what looks like a box from being one. */
export function furtherLines(lines: readonly string[], indent: string): string {
  return lines
    .map((line) => (line.trim() === '' ? '\n' : `${indent}  ${line.replace(LIKE_A_BOX, '$1\\$2')}\n`))
    .join('');
}

/** A text on one line, cut where it is long. */
export const onOneLine = (text: string, most = 100): string => shorten(text.replaceAll(/\s+/g, ' ').trim(), most);

/**
 * `- [ ] 3 Content (high, due 2027-01-31 OVERDUE, @ann, project: home, #tag, notes)`; further lines of the content below it.
 * `below`: the parent to be named, where it does not stand above.
 */
export function checkbox(item: Item, depth: number, now: number, below: number | null = item.parent): string {
  const indent = '  '.repeat(Math.min(depth, INDENTED));
  const facts = [
    ...(item.priority === 'medium' ? [] : [item.priority]),
    ...(item.due === null ? [] : [`due ${item.due}${isOverdue(item, now) ? ' OVERDUE' : ''}`]),
    ...(item.assignee === null ? [] : [`@${item.assignee}`]),
    ...(item.project === null ? [] : [`project: ${item.project}`]),
    ...tagsOf(item).map((tag) => `#${tag}`),
    ...(item.notes === '' ? [] : ['notes']),
    ...(below === null ? [] : [`below ${below}`]),
    ...(item.archived === null ? [] : [`archived ${item.archived.slice(0, 10)}`]),
  ];
  const [first = '', ...others] = item.content.split('\n');
  const more = facts.length > 0 ? ` (${facts.join(', ')})` : '';
  return `${indent}- [${MARKS[item.status]}] ${item.id} ${first}${more}\n${furtherLines(others, indent)}`;
}

/** An item as the data of an answer, without its notes. */
export function toData(item: Item, now: number): Record<string, unknown> {
  const tags = tagsOf(item);
  return {
    id: String(item.id),
    content: item.content,
    status: item.status,
    priority: item.priority,
    created: item.created,
    updated: item.updated,
    ...(item.due === null ? {} : { due: item.due }),
    ...(isOverdue(item, now) ? { overdue: true } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    ...(item.project === null ? {} : { project: item.project }),
    ...(item.assignee === null ? {} : { assignee: item.assignee }),
    ...(item.parent === null ? {} : { parent: String(item.parent) }),
    ...(item.archived === null ? {} : { archived: item.archived }),
  };
}
