// The apps of a plane, put together: each gets what it stands on, and none knows another's store.
import { createClient, createGuard, type NetClient } from '@hanzo/net';
import type { Provider } from '@hanzo/tool';
import { createAgentApp } from './apps/agent/index.ts';
import type { AuditService } from './apps/audit/index.ts';
import { createAuditApp } from './apps/audit/index.ts';
import { createAutoApp } from './apps/auto/index.ts';
import { createFunctionApp } from './apps/function/index.ts';
import { createIamApp, type IamService, type JwtOptions } from './apps/iam/index.ts';
import { createKmsApp } from './apps/kms/index.ts';
import { createMeterApp } from './apps/meter/index.ts';
import { createTodoApp } from './apps/todo/index.ts';
import { createToolApp, type ToolService } from './apps/tool/index.ts';
import type { App } from './core/app.ts';
import type { Op } from './core/op.ts';
import type { Logger } from './http/log.ts';
import type { Clock, Ids } from './ports/clock.ts';
import type { ToolsGone } from './ports/gone.ts';
import type { Store } from './ports/store.ts';
import { createRemote } from './remote/index.ts';
import { createVault, type Keks, type ManagedVault } from './vault/index.ts';

export interface ComposeOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keks: Keks;
  readonly logger: Logger;
  /** the one way out: every address it dials is checked, but those the operator names */
  readonly net: NetClient;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly charger: 'none' | 'ledger';
  readonly registry: string;
  /** private addresses that may be dialled */
  readonly allowPrivate: readonly string[];
  readonly jwt?: JwtOptions;
  /** sources of tools before the built-in ones */
  readonly providers?: readonly Provider[];
}

export interface Composed {
  /** in the order they start; they close in the other */
  readonly apps: readonly App[];
  readonly ops: readonly Op[];
  readonly audit: AuditService;
  readonly iam: IamService;
  readonly tool: ToolService;
  readonly vault: ManagedVault;
  /** after the apps: what they keep open towards the outside, but for `net` */
  close(): Promise<void>;
}

/** RFC 6761 6.3, and what systems write into their own hosts file. */
const LOCAL = /^(?:.+\.)?(?:localhost|ip6-localhost|ip6-loopback|localhost\.localdomain)\.?$/i;

export function compose(options: ComposeOptions): Composed {
  const { store, clock, ids, logger, net, version, env, charger, jwt, providers = [] } = options;
  const deps = { store, clock, ids };
  const onFault = (error: unknown): void => logger.error('fault', { error });
  const lost =
    (what: string) =>
    (rows: readonly unknown[], error: unknown): void =>
      logger.error(`${what} could not be written`, { rows, error });
  const audit = createAuditApp({ ...deps, onLost: lost('audit rows') });
  const vault = createVault({ ...deps, keks: options.keks });
  const kms = createKmsApp({ vault, audit: audit.service });
  const iam = createIamApp({ ...deps, audit: audit.service, onFault, ...(jwt === undefined ? {} : { jwt }) });
  const meter = createMeterApp({ ...deps, audit: audit.service, env, charger, onFault, onLost: lost('units') });
  const guard = createGuard({ allow: options.allowPrivate });
  const checkUrl = (url: string): void => {
    const { hostname, port, protocol } = guard.url(url);
    // names of this machine wherever they are asked for; any other name is known when it is dialled
    if (LOCAL.test(hostname)) guard.address('127.0.0.1', hostname, Number(port) || (protocol === 'https:' ? 443 : 80));
  };
  // the operator names the registry, so that it may lie anywhere
  const registryClient = createClient({ allowPrivate: true, userAgent: `hanzo-cloud/${version}` });
  const remote = createRemote({ vault, client: net, clock, version, onFault });
  const gone: ToolsGone = (trx, org, source, names) => tool.service.gone(trx, org, source, names);
  const sources = [
    createAutoApp({ ...deps, vault, net, checkUrl, gone, audit: audit.service, version }),
    createFunctionApp({ ...deps, gone, audit: audit.service }),
    createTodoApp({ ...deps, audit: audit.service }),
    createAgentApp({ ...deps, vault, net, checkUrl, gone, audit: audit.service }),
  ];
  const apps: App[] = [audit, kms, iam, meter, ...sources];
  const tool = createToolApp({
    ...deps,
    vault,
    audit: audit.service,
    meter: meter.service,
    remote,
    providers: [...providers, ...sources.flatMap((app) => app.providers)],
    mounts: () =>
      apps.map(({ name, ops }) => ({
        name,
        enabled: true,
        prefixes: [...new Set(ops.map(({ path }) => path.split('/').slice(0, 3).join('/')))].sort(),
      })),
    checkUrl,
    registry: { url: options.registry, client: registryClient },
    onFault,
    version,
    ...(meter.service.charger === undefined ? {} : { charger: meter.service.charger }),
  });
  apps.push(tool);
  return {
    apps,
    ops: apps.flatMap(({ ops }) => ops),
    audit: audit.service,
    iam: iam.service,
    tool: tool.service,
    vault,
    async close() {
      await remote.close();
      await registryClient.close();
    },
  };
}
