// The shelf of public MCP servers: read from the upstream registry, curated by operators (contract, tool plane 2.6).
import type { Kysely } from 'kysely';
import { Problem } from '../../core/problem.ts';
import { type Entry, entryOf, type PackageRef, type RemoteRef } from './catalog-entry.ts';
import type { ToolDeps } from './deps.ts';
import type { ToolTables } from './tables.ts';

export interface Listing {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly title?: string;
  readonly description: string;
  readonly repo?: string;
  readonly site?: string;
  readonly version: string;
  readonly logo?: string;
  readonly transports: readonly string[];
  readonly packages?: readonly PackageRef[];
  readonly remotes?: readonly RemoteRef[];
  readonly registry: string;
  readonly synced: number;
  readonly hidden: boolean;
  readonly featured: boolean;
  readonly official: boolean;
}

export interface CatalogQuery {
  readonly q: string;
  readonly featured: boolean;
  readonly official: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly hidden: boolean;
}

export interface Catalog {
  list(query: CatalogQuery): Promise<{ readonly catalog: readonly Listing[]; readonly total: number }>;
  /** undefined where there is none, or it is hidden and `hidden` is false */
  get(id: string, hidden: boolean): Promise<Listing | undefined>;
  curate(id: string, change: Curation): Promise<{ readonly before: Listing; readonly after: Listing } | undefined>;
  /** Rejects with Problem 502 when upstream fails; what was read before that is kept. */
  sync(signal: AbortSignal): Promise<{ readonly added: number; readonly updated: number; readonly total: number }>;
}

export interface Curation {
  readonly hidden?: boolean;
  readonly featured?: boolean;
  readonly official?: boolean;
  readonly logo?: string;
}

const MOST_PAGES = 5000;
const LARGEST_PAGE = 8 * 1024 * 1024;
const PAGE_MS = 30_000;

