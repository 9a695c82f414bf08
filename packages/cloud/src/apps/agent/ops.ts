// Operations on an organization's agents and the record of their runs. None of them shows a secret.
import { z } from 'zod';
import type { Identity } from '../../core/identity.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import { type AgentRow, type AgentService, agentTool } from './service.ts';

const app = 'agent';

const Name = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 small letters, digits and underscores, and start with a letter');
const Agent = z
  .object({
    name: z.string(),
    tool: z.string().describe('its name as a tool'),
    description: z.string(),
    url: z.string(),
    hasSecret: z.boolean(),
    createdAt: z.int(),
    updatedAt: z.int(),
  })
  .meta({ id: 'agent.Agent' });
const AgentRun = z
  .object({
    id: z.string(),
    agent: z.string(),
    user: z.string(),
    status: z.enum(['succeeded', 'failed']),
    output: z.string(),
    createdAt: z.int(),
    finishedAt: z.int(),
  })
  .meta({ id: 'agent.Run' });

function caller({ identity }: OpContext): Identity {
  if (identity === undefined) throw new Problem(401, 'A credential is needed.');
  return identity;
}

export function agentOps(service: AgentService, audit: Audit): readonly Op[] {
  const record = (context: OpContext, action: string, id: string, status: number): Promise<void> =>
    audit.append(context, { action, resource: { type: 'agents', id }, outcome: { result: 'ok', status } });

  return [
    op({
      id: 'get_agent',
      app,
      method: 'GET',
      path: '/v1/agent',
      summary: 'Lists the organization’s agents, never their secrets.',
      auth: 'member',
      input: {},
      answer: z.object({ agents: z.array(Agent) }).meta({ id: 'agent.AgentList' }),
      async run(context) {
        return { agents: [...(await service.list(caller(context).org)).values()].map(asAgent) };
      },
    }),
    op({
      id: 'post_agent',
      app,
      method: 'POST',
      path: '/v1/agent',
      summary: 'Registers an agent endpoint; one of the same name is replaced, its secret too.',
      description: 'It is sent `{id, input}` by POST and answers text, or JSON with `output`.',
      auth: 'admin',
      input: {
        body: z.object({
          name: Name,
          description: z.string().trim().max(1024).default(''),
          url: z.string().trim().max(2048),
          secret: z.string().optional().describe('sent as Authorization: Bearer; never shown again'),
        }),
      },
      answer: Agent,
      status: 201,
      refusals: {
        400: 'an address that may not be dialled, or a secret that no header can carry',
        409: 'the organization has 100',
        503: 'the plane has no key to seal with',
      },
      async run(context, { body }) {
        const { secret, ...asked } = body;
        const row = await service.register(caller(context).org, secret === undefined ? asked : { ...asked, secret });
        await record(context, 'agent.put', row.name, 201);
        return asAgent(row);
      },
    }),
    op({
      id: 'delete_agent_by_id',
      app,
      method: 'DELETE',
      path: '/v1/agent/{id}',
      summary: 'Removes an agent with its secret; its runs stay on record.',
      auth: 'admin',
      input: { params: z.object({ id: z.string().max(128).describe('name of the agent') }) },
      answer: undefined,
      refusals: { 404: 'no such agent' },
      async run(context, { params: { id } }) {
        if (!(await service.remove(caller(context).org, id))) throw new Problem(404, `There is no agent '${id}'.`);
        await record(context, 'agent.delete', id, 204);
      },
    }),
    op({
      id: 'get_agent_runs',
      app,
      method: 'GET',
      path: '/v1/agent/runs',
      summary: 'Lists runs of the organization’s agents, newest first.',
      auth: 'member',
      input: { query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }) },
      answer: z.object({ runs: z.array(AgentRun) }).meta({ id: 'agent.RunList' }),
      async run(context, { query: { limit } }) {
        const rows = await service.runs(caller(context).org, limit);
        return {
          runs: rows.map(({ id, agent, who, status, output, created, finished }) => ({
            id,
            agent,
            user: who,
            status: status === 'succeeded' ? ('succeeded' as const) : ('failed' as const),
            output,
            createdAt: created,
            finishedAt: finished,
          })),
        };
      },
    }),
  ];
}

function asAgent({ name, description, url, has_secret, created, updated }: AgentRow): z.input<typeof Agent> {
  const hasSecret = has_secret === 1;
  return { name, tool: agentTool(name), description, url, hasSecret, createdAt: created, updatedAt: updated };
}
