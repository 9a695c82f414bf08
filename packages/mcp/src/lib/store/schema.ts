// Which version of each tool's tables is in the file, and taking them to the newest.
import { ToolError } from '@hanzo/tool';
import type { Tables, Tx } from './types.ts';

/** `PRAGMA application_id` of our files: "hzst". */
const APPLICATION = 0x687a7374;

/** Makes the file ours if it is empty. CONFLICT when it is another program's database. */
export function claim(tx: Tx, file: string): void {
  const id = tx.get<{ application_id: number }>('PRAGMA application_id')?.application_id;
  if (id === APPLICATION) return;
  if (id !== 0 || tx.get('SELECT 1 FROM sqlite_schema LIMIT 1')) {
    throw new ToolError('CONFLICT', `${file} is a database of another program; move it away`, {});
  }
  tx.run(`PRAGMA application_id = ${APPLICATION}`);
  tx.run('CREATE TABLE store_tables (name TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID, STRICT');
}

/** The version of a tool's tables in the file; 0 when it has none there. */
export function versionOf(tx: Tx, name: string): number {
  return tx.get<{ version: number }>('SELECT version FROM store_tables WHERE name = ?', name)?.version ?? 0;
}

/** Runs the migrations that are missing. CONFLICT when the file is ahead of them. */
export function migrate(tx: Tx, tables: Tables, file: string): void {
  const version = versionOf(tx, tables.name);
  refuseNewer(tx, tables, file);
  if (version === tables.migrations.length) return;
  for (const step of tables.migrations.slice(version)) {
    if (typeof step === 'string') tx.script(step);
    else step(tx);
  }
  tx.run(
    'INSERT INTO store_tables (name, version) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET version = ?2',
    tables.name,
    tables.migrations.length,
  );
}

/** CONFLICT when a newer server has moved the tables on. */
export function refuseNewer(tx: Tx, { name, migrations }: Tables, file: string): void {
  const version = versionOf(tx, name);
  if (version <= migrations.length) return;
  throw new ToolError(
    'CONFLICT',
    `${file} holds version ${version} of ${name}, made by a newer hanzo-mcp; this one knows up to ${migrations.length}. Update it`,
    { version, known: migrations.length },
  );
}
