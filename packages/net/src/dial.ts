// The dial: resolve all, check all, connect to exactly those, check the peer. Made once per connection.
import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, getCACertificates, type TLSSocket } from 'node:tls';
import { toBytes } from './address.ts';
import { NetError, short } from './errors.ts';
import type { Guard } from './guard.ts';
import type { ResolvedAddress, Resolver } from './resolver.ts';

export interface DialOptions {
  readonly guard: Guard;
  readonly resolver: Resolver;
  /** most milliseconds for resolving, connecting and the TLS handshake together */
  readonly connectMs: number;
  /** further certificate authorities, PEM, beside the built-in ones */
  readonly ca?: string | readonly string[] | undefined;
}

/** What a dial is for. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

/** Makes guarded connections. `close` destroys those that are still being made. */
export interface Dialer {
  dial(target: Target): Promise<Socket | TLSSocket>;
  close(): void;
}

export function createDialer(options: DialOptions): Dialer {
  const pending = new Set<Socket>();
  return {
    close() {
      for (const socket of pending) socket.destroy();
    },
    async dial({ hostname, port, secure }) {
      const deadline = AbortSignal.timeout(options.connectMs);
      const addresses = await resolveAll(options, hostname, port, deadline);
      const socket = await openTcp(options.guard, hostname, port, addresses, deadline, pending);
      return secure ? openTls(options, socket, hostname, deadline, pending) : socket;
    },
  };
}

async function resolveAll(
  { guard, resolver, connectMs }: DialOptions,
  hostname: string,
  port: number,
  deadline: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const family = isIP(hostname);
  if (family !== 0) {
    guard.address(hostname, hostname, port);
    return [{ address: hostname, family }];
  }
  const answers = await orDeadline(resolver(hostname), deadline, () => slow(hostname, connectMs, 'resolved')).catch(
    (error: unknown) => {
      if (error instanceof NetError) throw error;
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
      throw new NetError(
        'dns',
        `${hostname} does not resolve (${reason}); check the name`,
        { host: hostname, reason },
        error,
      );
    },
  );
  if (answers.length === 0) {
    throw new NetError('dns', `${hostname} has no addresses; check the name`, { host: hostname, reason: 'ENODATA' });
  }
  // One address that is not public condemns the name: a mixed answer is how rebinding begins.
  for (const { address } of answers) guard.address(address, hostname, port);
  return answers.map(({ address }) => ({ address, family: isIP(address) }));
}

async function openTcp(
  guard: Guard,
  hostname: string,
  port: number,
  addresses: readonly ResolvedAddress[],
  deadline: AbortSignal,
  pending: Set<Socket>,
): Promise<Socket> {
  // No second resolution: connect gets the checked addresses and nothing else.
  const pinned: LookupFunction = (_name, wanted, callback) => {
    const list = addresses.map(({ address, family }) => ({ address, family }));
    const first = list[0];
    if (wanted.all || !first) callback(null, list);
    else callback(null, first.address, first.family);
  };
  const socket = connectTcp({ host: hostname, port, lookup: pinned, autoSelectFamily: true, noDelay: true });
  // A socket that fails between two owners must not end the process.
  socket.on('error', () => undefined);
  await established(socket, 'connect', hostname, deadline, pending);
  const peer = socket.remoteAddress;
  try {
    if (peer === undefined)
      throw new NetError('connect', `${hostname} closed the connection at once`, { host: hostname });
    guard.address(peer, hostname, port);
    if (!addresses.some(({ address }) => sameAddress(address, peer))) {
      throw new NetError('blocked', `the connection to ${hostname} ended at an address that was not checked`, {
        host: hostname,
        address: peer,
      });
    }
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.setKeepAlive(true, 60_000);
  return socket;
}

async function openTls(
  { ca }: DialOptions,
  socket: Socket,
  hostname: string,
  deadline: AbortSignal,
  pending: Set<Socket>,
): Promise<TLSSocket> {
  const name = hostname.replace(/\.$/, '');
  const secured = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    // Said aloud, so that no environment variable can switch it off.
    rejectUnauthorized: true,
    ...(ca ? { ca: withDefaults(ca) } : {}),
  });
  secured.on('error', () => undefined);
  await established(secured, 'secureConnect', hostname, deadline, pending).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  return secured;
}

/** The authorities Node trusts by itself, NODE_EXTRA_CA_CERTS among them, and those given. */
function withDefaults(ca: string | readonly string[]): string[] {
  return [...getCACertificates('default'), ...(typeof ca === 'string' ? [ca] : ca)];
}

function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  hostname: string,
  deadline: AbortSignal,
  pending: Set<Socket>,
): Promise<void> {
  pending.add(socket);
  return new Promise<void>((resolve, reject) => {
    const settle = (error?: NetError): void => {
      pending.delete(socket);
      deadline.removeEventListener('abort', late);
      socket.off(event, done).off('close', closed);
      if (!error) {
        socket.off('error', failed);
        resolve();
        return;
      }
      socket.destroy();
      reject(error);
    };
    const done = (): void => settle();
    const late = (): void => settle(slow(hostname, undefined, event === 'connect' ? 'connected' : 'secured'));
    const failed = (error: Error): void => settle(connectError(error, hostname, event === 'secureConnect'));
    const closed = (): void =>
      settle(new NetError('connect', `${hostname} closed the connection at once`, { host: hostname }));
    socket.once(event, done).once('error', failed).once('close', closed);
    deadline.addEventListener('abort', late, { once: true });
    if (deadline.aborted) late();
  });
}

function connectError(error: Error, hostname: string, secure: boolean): NetError {
  const inner = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  const reason = (inner as NodeJS.ErrnoException).code ?? inner.name;
  const details = { host: hostname, reason };
  const network = /^E(CONN|HOST|NET|TIMEDOUT|PIPE|ADDR)/.test(reason);
  if (secure && !network) {
    const why =
      reason === 'ERR_SSL_WRONG_VERSION_NUMBER' || reason === 'EPROTO'
        ? 'it does not speak TLS there; is http:// meant?'
        : short(inner.message.split('\n', 1)[0] ?? '', 200);
    return new NetError('tls', `no trusted TLS connection to ${hostname}: ${why}`, details, error);
  }
  return new NetError(
    'connect',
    `no connection to ${hostname} (${reason}); is the server up and the port right?`,
    details,
    error,
  );
}

function slow(hostname: string, ms: number | undefined, what: string): NetError {
  const within = ms === undefined ? 'in time' : `within ${ms} ms`;
  return new NetError('timeout', `${hostname} was not ${what} ${within}`, { host: hostname, phase: 'connect' });
}

function orDeadline<T>(work: Promise<T>, deadline: AbortSignal, error: () => NetError): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const late = (): void => reject(error());
    deadline.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late));
  });
}

function sameAddress(a: string, b: string): boolean {
  const [left, right] = [toBytes(a), toBytes(b)];
  return left !== undefined && right !== undefined && left.join('.') === right.join('.');
}
