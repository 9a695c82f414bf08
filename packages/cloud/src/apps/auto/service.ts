// The auto app's service: which connectors an organization has, and running one action of one of them.
import type { NetClient } from '@hanzo/net';
import { UnknownTool } from '@hanzo/tool';
import { createLimiter } from '../../core/limiter.ts';
import { Problem } from '../../core/problem.ts';
import { scrub, scrubText } from '../../core/scrub.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ToolsGone } from '../../ports/gone.ts';
import type { Store } from '../../ports/store.ts';
import type { Vault } from '../../ports/vault.ts';
import { keptByOrg } from '../../store/kept.ts';
import type { Bases } from './connectors/index.ts';
import { shippedConnectors } from './connectors/index.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { requester } from './http.ts';
import { inputOf } from './input.ts';
import { checkDefinition, type Definition, ownConnector } from './own.ts';
import { type Connectors, createConnectors } from './registry.ts';
import { type AutoTables, generationKey } from './tables.ts';
import { ActionFailed, type Connector, toolName } from './types.ts';

/** Contract, tool plane 6.7: the same bound that starts of runs will share. */
const MOST_CONCURRENT = 32;
const MOST_OWN = 100;
const LARGEST_DEFINITION = 131_072;

export interface AutoDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** every request of every connector goes through it */
  readonly net: NetClient;
  /** refuses what may not be dialled, by the text of a URL */
  readonly checkUrl: (url: string) => void;
  readonly bases?: Partial<Bases>;
  /** default: the shipped ones */
  readonly connectors?: readonly Connector[];
  readonly gone?: ToolsGone;
}

