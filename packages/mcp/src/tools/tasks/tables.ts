// The tables of tasks. A migration that was released is never edited; the next one goes below it.
import type { Tables } from '../../lib/store/index.ts';

/**
 * `tags` is a JSON list of texts. `due_at` is the moment from which an item is overdue, in milliseconds. `origin` is the content
 * an item was imported with, so that it is known again when it comes a second time. `archived` is when it was put away; what is
 * below an archived item is archived too.
 */
export const TABLES: Tables = {
  name: 'tasks',
  migrations: [
    `CREATE TABLE tasks_item (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       content TEXT NOT NULL,
       status TEXT NOT NULL,
       priority TEXT NOT NULL,
       created TEXT NOT NULL,
       updated TEXT NOT NULL,
       due TEXT,
       due_at INTEGER,
       tags TEXT NOT NULL,
       project TEXT,
       assignee TEXT,
       parent INTEGER,
       notes TEXT NOT NULL,
       archived TEXT,
       origin TEXT
     ) STRICT;
     CREATE INDEX tasks_item_parent ON tasks_item (parent);
     CREATE TABLE tasks_done (what TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID, STRICT;`,
  ],
};
