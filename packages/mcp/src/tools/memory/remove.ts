// What takes entries away, or many at once: delete, clear, merge, manage. Each keeps to its namespace unless told otherwise.
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { type Entry, keep, missing, put, remove, select, tagsOf } from './entries.ts';
import { ALL, DEFAULT, key, metadata, namespace, tag, tags, ttl, value, within } from './params.ts';
import { change, freeKey, putNew, putOver } from './write.ts';

/** Removed entries that an answer names. */
const NAMED = 50;
/** Items of one `manage`. */
const MOST = 1000;
/** Between the values of merged entries (contract, local core tools 5.10.1). */
const BETWEEN = '\n---\n';

const confirm = z.boolean().default(false);

export const deleteEntry = act({
  summary: "by key or tag, in namespace ('default' unless given, '*' all)",
  effect: 'write',
  input: z.strictObject({ key: key.optional(), tag: tag.optional(), namespace: within }),
  run: (ctx, input) => {
    if (input.key === undefined && input.tag === undefined) {
      throw new ToolError('INVALID_PARAMS', "delete needs 'key' or 'tag'; clear removes a whole namespace", {
        param: 'key',
      });
    }
    const place = input.namespace ?? DEFAULT;
    return change(ctx, (tx, now) => {
      const entries = select(tx, { ...input, namespace: place }, now);
      if (entries.length === 0 && input.key !== undefined && input.tag === undefined) {
        throw missing(tx, input.key, place, now);
      }
      remove(tx, entries);
      return { data: { deleted: entries.length, namespace: place, ...named(entries) } };
    });
  },
});

export const clear = act({
  summary: 'removes every entry, of namespace where given; facts stay',
  effect: 'write',
  input: z.strictObject({ namespace: within, confirm }),
  run: (ctx, input) =>
    change(ctx, (tx, now) => {
      const entries = select(tx, input, now);
      const place = input.namespace === undefined || input.namespace === ALL ? 'all namespaces' : input.namespace;
      if (!input.confirm) {
        throw new ToolError(
          'INVALID_PARAMS',
          `this would remove ${entries.length} entries of ${shorten(place)}; confirm: true does it (export first keeps a copy)`,
          { param: 'confirm', entries: entries.length },
        );
      }
      remove(tx, entries);
      return { data: { cleared: entries.length, namespace: input.namespace ?? ALL } };
    }),
});

export const merge = act({
  summary: 'joins what key holds in all namespaces into one entry in namespace, equal values once',
  effect: 'write',
  input: z.strictObject({ key, namespace }),
  run: (ctx, input) =>
    change(ctx, (tx, now) => {
      const entries = select(tx, { key: input.key }, now);
      if (entries.length === 0) throw missing(tx, input.key, ALL, now);
      // The one that stays comes first, then the others as they were made.
      entries.sort((a, b) => rankOf(a, input.namespace) - rankOf(b, input.namespace) || a.id - b.id);
      const values = [...new Set(entries.flatMap((entry) => entry.value.split(BETWEEN)))];
      const { entry } = put(
        tx,
        {
          namespace: input.namespace,
          key: input.key,
          value: values.join(BETWEEN),
          tags: entries.flatMap(tagsOf).slice(0, 64),
          metadata: joined(entries),
        },
        now,
      );
      const others = entries.filter(({ id }) => id !== entry.id);
      for (const other of others) {
        keep(tx, entry.id, other.value, other.tags, other.updated);
      }
      remove(tx, others);
      return {
        data: {
          key: input.key,
          namespace: input.namespace,
          merged: entries.length,
          values: values.length,
          length: entry.value.length,
          from: others.map((each) => each.namespace).slice(0, NAMED),
        },
      };
    }),
});

const rankOf = (entry: Entry, place: string): number => (entry.namespace === place ? 0 : 1);

/** Their metadata in one; where they disagree the first has it. */
function joined(entries: readonly Entry[]): Record<string, unknown> | undefined {
  const all = entries.flatMap(({ metadata: text }) =>
    text === null ? [] : Object.entries(JSON.parse(text) as Record<string, unknown>),
  );
  return all.length === 0 ? undefined : Object.fromEntries(all.toReversed());
}

const place = namespace.removeDefault().optional();
const fields = { namespace: place, tags: tags.optional(), metadata: metadata.optional(), ttl: ttl.optional() };
const batch = z
  .strictObject({
    create: z.array(z.strictObject({ key: key.optional(), value, ...fields })).default([]),
    update: z.array(z.strictObject({ key, value: value.optional(), ...fields })).default([]),
    delete: z.array(z.union([key, z.strictObject({ key, namespace: place })])).default([]),
  })
  .refine((data) => data.create.length + data.update.length + data.delete.length <= MOST, `at most ${MOST} items`);

export const manage = act({
  summary: 'many at once, all or nothing: data {create: [{key, value, ...}], update: [...], delete: [key]}',
  effect: 'write',
  input: z.strictObject({ data: z.record(z.string(), z.unknown()), namespace }),
  run: (ctx, input) => {
    const parsed = batch.safeParse(input.data);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new ToolError(
        'INVALID_PARAMS',
        `'${['data', ...(issue?.path ?? [])].join('.')}': ${issue?.message ?? 'invalid'}`,
        {
          param: 'data',
          expected:
            '{create: [{key?, value, namespace?, tags?, metadata?, ttl?}], update: [{key, ...}], delete: [key or {key, namespace}]}',
        },
      );
    }
    const { data } = parsed;
    return change(ctx, (tx, now) => {
      const created = data.create.map((item) => {
        const space = item.namespace ?? input.namespace;
        const draft = { ...item, namespace: space, key: item.key ?? freeKey(tx, space) };
        putNew(tx, draft, now);
        return draft.key;
      });
      for (const item of data.update) putOver(tx, { ...item, namespace: item.namespace ?? input.namespace }, now);
      for (const item of data.delete) {
        const { key: name, namespace: space = input.namespace } = typeof item === 'string' ? { key: item } : item;
        const from = { key: name, namespace: space };
        const [entry] = select(tx, from, now);
        if (!entry) throw missing(tx, from.key, from.namespace, now);
        remove(tx, [entry]);
      }
      return {
        data: {
          created: data.create.length,
          updated: data.update.length,
          deleted: data.delete.length,
          keys: created.slice(0, NAMED),
        },
      };
    });
  },
});

function named(entries: readonly Entry[]): { keys: string[] } {
  return { keys: entries.slice(0, NAMED).map((entry) => entry.key) };
}
