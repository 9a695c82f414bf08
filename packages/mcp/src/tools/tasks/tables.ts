// The tables of tasks. A migration that was released is never edited; the next one goes below it.
import type { Row, Tables } from '../../lib/store/index.ts';
import { foldedOf, type Searched } from './folded.ts';

/**
 * `tags` is a JSON list of texts. `due_at` is the moment from which an item is overdue, in milliseconds. `origin` is the content
 * an item was imported with, so that it is known again when it comes a second time. `archived` is when it was put away; what is
 * below an archived item is archived too. `folded` is what search looks in (folded.ts).
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
    (tx) => {
      tx.script(`ALTER TABLE tasks_item ADD COLUMN folded TEXT NOT NULL DEFAULT ''`);
      for (const { id, ...item } of tx.all<Row & Searched & { id: number }>(
        'SELECT id, content, tags, project, assignee FROM tasks_item',
      ))
        tx.run('UPDATE tasks_item SET folded = ? WHERE id = ?', foldedOf(item), id);
    },
  ],
};
