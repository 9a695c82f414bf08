// The client towards external MCP servers: what each lists, kept for a while, and calls of their tools.
import { createHash } from 'node:crypto';
import type { NetClient } from '@hanzo/net';
import { Problem } from '../core/problem.ts';
import type { Clock } from '../ports/clock.ts';
import { type Remote, type RemoteListing, type RemoteServer, serverSecret } from '../ports/remote.ts';
import type { Vault } from '../ports/vault.ts';
import { type Bound, raced, within } from './bound.ts';
import type { Dialect } from './dialects/dialect.ts';
import { RemoteFailure } from './failure.ts';
import { negotiate } from './negotiate.ts';
import { allPages, listingOf } from './tools.ts';
import { createWire, type Endpoint } from './wire.ts';

/** Milliseconds; the contract's (tool plane 3.1, 3.2) unless a test says otherwise. */
export interface RemoteTimes {
  readonly listMs: number;
  readonly callMs: number;
  readonly keptMs: number;
  readonly failedMs: number;
  readonly unusedMs: number;
}

export interface RemoteDeps {
  readonly vault: Vault;
  /** guarded; it stays the caller's to close */
  readonly client: NetClient;
  readonly clock: Clock;
  /** told to servers as the client's */
  readonly version: string;
  readonly onFault?: (error: unknown) => void;
  readonly times?: Partial<RemoteTimes>;
}

const TIMES: RemoteTimes = { listMs: 5_000, callMs: 20_000, keptMs: 60_000, failedMs: 5_000, unusedMs: 3_600_000 };
const MOST_ENTRIES = 10_000;
const SWEEP_MS = 60_000;

/** What is remembered of one server as it is registered now. */
interface Entry {
  readonly server: RemoteServer;
  dialect?: Dialect;
  /** digest of the credential the dialect was found with */
  credential?: string;
  kept?: { readonly listing: RemoteListing; readonly until: number };
  asking?: { readonly answer: Promise<RemoteListing>; readonly gone: AbortController; waiting: number };
  used: number;
}

/**
 * Makes the client. It dials through `client` only, follows no redirect, and sends a credential to nothing but the address it
 * was registered with.
 */
