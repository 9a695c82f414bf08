// Facts: short sentences in knowledge bases, apart from the entries.
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import type { Db, Tx } from '../../lib/store/index.ts';
import { tagsOf } from './entries.ts';
import { fold, termsOf } from '../../lib/fold.ts';
import { addKb, type Fact, putFact } from './knowledge.ts';
import { withMemory } from './open.ts';
import { page } from '../../lib/page.ts';
import { cursor, DEFAULT, kb, key, limit, query, tag, tags, value } from './params.ts';

/** Characters of a fact. */
const MOST = 20_000;

export const facts = act({
  summary:
    'fact_action store_fact (value, kb, tags), recall_facts (query, kb, tag), list_facts, delete_fact (key: its id)',
  effect: 'write',
  input: z.strictObject({
    fact_action: z.enum(['store_fact', 'recall_facts', 'list_facts', 'delete_fact']),
    key: key.optional(),
    value: value.optional(),
    query: query.optional(),
    tag: tag.optional(),
    tags: tags.optional(),
    kb: kb.optional(),
    limit,
    cursor,
  }),
  run: (ctx, input) =>
    withMemory(ctx, (db) => {
      switch (input.fact_action) {
        case 'store_fact':
          return storeFact(db, need(input.value, 'value', 'store_fact'), input.kb ?? DEFAULT, input.tags ?? []);
        case 'delete_fact':
          return deleteFact(db, need(input.key, 'key', 'delete_fact'), input.kb);
        case 'recall_facts':
        case 'list_facts':
          return db.read((tx) => listFacts(ctx, tx, input));
      }
    }),
});

function need(given: string | undefined, param: string, action: string): string {
  if (given !== undefined) return given;
  throw new ToolError('INVALID_PARAMS', `${action} needs '${param}'`, { param });
}

async function storeFact(db: Db, content: string, name: string, given: readonly string[]): Promise<ActionResult> {
  if (content.trim() === '' || content.length > MOST) {
    throw new ToolError('INVALID_PARAMS', `'value': a fact has 1 to ${MOST} characters; store keeps longer texts`, {
      param: 'value',
    });
  }
  return db.write((tx) => {
    const { id, isNew } = putFact(tx, { kb: name, content, tags: given, created: new Date().toISOString() });
    return { data: { id: String(id), kb: name, status: isNew ? 'stored' : 'known' } };
  });
}

async function deleteFact(db: Db, id: string, name: string | undefined): Promise<ActionResult> {
  return db.write((tx) => {
    const fact = /^\d{1,15}$/.test(id) ? tx.get<Fact>('SELECT * FROM memory_fact WHERE id = ?', Number(id)) : undefined;
    if (!fact || (name !== undefined && fact.kb !== name)) {
      const place = name === undefined ? '' : ` in '${shorten(name)}'`;
      throw new ToolError('NOT_FOUND', `there is no fact '${shorten(id)}'${place}; list_facts shows their ids`, {});
    }
    tx.run('DELETE FROM memory_fact WHERE id = ?', fact.id);
    return { data: { id, kb: fact.kb, deleted: 1 } };
  });
}

interface Wanted {
  readonly query?: string | undefined;
  readonly tag?: string | undefined;
  readonly kb?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

function listFacts(ctx: Ctx, tx: Tx, { query: asked = '', tag: wanted, kb: name, ...paging }: Wanted): ActionResult {
  const terms = termsOf(asked);
  const ids: number[] = [];
  const rows = tx.each<Fact>('SELECT * FROM memory_fact WHERE (?1 IS NULL OR kb = ?1) ORDER BY id DESC', name ?? null);
  for (const fact of rows) {
    const has = tagsOf(fact);
    if (wanted !== undefined && !has.includes(wanted)) continue;
    const texts = [fact.content, fact.kb, ...has].map(fold);
    if (terms.every((term) => texts.some((text) => text.includes(term)))) ids.push(fact.id);
  }
  return page(ctx, ids.length, paging, 'facts', (i) => {
    const fact = tx.get<Fact>('SELECT * FROM memory_fact WHERE id = ?', ids[i] as number) as Fact;
    const has = tagsOf(fact);
    const shown = has.map((each) => ` #${each}`).join('');
    return {
      json: { id: String(fact.id), kb: fact.kb, tags: has, created: fact.created, content: fact.content },
      long: 'content',
      head: `${fact.id} [${fact.kb}]${shown} (${fact.created})`,
    };
  });
}

/** Not an enum: that would be paid for every turn, and this is asked seldom. */
const KB_ACTIONS: readonly string[] = ['create', 'list', 'delete'];
/** Knowledge bases shown. */
const SHOWN = 200;

export const kbAction = act({
  summary: 'kb_action create, list or delete (with its facts; confirm) a knowledge base',
  effect: 'write',
  input: z.strictObject({
    kb_action: z
      .string()
      .refine((asked) => KB_ACTIONS.includes(asked), `one of ${KB_ACTIONS.join(', ')}`)
      .default('list'),
    kb: kb.optional(),
    confirm: z.boolean().default(false),
  }),
  run: (ctx, input) =>
    withMemory(ctx, (db) => {
      if (input.kb_action === 'list') return db.read(listKbs);
      const name = need(input.kb, 'kb', input.kb_action);
      if (input.kb_action === 'create') {
        return db.write((tx) => {
          const isNew = addKb(tx, name, new Date().toISOString());
          return { data: { kb: name, status: isNew ? 'created' : 'known' } };
        });
      }
      return db.write((tx) => {
        const held = countFacts(tx, name);
        if (held === 0 && !tx.get('SELECT 1 FROM memory_kb WHERE name = ?', name)) {
          throw new ToolError(
            'NOT_FOUND',
            `there is no knowledge base '${shorten(name)}'; kb_action list shows them`,
            {},
          );
        }
        if (held > 0 && !input.confirm) {
          const message = `'${shorten(name)}' holds ${held} facts; confirm: true removes them with it`;
          throw new ToolError('INVALID_PARAMS', message, { param: 'confirm', facts: held });
        }
        tx.run('DELETE FROM memory_fact WHERE kb = ?', name);
        tx.run('DELETE FROM memory_kb WHERE name = ?', name);
        return { data: { kb: name, deleted: held } };
      });
    }),
});

function countFacts(tx: Tx, name: string): number {
  return tx.get<{ n: number }>('SELECT count(*) AS n FROM memory_fact WHERE kb = ?', name)?.n ?? 0;
}

function listKbs(tx: Tx): ActionResult {
  const rows = tx.all<{ kb: string; facts: number; created: string }>(
    `SELECT name AS kb, (SELECT count(*) FROM memory_fact WHERE kb = name) AS facts, created FROM memory_kb ORDER BY name`,
  );
  return { data: { total: rows.length, kbs: rows.slice(0, SHOWN) } };
}
