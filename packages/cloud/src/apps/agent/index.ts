// The app `agent`: an organization's external agents as tools that take text.
import type { Provider } from '@hanzo/tool';
import type { App } from '../../core/app.ts';
import type { Audit } from '../../ports/audit.ts';
import { agentMigrations } from './migrations.ts';
import { agentOps } from './ops.ts';
import { agentProvider } from './provider.ts';
import { type AgentDeps, type AgentService, createAgentService } from './service.ts';

export type { AgentService } from './service.ts';

export interface AgentAppOptions extends AgentDeps {
  readonly audit: Audit;
}

export function createAgentApp(
  options: AgentAppOptions,
): App & { readonly service: AgentService; readonly providers: readonly Provider[] } {
  const service = createAgentService(options);
  return {
    name: 'agent',
    title: 'Agents',
    ops: agentOps(service, options.audit),
    migrations: agentMigrations,
    providers: [agentProvider(service)],
    service,
  };
}
