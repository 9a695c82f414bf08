// The tables of plan. A migration that was released is never edited; the next one goes below it.
import type { Tables } from '../../lib/store/index.ts';

/**
 * A step is `<plan>.<number>` to its callers; `last_step` is the highest number a plan ever gave, so that none comes twice.
 * `place` orders the steps. `dependencies` is a JSON list of numbers, `tags` and `tools` are JSON lists of texts.
 */
export const TABLES: Tables = {
  name: 'plan',
  migrations: [
    `CREATE TABLE plan_plan (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       name TEXT NOT NULL,
       goal TEXT NOT NULL,
       status TEXT NOT NULL,
       tags TEXT NOT NULL,
       last_step INTEGER NOT NULL,
       created TEXT NOT NULL,
       updated TEXT NOT NULL
     ) STRICT;
     CREATE INDEX plan_plan_status ON plan_plan (status, id);
     CREATE INDEX plan_plan_name ON plan_plan (name);
     CREATE TABLE plan_step (
       plan INTEGER NOT NULL,
       number INTEGER NOT NULL,
       place INTEGER NOT NULL,
       description TEXT NOT NULL,
       status TEXT NOT NULL,
       dependencies TEXT NOT NULL,
       tools TEXT NOT NULL,
       estimate TEXT,
       assignee TEXT,
       output TEXT,
       updated TEXT NOT NULL,
       PRIMARY KEY (plan, number)
     ) STRICT;
     CREATE TABLE plan_note (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       plan INTEGER NOT NULL,
       text TEXT NOT NULL,
       at TEXT NOT NULL
     ) STRICT;
     CREATE INDEX plan_note_plan ON plan_note (plan, id);
     CREATE TABLE plan_done (what TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID, STRICT;`,
  ],
};
