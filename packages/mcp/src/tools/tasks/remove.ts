// What takes items away for good: delete with all below, clear.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import type { Tx } from '../../lib/store/index.ts';
import { find, findAll, type Item } from './items.ts';
import { withTasks } from './open.ts';
import * as p from './params.ts';
import { select } from './select.ts';
import { subtree } from './tree.ts';
import { onOneLine } from './view.ts';

export const deleteTask = act({
  summary: 'with all below it, for good; says how many',
  effect: 'write',
  input: z.strictObject({ id: p.id.optional(), ids: p.ids.optional() }),
  run: (ctx, { id, ids }) => {
    if ((id === undefined) === (ids === undefined)) {
      throw new ToolError('INVALID_PARAMS', "delete needs 'id' or 'ids', one of them", { param: 'id' });
    }
    return withTasks(ctx, (db) =>
      db.write((tx) => {
        const items = id === undefined ? findAll(tx, ids ?? []) : [find(tx, id)];
        const all = new Set(items.flatMap((item) => subtree(tx, item.id).map((node) => node.id)));
        drop(tx, all);
        const [only] = items;
        return {
          data: {
            ...(only && items.length === 1 ? { id: String(only.id), content: onOneLine(only.content) } : {}),
            deleted: all.size,
            below: all.size - items.length,
          },
        };
      }),
    );
  },
});

export const clear = act({
  summary: 'deletes all, or those of a project, status, or the archive; what stays below them moves up',
  effect: 'write',
  input: z.strictObject({
    project: p.project.optional(),
    status: p.status.optional(),
    archived: p.archived.optional(),
    confirm: p.confirm,
  }),
  run: (ctx, { confirm, ...filter }) =>
    withTasks(ctx, (db) =>
      db.write((tx) => {
        const gone = new Set(select(tx, filter).map(({ id }) => id));
        if (!confirm) {
          const all = select(tx, {}).length;
          const what = `this would delete ${gone.size} of ${all} tasks for good; confirm: true does it`;
          throw new ToolError('INVALID_PARAMS', what, { param: 'confirm', tasks: gone.size });
        }
        liftOut(tx, gone);
        drop(tx, gone);
        return { data: { cleared: gone.size } };
      }),
    ),
});

/** Hangs what stays below the nearest item above it that stays. */
function liftOut(tx: Tx, gone: ReadonlySet<number>): void {
  const rows = tx.all<Pick<Item, 'id' | 'parent'>>('SELECT id, parent FROM tasks_item WHERE parent IS NOT NULL');
  const parents = new Map(rows.map(({ id, parent }) => [id, parent]));
  for (const { id, parent } of rows) {
    if (gone.has(id) || parent === null || !gone.has(parent)) continue;
    let to: number | null = parent;
    while (to !== null && gone.has(to)) to = parents.get(to) ?? null;
    tx.run('UPDATE tasks_item SET parent = ? WHERE id = ?', to, id);
  }
}

function drop(tx: Tx, ids: ReadonlySet<number>): void {
  for (const id of ids) tx.run('DELETE FROM tasks_item WHERE id = ?', id);
}
