// What was parsed, put into the table: renumbered, parents following, nothing twice.
import type { Tx } from '../../../lib/store/index.ts';
import { change, checkRoom, find, insert, isOver, type Item } from '../items.ts';
import { MOST_LEVELS } from '../params.ts';
import { above, takeOut } from '../tree.ts';
import type { ItemDraft } from './draft.ts';

export interface Absorbed {
  /** items that are new */
  imported: number;
  /** items that are here already; they stay as they are */
  unchanged: number;
  /** items that are here, and whose box was ticked or emptied by hand */
  updated: number;
  /** what could not be as it was, in words */
  readonly problems: string[];
}

/** Puts drafts into the table. `keepIds`: an item keeps its number where that is free. CONFLICT when there are too many. */
export function absorb(tx: Tx, drafts: readonly ItemDraft[], keepIds: boolean): Absorbed {
  const now = new Date().toISOString();
  const result: Absorbed = { imported: 0, unchanged: 0, updated: 0, problems: [] };
  const known = lookup(tx, drafts);
  const ids = new Map<ItemDraft, number>();
  for (const draft of parentsFirst(drafts)) {
    const upper = draft.parent === undefined ? undefined : drafts[draft.parent];
    const wanted = upper && ids.get(upper);
    const there = known(draft, wanted);
    if (there) {
      ids.set(draft, there.id);
      if (draft.ticked !== undefined && change(tx, there, { status: draft.ticked }, now)) {
        if (!isOver(draft.ticked)) takeOut(tx, there);
        result.updated++;
      } else result.unchanged++;
      continue;
    }
    const { parent, archived } = below(tx, draft, wanted, result.problems);
    const number = /^\d{1,12}$/.test(draft.key ?? '') ? Number(draft.key) : 0;
    const free = keepIds && number > 0 && !tx.get('SELECT 1 FROM tasks_item WHERE id = ?', number);
    const id = insert(tx, { ...draft, id: free ? number : undefined, parent, archived, origin: draft.content }, now);
    ids.set(draft, id);
    result.imported++;
    if (keepIds && number > 0 && !free)
      result.problems.push(`task ${number} is ${id} now, as there was a task ${number}`);
  }
  checkRoom(tx, 0);
  return result;
}

/** In their order, but none before its parent. */
function parentsFirst(drafts: readonly ItemDraft[]): Set<ItemDraft> {
  const order = new Set<ItemDraft>();
  for (const draft of drafts) {
    const path: ItemDraft[] = [];
    for (let at: ItemDraft | undefined = draft; at && !order.has(at);) {
      path.push(at);
      at = at.parent === undefined ? undefined : drafts[at.parent];
    }
    for (const each of path.toReversed()) order.add(each);
  }
  return order;
}

/** The parent a new item gets: the one it had, unless that lies too deep by now, or was put away while the item is open. */
function below(
  tx: Tx,
  draft: ItemDraft,
  wanted: number | undefined,
  problems: string[],
): { parent: number | null; archived: string | undefined } {
  if (wanted === undefined) return { parent: null, archived: draft.archived };
  const parent = find(tx, wanted);
  const deep = above(tx, parent).length + 2 > MOST_LEVELS;
  const away = parent.archived !== null && draft.archived === undefined;
  if (!deep && !away) return { parent: parent.id, archived: draft.archived };
  if (!deep && isOver(draft.status)) return { parent: parent.id, archived: parent.archived ?? undefined };
  problems.push(`${draft.place}: at the top level, as task ${parent.id} is ${deep ? 'too deep' : 'archived'}`);
  return { parent: null, archived: draft.archived };
}

/**
 * Finds the item a draft is already: made at the same time, and of the same number, content or content when it was imported;
 * without a time, of the same content below the same parent. Each is found once, so that equal ones stay as many as they were.
 */
function lookup(
  tx: Tx,
  drafts: readonly ItemDraft[],
): (draft: ItemDraft, parent: number | undefined) => Item | undefined {
  const taken = new Set<number>();
  const nameOf = (parent: number | null | undefined, content: string): string => `${parent ?? 0} ${content}`;
  const byContent = new Map<string, number[]>();
  if (drafts.some(({ created }) => created === undefined)) {
    for (const { id, parent, content } of tx.each<Item>('SELECT id, parent, content FROM tasks_item ORDER BY id')) {
      const name = nameOf(parent, content);
      if (byContent.get(name)?.push(id) === undefined) byContent.set(name, [id]);
    }
  }
  return (draft, parent) => {
    const number = /^\d{1,12}$/.test(draft.key ?? '') ? Number(draft.key) : 0;
    const found =
      draft.created === undefined
        ? (byContent.get(nameOf(parent, draft.content)) ?? [])
        : tx
            .all<Pick<Item, 'id'>>(
              `SELECT id FROM tasks_item WHERE created = ?1 AND (id = ?2 OR content = ?3 OR origin = ?3)
               ORDER BY id = ?2 DESC, content = ?3 DESC, id`,
              draft.created,
              number,
              draft.content,
            )
            .map(({ id }) => id);
    const id = found.find((each) => !taken.has(each));
    if (id === undefined) return undefined;
    taken.add(id);
    return find(tx, id);
  };
}
