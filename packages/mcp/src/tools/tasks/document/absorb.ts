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
  const known = lookup(tx);
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
 * Finds the item a draft is already, among those there before: made at the same time, and of the same content, of the same content
 * when it was imported, or of the same number where it was made here; without a time, of the same content below the same
 * parent. Each is found once, so that equal ones stay as many as they were.
 */
function lookup(tx: Tx): (draft: ItemDraft, parent: number | undefined) => Item | undefined {
  const names = new Map<string, number[]>();
  // From the newest on, because the ids of a name are taken from the end.
  for (const row of tx.each<Item>('SELECT id, parent, created, content, origin FROM tasks_item ORDER BY id DESC')) {
    for (const name of new Set(namesOf(row)))
      if (names.get(name)?.push(row.id) === undefined) names.set(name, [row.id]);
  }
  const taken = new Set<number>();
  return (draft, parent) => {
    const { created, content, key = '' } = draft;
    const wanted =
      created === undefined
        ? [under(parent, content)]
        : [same(created, key, content), at(created, content), here(created, key)];
    for (const name of wanted) {
      const ids = names.get(name) ?? [];
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        if (taken.has(id)) continue;
        taken.add(id);
        return find(tx, id);
      }
    }
    return undefined;
  };
}

const same = (created: string, id: string, content: string): string => `same ${created} ${id} ${content}`;
const at = (created: string, content: string): string => `at ${created} ${content}`;
const here = (created: string, id: string): string => `here ${created} ${id}`;
const under = (parent: number | null | undefined, content: string): string => `below ${parent ?? 0} ${content}`;

function namesOf({ id, parent, created, content, origin }: Item): string[] {
  return [
    same(created, String(id), content),
    at(created, content),
    origin === null ? here(created, String(id)) : at(created, origin),
    under(parent, content),
  ];
}
