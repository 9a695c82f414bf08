// What a caller's runs carry: skills and servers an admin put in place, less what the person muted (contract, tool plane 2.9, 2.10).
import type { Scope } from '@hanzo/tool';
import type { Identity } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import type { Store } from '../../ports/store.ts';
import type { Activations } from './activations.ts';
import { scopeOf } from './caller.ts';
import { type BrandSkill, generationKey } from './deps.ts';
import { skillOf, skillTool } from './names.ts';
import type { Servers } from './servers.ts';
import type { Skills } from './skills.ts';
import type { ToolTables } from './tables.ts';

const MOST_SKILLS = 16;
const MOST_SKILL_BYTES = 524_288;
/** KitServers */
const MOST_SERVERS = 8;
const MOST_NAMES = 256;

export interface Kit {
  readonly skills: readonly { readonly name: string; readonly content: string }[];
  readonly servers: readonly { readonly name: string; readonly tools: readonly string[] }[];
  readonly omitted: readonly string[];
  readonly excess: readonly string[];
  readonly muted: readonly string[];
}

/** Everything an admin put in place in a scope, before mutes and limits. */
interface Place {
  readonly skills: readonly { readonly name: string; readonly content: string }[];
  /** by server: published name to the server's own */
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface Kits {
  read(identity: Identity): Promise<Kit>;
  mute(identity: Identity, mute: readonly string[], unmute: readonly string[]): Promise<Kit>;
  /** the tools of a server that the caller's runs may call, by the server's own names; undefined: not in the kit */
  toolsOf(identity: Identity, server: string): Promise<ReadonlyMap<string, string> | undefined>;
}

export function createKits({
  store,
  activations,
  servers,
  skills,
  brandSkills,
}: {
  readonly store: Store;
  readonly activations: Activations;
  readonly servers: Servers;
  readonly skills: Skills;
  readonly brandSkills: readonly BrandSkill[];
}): Kits {
  const brand = new Map(brandSkills.map((skill) => [skill.name, skill]));

  async function placeOf({ org, project }: Scope): Promise<Place> {
    const [rows, written, registered] = await Promise.all([
      activations.byAdmins(org, project),
      skills.list(org),
      servers.list(org),
    ]);
    const documents = new Map(written.filter((row) => row.admitted === 1).map((row) => [row.name, row.content]));
    const admitted = new Set(registered.filter((row) => row.admitted === 1).map((row) => row.id));
    const carried: { name: string; content: string }[] = [];
    const tools = new Map<string, Map<string, string>>();
    for (const row of rows) {
      if (row.source === 'skill') {
        const name = skillOf(row.name) ?? '';
        const content = brand.get(name)?.content ?? documents.get(name);
        if (content !== undefined) carried.push({ name, content });
      } else if (row.source === 'mcp' && admitted.has(row.owner)) {
        const known = tools.get(row.owner) ?? new Map<string, string>();
        known.set(row.name, row.raw_name);
        tools.set(row.owner, known);
      }
    }
    const byId = [...tools].sort(([a], [b]) => (a < b ? -1 : 1));
    return { skills: carried.sort((a, b) => (a.name < b.name ? -1 : 1)), servers: new Map(byId) };
  }

  async function mutesOf({ org, user }: Identity): Promise<string[]> {
    const rows = await store
      .db<ToolTables>()
      .selectFrom('tool_mutes')
      .select('name')
      .where('org', '=', org)
      .where('user_id', '=', user)
      .orderBy('name')
      .execute();
    return rows.map((row) => row.name).sort();
  }

  async function read(identity: Identity): Promise<Kit> {
    const [place, muted] = await Promise.all([placeOf(scopeOf(identity)), mutesOf(identity)]);
    return bounded(withoutMuted(place, new Set(muted)), muted);
  }

  return {
    read,

    async mute(identity, mute, unmute) {
      if (mute.length + unmute.length > MOST_NAMES) {
        throw new Problem(413, `At most ${MOST_NAMES} names go in one request.`);
      }
      const { org, user } = identity;
      const place = await placeOf(scopeOf(identity));
      const known = new Set([
        ...place.skills.map(({ name }) => skillTool(name)),
        ...[...place.servers].flatMap(([id, tools]) => [id, ...tools.keys()]),
      ]);
      // what is muted already may have left the kit since
      for (const name of await mutesOf(identity)) known.add(name);
      const unknown = mute.find((name) => !known.has(name));
      if (unknown !== undefined) {
        throw new Problem(
          400,
          `'${unknown.slice(0, 128)}' is not in this organization's kit: a skill is 'skill_<name>', a server's tool '<server>_<tool>', a server its id.`,
        );
      }
      await store.transaction<ToolTables, void>(async (trx) => {
        const off = unmute.filter((name) => !mute.includes(name));
        if (off.length > 0) {
          await trx
            .deleteFrom('tool_mutes')
            .where('org', '=', org)
            .where('user_id', '=', user)
            .where('name', 'in', off)
            .execute();
        }
        for (const name of new Set(mute)) {
          await trx
            .insertInto('tool_mutes')
            .values({ org, user_id: user, name })
            .onConflict((conflict) => conflict.columns(['org', 'user_id', 'name']).doNothing())
            .execute();
        }
        await store.touch(trx, generationKey(org));
      });
      return read(identity);
    },

    async toolsOf(identity, server) {
      const [place, muted] = await Promise.all([placeOf(scopeOf(identity)), mutesOf(identity)]);
      const left = withoutMuted(place, new Set(muted)).servers;
      const tools = [...left.keys()].indexOf(server) < MOST_SERVERS ? left.get(server) : undefined;
      return tools && new Map([...tools].map(([published, own]) => [own, published]));
    },
  };
}

function withoutMuted(place: Place, muted: ReadonlySet<string>): Place {
  const left = new Map<string, Map<string, string>>();
  for (const [id, tools] of place.servers) {
    if (muted.has(id)) continue;
    const rest = new Map([...tools].filter(([published]) => !muted.has(published)));
    if (rest.size > 0) left.set(id, rest);
  }
  return { skills: place.skills.filter(({ name }) => !muted.has(skillTool(name))), servers: left };
}

/** Walks in the order of names: what does not fit is left out, and smaller ones after it may still fit. */
function bounded(place: Place, muted: readonly string[]): Kit {
  const carried: { name: string; content: string }[] = [];
  const omitted: string[] = [];
  let bytes = 0;
  for (const skill of place.skills) {
    const size = Buffer.byteLength(skill.content);
    if (carried.length < MOST_SKILLS && bytes + size <= MOST_SKILL_BYTES) {
      carried.push(skill);
      bytes += size;
    } else omitted.push(skill.name);
  }
  const ids = [...place.servers.keys()];
  return {
    skills: carried,
    servers: ids.slice(0, MOST_SERVERS).map((name) => ({
      name,
      tools: [...(place.servers.get(name)?.values() ?? [])].sort(),
    })),
    omitted,
    excess: ids.slice(MOST_SERVERS),
    muted,
  };
}
