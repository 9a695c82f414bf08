// Operations on tools: list, call, switch (contract, tool plane 2.2 to 2.4).
import { z } from 'zod';
import { op, type Op } from '../../core/op.ts';
import type { Audit } from '../../ports/audit.ts';
import { callerOf, scopeOf } from './caller.ts';
import type { ToolService } from './service.ts';
import { ActivationSet, literalTrue, ToolList } from './shapes.ts';

const app = 'tool';

export function toolOps(service: ToolService, audit: Audit): readonly Op[] {
  return [
    op({
      id: 'get_tool',
      app,
      method: 'GET',
      path: '/v1/tool',
      summary: 'Lists every tool the organization can have, from all sources.',
      auth: 'member',
      input: {
        query: z.object({
          source: z.string().optional().describe('one source; empty: all'),
          activated: literalTrue,
        }),
      },
      answer: ToolList,
      async run(context, { query }) {
        const source = query.source?.trim() ?? '';
        const { tools, partial } = await service.registry.list(scopeOf(callerOf(context)), context.signal);
        const wanted = tools.filter(
          (tool) => (source === '' || tool.source === source) && (query.activated !== 'true' || tool.activated),
        );
        const leftOut = [...partial, ...(await service.serversLeftOut(callerOf(context), context.signal))];
        return {
          tools: wanted.map((tool) => ({ ...tool })),
          ...(leftOut.length === 0
            ? {}
            : { partial: leftOut.map((each) => ({ ...each, withheld: [...each.withheld] })) }),
        };
      },
    }),
    op({
      id: 'post_tool_call',
      app,
      method: 'POST',
      path: '/v1/tool/call',
      summary: 'Calls one activated tool.',
      auth: 'member',
      // arguments of 1 MiB, with their escapes and what is around them
      maxBody: 2_097_152,
      input: {
        body: z.object({
          name: z.string(),
          arguments: z.unknown().optional().describe('an object; absent: no arguments'),
        }),
      },
      answer: z.object({ name: z.string(), result: z.unknown() }).meta({ id: 'tool.ToolResult' }),
      refusals: {
        402: 'the balance or the price is not covered',
        403: 'not activated for this organization and project',
        404: 'no such tool',
        422: 'it can be read but not called',
        424: 'the tool, or its source, failed',
      },
      async run(context, { body }) {
        const name = body.name.trim();
        const result = await service.calls.call(context, name, body.arguments);
        return { name, result: result ?? null };
      },
    }),
    op({
      id: 'get_tool_activation',
      app,
      method: 'GET',
      path: '/v1/tool/activation',
      summary: 'Lists the names that are switched on for the caller’s organization and project.',
      auth: 'member',
      input: {},
      answer: ActivationSet,
      async run(context) {
        return wire(await service.switches.read(callerOf(context)));
      },
    }),
    op({
      id: 'put_tool_activation',
      app,
      method: 'PUT',
      path: '/v1/tool/activation',
      summary: 'Switches tools on and off; names that are not in the request stay as they are.',
      description:
        '`activate` comes first, then `deactivate`. Nothing is changed when one name is refused. Skills and the tools of MCP servers are switched by admins.',
      auth: 'member',
      input: {
        body: z.object({
          activate: z.array(z.string()).optional(),
          deactivate: z.array(z.string()).optional(),
        }),
      },
      answer: ActivationSet,
      refusals: { 403: 'a skill or a server’s tool, and the caller is no admin', 413: 'more than 256 names' },
      async run(context, { body }) {
        const caller = callerOf(context);
        const before = await service.switches.read(caller);
        const after = await service.switches.write(caller, body.activate ?? [], body.deactivate ?? [], context.signal);
        await audit.append(context, {
          action: 'tool.activation',
          resource: { type: 'tools', id: 'activation' },
          outcome: { result: 'ok', status: 200 },
          before: { enabled: before.enabled },
          after: { enabled: after.enabled },
        });
        return wire(after);
      },
    }),
  ];
}

function wire({ enabled, held }: Awaited<ReturnType<ToolService['switches']['read']>>): z.input<typeof ActivationSet> {
  return { enabled: [...enabled], ...(held.length === 0 ? {} : { held: [...held] }) };
}
