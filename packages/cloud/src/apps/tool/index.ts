// The app `tool`: one registry over every source of tools, who has switched on what, and one way to call them.
import { Registry } from '@hanzo/tool';
import type { Transaction } from 'kysely';
import type { App } from '../../core/app.ts';
import { createActivations } from './activations.ts';
import { createArgumentCheck } from './arguments.ts';
import { createCalls } from './calls.ts';
import { createCatalog } from './catalog.ts';
import { generationKey, type ToolDeps } from './deps.ts';
import { createKits } from './kit.ts';
import { createMcpProvider } from './mcp-provider.ts';
import { toolMigrations } from './migrations.ts';
import { serverOps } from './ops-servers.ts';
import { skillOps } from './ops-skills.ts';
import { toolOps } from './ops-tools.ts';
import { relayOps } from './relay.ts';
import { asRemote, createServers } from './servers.ts';
import type { ToolService } from './service.ts';
import { brandProvider, createSkills, skillProvider } from './skills.ts';
import { createSwitches } from './switches.ts';
import type { ToolTables } from './tables.ts';

export type { ToolDeps } from './deps.ts';
export type { ToolService } from './service.ts';

export interface ToolAppOptions extends ToolDeps {
  /** told to the harnesses that relay */
  readonly version: string;
}

export function createToolApp(options: ToolAppOptions): App & { readonly service: ToolService } {
  const { store, remote, audit, brandSkills = [], providers = [], onFault, charger } = options;
  const servers = createServers(options);
  const skills = createSkills(options);
  const mcp = createMcpProvider(servers, remote);
  const activations = createActivations(store, (scope, name) => mcp.descriptorOf(scope, name)?.digest);
  const registry = new Registry({
    activations,
    ...(charger === undefined ? {} : { charger }),
    ...(onFault === undefined ? {} : { onFault }),
  });
  for (const each of providers) registry.register(each);
  // first the plane's, so that none of an organization's takes its name
  registry.register(brandProvider(brandSkills)).register(skillProvider((org) => skills.list(org)));
  registry.register(mcp);

  const service: ToolService = {
    registry,
    calls: createCalls(options, registry, createArgumentCheck()),
    switches: createSwitches(options, { activations, registry, servers, mcp }),
    servers,
    skills,
    kits: createKits({ store, activations, servers, skills, brandSkills }),
    catalog: createCatalog(options),
    registryUrl: options.registry.url,
    mounts: options.mounts,
    listingOf: (row, signal) => remote.list(asRemote(row), signal),
    async serversLeftOut({ org }, signal) {
      const rows = await servers.list(org);
      const listings = await Promise.all(rows.map((row) => remote.list(asRemote(row), signal)));
      return rows.flatMap((row, at) => {
        const { status, reason } = listings[at] ?? { status: 'error' as const };
        return status === 'ok' ? [] : [{ source: `mcp:${row.id}`, reason: reason ?? status, withheld: [] }];
      });
    },
    async gone(trx, org, source, names) {
      if (names.length === 0) return;
      const own = trx as unknown as Transaction<ToolTables>;
      await own
        .deleteFrom('tool_activations')
        .where('org', '=', org)
        .where('source', '=', source)
        .where('name', 'in', [...names])
        .execute();
      await store.touch(own, generationKey(org));
    },
    removeServer: (org, id) => servers.remove(org, id, (trx) => activations.dropOwner(trx, org, 'mcp', id)),
  };

  let timer: ReturnType<typeof setInterval> | undefined;
  const sweep = (): void => void servers.sweep().catch((error: unknown) => onFault?.(error));
  return {
    name: 'tool',
    title: 'Tools',
    ops: [
      ...toolOps(service, audit),
      ...serverOps(service, audit),
      ...skillOps(service, audit),
      ...relayOps(service, options.version),
    ],
    migrations: toolMigrations,
    service,
    async start() {
      sweep();
      timer = setInterval(sweep, 3_600_000);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
    },
  };
}
