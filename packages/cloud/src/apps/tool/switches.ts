// Switching tools on and off for a scope: checked whole, written in one transaction (contract, tool plane 2.4).
import { type Registry, TOOL_NAME } from '@hanzo/tool';
import type { Identity } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import { type Activations, type ActivationRow, GUARDED, holds } from './activations.ts';
import { isAdmin, scopeOf, seconds } from './caller.ts';
import { generationKey, type ToolDeps } from './deps.ts';
import type { McpProvider } from './mcp-provider.ts';
import { offerDigest, serverOf, skillOf } from './names.ts';
import type { Servers } from './servers.ts';
import type { ToolTables } from './tables.ts';

const MOST_NAMES = 256;

export interface Enabled {
  readonly enabled: readonly string[];
  /** switched on, but what has the name now is not what was switched on: to be looked at and switched on again */
  readonly held: readonly { readonly name: string; readonly reason: string }[];
}

export interface Switches {
  read(identity: Identity): Promise<Enabled>;
  write(
    identity: Identity,
    activate: readonly string[],
    deactivate: readonly string[],
    signal: AbortSignal,
  ): Promise<Enabled>;
}

export function createSwitches(
  { store, clock }: Pick<ToolDeps, 'store' | 'clock'>,
  {
    activations,
    registry,
    servers,
    mcp,
  }: {
    readonly activations: Activations;
    readonly registry: Registry;
    readonly servers: Servers;
    readonly mcp: McpProvider;
  },
): Switches {
  /** What a name stands for now, as far as that can be told; a source that does not answer is no reason to refuse. */
  async function sourceOf(identity: Identity, name: string, signal: AbortSignal) {
    const scope = scopeOf(identity);
    try {
      const tool = await registry.resolve(scope, name, signal);
      const remote = mcp.descriptorOf(scope, name);
      if (tool.source === 'mcp') {
        return {
          source: 'mcp',
          owner: serverOf(name) ?? '',
          rawName: remote?.remote.name ?? '',
          digest: remote?.digest ?? '',
        };
      }
      return { source: tool.source, owner: '', rawName: '', digest: GUARDED.has(tool.source) ? offerDigest(tool) : '' };
    } catch {
      signal.throwIfAborted();
      if (skillOf(name) !== undefined) return { source: 'skill', owner: '', rawName: '', digest: '' };
      const id = serverOf(name);
      const server = id === undefined ? undefined : await servers.get(identity.org, id);
      if (server !== undefined) {
        // its own name cannot be known before it lists; most names are published as they are
        return { source: 'mcp', owner: server.id, rawName: name.slice(server.id.length + 1), digest: '' };
      }
      return { source: '', owner: '', rawName: '', digest: '' };
    }
  }

  async function read(identity: Identity): Promise<Enabled> {
    const scope = scopeOf(identity);
    const rows = await activations.rows(scope);
    const held = [...rows.values()]
      .filter((row) => row.source === 'mcp' && !holds(row, 'mcp', mcp.descriptorOf(scope, row.name)?.digest))
      .map(({ name }) => ({
        name,
        reason: 'Its description or parameters have changed since an admin switched it on.',
      }));
    return { enabled: [...rows.keys()].sort(), held: held.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  return {
    read,
    async write(identity, activate, deactivate, signal) {
      if (activate.length + deactivate.length > MOST_NAMES) {
        throw new Problem(413, `At most ${MOST_NAMES} names go in one request.`);
      }
      const names = activate.map((name) => name.trim());
      const wrong = names.find((name) => !TOOL_NAME.test(name));
      if (wrong !== undefined) {
        throw new Problem(
          400,
          `'${wrong.slice(0, 160)}' is no tool's name: 1 to 128 letters, digits and _ . : / - are.`,
        );
      }
      const admin = isAdmin(identity);
      const scope = scopeOf(identity);
      const rows: ActivationRow[] = [];
      const wanted = [...new Set(names)];
      const sources = await Promise.all(wanted.map((name) => sourceOf(identity, name, signal)));
      for (const [index, name] of wanted.entries()) {
        const { source, owner, rawName, digest } = sources[index] as (typeof sources)[number];
        if (!admin && GUARDED.has(source)) throw forbidden(name);
        rows.push({
          ...scope,
          name,
          source,
          owner,
          raw_name: rawName,
          digest,
          who: identity.user,
          by_admin: admin ? 1 : 0,
          created: seconds(clock.now()),
        });
      }
      const before = await activations.rows(scope);
      const off = [...new Set(deactivate)];
      for (const name of off) {
        const source = before.get(name)?.source ?? (skillOf(name) === undefined ? '' : 'skill');
        if (!admin && GUARDED.has(source)) throw forbidden(name);
      }
      if (rows.length + off.length > 0) {
        await store.transaction<ToolTables, void>(async (trx) => {
          for (const row of rows) await activations.put(trx, row);
          await activations.drop(trx, scope, off);
          await store.touch(trx, generationKey(identity.org));
        });
      }
      return read(identity);
    },
  };
}

function forbidden(name: string): Problem {
  return new Problem(403, `'${name}' is a skill or a server's tool; only an admin of the organization switches it.`);
}
