// Who may speak to this port at all: the Host and Origin rules against DNS rebinding, and the bearer token.
import type { IncomingMessage } from 'node:http';
import { CODES, RpcError } from '../core/rpc.ts';

export interface GuardOptions {
  /** the address the port is bound to */
  hostname: string;
  /** further names clients may use in Host, with or without a port */
  allowedHosts?: readonly string[];
  /** further origins of web pages, exactly as a browser sends them */
  allowedOrigins?: readonly string[];
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const ANY: readonly string[] = ['0.0.0.0', '::', '[::]', ''];

/** Whether an address can be reached from this machine only. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

/** A name as it stands in a URL: lower case, IPv6 in brackets. */
export function urlHost(hostname: string): string {
  const name = hostname.toLowerCase();
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
}

export interface Guard {
  /** throws 403 on a foreign Host or Origin; gives the Origin of an allowed web page */
  check(request: IncomingMessage): string | undefined;
}

export function createGuard({ hostname, allowedHosts = [], allowedOrigins = [] }: GuardOptions): Guard {
  const names = new Set([...LOOPBACK, ...allowedHosts.map((each) => each.toLowerCase())]);
  const anywhere = ANY.includes(hostname);
  if (!anywhere) names.add(urlHost(hostname));
  const origins = new Set(allowedOrigins);

  const hostOf = (host: string | undefined): string => {
    const [, name] = /^(\[[0-9a-f:.]+\]|[^\s:/@[\]]+?)\.?(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
    const lower = name?.toLowerCase();
    // A rebinding attack needs a name: an address in Host cannot be made to mean another machine.
    if (lower && (names.has(lower) || names.has((host as string).toLowerCase()) || (anywhere && isAddress(lower)))) {
      return lower;
    }
    throw refused(`Host ${JSON.stringify(host ?? '')} is not allowed here`);
  };

  return {
    check({ headers: { host, origin } }) {
      const name = hostOf(host);
      if (origin === undefined) return undefined;
      const page = /^https?:\/\/(\[[0-9a-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i.exec(origin)?.[1]?.toLowerCase();
      if (origins.has(origin) || (page !== undefined && (LOOPBACK.includes(page) || page === name))) return origin;
      throw refused(`Origin ${JSON.stringify(origin)} is not allowed here`);
    },
  };
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
}

function refused(message: string): RpcError {
  return new RpcError(CODES.refused, message, { status: 403 });
}

/** Whether a request carries the token, compared in constant time; a reason for `WWW-Authenticate` where it does not. */
export function createTokenCheck(token: string): (request: IncomingMessage) => 'ok' | 'missing' | 'invalid' {
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto');
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = hash(token);
  return ({ headers: { authorization } }) => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (given === undefined) return 'missing';
    return timingSafeEqual(hash(given), expected) ? 'ok' : 'invalid';
  };
}
