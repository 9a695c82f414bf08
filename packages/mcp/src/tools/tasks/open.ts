// The way to the database for an action: opened with the tables of tasks, the documented JSON file imported once, notices told.
import { keeper } from '../../lib/document/keeper.ts';
import { TABLES } from './tables.ts';

/** Runs an action on the database; what has to be told besides its result comes as `note`. */
export const withTasks = keeper({
  tables: TABLES,
  variable: 'TODO_PATH',
  file: 'todos.json',
  mend: 'mend it and call import with file',
  load: async () => (await import('./document/once.ts')).takeOver,
});
