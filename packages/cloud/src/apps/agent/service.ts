// An organization's agents: endpoints that are called with text. Every call is a run on record, whatever came of it.
import type { NetClient } from '@hanzo/net';
import { createLimiter } from '../../core/limiter.ts';
import { Problem } from '../../core/problem.ts';
import { scrubText } from '../../core/scrub.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { ToolsGone } from '../../ports/gone.ts';
import type { Store } from '../../ports/store.ts';
import type { Vault } from '../../ports/vault.ts';
import { keptByOrg } from '../../store/kept.ts';
import { type AgentTables, generationKey } from './tables.ts';

export type AgentRow = AgentTables['agent_agents'];
export type RunRow = AgentTables['agent_runs'];

const TIMEOUT_MS = 60_000;
const LARGEST_ANSWER = 1_048_576;
const LARGEST_SECRET = 8192;
const MOST_AGENTS = 100;
const MOST_CONCURRENT = 32;

export interface AgentDeps {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly net: NetClient;
  /** refuses what may not be dialled, by the text of a URL */
  readonly checkUrl: (url: string) => void;
  readonly gone?: ToolsGone;
}

export interface Registration {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  /** sent as `Authorization: Bearer`; absent: nothing is sent, and what was sealed before is destroyed */
  readonly secret?: string;
}

export interface Run {
  readonly id: string;
  readonly output: string;
  readonly status: 'succeeded' | 'failed';
}

export interface AgentService {
  /** by name, sorted */
  list(org: string): Promise<ReadonlyMap<string, AgentRow>>;
  register(org: string, asked: Registration): Promise<AgentRow>;
  /** with its secret; false where there is none */
  remove(org: string, name: string): Promise<boolean>;
  /** undefined where there is none of that name; a run that failed says why in `output` */
  run(org: string, who: string, name: string, input: string, signal: AbortSignal): Promise<Run | undefined>;
  /** newest first */
  runs(org: string, limit: number): Promise<readonly RunRow[]>;
}

export const agentTool = (name: string): string => `agent_${name}`;

const secretRef = (org: string, name: string): string => `orgs/${org}/agents/${name}`;