export function createRemote(deps: RemoteDeps): Remote {
  const { vault, client, clock, version, onFault } = deps;
  const times: RemoteTimes = { ...TIMES, ...deps.times };
  const entries = new Map<string, Entry>();
  const owners = new WeakMap<Endpoint, Entry>();
  const wire = createWire({
    client,
    onChanged(endpoint) {
      const entry = owners.get(endpoint);
      if (entry !== undefined) delete entry.kept;
    },
  });
  let swept = clock.now();
  let closed = false;

  const drop = (key: string, entry: Entry): void => {
    entry.dialect?.end();
    delete entry.dialect;
    if (entries.get(key) === entry) entries.delete(key);
  };

  function entryOf(server: RemoteServer): Entry {
    const now = clock.now();
    if (now - swept >= SWEEP_MS) {
      swept = now;
      for (const [key, entry] of entries) if (now - entry.used >= times.unusedMs) drop(key, entry);
    }
    const key = keyOf(server.org, server.id);
    let entry = entries.get(key);
    if (entry !== undefined && !same(entry.server, server)) {
      drop(key, entry);
      entry = undefined;
    }
    entry ??= { server, used: now };
    entry.used = now;
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries;
    if (entries.size > MOST_ENTRIES && oldest !== undefined) drop(...oldest);
    return entry;
  }

  /** The address with its credential. Throws where one is expected and not to be had: it is never asked without. */
  async function endpointOf(entry: Entry): Promise<Endpoint> {
    const { org, id, url, authHeader, hasSecret } = entry.server;
    let endpoint: Endpoint = { url, headers: {} };
    if (hasSecret) {
      let sealed: Uint8Array | undefined;
      try {
        sealed = await vault.get(org, serverSecret(org, id));
      } catch (cause) {
        onFault?.(cause);
        throw new RemoteFailure('error', 'was not asked: its credential cannot be read', { cause });
      }
      if (sealed === undefined || sealed.length === 0 || authHeader === undefined) {
        throw new RemoteFailure('error', 'was not asked: its credential is missing; register it again');
      }
      const secret = new TextDecoder().decode(sealed);
      endpoint = { url, secret, headers: { [authHeader]: secret } };
    }
    const credential = createHash('sha256')
      .update(endpoint.secret ?? '')
      .digest('hex');
    if (entry.credential !== credential) {
      // changed on another node: a session belongs to the credential it was opened with
      entry.dialect?.end();
      delete entry.dialect;
      entry.credential = credential;
    }
    owners.set(endpoint, entry);
    return endpoint;
  }

  async function ask(entry: Entry, bound: Bound): Promise<RemoteListing> {
    const endpoint = await endpointOf(entry);
    let dialect = entry.dialect;
    let first;
    if (dialect !== undefined) {
      try {
        first = await dialect.request(endpoint, 'tools/list', {}, bound);
      } catch (error) {
        if (!outdated(error)) throw error;
        dialect.end();
        delete entry.dialect;
      }
    }
    if (dialect === undefined || first === undefined)
      ({ dialect, first } = await negotiate(wire, version, endpoint, bound));
    try {
      const listing = listingOf(await allPages(dialect, endpoint, first, bound), dialect);
      entry.dialect = dialect;
      return listing;
    } catch (error) {
      // a way of asking is remembered once it has given a whole list
      if (entry.dialect !== dialect) dialect.end();
      throw error;
    }
  }

  /** Asks for all who want to know; given up only when none of them waits any more. */
  function shared(entry: Entry): NonNullable<Entry['asking']> {
    const gone = new AbortController();
    const settle = async (): Promise<RemoteListing> => {
      let listing: RemoteListing;
      try {
        listing = await within(times.listMs, gone.signal, (bound) => ask(entry, bound));
      } catch (error) {
        gone.signal.throwIfAborted();
        if (!(error instanceof RemoteFailure)) onFault?.(error);
        listing = failed(error);
      } finally {
        if (entry.asking === asking) delete entry.asking;
      }
      const life = listing.status === 'ok' ? times.keptMs : times.failedMs;
      entry.kept = { listing, until: clock.now() + life };
      // forgotten meanwhile: nobody will end the session but this
      if (entries.get(keyOf(entry.server.org, entry.server.id)) !== entry) entry.dialect?.end();
      return listing;
    };
    const asking: NonNullable<Entry['asking']> = { gone, waiting: 0, answer: Promise.resolve().then(settle) };
    asking.answer.catch(() => undefined);
    entry.asking = asking;
    return asking;
  }

  async function list(server: RemoteServer, signal: AbortSignal): Promise<RemoteListing> {
    signal.throwIfAborted();
    if (closed) return { status: 'unreachable', reason: 'The plane is closing.', tools: [] };
    const entry = entryOf(server);
    if (entry.kept !== undefined && clock.now() < entry.kept.until) return entry.kept.listing;
    const asking = entry.asking ?? shared(entry);
    asking.waiting++;
    try {
      return await raced(asking.answer, signal);
    } finally {
      asking.waiting--;
      if (asking.waiting === 0 && signal.aborted) {
        if (entry.asking === asking) delete entry.asking;
        asking.gone.abort(signal.reason);
      }
    }
  }

  /** The dialect of a server, asked for its list where none is known yet. */
  async function dialectOf(entry: Entry, bound: Bound): Promise<Dialect> {
    if (entry.dialect === undefined) {
      delete entry.kept;
      const listing = await list(entry.server, bound.signal);
      if (entry.dialect === undefined) throw new Problem(424, listing.reason ?? 'The server cannot be used now.');
    }
    return entry.dialect;
  }

  async function call(
    server: RemoteServer,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    bound: Bound,
  ): Promise<Readonly<Record<string, unknown>>> {
    const entry = entryOf(server);
    if (entry.dialect === undefined && entry.kept?.listing.status !== 'ok' && entry.kept !== undefined) {
      if (clock.now() < entry.kept.until)
        throw new Problem(424, entry.kept.listing.reason ?? 'The server cannot be used now.');
    }
    for (let again = false; ; again = true) {
      // before the dialect: a changed credential takes the dialect with it
      const endpoint = await endpointOf(entry);
      const dialect = await dialectOf(entry, bound);
      if (dialect.kind === '2026-07-28' && entry.kept === undefined) await list(server, bound.signal);
      const known = entry.kept?.listing.tools.find(({ name }) => name === tool);
      try {
        const params = { name: tool, arguments: args };
        return (await dialect.request(endpoint, 'tools/call', params, bound, known)).result;
      } catch (error) {
        if (again || !outdated(error)) throw error;
        // refused before anything ran: the server may have come to want to be asked in another way
        if (entry.dialect === dialect) delete entry.dialect;
        dialect.end();
        const now = await dialectOf(entry, bound);
        if (now.kind === dialect.kind) throw error;
      }
    }
  }

  return {
    list,
    async call(server, tool, args, signal) {
      try {
        return await within(times.callMs, signal, (bound) => call(server, tool, args, bound));
      } catch (error) {
        if (!(error instanceof RemoteFailure)) throw error;
        throw new Problem(error.late ? 504 : 424, `The server ${error.message}.`, { cause: error.cause });
      }
    },
    forget(org, id) {
      const key = keyOf(org, id);
      const entry = entries.get(key);
      if (entry !== undefined) drop(key, entry);
    },
    async close() {
      closed = true;
      for (const [key, entry] of entries) {
        entry.asking?.gone.abort(new Problem(503, 'The plane is closing.'));
        drop(key, entry);
      }
    },
  };
}

const keyOf = (org: string, id: string): string => `${org}\0${id}`;

function same(a: RemoteServer, b: RemoteServer): boolean {
  return a.url === b.url && a.authHeader === b.authHeader && a.hasSecret === b.hasSecret;
}

function failed(error: unknown): RemoteListing {
  if (error instanceof RemoteFailure)
    return { status: error.status, reason: `The server ${error.message}.`, tools: [] };
  return { status: 'error', reason: 'The server could not be asked; the log of the plane tells why.', tools: [] };
}

/** Whether a request was turned away for how it was put, by HTTP and so before a tool ran. */
function outdated(error: unknown): boolean {
  return error instanceof RemoteFailure && error.http !== undefined && [400, 404, 405, 406].includes(error.http);
}
