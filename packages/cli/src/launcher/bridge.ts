// Between a client and a server that is still starting: the handshake is answered at once, the rest waits and is passed on
// as it came. Knows no processes; both sides are functions that take a message.
import { Buffer } from 'node:buffer';
import type { Memory } from './memory.ts';

export interface Sides {
  toClient(line: Uint8Array | string): Promise<void>;
  toServer(line: Uint8Array | string): Promise<void>;
  /** a line for people */
  note(text: string): void;
}

export interface BridgeOptions extends Sides {
  readonly memory: Memory;
  /** the server's name, for people and for a handshake that nothing is remembered of */
  readonly name: string;
  /** milliseconds a first handshake waits for the server's own answer */
  readonly grace: number;
}

export interface Bridge {
  fromClient(line: Buffer): Promise<void>;
  fromServer(line: Buffer): Promise<void>;
  /** The server is gone: whatever was asked is answered with an error. */
  end(why: string): Promise<void>;
}

type Id = string | number;
interface Message {
  readonly id?: Id | null;
  readonly method?: string;
  readonly params?: { readonly [member: string]: unknown };
  readonly result?: { readonly [member: string]: unknown };
  readonly error?: unknown;
}

/** Revisions that begin with `initialize`, newest first (modelcontextprotocol.io, versioning). */
const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const OWN = 'hanzo-launcher-';
/** A listing from its first page; one that has no next page is whole. */
const WHOLE = 'tools/list';

