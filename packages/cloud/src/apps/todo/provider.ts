// The todo service as tools (contract, tool plane 6.4): source `zap-service`. There is no tool that deletes, on purpose.
import { type Offer, type Provider, UnknownTool } from '@hanzo/tool';
import { z } from 'zod';
import { Problem } from '../../core/problem.ts';
import type { TodoService } from './service.ts';
import { asBoard, asItem, Create, Filter, Nothing, Update } from './shapes.ts';

interface Caller {
  readonly org: string;
  readonly user: string;
}
interface TodoTool {
  readonly offer: Offer;
  run(service: TodoService, caller: Caller, args: unknown): Promise<unknown>;
}

function tool<S extends z.ZodType>(
  name: string,
  description: string,
  schema: S,
  run: (service: TodoService, caller: Caller, args: z.output<S>) => Promise<unknown>,
): TodoTool {
  const { $schema: _schema, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' });
  return {
    offer: { name, source: 'zap-service', description, inputSchema, dispatchable: true },
    async run(service, caller, args) {
      const parsed = schema.safeParse(args);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const where = issue?.path.join('.') ?? '';
        throw new Problem(400, `${where === '' ? '' : `'${where}': `}${issue?.message ?? 'the input is not valid'}.`, {
          code: 'invalid_arguments',
        });
      }
      return run(service, caller, parsed.data);
    },
  };
}

const TOOLS: ReadonlyMap<string, TodoTool> = new Map(
  [
    tool('todo_boards', 'Lists the boards of the organization.', Nothing, async (service, { org }) => ({
      boards: (await service.boards(org)).map(asBoard),
    })),
    tool('todo_list', 'Lists items, newest first, with how many there are.', Filter, async (service, { org }, args) => {
      const { board, status, limit } = args;
      const filter = { limit, ...(board === undefined ? {} : { board }), ...(status === undefined ? {} : { status }) };
      const { items, total } = await service.list(org, filter);
      return { items: items.map(asItem), total };
    }),
    tool('todo_create', 'Opens an item on a board.', Create, async (service, { org, user }, args) => ({
      item: asItem(await service.create(org, user, 'agent', defined(args))),
    })),
    tool(
      'todo_update',
      'Changes an item: its title, notes, status or priority.',
      Update,
      async (service, { org }, args) => {
        const { id, ...change } = args;
        return { item: asItem(await service.update(org, id, defined(change))) };
      },
    ),
  ].map((each) => [each.offer.name, each]),
);

/** Without members that are undefined. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // only members without a value are left out, so those that stay are of their type
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

export function todoProvider(service: TodoService): Provider {
  return {
    source: () => 'zap-service',
    list: async ({ org }) => (org === '' ? [] : [...TOOLS.values()].map(({ offer }) => offer)),
    find: async ({ org }, name) => (org === '' ? undefined : TOOLS.get(name)?.offer),
    async dispatch({ org, user }, name, args) {
      const found = org === '' ? undefined : TOOLS.get(name);
      if (found === undefined) throw new UnknownTool(name);
      return found.run(service, { org, user }, args);
    },
  };
}
