// A registry as the tool asks it: its index, and one item whole.
import { nearest, shorten, ToolError } from '@hanzo/tool';
import type { Ctx } from '../../../local.ts';
import { readBelow, readDocument } from './folder.ts';
import { readUrl } from './http.ts';
import type { Place } from './place.ts';
import { type Index, isItemName, type Item, type ItemFile, parseIndex, parseItem } from './schema.ts';

/** A file of an item with its text. */
export type WholeFile = ItemFile & { readonly content: string };
export type WholeItem = Omit<Item, 'files'> & { readonly files: readonly WholeFile[] };

const INDEX_NAME = 'registry';
/** A folder's and an older registry's name of the same. */
const OTHER_NAME = 'index';

/** What the registry lists. NOT_FOUND where it has no index. */
export async function readIndex(ctx: Ctx, place: Place): Promise<Index> {
  const value = await document(ctx, place, INDEX_NAME).then(
    async (found) => found ?? (await document(ctx, place, OTHER_NAME)),
  );
  if (value === undefined) {
    throw new ToolError(
      'NOT_FOUND',
      `registry ${place.name} (${place.shown}) has no registry.json to list items from`,
      {
        registry: place.name,
      },
    );
  }
  const index = parseIndex(value);
  if (index) return index;
  throw new ToolError(
    place.kind === 'http' ? 'HTTP_ERROR' : 'INVALID_PARAMS',
    `the index of registry ${place.name} has no list of items`,
    {
      registry: place.name,
    },
  );
}

/** An item with the text of its files. NOT_FOUND with the nearest name where the registry has none of that name. */
export async function readItem(ctx: Ctx, place: Place, name: string): Promise<WholeItem> {
  if (!isItemName(name)) {
    throw new ToolError(
      'INVALID_PARAMS',
      `'${shorten(name, 200)}' cannot be the name of an item: letters, digits, '.', '_' and '-' only`,
      { param: 'component' },
    );
  }
  const value = await document(ctx, place, name);
  const item = value === undefined ? await listed(ctx, place, name) : parseItem(value);
  if (typeof item === 'string' || item.name !== name) {
    const why = typeof item === 'string' ? item : `it calls itself '${item.name}'`;
    throw new ToolError(
      place.kind === 'http' ? 'HTTP_ERROR' : 'INVALID_PARAMS',
      `item '${name}' of registry ${place.name} is not usable: ${why}`,
      {
        registry: place.name,
        component: name,
      },
    );
  }
  const files: WholeFile[] = [];
  for (const file of item.files)
    files.push({ ...file, content: file.content ?? (await source(ctx, place, item, file)) });
  return { ...item, files };
}

/** What the index says of an item. */
async function listed(ctx: Ctx, place: Place, name: string): Promise<Item> {
  const { items } = await readIndex(ctx, place).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === 'NOT_FOUND') return { items: [] };
    throw error;
  });
  const found = items.find((each) => each.name === name);
  if (found) return found;
  const names = items.map((each) => each.name);
  const meant = nearest(name, names);
  throw new ToolError(
    'NOT_FOUND',
    `registry ${place.name} has no item '${name}'${meant ? `; did you mean '${meant}'?` : names.length > 0 ? '; list_components names them' : ''}`,
    { registry: place.name, component: name, ...(meant ? { nearest: meant } : {}) },
  );
}

async function source(ctx: Ctx, place: Place, item: Item, file: ItemFile): Promise<string> {
  const text = place.kind === 'folder' ? await readBelow(ctx, place.folder, file.path) : undefined;
  if (text !== undefined) return text;
  throw new ToolError(
    'NOT_FOUND',
    `item '${item.name}' of registry ${place.name} names ${shorten(file.path, 200)} without its text`,
    {
      registry: place.name,
      component: item.name,
    },
  );
}

/** The document of that name; undefined where the registry has none. */
async function document(ctx: Ctx, place: Place, name: string): Promise<unknown> {
  if (place.kind === 'folder') return readDocument(ctx, place.folder, name);
  try {
    return await readUrl(ctx, place, place.at(name));
  } catch (error) {
    if (error instanceof ToolError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
