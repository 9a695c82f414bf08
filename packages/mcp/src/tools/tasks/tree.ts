// The tree of items: what is below one, what is above it, and where one may not go.
import { ToolError } from '@hanzo/tool';
import type { Tx } from '../../lib/store/index.ts';
import { find, type Item } from './items.ts';
import { MOST_LEVELS } from './params.ts';

interface Node extends Record<string, number> {
  readonly id: number;
  readonly level: number;
}

/** An item and all below it, itself first, by level; the item has level 0. UNION, so that not even a damaged tree is endless. */
export function subtree(tx: Tx, id: number): Node[] {
  return tx.all<Node>(
    `WITH RECURSIVE below (id, level) AS (
       SELECT id, 0 FROM tasks_item WHERE id = ?
       UNION SELECT tasks_item.id, level + 1 FROM tasks_item JOIN below ON parent = below.id WHERE level < ${MOST_LEVELS}
     ) SELECT id, min(level) AS level FROM below GROUP BY id ORDER BY level, id`,
    id,
  );
}

/** The ids above an item, the nearest first, itself left out. */
export function above(tx: Tx, item: Pick<Item, 'parent'>): number[] {
  const ids: number[] = [];
  for (let at = item.parent; at !== null && ids.length < MOST_LEVELS;) {
    ids.push(at);
    at = tx.get<{ parent: number | null }>('SELECT parent FROM tasks_item WHERE id = ?', at)?.parent ?? null;
  }
  return ids;
}

/**
 * The parent an item may get: 0 is none. NOT_FOUND when it is not there, CONFLICT when it is archived, INVALID_PARAMS when the
 * item would be below itself or too deep. `moved`: the item with what is below it; undefined for a new one.
 */
export function parentFor(tx: Tx, given: number, moved?: Item): number | null {
  if (given === 0) return null;
  const parent = find(tx, given, 'parent');
  const path = [parent.id, ...above(tx, parent)];
  if (moved && path.includes(moved.id)) {
    const way = parent.id === moved.id ? 'itself' : `${parent.id}, which is below it`;
    throw new ToolError('INVALID_PARAMS', `task ${moved.id} cannot be below ${way}`, { param: 'parent' });
  }
  // What is archived may lie below what is archived.
  if (parent.archived !== null && (moved?.archived ?? null) === null) throw putAway(parent);
  const levels = moved ? (subtree(tx, moved.id).at(-1)?.level ?? 0) + 1 : 1;
  if (path.length + levels > MOST_LEVELS) {
    throw new ToolError('INVALID_PARAMS', `below task ${parent.id} it would be more than ${MOST_LEVELS} levels deep`, {
      param: 'parent',
    });
  }
  return parent.id;
}

const putAway = ({ id }: Item): ToolError =>
  new ToolError('CONFLICT', `task ${id} is archived; update it with status pending to take it out`, {
    param: 'parent',
  });

/** Takes an item that is open again out of the archive, with all above it. Returns how many came out. */
export function takeOut(tx: Tx, item: Item): number {
  if (item.archived === null) return 0;
  return [item.id, ...above(tx, item)].reduce(
    (sum, id) =>
      sum + tx.run('UPDATE tasks_item SET archived = NULL WHERE id = ? AND archived IS NOT NULL', id).changes,
    0,
  );
}

/** An item as a tree is drawn from it. */
export interface Placed {
  readonly id: number;
  /** 0: its parent is not among those that are shown */
  readonly depth: number;
}

/** Items in the order of a tree, children below their parents; siblings, and those whose parent is not here, keep their order. */
export function inTree(rows: readonly Pick<Item, 'id' | 'parent'>[]): Placed[] {
  const here = new Set(rows.map(({ id }) => id));
  const children = new Map<number, number[]>();
  const top: number[] = [];
  for (const { id, parent } of rows) {
    if (parent === null || !here.has(parent)) top.push(id);
    else if (children.get(parent)?.push(id) === undefined) children.set(parent, [id]);
  }
  const out: Placed[] = [];
  const waiting: Placed[] = top.toReversed().map((id) => ({ id, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    out.push(next);
    const depth = next.depth + 1;
    waiting.push(...(children.get(next.id) ?? []).toReversed().map((id) => ({ id, depth })));
  }
  return out;
}
