// The app `auto`: connectors as tools, their credentials, and an organization's own connectors.
import type { Provider } from '@hanzo/tool';
import type { App } from '../../core/app.ts';
import type { Audit } from '../../ports/audit.ts';
import { autoMigrations } from './migrations.ts';
import { autoOps } from './ops.ts';
import { connectorProvider } from './provider.ts';
import { type AutoDeps, type AutoService, createAutoService } from './service.ts';

export type { AutoDeps, AutoService } from './service.ts';

export interface AutoAppOptions extends AutoDeps {
  readonly audit: Audit;
  /** the program's, shown as that of the connectors it ships */
  readonly version: string;
}

/** Throws where two connectors, or two of their tools, share a name: a start that would hide one of them is no start. */
export function createAutoApp(
  options: AutoAppOptions,
): App & { readonly service: AutoService; readonly providers: readonly Provider[] } {
  const service = createAutoService(options);
  return {
    name: 'auto',
    title: 'Automation',
    ops: autoOps(service, options.audit, options.version),
    migrations: autoMigrations,
    providers: [connectorProvider(service)],
    service,
  };
}
