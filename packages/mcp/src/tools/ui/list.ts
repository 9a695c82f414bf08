// list_components, list_blocks, search: what a registry has, a line for each item.
import { type ActionResult, nearest, shorten } from '@hanzo/tool';
import { z } from 'zod';
import { type Entry, pageOfLines } from '../../lib/lines.ts';
import { act, type Ctx } from '../../local.ts';
import { asked, cursor, folder, limit, registry } from './params.ts';
import type { Place } from './registry/place.ts';
import { readIndex } from './registry/registry.ts';
import type { Index, Item } from './registry/schema.ts';

/** Most characters shown of a description. */
const SHOWN = 160;

const short = ({ type }: Item): string => type.replace(/^registry:/, '');

function entry(item: Item): Entry {
  const about = shorten((item.description ?? item.title ?? '').replaceAll(/\s+/g, ' ').trim(), SHOWN);
  return {
    text: `${item.name} (${short(item)})${about ? `: ${about}` : ''}`,
    json: { name: item.name, type: short(item), ...(about ? { description: about } : {}) },
  };
}

interface Listing {
  readonly place: Place;
  readonly index: Index;
  readonly key: string;
  readonly items: readonly Item[];
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly extra?: Readonly<Record<string, unknown>>;
}

function listing(ctx: Ctx, { place, index, key, items, extra, ...paged }: Listing): ActionResult {
  const page = pageOfLines(items.map(entry), {
    ...paged,
    key,
    room: ctx.maxOutput,
    json: ctx.env.config.jsonOnly,
  });
  return {
    data: {
      registry: place.name,
      source: place.shown,
      total: items.length,
      ...extra,
      ...page.data,
      ...(index.leftOut > 0 ? { note: `${index.leftOut} entries of the index are not items and were left out` } : {}),
    },
    bodies: page.bodies,
    paging: page.paging,
  };
}

const listed = z.strictObject({ registry, path: folder, cursor, limit });

function lister(summary: string, key: string, wanted: (item: Item) => boolean) {
  return act({
    summary,
    effect: 'network',
    input: listed,
    async run(ctx, input): Promise<ActionResult> {
      const place = (await asked(ctx, input.path)).places.find(input.registry);
      const index = await readIndex(ctx, place);
      const items = index.items.filter(wanted);
      return listing(ctx, { place, index, key, items, cursor: input.cursor, limit: input.limit });
    },
  });
}

const isBlock = (item: Item): boolean => short(item) === 'block';
/** Not shown: what a registry keeps for itself, and demonstrations of other items. */
const HIDDEN: ReadonlySet<string> = new Set(['internal', 'example']);

export const listComponents = lister(
  'items of a registry but blocks',
  'components',
  (item) => !isBlock(item) && !HIDDEN.has(short(item)),
);
export const listBlocks = lister('blocks of a registry', 'blocks', isBlock);

/** How well an item fits one word of a question; 0 not at all. */
function fits(item: Item, word: string): number {
  const name = item.name.toLowerCase();
  if (name === word) return 100;
  if (name.startsWith(word)) return 60;
  if (name.includes(word)) return 40;
  if (item.title?.toLowerCase().includes(word)) return 30;
  if (item.categories?.some((each) => each.toLowerCase().includes(word))) return 20;
  if (item.description?.toLowerCase().includes(word)) return 10;
  return item.dependencies?.some((each) => each.toLowerCase().includes(word)) ? 5 : 0;
}

export const search = act({
  summary: 'items whose name, title, categories or description have every word, best first',
  effect: 'network',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .refine((text) => text.length <= 500, 'at most 500 characters'),
    registry,
    path: folder,
    cursor,
    limit,
  }),
  async run(ctx, input): Promise<ActionResult> {
    const place = (await asked(ctx, input.path)).places.find(input.registry);
    const index = await readIndex(ctx, place);
    const words = input.query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, 20);
    const ranked = index.items
      .map((item) => ({ item, marks: words.map((word) => fits(item, word)) }))
      .filter(({ marks }) => marks.length > 0 && marks.every((mark) => mark > 0))
      .map(({ item, marks }) => ({ item, score: marks.reduce((sum, mark) => sum + mark, 0) }))
      .sort((a, b) => b.score - a.score || (a.item.name < b.item.name ? -1 : 1));
    const meant =
      ranked.length > 0
        ? undefined
        : nearest(
            input.query,
            index.items.map((each) => each.name),
          );
    return listing(ctx, {
      place,
      index,
      key: 'results',
      items: ranked.map(({ item }) => item),
      cursor: input.cursor,
      limit: input.limit,
      extra: { query: shorten(input.query, 200), ...(meant ? { nearest: meant } : {}) },
    });
  },
});