export function createCatalog({ store, clock, registry }: Pick<ToolDeps, 'store' | 'clock' | 'registry'>): Catalog {
  const db = (): Kysely<ToolTables> => store.db<ToolTables>();
  const base = registry.url.replace(/\/+$/, '');

  async function keep(entries: readonly Entry[]): Promise<{ added: number; updated: number }> {
    const synced = Math.floor(clock.now() / 1000);
    let [added, updated] = [0, 0];
    await store.transaction<ToolTables, void>(async (trx) => {
      [added, updated] = [0, 0];
      const ids = entries.map(({ id }) => id);
      const before = await trx
        .selectFrom('tool_catalog')
        .select(['id', 'digest', 'logo', 'logo_kept', 'official', 'official_kept'])
        .where('id', 'in', ids)
        .execute();
      const known = new Map(before.map((row) => [row.id, row]));
      for (const entry of entries) {
        const row = known.get(entry.id);
        const said = {
          name: entry.name,
          vendor: entry.vendor,
          title: entry.title,
          description: entry.description,
          repo: entry.repo,
          site: entry.site,
          version: entry.version,
          transports: JSON.stringify(entry.transports),
          packages: JSON.stringify(entry.packages),
          remotes: JSON.stringify(entry.remotes),
          registry: base,
          digest: entry.digest,
          synced,
          words: `${entry.name}\n${entry.title}\n${entry.description}`.toLowerCase(),
          logo: row?.logo_kept === 1 || (row !== undefined && row.logo !== '') ? row.logo : entry.icon,
          official: row?.official_kept === 1 ? row.official : Number(entry.official),
        };
        if (row === undefined) {
          added++;
          await trx
            .insertInto('tool_catalog')
            .values({ id: entry.id, ...said, logo_kept: 0, official_kept: 0, hidden: 0, featured: 0 })
            .execute();
        } else {
          if (row.digest !== entry.digest) updated++;
          await trx.updateTable('tool_catalog').set(said).where('id', '=', entry.id).execute();
        }
      }
    });
    return { added, updated };
  }

  async function page(cursor: string | undefined, signal: AbortSignal): Promise<{ entries: unknown[]; next: string }> {
    const url = `${base}/v0/servers?version=latest&limit=100${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await registry.client.request(url, {
      headers: { accept: 'application/json' },
      timeoutMs: PAGE_MS,
      maxBytes: LARGEST_PAGE,
      signal,
    });
    const body = new TextDecoder().decode(await answer.body.bytes());
    if (answer.status < 200 || answer.status > 299) throw new Error(`it answered ${answer.status}`);
    const parsed = JSON.parse(body) as { servers?: unknown; metadata?: { nextCursor?: unknown } };
    if (!Array.isArray(parsed.servers)) throw new Error('its answer has no list of servers');
    const next = parsed.metadata?.nextCursor;
    return { entries: parsed.servers, next: typeof next === 'string' ? next : '' };
  }

  return {
    async list({ q, featured, official, limit, offset, hidden }) {
      let query = db().selectFrom('tool_catalog');
      if (!hidden) query = query.where('hidden', '=', 0);
      if (featured) query = query.where('featured', '=', 1);
      if (official) query = query.where('official', '=', 1);
      if (q !== '') {
        const like = `%${q.toLowerCase().replace(/[\\%_]/g, String.raw`\$&`)}%`;
        query = query.where((eb) => eb(eb.ref('words'), 'like', eb.val(like).$castTo<string>()));
      }
      const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await query
        .selectAll()
        .orderBy('featured', 'desc')
        .orderBy('name')
        .limit(limit)
        .offset(offset)
        .execute();
      return { catalog: rows.map(asListing), total: Number(total) };
    },

    async get(id, hidden) {
      const row = await db().selectFrom('tool_catalog').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined || (row.hidden === 1 && !hidden) ? undefined : asListing(row);
    },

    async curate(id, { hidden, featured, official, logo }) {
      return store.transaction<ToolTables, { before: Listing; after: Listing } | undefined>(async (trx) => {
        const row = await trx.selectFrom('tool_catalog').selectAll().where('id', '=', id).executeTakeFirst();
        if (row === undefined) return undefined;
        const change = {
          ...(hidden === undefined ? {} : { hidden: Number(hidden) }),
          ...(featured === undefined ? {} : { featured: Number(featured) }),
          ...(official === undefined ? {} : { official: Number(official), official_kept: 1 }),
          // an empty one lets the next sync take the publisher's
          ...(logo === undefined ? {} : { logo, logo_kept: logo === '' ? 0 : 1 }),
        };
        if (Object.keys(change).length > 0) {
          await trx.updateTable('tool_catalog').set(change).where('id', '=', id).execute();
        }
        return { before: asListing(row), after: asListing({ ...row, ...change }) };
      });
    },

    async sync(signal) {
      let [added, updated] = [0, 0];
      const seen = new Set<string>();
      const failed = (why: string, cause?: unknown): Problem =>
        new Problem(502, `The registry ${base} could not be read to its end: ${why}.`, {
          ...(cause === undefined ? {} : { cause }),
          more: { added, updated },
        });
      let cursor: string | undefined;
      for (let pages = 0; ; pages++) {
        if (pages === MOST_PAGES) throw failed(`it has more than ${MOST_PAGES} pages`);
        let read: Awaited<ReturnType<typeof page>>;
        try {
          read = await page(cursor, signal);
        } catch (error) {
          signal.throwIfAborted();
          throw failed(error instanceof Error ? error.message : String(error), error);
        }
        const entries = new Map(read.entries.flatMap((raw) => entryOf(raw) ?? []).map((entry) => [entry.id, entry]));
        if (entries.size > 0) {
          const counts = await keep([...entries.values()]);
          added += counts.added;
          updated += counts.updated;
        }
        if (read.next === '' || read.entries.length === 0) break;
        if (seen.has(read.next)) throw failed('it gave a cursor twice');
        seen.add(read.next);
        cursor = read.next;
      }
      const { total } = await db()
        .selectFrom('tool_catalog')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { added, updated, total: Number(total) };
    },
  };
}

function asListing(row: ToolTables['tool_catalog']): Listing {
  const packages = JSON.parse(row.packages) as PackageRef[];
  const remotes = JSON.parse(row.remotes) as RemoteRef[];
  return {
    id: row.id,
    name: row.name,
    vendor: row.vendor,
    ...(row.title === '' ? {} : { title: row.title }),
    description: row.description,
    ...(row.repo === '' ? {} : { repo: row.repo }),
    ...(row.site === '' ? {} : { site: row.site }),
    version: row.version,
    ...(row.logo === '' ? {} : { logo: row.logo }),
    transports: JSON.parse(row.transports) as string[],
    ...(packages.length === 0 ? {} : { packages }),
    ...(remotes.length === 0 ? {} : { remotes }),
    registry: row.registry,
    synced: row.synced,
    hidden: row.hidden === 1,
    featured: row.featured === 1,
    official: row.official === 1,
  };
}
