// The way to the database for an action: opened with plan's tables, the documented JSON file imported once, notices told.
import { keeper } from '../../lib/document/keeper.ts';
import { TABLES } from './tables.ts';

/** Runs an action on the database; what has to be told besides its result comes as `note`. */
export const withPlans = keeper({
  tables: TABLES,
  variable: 'PLAN_PATH',
  file: 'plans.json',
  mend: 'mend it, and the next start imports it',
  load: async () => (await import('./document/once.ts')).takeOver,
});
