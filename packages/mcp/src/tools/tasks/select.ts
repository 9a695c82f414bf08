// Which items a filter means, in which order.
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

/** The same, whole or with some columns, one by one. */
export function eachOf(tx: Tx, filter: Filter, columns = '*'): IterableIterator<Item> {
  const { clause, values } = where(filter);
  return tx.each<Item>(`SELECT ${columns} FROM tasks_item ${clause} ORDER BY ${ORDERS.priority}`, ...values);
}

function where(filter: Filter): { clause: string; values: Value[] } {
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
  return { clause: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
