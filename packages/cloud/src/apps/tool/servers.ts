// External MCP servers that organizations registered: rows, credentials, ids (contract, tool plane 2.5).
import { NetError } from '@hanzo/net';
import type { Transaction } from 'kysely';
import { Problem } from '../../core/problem.ts';
import { type RemoteServer, serverSecret } from '../../ports/remote.ts';
import { generationKey, type ToolDeps } from './deps.ts';
import { listingId } from './names.ts';
import type { ToolTables } from './tables.ts';

export type ServerRow = ToolTables['tool_servers'];

const LONGEST_NAME = 128;
const LONGEST_URL = 2048;
const LARGEST_SECRET = 8192;
/** RFC 9110 section 5.6.2 */
const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers that belong to the request itself: a credential in one of them would break it. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  'accept connection content-encoding content-length content-type expect host te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
/** Ids of one vendor in one organization: the name itself, then `-2` to `-16`. */
const MOST_SUFFIXES = 16;
const MOST_SERVERS = 200;

/** Asked for: by address, or as a listing of the catalog that leads to one. */
export interface Registration {
  readonly name: string;
  readonly url: string;
  readonly listing?: string;
  readonly vendor?: string;
  readonly authHeader?: string;
  readonly secret?: string;
}

export interface Servers {
  list(org: string): Promise<readonly ServerRow[]>;
  get(org: string, id: string): Promise<ServerRow | undefined>;
  register(org: string, asked: Registration, admitted: boolean): Promise<ServerRow>;
  /** false where there is none; `inside` runs in the same transaction */
  remove(org: string, id: string, inside: (db: Transaction<ToolTables>) => Promise<void>): Promise<boolean>;
  /** credentials that no row points to any more are destroyed */
  sweep(): Promise<void>;
}

export function asRemote(row: ServerRow): RemoteServer {
  return {
    org: row.org,
    id: row.id,
    url: row.url,
    ...(row.auth_header === null ? {} : { authHeader: row.auth_header }),
    hasSecret: row.has_secret === 1,
  };
}

