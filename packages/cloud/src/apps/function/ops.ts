// Operations on an organization's functions.
import { z } from 'zod';
import type { Identity } from '../../core/identity.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import { type FunctionRow, type FunctionService, functionTool } from './service.ts';

const app = 'function';

const Name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 small letters, digits and underscores, and start with a letter');
const Fn = z
  .object({
    name: z.string(),
    tool: z.string().describe('its name as a tool'),
    description: z.string(),
    source: z.string(),
    createdAt: z.int(),
    updatedAt: z.int(),
  })
  .meta({ id: 'function.Function' });
const ById = z.object({ id: z.string().max(128).describe('name of the function') });
const GONE = { 404: 'no such function' };

function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

export function functionOps(service: FunctionService, audit: Audit): readonly Op[] {
  const record = (context: OpContext, action: string, id: string, status: number): Promise<void> =>
    audit.append(context, { action, resource: { type: 'functions', id }, outcome: { result: 'ok', status } });

  return [
    op({
      id: 'get_function',
      app,
      method: 'GET',
      path: '/v1/function',
      summary: 'Lists the organization’s functions.',
      auth: 'member',
      input: {},
      answer: z.object({ functions: z.array(Fn) }).meta({ id: 'function.FunctionList' }),
      async run(context) {
        return { functions: [...(await service.list(caller(context).org)).values()].map(asFunction) };
      },
    }),
    op({
      id: 'get_function_by_id',
      app,
      method: 'GET',
      path: '/v1/function/{id}',
      summary: 'Shows one function.',
      auth: 'member',
      input: { params: ById },
      answer: Fn,
      refusals: GONE,
      async run(context, { params: { id } }) {
        const row = (await service.list(caller(context).org)).get(id);
        if (row === undefined) throw new Problem(404, `There is no function '${id}'.`);
        return asFunction(row);
      },
    }),
    op({
      id: 'post_function',
      app,
      method: 'POST',
      path: '/v1/function',
      summary: 'Writes a function; one of the same name is replaced.',
      description: 'A JavaScript module whose default export takes the input and answers JSON; at most 64 KiB.',
      auth: 'admin',
      input: {
        body: z.object({
          name: Name,
          description: z.string().trim().max(1024).default(''),
          source: z.string().min(1).describe('export default (input) => ...'),
        }),
      },
      answer: Fn,
      status: 201,
      refusals: {
        409: 'the organization has 200',
        413: 'more than 64 KiB',
        422: 'a source that cannot be run, with the reason',
        429: '32 calls under way',
      },
      async run(context, { body }) {
        const row = await service.put(caller(context).org, body, context.signal);
        await record(context, 'function.put', row.name, 201);
        return asFunction(row);
      },
    }),
    op({
      id: 'delete_function_by_id',
      app,
      method: 'DELETE',
      path: '/v1/function/{id}',
      summary: 'Removes a function.',
      auth: 'admin',
      input: { params: ById },
      answer: undefined,
      refusals: GONE,
      async run(context, { params: { id } }) {
        if (!(await service.remove(caller(context).org, id))) throw new Problem(404, `There is no function '${id}'.`);
        await record(context, 'function.delete', id, 204);
      },
    }),
  ];
}

function asFunction({ name, description, source, created, updated }: FunctionRow): z.input<typeof Fn> {
  return { name, tool: functionTool(name), description, source, createdAt: created, updatedAt: updated };
}