export function createBridge(options: BridgeOptions): Bridge {
  const { toClient, toServer, note, memory, name, grace } = options;
  /** `open`: no handshake is under way, everything passes */
  let state: 'open' | 'starting' = 'open';
  let ended: string | undefined;
  /** the handshake that is under way */
  let hello: { readonly id: Id; readonly version: string; promised?: string; timer?: NodeJS.Timeout } | undefined;
  /** the client's messages that wait for the server, in order */
  let waiting: { readonly line: Buffer; readonly message: Message }[] = [];
  /** asked by the client, not answered yet */
  const asked = new Map<Id, string>();
  /** listings that were answered from memory, and those asked for here: their answers end here */
  const checking = new Set<Id>();
  let pages: unknown[] = [];
  let count = 0;

  const answer = (id: Id, body: object): Promise<void> => toClient(JSON.stringify({ jsonrpc: '2.0', id, ...body }));

  async function greet(id: Id, result: Readonly<Record<string, unknown>>): Promise<void> {
    if (hello === undefined || hello.promised !== undefined) return;
    clearTimeout(hello.timer);
    hello.promised = String(result['protocolVersion']);
    asked.delete(id);
    await answer(id, { result });
  }

  async function initialize(line: Buffer, id: Id, params: Message['params']): Promise<void> {
    const version = typeof params?.['protocolVersion'] === 'string' ? params['protocolVersion'] : '';
    hello = { id, version };
    state = 'starting';
    asked.set(id, 'initialize');
    await toServer(line);
    const before = REVISIONS.includes(version) ? memory.read().initialize[version] : undefined;
    if (typeof before === 'object' && before !== null) return greet(id, before as Record<string, unknown>);
    // A server that starts fast speaks for itself. One that is fetched first would outlast the client's patience.
    hello.timer = setTimeout(() => {
      void greet(id, {
        protocolVersion: REVISIONS.includes(version) ? version : REVISIONS[0],
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name, version: '0' },
      });
    }, grace);
    return undefined;
  }

  async function ready(line: Buffer, result: NonNullable<Message['result']>): Promise<void> {
    if (hello === undefined) return;
    const { id, version, promised } = hello;
    clearTimeout(hello.timer);
    const known = memory.read();
    const kept = listChanging(result);
    if (REVISIONS.includes(version) && JSON.stringify(known.initialize[version]) !== JSON.stringify(kept)) {
      memory.write({ ...known, initialize: { ...known.initialize, [version]: kept } });
    }
    if (promised === undefined) {
      asked.delete(id);
      await toClient(line);
    } else if (promised !== result['protocolVersion']) {
      note(
        `${name} speaks ${String(result['protocolVersion'])}; the client was told ${promised}, and will be told right the next time`,
      );
    }
    hello = undefined;
    await open();
  }

  /** What waited goes first; what comes meanwhile goes behind it. */
  async function open(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await toServer(next.line);
    state = 'open';
  }

  /** A whole listing, page by page; tells the client when it is not what it was told. */
  async function listed(id: Id, { tools, nextCursor }: NonNullable<Message['result']>): Promise<void> {
    checking.delete(id);
    if (!Array.isArray(tools)) return;
    pages.push(...(tools as readonly unknown[]));
    if (typeof nextCursor === 'string' && count < 1000) {
      const next = `${OWN}${(count += 1)}`;
      checking.add(next);
      await toServer(
        JSON.stringify({ jsonrpc: '2.0', id: next, method: 'tools/list', params: { cursor: nextCursor } }),
      );
      return;
    }
    const known = memory.read();
    const changed = JSON.stringify(known.tools) !== JSON.stringify(pages);
    if (changed) memory.write({ ...known, tools: pages });
    pages = [];
    if (changed) await toClient(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
  }

  async function end(why: string): Promise<void> {
    if (ended !== undefined) return;
    ended = why;
    clearTimeout(hello?.timer);
    waiting = [];
    for (const id of asked.keys()) await answer(id, { error: { code: -32_603, message: why } });
    asked.clear();
  }

  return {
    async fromClient(line) {
      const message = parsed(line);
      const { id, method, params } = message ?? {};
      const isRequest = typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
      if (isRequest && ended !== undefined) return answer(id, { error: { code: -32_603, message: ended } });
      if (isRequest && method === 'initialize' && hello === undefined) return initialize(line, id, params);
      if (state === 'starting') {
        if (isRequest && method === 'ping') return answer(id, { result: {} });
        if (method === 'notifications/cancelled') {
          const dropped = waiting.findIndex((each) => each.message.id === params?.['requestId']);
          if (dropped >= 0) {
            asked.delete(params?.['requestId'] as Id);
            waiting.splice(dropped, 1);
            return undefined;
          }
        }
        waiting.push({ line, message: message ?? {} });
        if (!isRequest) return undefined;
        const { tools } = memory.read();
        if (tools === undefined || kindOf(method, params) !== WHOLE) asked.set(id, kindOf(method, params));
        else {
          checking.add(id);
          return answer(id, { result: { tools } });
        }
        return undefined;
      }
      if (isRequest) asked.set(id, kindOf(method, params));
      return toServer(line);
    },

    async fromServer(line) {
      const message = parsed(line);
      // what a server prints beside its messages would break the client's reading
      if (message === undefined && line[0] !== 0x5b) return note(line.toString('utf8'));
      const { id, method, result } = message ?? {};
      if (method === undefined && id !== undefined && id !== null) {
        if (hello !== undefined && id === hello.id) {
          if (result !== undefined) return ready(line, result);
          const { promised, timer } = hello;
          clearTimeout(timer);
          hello = undefined;
          if (promised !== undefined) return end(`${name} refused the handshake`);
          asked.delete(id);
          await toClient(line);
          return open();
        }
        if (checking.has(id)) return result === undefined ? void checking.delete(id) : listed(id, result);
        const about = asked.get(id);
        asked.delete(id);
        if (about === WHOLE && Array.isArray(result?.['tools']) && result['nextCursor'] === undefined) {
          const known = memory.read();
          if (JSON.stringify(known.tools) !== JSON.stringify(result['tools'])) {
            memory.write({ ...known, tools: result['tools'] as readonly unknown[] });
          }
        }
      }
      return toClient(line);
    },

    end,
  };
}

function kindOf(method: string, params: Message['params']): string {
  return method === WHOLE && params?.['cursor'] !== undefined ? 'page' : method;
}

/** An object of JSON-RPC, or undefined. */
function parsed(line: Buffer): Message | undefined {
  try {
    const value = JSON.parse(line.toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** The handshake as it is given from memory: a listing given from memory may change, so the client is to listen. */
function listChanging(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const capabilities = (result['capabilities'] ?? {}) as Readonly<Record<string, unknown>>;
  if (capabilities['tools'] === undefined) return result;
  const tools = { ...(capabilities['tools'] as object), listChanged: true };
  return { ...result, capabilities: { ...capabilities, tools } };
}
