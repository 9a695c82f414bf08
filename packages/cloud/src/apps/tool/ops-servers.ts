// Operations on external MCP servers and on the catalog they may come from (contract, tool plane 2.5, 2.6).
import { z } from 'zod';
import { op, type Op } from '../../core/op.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { RemoteListing } from '../../ports/remote.ts';
import { callerOf, isAdmin } from './caller.ts';
import type { Listing as CatalogListing } from './catalog.ts';
import type { Registration, ServerRow } from './servers.ts';
import type { ToolService } from './service.ts';
import { Listing, literalTrue, Server } from './shapes.ts';

const app = 'tool';
const Id = z.object({ id: z.string() });

export function serverOps(service: ToolService, audit: Audit): readonly Op[] {
  return [
    op({
      id: 'get_tool_mcp_servers',
      app,
      method: 'GET',
      path: '/v1/tool/mcp/servers',
      summary: 'Lists the organization’s MCP servers, and how each answers.',
      auth: 'member',
      input: {},
      answer: z.object({ servers: z.array(Server) }).meta({ id: 'tool.ServerList' }),
      async run(context) {
        const { org } = callerOf(context);
        const rows = await service.servers.list(org);
        const listings = await Promise.all(rows.map((row) => service.listingOf(row, context.signal)));
        return { servers: rows.map((row, at) => asServer(row, listings[at])) };
      },
    }),
    op({
      id: 'post_tool_mcp_servers',
      app,
      method: 'POST',
      path: '/v1/tool/mcp/servers',
      summary: 'Registers an MCP server by its address, or one of the catalog by its listing.',
      description:
        'A listing that is registered again is revised, not doubled. Without `secret` a credential that was kept before is destroyed.',
      auth: 'admin',
      input: {
        body: z.object({
          name: z.string().optional(),
          url: z.string().optional(),
          listing: z.string().optional().describe('id of the catalog; instead of url'),
          authHeader: z.string().optional().describe('header the credential is sent in'),
          secret: z.string().optional().describe('the credential, sealed; no route shows it again'),
        }),
      },
      answer: Server,
      status: 201,
      refusals: {
        404: 'no such listing',
        422: 'the listing has no streamable-http endpoint',
        503: 'no key is set up to seal a credential with; nothing was stored',
      },
      async run(context, { body }) {
        const caller = callerOf(context);
        const asked = await registrationOf(service, body, caller.isOperator);
        const row = await service.servers.register(caller.org, asked, isAdmin(caller));
        await audit.append(context, {
          action: 'tool.server',
          resource: { type: 'tools', id: `server:${row.id}` },
          outcome: { result: 'created', status: 201 },
          after: { name: row.name, url: row.url, authHeader: row.auth_header, hasSecret: row.has_secret === 1 },
        });
        return asServer(row);
      },
    }),
    op({
      id: 'delete_tool_mcp_servers_by_id',
      app,
      method: 'DELETE',
      path: '/v1/tool/mcp/servers/{id}',
      summary: 'Removes a server, its credential and what was switched on of it.',
      auth: 'admin',
      input: { params: Id },
      answer: undefined,
      refusals: { 404: 'no such server' },
      async run(context, { params: { id } }) {
        const { org } = callerOf(context);
        if (!(await service.removeServer(org, id))) throw new Problem(404, `There is no server '${id.slice(0, 64)}'.`);
        await audit.append(context, {
          action: 'tool.server',
          resource: { type: 'tools', id: `server:${id}` },
          outcome: { result: 'deleted', status: 204 },
        });
      },
    }),
    op({
      id: 'get_tool_catalog',
      app,
      method: 'GET',
      path: '/v1/tool/catalog',
      summary: 'Searches the catalog of public MCP servers.',
      auth: 'none',
      input: {
        query: z.object({
          q: z.string().max(200).optional().describe('part of the name, title or description'),
          featured: literalTrue,
          official: literalTrue,
          limit: z.string().optional().describe('1 to 200, default 50'),
          offset: z.string().optional(),
        }),
      },
      answer: z
        .object({ catalog: z.array(Listing), total: z.int(), limit: z.int(), offset: z.int() })
        .meta({ id: 'tool.Catalog' }),
      async run(context, { query }) {
        const limit = Math.min(200, count(query.limit) || 50);
        const offset = count(query.offset);
        const { catalog, total } = await service.catalog.list({
          q: query.q?.trim() ?? '',
          featured: query.featured === 'true',
          official: query.official === 'true',
          limit,
          offset,
          hidden: context.identity?.isOperator === true,
        });
        return { catalog: catalog.map(wire), total, limit, offset };
      },
    }),
    op({
      id: 'get_tool_catalog_by_id',
      app,
      method: 'GET',
      path: '/v1/tool/catalog/{id}',
      summary: 'Shows one listing of the catalog.',
      auth: 'none',
      input: { params: Id },
      answer: Listing,
      refusals: { 404: 'no such listing' },
      async run(context, { params: { id } }) {
        const found = await service.catalog.get(id, context.identity?.isOperator === true);
        if (found === undefined) throw new Problem(404, `The catalog has no listing '${id.slice(0, 200)}'.`);
        return wire(found);
      },
    }),
    op({
      id: 'post_tool_catalog_sync',
      app,
      method: 'POST',
      path: '/v1/tool/catalog/sync',
      summary: 'Reads the upstream registry into the catalog.',
      auth: 'operator',
      internal: true,
      input: {},
      answer: z
        .object({ added: z.int(), updated: z.int(), total: z.int(), registry: z.string() })
        .meta({ id: 'tool.CatalogSync' }),
      refusals: { 502: 'the registry failed; what was read before is kept' },
      async run(context) {
        const counts = await service.catalog.sync(context.signal);
        await audit.append(context, {
          action: 'catalog.sync',
          resource: { type: 'tools', id: 'catalog' },
          outcome: { result: 'ok', status: 200 },
          after: counts,
        });
        return { ...counts, registry: service.registryUrl };
      },
    }),
    op({
      id: 'patch_tool_catalog_by_id',
      app,
      method: 'PATCH',
      path: '/v1/tool/catalog/{id}',
      summary: 'Curates one listing: hidden, featured, official, logo.',
      auth: 'operator',
      internal: true,
      input: {
        params: Id,
        body: z.object({
          hidden: z.boolean().optional(),
          featured: z.boolean().optional(),
          official: z.boolean().optional(),
          logo: z
            .string()
            .max(2048)
            .regex(/^(?:https:\/\/\S+)?$/, 'must start with https:// or be empty')
            .optional()
            .describe('empty: the publisher’s again, with the next sync'),
        }),
      },
      answer: Listing,
      refusals: { 404: 'no such listing' },
      async run(context, { params: { id }, body }) {
        const done = await service.catalog.curate(id, body);
        if (done === undefined) throw new Problem(404, `The catalog has no listing '${id.slice(0, 200)}'.`);
        const { before, after } = done;
        await audit.append(context, {
          action: 'catalog.curate',
          resource: { type: 'tools', id: `listing:${id}` },
          outcome: { result: 'ok', status: 200 },
          before: { hidden: before.hidden, featured: before.featured, official: before.official, logo: before.logo },
          after: { hidden: after.hidden, featured: after.featured, official: after.official, logo: after.logo },
        });
        return wire(after);
      },
    }),
  ];
}

