// Boards and items of an organization. Nothing is deleted here: an item is closed, and stays on record.
import { Problem } from '../../core/problem.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import type { TodoTables } from './tables.ts';

export const STATUSES = ['open', 'in_progress', 'blocked', 'done', 'canceled'] as const;
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type Status = (typeof STATUSES)[number];
export type Priority = (typeof PRIORITIES)[number];

const MOST_BOARDS = 100;
const MOST_ITEMS = 10_000;

export type BoardRow = TodoTables['todo_boards'];
export type ItemRow = TodoTables['todo_items'];

export interface TodoDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface NewItem {
  readonly board?: string;
  readonly title: string;
  readonly notes?: string;
  readonly status?: Status;
  readonly priority?: Priority;
}

export interface Change {
  readonly title?: string;
  readonly notes?: string;
  readonly status?: Status;
  readonly priority?: Priority;
}

export interface TodoService {
  /** sorted by name */
  boards(org: string): Promise<readonly BoardRow[]>;
  /** rejects with Problem 409 for a name that is there */
  createBoard(org: string, name: string): Promise<BoardRow>;
  /** newest first; `total` of all that match */
  list(
    org: string,
    filter: { readonly board?: string; readonly status?: Status; readonly limit: number },
  ): Promise<{ readonly items: readonly ItemRow[]; readonly total: number }>;
  create(org: string, who: string, source: 'agent' | 'user', item: NewItem): Promise<ItemRow>;
  /** rejects with Problem 404 for an id of nobody's or another organization's */
  update(org: string, id: string, change: Change): Promise<ItemRow>;
}

export function createTodoService({ store, clock, ids }: TodoDeps): TodoService {
  const db = () => store.db<TodoTables>();
  const now = (): number => Math.floor(clock.now() / 1000);

  const boards = (org: string): Promise<readonly BoardRow[]> =>
    db().selectFrom('todo_boards').selectAll().where('org', '=', org).orderBy('name').orderBy('id').execute();

  /** The board that is meant, by id or name. It may be left out where there is one (contract 6.4). */
  async function boardOf(org: string, asked: string | undefined): Promise<BoardRow> {
    const all = await boards(org);
    const [first] = all;
    if (first === undefined) throw new Problem(422, 'There is no board yet; create one first.', { code: 'no_board' });
    const names = all.map(({ name }) => `'${name}'`).join(', ');
    if (asked === undefined) {
      if (all.length === 1) return first;
      throw new Problem(400, `'board' must be one of ${names}.`, { code: 'invalid_arguments' });
    }
    const found = all.find(({ id }) => id === asked) ?? all.find(({ name }) => name === asked);
    if (found === undefined) {
      throw new Problem(400, `There is no board '${asked.slice(0, 100)}'; the boards are ${names}.`, {
        code: 'invalid_arguments',
      });
    }
    return found;
  }

  return {
    boards,

    createBoard: (org, name) =>
      store.transaction<TodoTables, BoardRow>(async (trx) => {
        const all = await trx.selectFrom('todo_boards').select('name').where('org', '=', org).execute();
        if (all.some((each) => each.name === name)) throw new Problem(409, `There is a board '${name}' already.`);
        if (all.length >= MOST_BOARDS) throw new Problem(409, `An organization has ${MOST_BOARDS} boards at most.`);
        const row: BoardRow = { org, id: `brd_${ids.hex(8)}`, name, created: now() };
        await trx.insertInto('todo_boards').values(row).execute();
        return row;
      }),

    async list(org, { board, status, limit }) {
      const on = board === undefined ? undefined : await boardOf(org, board);
      let query = db().selectFrom('todo_items').where('org', '=', org);
      if (on !== undefined) query = query.where('board', '=', on.id);
      if (status !== undefined) query = query.where('status', '=', status);
      const [items, count] = await Promise.all([
        query.selectAll().orderBy('created', 'desc').orderBy('id').limit(limit).execute(),
        query.select((e) => e.fn.countAll<number | string | bigint>().as('count')).executeTakeFirst(),
      ]);
      return { items, total: Number(count?.count ?? 0) };
    },

    async create(org, who, source, { board, title, notes = '', status = 'open', priority = 'medium' }) {
      const on = await boardOf(org, board);
      return store.transaction<TodoTables, ItemRow>(async (trx) => {
        const { count } = await trx
          .selectFrom('todo_items')
          .select((e) => e.fn.countAll<number | string | bigint>().as('count'))
          .where('org', '=', org)
          .where('board', '=', on.id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MOST_ITEMS) throw new Problem(409, `A board has ${MOST_ITEMS} items at most.`);
        const row: ItemRow = {
          org,
          id: `todo_${ids.hex(8)}`,
          board: on.id,
          title,
          notes,
          status,
          priority,
          source,
          who,
          created: now(),
          updated: now(),
        };
        await trx.insertInto('todo_items').values(row).execute();
        return row;
      });
    },

    update: (org, id, change) =>
      store.transaction<TodoTables, ItemRow>(async (trx) => {
        const before = await trx
          .selectFrom('todo_items')
          .selectAll()
          .where('org', '=', org)
          .where('id', '=', id)
          .executeTakeFirst();
        if (before === undefined) throw new Problem(404, `There is no item '${id.slice(0, 100)}'.`);
        const row: ItemRow = { ...before, ...change, updated: now() };
        await trx
          .updateTable('todo_items')
          .set({
            title: row.title,
            notes: row.notes,
            status: row.status,
            priority: row.priority,
            updated: row.updated,
          })
          .where('org', '=', org)
          .where('id', '=', id)
          .execute();
        return row;
      }),
  };
}