export interface AutoService {
  readonly credentials: Credentials;
  /** the shipped ones and the organization's own */
  connectors(org: string): Promise<Connectors>;
  /** own connectors by name, as they were registered */
  own(org: string): Promise<ReadonlyMap<string, Definition>>;
  /** puts one in place of the one of that name; `created` where there was none */
  register(org: string, definition: Definition): Promise<{ readonly created: boolean }>;
  /** with its credential; false where there is none */
  remove(org: string, name: string): Promise<boolean>;
  /** rejects with UnknownTool, Problem 400 and 429, or what the action ends with; no credential is in any of it */
  run(org: string, tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>;
}

/** Throws where two shipped connectors or their tools share a name. */
export function createAutoService(deps: AutoDeps): AutoService {
  const { store, vault, clock, net, checkUrl } = deps;
  const declared = deps.connectors ?? shippedConnectors(deps.bases);
  const shipped = createConnectors(declared);
  const credentials = createCredentials(vault);
  const limiter = createLimiter(MOST_CONCURRENT);
  const seconds = (): number => Math.floor(clock.now() / 1000);

  const load = keptByOrg(store, generationKey, async (org) => {
    const rows = await store
      .db<AutoTables>()
      .selectFrom('auto_connectors')
      .select(['name', 'definition'])
      .where('org', '=', org)
      .orderBy('name')
      .execute();
    // only what Definition put out is ever stored
    const own = new Map(rows.map(({ name, definition }) => [name, JSON.parse(definition) as Definition]));
    // a later version may ship a connector of a name that an organization uses: then its own one is not shown
    const free = [...own.values()].filter((each) => clash(each, shipped) === undefined);
    return {
      own,
      connectors: free.length === 0 ? shipped : createConnectors([...declared, ...free.map(ownConnector)]),
    };
  });

  return {
    credentials,
    connectors: async (org) => (org === '' ? shipped : (await load(org)).connectors),
    own: async (org) => (await load(org)).own,

    async register(org, definition) {
      checkDefinition(definition, checkUrl);
      const text = JSON.stringify(definition);
      if (Buffer.byteLength(text) > LARGEST_DEFINITION) {
        throw new Problem(413, `A connector must have at most ${LARGEST_DEFINITION} bytes as JSON.`);
      }
      const known = (await load(org)).own.get(definition.name);
      const wrong = clash(definition, createConnectors([...declared, ...(await othersOf(org, definition.name))]));
      if (wrong !== undefined) throw new Problem(409, wrong);
      // A credential given for one place is not sent to another. Before the row: in between it is missing, not misplaced.
      if (known === undefined || placeOf(known) !== placeOf(definition))
        await credentials.disconnect(org, definition.name);
      return store.transaction<AutoTables, { created: boolean }>(async (trx) => {
        const rows = await trx.selectFrom('auto_connectors').selectAll().where('org', '=', org).execute();
        const before = rows.find(({ name }) => name === definition.name);
        if (before === undefined && rows.length >= MOST_OWN) {
          throw new Problem(409, `An organization has ${MOST_OWN} connectors of its own at most.`);
        }
        const others = rows.filter((row) => row !== before).map((row) => JSON.parse(row.definition) as Definition);
        const taken = clash(definition, createConnectors([...declared, ...others.filter(usable).map(ownConnector)]));
        if (taken !== undefined) throw new Problem(409, taken);
        const old = before === undefined ? undefined : (JSON.parse(before.definition) as Definition);
        // what was switched on went to the old address, and did what the old declaration said
        if (old !== undefined && JSON.stringify(old) !== text) await deps.gone?.(trx, org, 'connector', toolsOf(old));
        await trx
          .insertInto('auto_connectors')
          .values({
            org,
            name: definition.name,
            definition: text,
            created: before?.created ?? seconds(),
            updated: seconds(),
          })
          .onConflict((conflict) =>
            conflict.columns(['org', 'name']).doUpdateSet({ definition: text, updated: seconds() }),
          )
          .execute();
        await store.touch(trx, generationKey(org));
        return { created: before === undefined };
      });
    },

    async remove(org, name) {
      if (!(await load(org)).own.has(name)) return false;
      await credentials.disconnect(org, name);
      return store.transaction<AutoTables, boolean>(async (trx) => {
        const row = await trx
          .selectFrom('auto_connectors')
          .select('definition')
          .where('org', '=', org)
          .where('name', '=', name)
          .executeTakeFirst();
        if (row === undefined) return false;
        await trx.deleteFrom('auto_connectors').where('org', '=', org).where('name', '=', name).execute();
        await deps.gone?.(trx, org, 'connector', toolsOf(JSON.parse(row.definition) as Definition));
        await store.touch(trx, generationKey(org));
        return true;
      });
    },

    async run(org, tool, args, signal) {
      const found = (await this.connectors(org)).find(tool);
      if (found === undefined || org === '') throw new UnknownTool(tool);
      const { connector, action } = found;
      return limiter.within(org, async () => {
        const input = inputOf(action.props, args);
        const used = new Set<string>();
        try {
          const output = await action.run({
            org,
            input,
            signal,
            request: requester(net, signal),
            async token(secretName) {
              const value = await credentials.read(org, connector.name, secretName);
              used.add(value);
              return value;
            },
          });
          return scrub(output, used);
        } catch (error) {
          throw clean(error, used);
        }
      });
    },
  };

  async function othersOf(org: string, name: string): Promise<readonly Connector[]> {
    const own = [...(await load(org)).own.values()];
    return own.filter((each) => each.name !== name && usable(each)).map(ownConnector);
  }

  function usable(definition: Definition): boolean {
    return clash(definition, shipped) === undefined;
  }
}

/** Why a connector cannot stand beside those that are there. */
function clash({ name, actions }: Definition, there: Connectors): string | undefined {
  if (there.get(name) !== undefined) return `The connector '${name}' is one of the plane's own; choose another name.`;
  for (const action of actions) {
    const other = there.find(toolName(name, action.name));
    if (other !== undefined) {
      return `'${other.tool}' is already the tool of '${other.connector.name}'; choose another name for the action.`;
    }
  }
  return undefined;
}

function toolsOf({ name, actions }: Definition): readonly string[] {
  return actions.map((action) => toolName(name, action.name));
}

/** Where its requests go, and with what. */
function placeOf({ baseUrl, auth }: Definition): string {
  return `${new URL(baseUrl).origin} ${auth?.secretName ?? ''}`;
}

/** The error without the credentials that were used; what says nothing of them goes on as it is. */
function clean(error: unknown, used: ReadonlySet<string>): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError' || error instanceof Problem) return error;
  return new ActionFailed(scrubText(error.message, used));
}
