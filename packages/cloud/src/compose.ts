// The apps of a plane, put together: each gets what it stands on, and none knows another's store.
import { createClient, createGuard } from '@hanzo/net';
import type { Provider } from '@hanzo/tool';
import type { AuditService } from './apps/audit/index.ts';
import { createAuditApp } from './apps/audit/index.ts';
import { createIamApp, type IamService, type JwtOptions } from './apps/iam/index.ts';
import { createKmsApp } from './apps/kms/index.ts';
import { createMeterApp } from './apps/meter/index.ts';
import { createToolApp, type ToolService } from './apps/tool/index.ts';
import type { App } from './core/app.ts';
import type { Op } from './core/op.ts';
import type { Logger } from './http/log.ts';
import type { Clock, Ids } from './ports/clock.ts';
import type { Remote } from './ports/remote.ts';
import type { Store } from './ports/store.ts';
import { createVault, type Keks, type ManagedVault } from './vault/index.ts';

export interface ComposeOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keks: Keks;
  readonly logger: Logger;
  readonly remote: Remote;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly charger: 'none' | 'ledger';
  readonly registry: string;
  /** private addresses that may be dialled */
  readonly allowPrivate: readonly string[];
  readonly jwt?: JwtOptions;
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
}

export function compose(options: ComposeOptions): Composed {
  const { store, clock, ids, logger, remote, version, env, charger, jwt, providers = [] } = options;
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
  const apps: App[] = [audit, kms, iam, meter];
  const tool = createToolApp({
    ...deps,
    vault,
    audit: audit.service,
    meter: meter.service,
    remote,
    providers,
    mounts: () =>
      apps.map(({ name, ops }) => ({
        name,
        enabled: true,
        prefixes: [...new Set(ops.map(({ path }) => path.split('/').slice(0, 3).join('/')))].sort(),
      })),
    checkUrl: (url) => void guard.url(url),
    // the operator names it, so it may lie anywhere
    registry: {
      url: options.registry,
      client: createClient({ allowPrivate: true, userAgent: `hanzo-cloud/${version}` }),
    },
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
  };
}
