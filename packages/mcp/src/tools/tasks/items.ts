// Items in the table: found, inserted, changed.
import { ToolError } from '@hanzo/tool';
import type { Row, Tx } from '../../lib/store/index.ts';
import { dueOf } from './due.ts';
import { foldedOf } from './folded.ts';
import { MOST_ITEMS, type Priority, type Status } from './params.ts';

/** An item as it lies in the table. */
export interface Item extends Row {
  readonly id: number;
  readonly content: string;
  readonly status: Status;
  readonly priority: Priority;
  readonly created: string;
  readonly updated: string;
  readonly due: string | null;
  readonly due_at: number | null;
  /** a JSON list */
  readonly tags: string;
  readonly project: string | null;
  readonly assignee: string | null;
  readonly parent: number | null;
  readonly notes: string;
  readonly archived: string | null;
  readonly origin: string | null;
}

/** Ids that a refusal names. */
const NAMED = 20;

export const isOver = (status: Status): boolean => status === 'completed' || status === 'cancelled';
export const isOverdue = (item: Pick<Item, 'status' | 'due_at' | 'archived'>, now: number): boolean =>
  item.due_at !== null && item.due_at <= now && item.archived === null && !isOver(item.status);
export const tagsOf = (item: Item): string[] => JSON.parse(item.tags) as string[];

/** The item of an id. NOT_FOUND with the newest one. */
export function find(tx: Tx, id: number, param = 'id'): Item {
  const item = tx.get<Item>('SELECT * FROM tasks_item WHERE id = ?', id);
  if (item) return item;
  throw missing(tx, [id], param);
}

/** The items of ids, each once, in their order; NOT_FOUND with those that are not there. */
export function findAll(tx: Tx, ids: readonly number[]): Item[] {
  const each = [...new Set(ids)];
  const found = each.map((id) => tx.get<Item>('SELECT * FROM tasks_item WHERE id = ?', id));
  const lost = each.filter((_, i) => !found[i]);
  if (lost.length > 0) throw missing(tx, lost, 'ids');
  return found.filter((item) => item !== undefined);
}

function missing(tx: Tx, ids: readonly number[], param: string): ToolError {
  const newest = tx.get<{ id: number }>('SELECT max(id) AS id FROM tasks_item')?.id ?? null;
  const hint = newest === null ? 'there are none; add makes one' : `the newest is ${newest}; list shows all`;
  const more = ids.length > NAMED ? `, and ${ids.length - NAMED} more` : '';
  const named = ids.slice(0, NAMED);
  return new ToolError('NOT_FOUND', `there is no task ${named.join(', ')}${more}; ${hint}`, { param, ids: named });
}

/** What an insert takes; empty texts are none. */
export interface Draft {
  /** undefined: the next number */
  readonly id?: number | undefined;
  readonly content: string;
  readonly status: Status;
  readonly priority: Priority;
  readonly due?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly assignee?: string | undefined;
  readonly parent?: number | null | undefined;
  readonly notes?: string | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly archived?: string | undefined;
  readonly origin?: string | undefined;
}

/** CONFLICT when there is no room for so many more. */
export function checkRoom(tx: Tx, more: number): void {
  const there = tx.get<{ n: number }>('SELECT count(*) AS n FROM tasks_item')?.n ?? 0;
  if (there + more <= MOST_ITEMS) return;
  const why = `there would be ${there + more} tasks, and there can be ${MOST_ITEMS}; delete or clear some`;
  throw new ToolError('CONFLICT', why, { tasks: there });
}

/** Inserts an item; its number is one no other ever had. */
export function insert(tx: Tx, draft: Draft, now: string): number {
  const due = draft.due ? dueOf(draft.due) : undefined;
  const created = draft.created ?? now;
  const named = {
    content: draft.content,
    tags: JSON.stringify(draft.tags ?? []),
    project: draft.project || null,
    assignee: draft.assignee || null,
  };
  return tx.run(
    `INSERT INTO tasks_item (id, content, status, priority, created, updated, due, due_at, tags, project, assignee, parent, notes, archived, origin, folded)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    draft.id ?? null,
    named.content,
    draft.status,
    draft.priority,
    created,
    draft.updated ?? created,
    due?.due ?? null,
    due?.dueAt ?? null,
    named.tags,
    named.project,
    named.assignee,
    draft.parent ?? null,
    draft.notes ?? '',
    draft.archived ?? null,
    draft.origin ?? null,
    foldedOf(named),
  ).id;
}

/** Fields of an item that are changed; an empty text takes the value away. */
export interface Changes {
  readonly content?: string | undefined;
  readonly status?: Status | undefined;
  readonly priority?: Priority | undefined;
  readonly due?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly assignee?: string | undefined;
  readonly parent?: number | null | undefined;
  readonly notes?: string | undefined;
}

/** Changes the given fields of an item; false when they were so already. */
export function change(tx: Tx, item: Item, changes: Changes, now: string): boolean {
  const due = changes.due ? dueOf(changes.due) : undefined;
  const then: Item = {
    ...item,
    content: changes.content ?? item.content,
    status: changes.status ?? item.status,
    priority: changes.priority ?? item.priority,
    due: changes.due === undefined ? item.due : (due?.due ?? null),
    due_at: changes.due === undefined ? item.due_at : (due?.dueAt ?? null),
    tags: changes.tags === undefined ? item.tags : JSON.stringify(changes.tags),
    project: changes.project === undefined ? item.project : changes.project || null,
    assignee: changes.assignee === undefined ? item.assignee : changes.assignee || null,
    parent: changes.parent === undefined ? item.parent : changes.parent,
    notes: changes.notes ?? item.notes,
  };
  if (Object.keys(then).every((key) => then[key] === item[key])) return false;
  tx.run(
    `UPDATE tasks_item SET content = ?, status = ?, priority = ?, due = ?, due_at = ?, tags = ?, project = ?, assignee = ?,
       parent = ?, notes = ?, folded = ?, updated = ? WHERE id = ?`,
    then.content,
    then.status,
    then.priority,
    then.due,
    then.due_at,
    then.tags,
    then.project,
    then.assignee,
    then.parent,
    then.notes,
    foldedOf(then),
    now,
    item.id,
  );
  return true;
}