export function createServers(deps: ToolDeps): Servers {
  const { store, vault, clock, ids, remote, onFault } = deps;
  const kept = new Map<string, { readonly generation: number; readonly rows: readonly ServerRow[] }>();
  const db = () => store.db<ToolTables>();
  const now = (): number => Math.floor(clock.now() / 1000);

  async function list(org: string): Promise<readonly ServerRow[]> {
    const generation = await store.generation(generationKey(org));
    const known = kept.get(org);
    if (known?.generation === generation) return known.rows;
    const rows = await db()
      .selectFrom('tool_servers')
      .selectAll()
      .where('org', '=', org)
      .where('deleted', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .execute();
    kept.delete(org);
    kept.set(org, { generation, rows });
    const [oldest] = kept.keys();
    if (kept.size > 10_000 && oldest !== undefined) kept.delete(oldest);
    return rows;
  }

  /** The id a registration has, and the row it revises if there is one. */
  async function place(
    trx: Transaction<ToolTables>,
    org: string,
    asked: Registration,
  ): Promise<{ id: string; before?: ServerRow }> {
    const rows = await trx.selectFrom('tool_servers').selectAll().where('org', '=', org).execute();
    const live = rows.filter((row) => row.deleted === null);
    if (asked.listing !== undefined) {
      const before = live.find((row) => row.listing === asked.listing);
      if (before !== undefined) return { id: before.id, before };
    }
    if (live.length >= MOST_SERVERS) throw new Problem(409, `An organization has ${MOST_SERVERS} servers at most.`);
    const taken = new Set(rows.map((row) => row.id));
    const wished = asked.vendor === undefined ? '' : listingId(asked.vendor);
    if (wished !== '') {
      for (let n = 1; n <= MOST_SUFFIXES; n++) {
        const id = n === 1 ? wished : `${wished}-${n}`;
        if (!taken.has(id)) return { id };
      }
    }
    for (;;) {
      const id = `m${ids.hex(6)}`;
      if (!taken.has(id)) return { id };
    }
  }

  async function seal(org: string, id: string, secret: string | undefined): Promise<void> {
    const ref = serverSecret(org, id);
    if (secret === undefined) await vault.delete(org, ref);
    else await vault.put(org, ref, new TextEncoder().encode(secret));
  }

  return {
    list,
    async get(org, id) {
      return (await list(org)).find((row) => row.id === id);
    },

    async register(org, asked, admitted) {
      check(asked, deps.checkUrl);
      if (asked.secret !== undefined && !vault.available) {
        throw new Problem(503, 'This plane has no key to seal a credential with; nothing was stored.');
      }
      // The id first, then the seal, then the row: a seal that fails leaves the rows as they are (contract 2.5).
      const { id, before } = await store.transaction<ToolTables, Awaited<ReturnType<typeof place>>>((trx) =>
        place(trx, org, asked),
      );
      try {
        if (asked.secret !== undefined) await seal(org, id, asked.secret);
      } catch (cause) {
        if (cause instanceof Problem && cause.status === 503) throw cause;
        throw new Problem(500, 'The credential could not be sealed; nothing was changed.', { cause });
      }
      const row = await store.transaction<ToolTables, ServerRow>(async (trx) => {
        const again = await place(trx, org, asked);
        const taken = again.before === undefined && before === undefined && again.id !== id;
        const made: ServerRow = {
          org,
          id: taken ? again.id : (again.before?.id ?? id),
          name: asked.name,
          url: asked.url,
          auth_header: asked.authHeader ?? null,
          has_secret: asked.secret === undefined ? 0 : 1,
          listing: asked.listing ?? null,
          admitted: admitted || again.before?.admitted === 1 ? 1 : 0,
          created: again.before?.created ?? now(),
          deleted: null,
        };
        await trx
          .insertInto('tool_servers')
          .values(made)
          .onConflict((conflict) => conflict.columns(['org', 'id']).doUpdateSet({ ...made }))
          .execute();
        // a server that is now somewhere else is another one: what was switched on of it was not this
        if (again.before !== undefined && again.before.url !== made.url) {
          await trx
            .deleteFrom('tool_activations')
            .where('org', '=', org)
            .where('source', '=', 'mcp')
            .where('owner', '=', made.id)
            .execute();
        }
        await store.touch(trx, generationKey(org));
        return made;
      });
      if (row.id !== id && asked.secret !== undefined) {
        // another registration was given the id meanwhile, or this one was made twice at once
        await seal(org, row.id, asked.secret);
        if ((await this.get(org, id)) === undefined) await seal(org, id, undefined);
      }
      if (asked.secret === undefined) await seal(org, row.id, undefined).catch((error: unknown) => onFault?.(error));
      remote.forget(org, row.id);
      return row;
    },

    async remove(org, id, inside) {
      const gone = await store.transaction<ToolTables, boolean>(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('tool_servers')
          .set({ deleted: now(), has_secret: 0 })
          .where('org', '=', org)
          .where('id', '=', id)
          .where('deleted', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await inside(trx);
        await store.touch(trx, generationKey(org));
        return true;
      });
      if (!gone) return false;
      remote.forget(org, id);
      await vault.delete(org, serverSecret(org, id)).catch((error: unknown) => onFault?.(error));
      return true;
    },

    async sweep() {
      const rows = await db().selectFrom('tool_servers').select(['org', 'id', 'has_secret']).execute();
      const wanted = new Set(rows.filter((row) => row.has_secret === 1).map((row) => serverSecret(row.org, row.id)));
      for (const org of new Set(rows.map((row) => row.org))) {
        for (const ref of await vault.list(org, serverSecret(org, ''))) {
          if (!wanted.has(ref)) await vault.delete(org, ref);
        }
      }
    },
  };
}

/** Everything that can be said of a registration before anything is done. */
function check({ name, url, authHeader, secret }: Registration, checkUrl: (url: string) => void): void {
  if (name.trim() === '' || [...name].length > LONGEST_NAME) {
    throw new Problem(400, `'name' must have 1 to ${LONGEST_NAME} characters.`);
  }
  if (url.length > LONGEST_URL) throw new Problem(400, `'url' must have at most ${LONGEST_URL} characters.`);
  let parsed: URL;
  try {
    checkUrl(url);
    parsed = new URL(url);
  } catch (error) {
    const why = error instanceof NetError ? error.message : 'it is not an absolute http or https URL';
    throw new Problem(400, `'url' cannot be used: ${why}.`);
  }
  if (url.includes('#')) throw new Problem(400, "'url' must have no fragment.");
  if (authHeader !== undefined && (!FIELD_NAME.test(authHeader) || OWN_HEADERS.has(authHeader.toLowerCase()))) {
    throw new Problem(
      400,
      `'authHeader' must be the name of an HTTP header that can carry a credential, such as Authorization.`,
    );
  }
  if (secret !== undefined && authHeader === undefined) {
    throw new Problem(400, "'secret' needs 'authHeader': the header it is sent in, such as Authorization.");
  }
  if (secret === undefined && authHeader !== undefined) {
    throw new Problem(400, "'authHeader' needs 'secret': what is sent in it.");
  }
  if (secret === undefined) return;
  if (new TextEncoder().encode(secret).length > LARGEST_SECRET) {
    throw new Problem(400, `'secret' must have at most ${LARGEST_SECRET} bytes.`);
  }
  // oxlint-disable-next-line no-control-regex -- a header value may hold none
  if (secret === '' || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(secret) || secret.trim() !== secret) {
    throw new Problem(400, "'secret' must be text that a header can carry, without line ends and blanks around it.");
  }
  if (parsed.protocol === 'http:') {
    throw new Problem(400, "'url' must be https where a 'secret' is sent: over http anybody on the way reads it.");
  }
}
