// The app `todo`: boards and items, a first-party service offered as tools.
import type { Provider } from '@hanzo/tool';
import type { App } from '../../core/app.ts';
import type { Audit } from '../../ports/audit.ts';
import { todoMigrations } from './migrations.ts';
import { todoOps } from './ops.ts';
import { todoProvider } from './provider.ts';
import { createTodoService, type TodoDeps, type TodoService } from './service.ts';

export type { TodoService } from './service.ts';

export interface TodoAppOptions extends TodoDeps {
  readonly audit: Audit;
}

export function createTodoApp(
  options: TodoAppOptions,
): App & { readonly service: TodoService; readonly providers: readonly Provider[] } {
  const service = createTodoService(options);
  return {
    name: 'todo',
    title: 'To do',
    ops: todoOps(service, options.audit),
    migrations: todoMigrations,
    providers: [todoProvider(service)],
    service,
  };
}
