// The tables of think: what was thought, so that a later thought, or a later session, can refer to it.
import type { Tables } from '../../lib/store/index.ts';

export const TABLES: Tables = {
  name: 'think',
  migrations: [
    `CREATE TABLE think_entry (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       action TEXT NOT NULL,
       text TEXT NOT NULL,
       answer TEXT NOT NULL,
       about INTEGER,
       created TEXT NOT NULL
     ) STRICT;`,
  ],
};
