// The registry format (registry.json and registry-item.json of shadcn), parsed once at the edge; unknown keys are let be.
import { z } from 'zod';

/** A name is one path segment, so that it can neither climb nor become another URL. */
const NAME = /^[A-Za-z0-9](?!.*\.\.)[A-Za-z0-9._-]{0,99}$/;

/** True for what an item may be called: letters, digits, `.`, `_`, `-`, at most 100, no `..`. */
export const isItemName = (name: string): boolean => NAME.test(name);

/** Files and dependencies of one item; more is not something to install at once. */
const MOST_FILES = 200;

const word = z.string().min(1).max(500);
const words = z.array(word).max(MOST_FILES).optional();
const variables = z.record(z.string().max(100), z.string().max(1000)).optional();

const file = z.object({
  path: word,
  type: z.string().max(100).default('registry:component'),
  target: z.string().max(500).optional(),
  content: z.string().optional(),
});

const item = z.object({
  name: z.string().refine(isItemName, 'is not a name of an item'),
  type: z.string().max(100).default('registry:component'),
  title: z.string().max(500).optional(),
  description: z.string().max(5000).optional(),
  categories: words,
  dependencies: words,
  devDependencies: words,
  registryDependencies: words,
  files: z.array(file).max(MOST_FILES).default([]),
  cssVars: z.record(z.string().max(100), variables).optional(),
  css: z.unknown().optional(),
  tailwind: z.unknown().optional(),
  envVars: z.record(z.string().max(200), z.unknown()).optional(),
  docs: z.string().max(20_000).optional(),
});

export type Item = z.output<typeof item>;
export type ItemFile = z.output<typeof file>;

/** What a registry lists. `leftOut` counts entries that are not items. */
export interface Index {
  readonly items: readonly Item[];
  readonly leftOut: number;
}

/** Most items of an index that are looked at. */
const MOST_ITEMS = 20_000;

/** An index, also in its older form, a bare array; undefined where the value is neither. */
export function parseIndex(value: unknown): Index | undefined {
  const list = Array.isArray(value) ? value : (value as { items?: unknown } | null)?.items;
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, Item>();
  let leftOut = Math.max(0, list.length - MOST_ITEMS);
  for (const each of list.slice(0, MOST_ITEMS)) {
    const parsed = item.safeParse(each);
    if (parsed.success && !items.has(parsed.data.name)) items.set(parsed.data.name, parsed.data);
    else leftOut++;
  }
  return { items: [...items.values()], leftOut };
}

/** An item, or the sentence that says why it is none. */
export function parseItem(value: unknown): Item | string {
  const parsed = item.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'is not an item'}`;
}
