// The app `function`: an organization's small JavaScript functions as tools.
import type { Provider } from '@hanzo/tool';
import type { App } from '../../core/app.ts';
import { createIsolates, type Isolates } from '../../isolate/index.ts';
import type { Audit } from '../../ports/audit.ts';
import { functionMigrations } from './migrations.ts';
import { functionOps } from './ops.ts';
import { functionProvider } from './provider.ts';
import { createFunctionService, type FunctionDeps, type FunctionService } from './service.ts';

export type { FunctionService } from './service.ts';

export interface FunctionAppOptions extends Omit<FunctionDeps, 'isolates'> {
  readonly audit: Audit;
  /** default: its own, ended with the app */
  readonly isolates?: Isolates;
}

export function createFunctionApp(
  options: FunctionAppOptions,
): App & { readonly service: FunctionService; readonly providers: readonly Provider[] } {
  const isolates = options.isolates ?? createIsolates();
  const service = createFunctionService({ ...options, isolates });
  return {
    name: 'function',
    title: 'Functions',
    ops: functionOps(service, options.audit),
    migrations: functionMigrations,
    providers: [functionProvider(service)],
    service,
    close: () => isolates.close(),
  };
}
