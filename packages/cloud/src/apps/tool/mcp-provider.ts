// The tools of an organization's external MCP servers, as the registry sees them.
import { type Offer, type Provider, type Scope, UnknownTool } from '@hanzo/tool';
import { ToolFailed } from '../../core/failed.ts';
import type { Remote, RemoteListing, RemoteTool } from '../../ports/remote.ts';
import { digestOf, publishedName, serverOf } from './names.ts';
import { asRemote, type Servers } from './servers.ts';

/** A server's tool under the name the plane gives it. */
interface Published {
  readonly offer: Offer;
  readonly remote: RemoteTool;
  readonly digest: string;
}

export interface McpProvider extends Provider {
  /** what a tool of that name was when it was last seen */
  descriptorOf(scope: Scope, name: string): { readonly digest: string; readonly remote: RemoteTool } | undefined;
}

export function createMcpProvider(servers: Servers, remote: Remote): McpProvider {
  /** by listing: a listing is made anew whenever it is asked for again */
  const published = new WeakMap<RemoteListing, ReadonlyMap<string, Published>>();
  const last = new Map<string, ReadonlyMap<string, Published>>();

  function publish(org: string, server: string, listing: RemoteListing): ReadonlyMap<string, Published> {
    let made = published.get(listing);
    if (made === undefined) {
      const byName = new Map<string, Published>();
      for (const tool of listing.tools) {
        const name = publishedName(server, tool.name);
        // a server that lists one name twice offers the first
        if (byName.has(name)) continue;
        const offer: Offer & Omit<RemoteTool, 'name' | 'description'> = {
          ...tool,
          name,
          source: 'mcp',
          description: tool.description ?? '',
          dispatchable: true,
        };
        byName.set(name, { offer, remote: tool, digest: digestOf(tool) });
      }
      made = byName;
      published.set(listing, made);
    }
    const key = `${org}\0${server}`;
    if (listing.status === 'ok') {
      last.delete(key);
      last.set(key, made);
      const [oldest] = last.keys();
      if (last.size > 10_000 && oldest !== undefined) last.delete(oldest);
    }
    return made;
  }

  const ask = async (
    org: string,
    id: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Published> | undefined> => {
    const row = await servers.get(org, id);
    if (row === undefined) return undefined;
    const listing = await remote.list(asRemote(row), signal);
    if (listing.status !== 'ok') {
      // the names it had last stay its own, and the caller is told why they cannot be had
      throw new Error(listing.reason ?? `the server ${id} cannot be used now`);
    }
    return publish(org, id, listing);
  };

  return {
    source: () => 'mcp',

    async list({ org }, { signal }) {
      if (org === '') return [];
      const rows = await servers.list(org);
      const listings = await Promise.all(rows.map((row) => remote.list(asRemote(row), signal)));
      return rows.flatMap((row, index) => {
        const listing = listings[index] as RemoteListing;
        // one that does not answer takes no other one with it: what it listed last is not shown, its status tells why
        return listing.status === 'ok' ? [...publish(org, row.id, listing).values()].map(({ offer }) => offer) : [];
      });
    },

    async find({ org }, name, { signal }) {
      const id = serverOf(name);
      if (org === '' || id === undefined) return undefined;
      return (await ask(org, id, signal))?.get(name)?.offer;
    },

    async dispatch({ org }, name, args, { signal }) {
      const id = serverOf(name);
      const row = id === undefined ? undefined : await servers.get(org, id);
      if (id === undefined || row === undefined) throw new UnknownTool(name);
      const tool = (await ask(org, id, signal))?.get(name)?.remote;
      if (tool === undefined) throw new UnknownTool(name);
      const result = await remote.call(asRemote(row), tool.name, args, signal);
      if (result['isError'] === true) throw new ToolFailed(name, result);
      return result;
    },

    descriptorOf({ org }, name) {
      const id = serverOf(name);
      return id === undefined ? undefined : last.get(`${org}\0${id}`)?.get(name);
    },
  };
}
