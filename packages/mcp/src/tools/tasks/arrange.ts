// Where items lie: move, archive.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import type { Tx } from '../../lib/store/index.ts';
import { change, find, type Item, isOver } from './items.ts';
import { withTasks } from './open.ts';
import * as p from './params.ts';
import { parentFor, subtree } from './tree.ts';
import { toData } from './view.ts';

export const move = act({
  summary: 'with all below it, to a project (empty: none), a parent, or both',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id: p.id, project: p.project.optional(), parent: p.parent.optional() }),
  run: (ctx, { id, project, parent }) => {
    if (project === undefined && parent === undefined) {
      throw new ToolError('INVALID_PARAMS', `move ${id} where? give 'project', 'parent' (0: top level) or both`, {
        param: 'project',
      });
    }
    return withTasks(ctx, (db) =>
      db.write((tx) => {
        const now = new Date();
        const item = find(tx, id);
        const nodes = subtree(tx, id);
        if (parent !== undefined) {
          const to = parentFor(tx, parent, item);
          tx.run('UPDATE tasks_item SET parent = ?, updated = ? WHERE id = ?', to, now.toISOString(), id);
        }
        if (project !== undefined) {
          for (const node of nodes) change(tx, find(tx, node.id), { project }, now.toISOString());
        }
        return { data: { ...toData(find(tx, id), now.getTime()), moved: nodes.length } };
      }),
    );
  },
});

export const archive = act({
  summary:
    'completed and cancelled ones with nothing open below, of all, a project, or id and below; list archived: true',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ id: p.id.optional(), project: p.project.optional() }),
  run: (ctx, { id, project }) =>
    withTasks(ctx, (db) =>
      db.write((tx) => {
        if (id !== undefined) find(tx, id);
        const scope = id === undefined ? undefined : new Set(subtree(tx, id).map((node) => node.id));
        const held = heldOpen(tx);
        const over = tx
          .all<Item>('SELECT * FROM tasks_item WHERE archived IS NULL')
          .filter((item) => isOver(item.status))
          .filter((item) => scope === undefined || scope.has(item.id))
          .filter((item) => project === undefined || (item.project ?? '') === project);
        const now = new Date().toISOString();
        const gone = over.filter((item) => !held.has(item.id));
        // What is over and below an item that goes, goes with it, whatever its project is.
        const all = new Set(gone.flatMap((item) => subtree(tx, item.id).map((node) => node.id)));
        let archived = 0;
        for (const each of all) {
          archived += tx.run('UPDATE tasks_item SET archived = ? WHERE id = ? AND archived IS NULL', now, each).changes;
        }
        const kept = over.length - gone.length;
        return {
          data: {
            archived,
            ...(kept > 0 ? { kept, note: `${kept} stay, as something below them is open` } : {}),
          },
        };
      }),
    ),
});

/** The items below which something is open. */
function heldOpen(tx: Tx): Set<number> {
  const parents = new Map(
    tx
      .all<Pick<Item, 'id' | 'parent'>>('SELECT id, parent FROM tasks_item WHERE parent IS NOT NULL')
      .map(({ id, parent }) => [id, parent]),
  );
  const held = new Set<number>();
  const open = tx.all<Pick<Item, 'id'>>("SELECT id FROM tasks_item WHERE status IN ('pending', 'in_progress')");
  for (const { id } of open) {
    for (let at = parents.get(id) ?? null; at !== null && !held.has(at); at = parents.get(at) ?? null) held.add(at);
  }
  return held;
}
