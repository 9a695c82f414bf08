// The way to the database for an action: opened with memory's tables, the documented JSON file imported once, notices told.
import { keeper } from '../../lib/document/keeper.ts';
import { TABLES } from './tables.ts';

/** Runs an action on the database; what has to be told besides its result comes as `note`. */
export const withMemory = keeper({
  tables: TABLES,
  variable: 'MEMORY_PATH',
  file: 'memory.json',
  mend: 'mend it and call import with file',
  load: async () => (await import('./document/once.ts')).takeOver,
});