interface Asked {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly listing?: string | undefined;
  readonly authHeader?: string | undefined;
  readonly secret?: string | undefined;
}

async function registrationOf(service: ToolService, asked: Asked, operator: boolean): Promise<Registration> {
  const { authHeader, secret } = asked;
  const name = asked.name?.trim() ?? '';
  const credential = {
    ...(authHeader === undefined || authHeader === '' ? {} : { authHeader }),
    ...(secret === undefined || secret === '' ? {} : { secret }),
  };
  if (asked.listing === undefined || asked.listing === '') {
    if (asked.url === undefined) throw new Problem(400, "'url' or 'listing' is needed.");
    return { name, url: asked.url.trim(), ...credential };
  }
  if (asked.url !== undefined) throw new Problem(400, "'url' and 'listing' exclude each other.");
  const listing = await service.catalog.get(asked.listing, operator);
  if (listing === undefined) throw new Problem(404, `The catalog has no listing '${asked.listing.slice(0, 200)}'.`);
  const remote = listing.remotes?.find(({ transport }) => transport === 'streamable-http');
  if (remote === undefined) {
    const has = listing.transports.length === 0 ? 'none at all' : listing.transports.join(', ');
    throw new Problem(422, `${listing.name} has no streamable-http endpoint to connect to; it offers ${has}.`);
  }
  const title = listing.title !== undefined && [...listing.title].length <= 128 ? listing.title : '';
  const fallback = [...(title || listing.name)].slice(0, 128).join('');
  return { name: name || fallback, url: remote.url, listing: listing.id, vendor: listing.vendor, ...credential };
}

/** A whole number of a query; 0 for what is none. */
function count(text: string | undefined): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
}

function asServer(row: ServerRow, listing?: RemoteListing): z.input<typeof Server> {
  return {
    id: row.id,
    org: row.org,
    name: row.name,
    url: row.url,
    ...(row.auth_header === null ? {} : { authHeader: row.auth_header }),
    hasSecret: row.has_secret === 1,
    ...(row.listing === null ? {} : { listing: row.listing }),
    source: row.listing === null ? 'org' : 'catalog',
    createdAt: row.created,
    admitted: row.admitted === 1,
    ...(listing === undefined
      ? {}
      : {
          status: listing.status,
          ...(listing.reason === undefined ? {} : { reason: listing.reason }),
          ...(listing.status === 'ok' ? { tools: listing.tools.length } : {}),
        }),
  };
}

function wire(listing: CatalogListing): z.input<typeof Listing> {
  const { packages, remotes, ...rest } = listing;
  return {
    ...rest,
    transports: [...listing.transports],
    ...(packages === undefined ? {} : { packages: [...packages] }),
    ...(remotes === undefined ? {} : { remotes: [...remotes] }),
  };
}
