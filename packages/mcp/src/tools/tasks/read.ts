// What is looked up: list, search, subtasks, stats.
import { z } from 'zod';
import { act } from '../../local.ts';
import { termsOf } from '../../lib/fold.ts';
import type { Tx } from '../../lib/store/index.ts';
import { find, isOver } from './items.ts';
import { withTasks } from './open.ts';
import { page } from './page.ts';
import * as p from './params.ts';
import { searched, select } from './select.ts';
import { inTree, subtree } from './tree.ts';
import { toData } from './view.ts';

/** Projects and assignees that stats names. */
const NAMED = 50;

export const list = act({
  summary: 'a Markdown checklist with ids; sort: priority, due, created or status',
  effect: 'read',
  input: z.strictObject({
    status: p.status.optional(),
    priority: p.priority.optional(),
    project: p.project.optional(),
    tag: p.tag.optional(),
    assignee: p.assignee.optional(),
    parent: p.parent.optional(),
    archived: p.archived.default(false),
    sort: p.sort,
    limit: p.limit(50),
    cursor: p.cursor,
  }),
  run: (ctx, { sort, ...input }) =>
    withTasks(ctx, (db) =>
      db.read((tx) => {
        if (input.parent) find(tx, input.parent, 'parent');
        return page(ctx, tx, inTree(select(tx, input, sort)), input, input.parent);
      }),
    ),
});

export const search = act({
  summary: 'tasks with every word of query in content, tags, project or assignee; whole words first',
  effect: 'read',
  input: z.strictObject({
    query: p.query,
    status: p.status.optional(),
    project: p.project.optional(),
    tag: p.tag.optional(),
    archived: p.archived.optional(),
    limit: p.limit(20),
    cursor: p.cursor,
  }),
  run: (ctx, { query, ...input }) =>
    withTasks(ctx, (db) =>
      db.read((tx) => {
        const found = searched(tx, termsOf(query), input);
        return page(
          ctx,
          tx,
          found.map((id) => ({ id, depth: 0 })),
          input,
        );
      }),
    ),
});

export const subtasks = act({
  summary: 'all below a task, and how many are done',
  effect: 'read',
  input: z.strictObject({ id: p.id, limit: p.limit(50), cursor: p.cursor }),
  run: (ctx, { id, ...asked }) =>
    withTasks(ctx, (db) =>
      db.read((tx) => {
        const task = find(tx, id);
        const below = new Set(subtree(tx, id).map((node) => node.id));
        below.delete(id);
        const rows = select(tx, {}).filter((row) => below.has(row.id));
        const done = rows.filter((row) => isOver(find(tx, row.id).status)).length;
        const result = page(ctx, tx, inTree(rows), asked, id);
        const children = rows.filter(({ parent }) => parent === id).length;
        return { ...result, data: { task: toData(task, Date.now()), children, done, ...result.data } };
      }),
    ),
});

export const stats = act({
  summary: 'counts, overdue, projects, assignees',
  effect: 'read',
  input: z.strictObject({}),
  run: (ctx) => withTasks(ctx, (db) => db.read((tx) => ({ data: statsOf(tx, Date.now()) }))),
});

function statsOf(tx: Tx, now: number): Record<string, unknown> {
  const rows = tx.all<{ status: string; priority: string; n: number; late: number }>(
    `SELECT status, priority, count(*) AS n,
       sum(status IN ('pending', 'in_progress') AND due_at IS NOT NULL AND due_at <= ?) AS late
     FROM tasks_item WHERE archived IS NULL GROUP BY status, priority`,
    now,
  );
  const sum = (key: 'status' | 'priority', names: readonly string[]): Record<string, number> =>
    Object.fromEntries(
      names.map((name) => [name, rows.filter((row) => row[key] === name).reduce((n, row) => n + row.n, 0)]),
    );
  const status = sum('status', p.STATUSES);
  return {
    total: rows.reduce((n, row) => n + row.n, 0),
    status,
    priority: sum('priority', p.PRIORITIES),
    overdue: rows.reduce((n, row) => n + row.late, 0),
    archived: tx.get<{ n: number }>('SELECT count(*) AS n FROM tasks_item WHERE archived IS NOT NULL')?.n ?? 0,
    ...groups(tx, 'project', 'projects'),
    ...groups(tx, 'assignee', 'assignees'),
  };
}

/** What has most open first. */
function groups(tx: Tx, column: 'project' | 'assignee', key: string): Record<string, unknown> {
  const rows = tx.all<{ name: string; open: number; total: number }>(
    `SELECT ${column} AS name, sum(status IN ('pending', 'in_progress')) AS open, count(*) AS total
     FROM tasks_item WHERE archived IS NULL AND ${column} IS NOT NULL GROUP BY ${column} ORDER BY open DESC, name`,
  );
  const shown = rows.slice(0, NAMED).map(({ name, open, total }) => ({ [column]: name, open, total }));
  return { [key]: shown, ...(rows.length > NAMED ? { [`${key}Total`]: rows.length } : {}) };
}
