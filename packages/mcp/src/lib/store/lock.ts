// Opening, checking, moving to a newer schema and setting aside are done by one process at a time.
import { unlinkSync } from 'node:fs';
import { isDamage } from './failure.ts';
import { makePrivate } from './files.ts';
import { patiently } from './patience.ts';
import { loadSqlite } from './sqlite.ts';

/** Runs `work` alone among all processes. The lock is SQLite's own on an empty file, which no death of a process leaves behind. */
export async function withLock<T>(file: string, patience: number, work: () => Promise<T>): Promise<T> {
  const { DatabaseSync } = loadSqlite();
  const name = `${file}-lock`;
  for (let again = 0; ; again++) {
    makePrivate(name);
    const lock = new DatabaseSync(name, { timeout: 0 });
    try {
      await patiently(patience, () => lock.exec('BEGIN EXCLUSIVE'));
    } catch (error) {
      lock.close();
      if (!isDamage(error) || again > 0) throw error;
      // It holds nothing; what is in it, nobody of ours wrote.
      unlinkSync(name);
      continue;
    }
    try {
      return await work();
    } finally {
      lock.close();
    }
  }
}
