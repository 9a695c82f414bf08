// Which items a filter means, in which order.
import { lies } from '../../lib/fold.ts';
import type { Tx, Value } from '../../lib/store/index.ts';
import type { Item } from './items.ts';
import type { Priority, Sort, Status } from './params.ts';

/** Undefined does not count; an empty text means items without. */
export interface Filter {
  readonly status?: Status | undefined;
  readonly priority?: Priority | undefined;
  readonly project?: string | undefined;
  readonly assignee?: string | undefined;
  readonly tag?: string | undefined;
  /** direct children of it; 0: the top level */
  readonly parent?: number | undefined;
  readonly archived?: boolean | undefined;
}

const STATUS = "CASE status WHEN 'in_progress' THEN 0 WHEN 'pending' THEN 1 WHEN 'completed' THEN 2 ELSE 3 END";
const PRIORITY = "CASE priority WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END";

/** contract, local core tools 5.13: what is in progress first, then by priority */
const ORDERS: Readonly<Record<Sort, string>> = {
  priority: `${STATUS}, ${PRIORITY}, id`,
  due: 'due_at IS NULL, due_at, id',
  created: 'created, id',
  status: `${STATUS}, id`,
};

export function select(tx: Tx, filter: Filter, sort: Sort = 'priority'): Pick<Item, 'id' | 'parent'>[] {
  const { clause, values } = where(filter);
  return tx.all<Pick<Item, 'id' | 'parent'>>(
    `SELECT id, parent FROM tasks_item ${clause} ORDER BY ${ORDERS[sort]}`,
    ...values,
  );
}

/** The same, whole, one by one. */
export function eachOf(tx: Tx, filter: Filter): IterableIterator<Item> {
  const { clause, values } = where(filter);
  return tx.each<Item>(`SELECT * FROM tasks_item ${clause} ORDER BY ${ORDERS.priority}`, ...values);
}

/** Terms asked of the database; the others are looked for in what it gives. */
const ASKED = 16;
/** Items, the first in the usual order, that are ordered by how the terms lie in them. */
const READ = 200;

/**
 * The ids of the items in which each of `terms` (folded) occurs. Of the first 200 those come first in which they are words, then
 * those in which they begin one; what is equal stays in the usual order.
 */
export function searched(tx: Tx, terms: readonly string[], filter: Filter): number[] {
  const asked = terms.toSorted((a, b) => b.length - a.length).slice(0, ASKED);
  const { clause, values } = where(filter, asked);
  // one text instead of a row each: what passes between SQLite and here is the larger part of the time otherwise
  const found = tx.get<{ ids: string }>(
    `SELECT json_group_array(id) AS ids FROM (SELECT id FROM tasks_item ${clause} ORDER BY ${ORDERS.priority} LIMIT -1)`,
    ...values,
  );
  const ids = JSON.parse(found?.ids ?? '[]') as number[];
  const textOf = (id: number): string =>
    tx.get<{ folded: string }>('SELECT folded FROM tasks_item WHERE id = ?', id)?.folded ?? '';
  const all =
    terms.length > ASKED
      ? ids.filter((id) => {
          const text = textOf(id);
          return terms.every((term) => text.includes(term));
        })
      : ids;
  const first = all.slice(0, READ).map((id) => {
    const text = textOf(id);
    return { id, score: terms.reduce((sum, term) => sum + lies(text, term), 0) };
  });
  first.sort((a, b) => b.score - a.score);
  return [...first.map(({ id }) => id), ...all.slice(READ)];
}

function where(filter: Filter, terms: readonly string[] = []): { clause: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const put = (sql: string, ...given: Value[]): void => {
    parts.push(sql);
    values.push(...given);
  };
  if (filter.status !== undefined) put('status = ?', filter.status);
  if (filter.priority !== undefined) put('priority = ?', filter.priority);
  if (filter.project !== undefined) put('project IS ?', filter.project || null);
  if (filter.assignee !== undefined) put('assignee IS ?', filter.assignee || null);
  if (filter.tag !== undefined) put('EXISTS (SELECT 1 FROM json_each(tasks_item.tags) WHERE value = ?)', filter.tag);
  if (filter.parent !== undefined) put('parent IS ?', filter.parent || null);
  if (filter.archived !== undefined) put(`archived IS ${filter.archived ? 'NOT ' : ''}NULL`);
  for (const term of terms) put('instr(folded, ?) > 0', term);
  return { clause: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
