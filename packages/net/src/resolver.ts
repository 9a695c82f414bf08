// Names to addresses, all of them, once.
import { lookup } from 'node:dns/promises';

/** One answer of a resolver. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses, in the order they should be tried. Rejects when there are none. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The operating system's resolver (getaddrinfo): hosts file, search rules and all. */
export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true, order: 'verbatim' });
