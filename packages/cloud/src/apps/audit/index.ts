// The app `audit`: the append-only record of who did what.
import type { App } from '../../core/app.ts';
import { auditOps } from './ops.ts';
import { type AuditDeps, type AuditService, createAuditService } from './service.ts';
import { auditMigrations } from './store.ts';

export type { AuditDeps, AuditService } from './service.ts';

export function createAuditApp(deps: AuditDeps): App & { readonly service: AuditService } {
  const service = createAuditService(deps);
  return {
    name: 'audit',
    title: 'Audit',
    ops: auditOps(service),
    migrations: auditMigrations,
    service,
    close: () => service.settled(),
  };
}
