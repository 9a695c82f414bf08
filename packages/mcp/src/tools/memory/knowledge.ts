// Facts in the database. Nothing here knows of calls.
import type { Row, Tx } from '../../lib/store/index.ts';
import { tagsOf } from './entries.ts';

/** A fact as it lies in the table. */
export interface Fact extends Row {
  readonly id: number;
  readonly kb: string;
  readonly content: string;
  readonly tags: string;
  readonly created: string;
}

/** The same fact again is no second one: its tags are added to those it has. */
export function putFact(
  tx: Tx,
  fact: { kb: string; content: string; tags: readonly string[]; created: string },
): { id: number; isNew: boolean } {
  addKb(tx, fact.kb, fact.created);
  const before = tx.get<Fact>('SELECT * FROM memory_fact WHERE kb = ? AND content = ?', fact.kb, fact.content);
  const all = JSON.stringify([...new Set([...(before ? tagsOf(before) : []), ...fact.tags])].slice(0, 64));
  if (before) {
    tx.run('UPDATE memory_fact SET tags = ? WHERE id = ?', all, before.id);
    return { id: before.id, isNew: false };
  }
  const { id } = tx.run(
    'INSERT INTO memory_fact (kb, content, tags, created) VALUES (?, ?, ?, ?)',
    fact.kb,
    fact.content,
    all,
    fact.created,
  );
  return { id, isNew: true };
}

/** Makes a knowledge base unless it is there; true if it was made. */
export function addKb(tx: Tx, name: string, created: string): boolean {
  return (
    tx.run('INSERT INTO memory_kb (name, created) VALUES (?, ?) ON CONFLICT DO NOTHING', name, created).changes > 0
  );
}
