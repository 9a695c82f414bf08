// One item of a document, whatever the document's form: its fields checked one by one, its place named where something is wrong.
import { z } from 'zod';
import { dueOf } from '../due.ts';
import * as p from '../params.ts';

export interface ItemDraft {
  /** where it stands in the document, in words */
  readonly place: string;
  /** its id in the document */
  readonly key: string | undefined;
  readonly content: string;
  readonly status: p.Status;
  readonly priority: p.Priority;
  readonly due: string | undefined;
  readonly tags: readonly string[];
  readonly project: string | undefined;
  readonly assignee: string | undefined;
  readonly notes: string | undefined;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  readonly archived: string | undefined;
  /** the status it was given by hand, against the one that was written down beside it */
  readonly ticked?: p.Status | undefined;
  /** place of its parent in the list of drafts */
  parent: number | undefined;
}

/** What is wrong at a place. It throws where nothing is to be mended; otherwise what is wrong is left out. */
export type Report = (text: string) => void;

export type Fields = ReadonlyMap<string, unknown>;

const notes = z
  .string()
  .transform((given) => given.replace(/^\n+/, '').trimEnd())
  .refine((given) => given.length <= p.MOST_NOTES, `at most ${p.MOST_NOTES} characters`)
  .refine((given) => given.isWellFormed(), 'holds half of a surrogate pair');
const time = z
  .union([z.string(), z.number()])
  .transform((given) => (typeof given === 'number' ? String(new Date(given).toJSON()) : given))
  .refine((given) => dueOf(given) !== undefined, 'is no ISO time')
  .transform((given) => new Date(dueOf(given)?.due ?? 0).toISOString());

/** Checks the fields of an item. Undefined when it has no content. */
export function draftOf(from: Fields, place: string, report: Report): ItemDraft | undefined {
  const get = <T>(name: string, schema: z.ZodType<T>, given = from.get(name)): T | undefined => {
    if (given === undefined || given === null) return undefined;
    const { success, data, error } = schema.safeParse(given);
    if (success) return data;
    report(`${place}.${name}: ${error.issues[0]?.message ?? 'is wrong'}`);
    return undefined;
  };
  const given = from.get('content') ?? from.get('title') ?? from.get('text');
  if (given === undefined || given === null) {
    report(`${place}: has no content`);
    return undefined;
  }
  const content = get('content', p.content, given);
  if (content === undefined) return undefined;
  const status = get('status', p.status) ?? 'pending';
  const updated = get('updated', time) ?? get('created', time);
  const id = from.get('id');
  const over = status === 'completed' || status === 'cancelled';
  return {
    place,
    key: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    content,
    status,
    priority: get('priority', p.priority) ?? 'medium',
    due: get('due', p.due),
    tags: get('tags', p.tags) ?? [],
    project: get('project', p.project),
    assignee: get('assignee', p.assignee),
    notes: get('notes', notes),
    created: get('created', time),
    updated,
    // What is open is not put away.
    archived: over ? get('archived', time) : undefined,
    parent: undefined,
  };
}

/** Cuts what would make the parents of the drafts a cycle or too deep. */
export function checkParents(drafts: readonly ItemDraft[], report: Report): void {
  const done = new Set<ItemDraft>();
  const levels = new Map<ItemDraft, number>();
  const up = ({ parent }: ItemDraft): ItemDraft | undefined => (parent === undefined ? undefined : drafts[parent]);
  for (const start of drafts) {
    const path = new Set<ItemDraft>();
    let last = start;
    for (let at: ItemDraft | undefined = start; at && !done.has(at); at = up(at)) {
      if (path.has(at)) {
        report(`${last.place}.parent: it would be below itself`);
        last.parent = undefined;
        break;
      }
      path.add(at);
      last = at;
    }
    for (const each of path) done.add(each);
    for (const each of [...path].toReversed()) {
      const parent = up(each);
      const level = parent ? (levels.get(parent) ?? 0) + 1 : 0;
      if (level >= p.MOST_LEVELS) {
        report(`${each.place}.parent: it is more than ${p.MOST_LEVELS} levels deep`);
        each.parent = undefined;
      }
      levels.set(each, each.parent === undefined ? 0 : level);
    }
  }
}

export function asMap(given: unknown): Fields | undefined {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? new Map(Object.entries(given))
    : undefined;
}
