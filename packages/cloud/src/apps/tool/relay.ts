// What a coding run's harness calls a server of its kit by: MCP in and out, the address and the credential stay here (contract 2.11).
import { z } from 'zod';
import { ToolFailed } from '../../core/failed.ts';
import { op, type Op, type OpContext } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import { callerOf } from './caller.ts';
import type { ToolService } from './service.ts';

const Message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]).optional(),
    method: z.string(),
    params: z.unknown().optional(),
  })
  .meta({ id: 'tool.RelayMessage' });

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

type Reply = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

export function relayOps(service: ToolService, version: string): readonly Op[] {
  return [
    op({
      id: 'post_tool_relay_by_server',
      app: 'tool',
      method: 'POST',
      path: '/v1/tool/relay/{server}',
      summary: 'Relays one MCP message to a server of the caller’s kit.',
      description: 'Only the tools the kit lists for the server can be called; every other name is unknown.',
      auth: 'member',
      internal: true,
      input: { params: z.object({ server: z.string() }), body: Message },
      answer: z.unknown(),
      async run(context, { params: { server }, body }) {
        const tools = await service.kits.toolsOf(callerOf(context), server);
        if (tools === undefined) throw new Problem(404, `'${server.slice(0, 64)}' is not in the caller's kit.`);
        // a notification has no answer
        if (body.id === undefined) return undefined;
        const reply = await answer(context, service, server, tools, body.method, body.params, version);
        return { jsonrpc: '2.0', id: body.id, ...reply };
      },
    }),
  ];
}

async function answer(
  context: OpContext,
  service: ToolService,
  server: string,
  tools: ReadonlyMap<string, string>,
  method: string,
  params: unknown,
  version: string,
): Promise<Reply> {
  const given = typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
  const about = { capabilities: { tools: { listChanged: false } }, serverInfo: { name: server, version } };
  switch (method) {
    case 'initialize': {
      const asked = given['protocolVersion'];
      const revision = typeof asked === 'string' && REVISIONS.includes(asked) ? asked : (REVISIONS[1] as string);
      return { result: { protocolVersion: revision, ...about } };
    }
    case 'server/discover':
      return { result: { supportedVersions: REVISIONS, ...about } };
    case 'ping':
      return { result: {} };
    case 'tools/list': {
      const row = await service.servers.get(callerOf(context).org, server);
      const listing = row && (await service.listingOf(row, context.signal));
      if (listing === undefined || listing.status !== 'ok') {
        return { error: { code: -32603, message: listing?.reason ?? 'the server is gone' } };
      }
      return { result: { tools: listing.tools.filter(({ name }) => tools.has(name)) } };
    }
    case 'tools/call': {
      const name = given['name'];
      const published = typeof name === 'string' ? tools.get(name) : undefined;
      if (published === undefined)
        return { error: { code: -32601, message: `Unknown tool: ${String(name).slice(0, 128)}` } };
      try {
        return { result: await service.calls.call(context, published, given['arguments']) };
      } catch (error) {
        if (error instanceof ToolFailed) return { result: error.result };
        const message = error instanceof Problem ? error.message : 'the call failed';
        return { result: { content: [{ type: 'text', text: message }], isError: true } };
      }
    }
    default:
      return { error: { code: -32601, message: `Method not found: ${method.slice(0, 64)}` } };
  }
}
