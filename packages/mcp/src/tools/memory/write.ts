// What is written, an entry at a time: store, create, update, summarize, tag, untag.
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import type { Tx } from '../../lib/store/index.ts';
import { type Draft, find, missing, purge, put, tagsOf } from './entries.ts';
import { withMemory } from './open.ts';
import { append, key, metadata, namespace, NEVER, tag, tags, timeOf, ttl, value } from './params.ts';

export const store = act({
  summary: 'keeps value under key, over what is there; append adds a line to it',
  effect: 'write',
  input: z.strictObject({
    key,
    value,
    namespace,
    tags: tags.optional(),
    metadata: metadata.optional(),
    ttl: ttl.optional(),
    append,
  }),
  run: (ctx, input) => change(ctx, (tx, now) => written(put(tx, input, now), input, now)),
});

export const create = act({
  summary: 'as store, but only where key is not there; without key it gets one',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    key: key.optional(),
    value,
    namespace,
    tags: tags.optional(),
    metadata: metadata.optional(),
    ttl: ttl.optional(),
  }),
  run: (ctx, input) =>
    change(ctx, (tx, now) => {
      const draft = { ...input, key: input.key ?? freeKey(tx, input.namespace) };
      return written(putNew(tx, draft, now), draft, now);
    }),
});

export const update = act({
  summary: 'changes value, tags, metadata or ttl of a key that is there',
  effect: 'write',
  input: z.strictObject({
    key,
    value: value.optional(),
    namespace,
    tags: tags.optional(),
    metadata: metadata.optional(),
    ttl: ttl.optional(),
    append,
  }),
  run: (ctx, input) => change(ctx, (tx, now) => written(putOver(tx, input, now), input, now)),
});

export const summarize = act({
  summary: 'keeps a summary you wrote (value) under summary-<topic>-<time>',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    value,
    topic: key.refine((text) => text.length <= 128, 'at most 128 characters'),
    namespace,
  }),
  run: (ctx, input) =>
    change(ctx, (tx, now) => {
      const base = `summary-${input.topic}-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}`;
      let name = base;
      for (let i = 2; find(tx, input.namespace, name); i++) name = `${base}-${i}`;
      const draft = {
        namespace: input.namespace,
        key: name,
        value: input.value,
        tags: ['summary', input.topic],
      };
      return written(put(tx, draft, now), draft, now);
    }),
});

const tagging = z.strictObject({ key, tag: tag.optional(), tags: tags.optional(), namespace });

export const tagEntry = act({
  summary: 'adds tags to key',
  effect: 'write',
  destructive: false,
  input: tagging,
  run: (ctx, input) => retag(ctx, input, (has, given) => [...has, ...given.filter((each) => !has.includes(each))]),
});

export const untagEntry = act({
  summary: 'takes tags from key',
  effect: 'write',
  input: tagging,
  run: (ctx, input) => retag(ctx, input, (has, given) => has.filter((each) => !given.includes(each))),
});

function retag(
  ctx: Ctx,
  input: z.output<typeof tagging>,
  combine: (has: string[], given: string[]) => string[],
): Promise<ActionResult> {
  const given = [...(input.tags ?? []), ...(input.tag === undefined ? [] : [input.tag])];
  if (given.length === 0) throw new ToolError('INVALID_PARAMS', "give 'tags' (a list) or 'tag'", { param: 'tags' });
  return change(ctx, (tx, now) => {
    const before = find(tx, input.namespace, input.key);
    if (!before) throw missing(tx, input.key, input.namespace, now);
    const has = tagsOf(before);
    const then = combine(has, given);
    if (then.length > 64) throw new ToolError('INVALID_PARAMS', "'tags': an entry has at most 64", { param: 'tags' });
    const changed = then.length !== has.length;
    if (changed) put(tx, { namespace: input.namespace, key: input.key, tags: then }, now);
    return { data: { key: input.key, namespace: input.namespace, tags: then, changed } };
  });
}

/** Runs a change in one transaction, on what has not expired. */
export function change(ctx: Ctx, work: (tx: Tx, now: number) => ActionResult): Promise<ActionResult> {
  return withMemory(ctx, (db) =>
    db.write((tx) => {
      const now = Date.now();
      purge(tx, now);
      return work(tx, now);
    }),
  );
}

/** Puts an entry where none is; CONFLICT otherwise. */
export function putNew(tx: Tx, draft: Draft, now: number): ReturnType<typeof put> {
  const there = find(tx, draft.namespace, draft.key);
  if (!there) return put(tx, draft, now);
  throw new ToolError(
    'CONFLICT',
    `'${shorten(draft.key)}' is in namespace '${shorten(draft.namespace)}' already; update or store changes it`,
    { key: shorten(draft.key, 200), namespace: shorten(draft.namespace, 200) },
  );
}

/** Puts an entry over one that is there; NOT_FOUND otherwise. INVALID_PARAMS when there is nothing to change. */
export function putOver(tx: Tx, draft: Draft, now: number): ReturnType<typeof put> {
  if ([draft.value, draft.tags, draft.metadata, draft.ttl].every((each) => each === undefined)) {
    throw new ToolError('INVALID_PARAMS', `'${shorten(draft.key)}': give value, tags, metadata or ttl to change`, {
      param: 'value',
    });
  }
  if (!find(tx, draft.namespace, draft.key)) throw missing(tx, draft.key, draft.namespace, now);
  return put(tx, draft, now);
}

/** A key nobody has, from the number the next entry gets. */
export function freeKey(tx: Tx, inNamespace: string): string {
  const last = tx.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'memory_entry'")?.seq ?? 0;
  for (let i = last + 1; ; i++) if (!find(tx, inNamespace, `note-${i}`)) return `note-${i}`;
}

function written({ entry, before }: ReturnType<typeof put>, draft: Draft, now: number): ActionResult {
  const expired = draft.ttl !== undefined && draft.ttl !== NEVER && timeOf(draft.ttl) <= now;
  return {
    data: {
      key: entry.key,
      namespace: entry.namespace,
      status: before ? 'updated' : 'stored',
      length: entry.value.length,
      ...(entry.ttl === null ? {} : { ttl: entry.ttl }),
      ...(expired ? { note: 'this ttl has passed; the entry has expired already' } : {}),
    },
  };
}
