// The tables of memory. A migration that was released is never edited; the next one goes below it.
import type { Tables } from '../../lib/store/index.ts';

/**
 * `memory_fold` holds what is searched, folded (lib/fold.ts); tags stand on a line each. `memory_text` indexes the same by three
 * code points each, without keeping it a second time.
 */
export const TABLES: Tables = {
  name: 'memory',
  migrations: [
    `CREATE TABLE memory_entry (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       namespace TEXT NOT NULL,
       key TEXT NOT NULL,
       value TEXT NOT NULL,
       tags TEXT NOT NULL,
       metadata TEXT,
       created TEXT NOT NULL,
       updated TEXT NOT NULL,
       ttl TEXT,
       expires INTEGER,
       UNIQUE (key, namespace)
     ) STRICT;
     CREATE INDEX memory_entry_updated ON memory_entry (updated);
     CREATE INDEX memory_entry_expires ON memory_entry (expires) WHERE expires IS NOT NULL;
     CREATE TABLE memory_fold (
       id INTEGER PRIMARY KEY,
       key TEXT NOT NULL,
       tags TEXT NOT NULL,
       namespace TEXT NOT NULL,
       value TEXT NOT NULL
     ) STRICT;
     CREATE VIRTUAL TABLE memory_text USING fts5(
       key, tags, namespace, value, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
     );
     CREATE TABLE memory_version (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       entry INTEGER NOT NULL,
       value TEXT NOT NULL,
       tags TEXT NOT NULL,
       at TEXT NOT NULL
     ) STRICT;
     CREATE INDEX memory_version_entry ON memory_version (entry, id);
     CREATE TABLE memory_fact (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       kb TEXT NOT NULL,
       content TEXT NOT NULL,
       tags TEXT NOT NULL,
       created TEXT NOT NULL,
       UNIQUE (kb, content)
     ) STRICT;
     CREATE TABLE memory_kb (name TEXT PRIMARY KEY, created TEXT NOT NULL) WITHOUT ROWID, STRICT;
     CREATE TABLE memory_done (what TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID, STRICT;`,
  ],
};