export function createAgentService({ store, vault, clock, ids, net, checkUrl, gone }: AgentDeps): AgentService {
  const limiter = createLimiter(MOST_CONCURRENT);
  const db = () => store.db<AgentTables>();
  const now = (): number => Math.floor(clock.now() / 1000);
  const load = keptByOrg(store, generationKey, async (org): Promise<ReadonlyMap<string, AgentRow>> => {
    const rows = await db().selectFrom('agent_agents').selectAll().where('org', '=', org).orderBy('name').execute();
    return new Map(rows.map((row) => [row.name, row]));
  });

  async function ask(org: string, agent: AgentRow, id: string, input: string, signal: AbortSignal): Promise<string> {
    const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
    let secret = '';
    if (agent.has_secret === 1) {
      const sealed = await vault.get(org, secretRef(org, agent.name));
      // one that has a secret is never asked without it
      if (sealed === undefined) throw new Error('its secret is gone; register it again');
      secret = new TextDecoder().decode(sealed);
      headers['authorization'] = `Bearer ${secret}`;
    }
    try {
      const answer = await net.request(agent.url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ id, input }),
        redirect: 'error',
        timeoutMs: TIMEOUT_MS,
        idleMs: TIMEOUT_MS,
        maxBytes: LARGEST_ANSWER,
        signal,
      });
      const text = new TextDecoder().decode(await answer.body.bytes());
      if (answer.status < 200 || answer.status > 299) throw new Error(`it answered ${answer.status}`);
      return scrubText(outputIn(text), [secret]);
    } catch (error) {
      throw new Error(scrubText(error instanceof Error ? error.message : 'it failed', [secret]), { cause: error });
    }
  }

  return {
    list: load,

    async register(org, { name, description, url, secret }) {
      check(url, secret, checkUrl);
      if (secret !== undefined && !vault.available) {
        throw new Problem(503, 'This plane has no key to seal a secret with; nothing was stored.');
      }
      const known = (await load(org)).get(name);
      // a secret given for one place is not sent to another: in between it is missing, not misplaced
      if (known === undefined || known.url !== url || secret === undefined)
        await vault.delete(org, secretRef(org, name));
      const row = await store.transaction<AgentTables, AgentRow>(async (trx) => {
        const rows = await trx.selectFrom('agent_agents').selectAll().where('org', '=', org).execute();
        const before = rows.find((each) => each.name === name);
        if (before === undefined && rows.length >= MOST_AGENTS) {
          throw new Problem(409, `An organization has ${MOST_AGENTS} agents at most.`);
        }
        if (before !== undefined && before.url !== url) await gone?.(trx, org, 'agent', [agentTool(name)]);
        const made: AgentRow = {
          org,
          name,
          description,
          url,
          has_secret: secret === undefined ? 0 : 1,
          created: before?.created ?? now(),
          updated: now(),
        };
        await trx
          .insertInto('agent_agents')
          .values(made)
          .onConflict((conflict) => conflict.columns(['org', 'name']).doUpdateSet({ ...made }))
          .execute();
        await store.touch(trx, generationKey(org));
        return made;
      });
      if (secret !== undefined) await vault.put(org, secretRef(org, name), new TextEncoder().encode(secret));
      return row;
    },

    async remove(org, name) {
      if (!(await load(org)).has(name)) return false;
      await vault.delete(org, secretRef(org, name));
      return store.transaction<AgentTables, boolean>(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('agent_agents')
          .where('org', '=', org)
          .where('name', '=', name)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await gone?.(trx, org, 'agent', [agentTool(name)]);
        await store.touch(trx, generationKey(org));
        return true;
      });
    },

    async run(org, who, name, input, signal) {
      const agent = (await load(org)).get(name);
      if (agent === undefined) return undefined;
      return limiter.within(org, async () => {
        const run = { org, id: `run_${ids.hex(12)}`, agent: name, who, created: now() };
        let [status, output]: [Run['status'], string] = ['succeeded', ''];
        try {
          output = await ask(org, agent, run.id, input, signal);
        } catch (error) {
          [status, output] = ['failed', error instanceof Error ? error.message : 'it failed'];
        }
        await db()
          .insertInto('agent_runs')
          .values({ ...run, status, output, finished: now() })
          .execute();
        return { id: run.id, output, status };
      });
    },

    async runs(org, limit) {
      return db()
        .selectFrom('agent_runs')
        .selectAll()
        .where('org', '=', org)
        .orderBy('created', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },
  };
}

function check(url: string, secret: string | undefined, checkUrl: (url: string) => void): void {
  let parsed: URL;
  try {
    checkUrl(url);
    parsed = new URL(url);
  } catch (error) {
    throw new Problem(400, `'url' cannot be used: ${error instanceof Error ? error.message : 'it is no URL'}.`);
  }
  if (secret === undefined) return;
  if (Buffer.byteLength(secret) > LARGEST_SECRET || secret.trim() !== secret || !/^[\x20-\x7e]+$/.test(secret)) {
    throw new Problem(
      400,
      `'secret' must be visible ASCII of at most ${LARGEST_SECRET} bytes, without line ends and blanks around it.`,
    );
  }
  const staysHere = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(parsed.hostname);
  if (parsed.protocol === 'http:' && !staysHere) {
    throw new Problem(400, "'url' must be https where a 'secret' is sent: over http anybody on the way reads it.");
  }
}

/** What the agent says: the `output` of its JSON, or a text, or the whole of what it sent. */
function outputIn(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === 'string') return value;
  const said =
    typeof value === 'object' && value !== null && Object.hasOwn(value, 'output')
      ? (value as { output: unknown }).output
      : value;
  return typeof said === 'string' ? said : JSON.stringify(said);
}
