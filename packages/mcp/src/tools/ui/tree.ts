// An item and everything it needs of registries, what is needed before what needs it; bounded, and never in a circle.
import { shorten, ToolError } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { splitName } from './params.ts';
import type { Place, Places } from './registry/place.ts';
import { readItem, type WholeItem } from './registry/registry.ts';
import { isItemName } from './registry/schema.ts';

/** Most items and bytes of one installation. */
const MOST_ITEMS = 100;
const MOST_BYTES = 8 * 1024 * 1024;

/** Where names without a registry come from, if theirs does not have them (the format's own rule). */
const COMMON = '@shadcn';

interface Wanted {
  readonly place: Place;
  readonly name: string;
  /** the chain of items that asked for it, outermost first */
  readonly by: readonly string[];
}

/**
 * The item and what its `registryDependencies` come to. Items that need each other are each taken once: files have no order that
 * a circle could break. Rejects where one is missing, or where there are too many.
 */
export async function resolveTree(ctx: Ctx, places: Places, place: Place, name: string): Promise<readonly WholeItem[]> {
  const found = new Map<string, WholeItem>();
  const waiting: Wanted[] = [{ place, name, by: [] }];
  let bytes = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const key = `${next.place.name}/${next.name}`;
    if (found.has(key)) continue;
    if (found.size >= MOST_ITEMS) throw tooMany(name, `more than ${MOST_ITEMS} items`);
    const item = await readItem(ctx, next.place, next.name).catch((error: unknown) => {
      throw because(error, next);
    });
    bytes += item.files.reduce((sum, file) => sum + file.content.length, 0);
    if (bytes > MOST_BYTES) throw tooMany(name, `more than ${MOST_BYTES} bytes`);
    found.set(key, item);
    for (const each of item.registryDependencies ?? []) {
      const wanted = await locate(ctx, places, next, each);
      if (!found.has(`${wanted.place.name}/${wanted.name}`)) waiting.push(wanted);
    }
  }
  return [...found.values()].toReversed();
}

async function locate(ctx: Ctx, places: Places, owner: Wanted, spec: string): Promise<Wanted> {
  const by = [...owner.by, owner.name];
  if (/^https?:\/\//i.test(spec)) return { ...byUrl(places, owner, spec), by };
  const { registry, name } = splitName(spec);
  if (registry !== undefined) return { place: places.find(registry), name, by };
  if (!isItemName(name)) throw unusable(owner, spec, 'is neither a name, @registry/name nor a URL');
  if (owner.place.name === COMMON || !places.names().includes(COMMON)) return { place: owner.place, name, by };
  const own = await readItem(ctx, owner.place, name).catch((error: unknown) => {
    if (error instanceof ToolError && error.code === 'NOT_FOUND') return undefined;
    throw because(error, { place: owner.place, name, by });
  });
  return { place: own ? owner.place : places.find(COMMON), name, by };
}

/** A URL is an item of a configured registry, or nobody's: a registry does not send this server to where it likes. */
function byUrl(places: Places, owner: Wanted, spec: string): { place: Place; name: string } {
  const url = URL.parse(spec);
  const name =
    url?.pathname
      .split('/')
      .at(-1)
      ?.replace(/\.json$/, '') ?? '';
  for (const each of places.names()) {
    const place = tried(() => places.find(each));
    if (place?.kind !== 'http' || !url || !isItemName(name)) continue;
    const at = new URL(place.at(name));
    if (at.origin === url.origin && at.pathname === url.pathname) return { place, name };
  }
  throw new ToolError(
    'PERMISSION_DENIED',
    `item '${owner.name}' of registry ${owner.place.name} needs ${shorten(spec, 200)}, which belongs to no configured registry; name that registry under \`registries\` in components.json to allow it`,
    { component: owner.name, needs: shorten(spec, 200) },
  );
}

function tried<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

function unusable(owner: Wanted, spec: string, why: string): ToolError {
  return new ToolError(
    'INVALID_PARAMS',
    `item '${owner.name}' of registry ${owner.place.name} needs '${shorten(spec, 200)}', which ${why}`,
    {
      component: owner.name,
    },
  );
}

function because(error: unknown, { name, by }: Wanted): unknown {
  if (!(error instanceof ToolError) || by.length === 0) return error;
  return new ToolError(error.code, `${error.message} ('${name}' is needed by ${by.slice(-3).join(' > ')})`, {
    ...error.details,
    needed_by: by.at(-1),
  });
}

function tooMany(name: string, what: string): ToolError {
  return new ToolError('INVALID_PARAMS', `'${name}' comes to ${what}; install a part of it`, { component: name });
}
