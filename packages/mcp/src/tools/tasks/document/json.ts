// The documented JSON file (contract, local core tools 5.13): {items[], lastId}.
import type { Item } from '../items.ts';
import { tagsOf } from '../items.ts';
import { asMap, checkParents, draftOf, type ItemDraft, type Report } from './draft.ts';

export interface Parsed {
  readonly items: readonly ItemDraft[];
  /** highest number the document ever gave */
  readonly lastId: number;
}

/** Reads a document. Throws a sentence when it is none of tasks; what is wrong inside is reported with its place. */
export function parseDocument(document: unknown, report: Report): Parsed {
  const root = asMap(document);
  const list = Array.isArray(document) ? document : (root?.get('items') ?? root?.get('todos'));
  if (!Array.isArray(list)) throw new Error("it has no list of 'items'");
  const read = list.flatMap((each: unknown, i) => {
    const fields = asMap(each);
    const place = `items[${i}]`;
    if (!fields) report(`${place}: is no object`);
    const draft = fields && draftOf(fields, place, report);
    return draft ? [{ draft, parent: fields.get('parent') }] : [];
  });
  const byKey = new Map<string, number>();
  for (const [i, { draft }] of read.entries()) {
    if (draft.key === undefined) continue;
    if (byKey.has(draft.key)) report(`${draft.place}.id: ${JSON.stringify(draft.key)} is there twice`);
    else byKey.set(draft.key, i);
  }
  for (const { draft, parent } of read) {
    if (parent === undefined || parent === null || parent === '' || parent === 0 || parent === '0') continue;
    draft.parent = typeof parent === 'string' || typeof parent === 'number' ? byKey.get(String(parent)) : undefined;
    if (draft.parent === undefined) {
      report(`${draft.place}.parent: ${JSON.stringify(parent)?.slice(0, 40)} is no item of this document`);
    }
  }
  const items = read.map(({ draft }) => draft);
  checkParents(items, report);
  const given = Number(root?.get('lastId') ?? 0);
  return { items, lastId: Number.isSafeInteger(given) && given > 0 && given < 1e12 ? given : 0 };
}

/** Items as the document has them; a parent that is not among them is left out. */
export function toDocument(items: readonly Item[], lastId: number): string {
  const here = new Set(items.map(({ id }) => id));
  return `${JSON.stringify({ items: items.map((item) => plain(item, here)), lastId }, null, 2)}\n`;
}

function plain(item: Item, here: ReadonlySet<number>): Record<string, unknown> {
  return {
    id: String(item.id),
    content: item.content,
    status: item.status,
    priority: item.priority,
    created: item.created,
    updated: item.updated,
    ...extras(item),
    ...(item.parent === null || !here.has(item.parent) ? {} : { parent: String(item.parent) }),
  };
}

/** What only some items have. */
export function extras(item: Item): Record<string, unknown> {
  const tags = tagsOf(item);
  return {
    ...(item.due === null ? {} : { due: item.due }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(item.project === null ? {} : { project: item.project }),
    ...(item.assignee === null ? {} : { assignee: item.assignee }),
    ...(item.notes === '' ? {} : { notes: item.notes }),
    ...(item.archived === null ? {} : { archived: item.archived }),
  };
}
