// What callers of the client give and get.
import type { NetBody, Overflow } from './body.ts';
import type { GuardOptions } from './guard.ts';
import type { HeaderFields } from './headers.ts';
import type { Resolver } from './resolver.ts';

/** Limits of one request; a client's are the defaults of its requests. */
export interface Limits {
  /** most milliseconds from the call to the last byte of the body. Default 30,000 */
  readonly timeoutMs?: number;
  /** most milliseconds between two bytes of an answer. Default 15,000 */
  readonly idleMs?: number;
  /** most bytes of body after decoding. Default 10 MiB */
  readonly maxBytes?: number;
  /** what happens at maxBytes. Default 'error' */
  readonly overflow?: Overflow;
  /** redirects followed before giving up. Default 10 */
  readonly maxRedirects?: number;
}

export interface ClientOptions extends GuardOptions, Limits {
  /** default: the operating system's resolver */
  readonly resolver?: Resolver;
  /** most milliseconds for resolving, connecting and TLS together. Default 10,000 */
  readonly connectMs?: number;
  /** most bytes of response headers. Default 64 KiB */
  readonly maxHeaderBytes?: number;
  /** connections kept per origin. Default 16 */
  readonly connections?: number;
  /** certificate authorities (PEM) trusted beside the built-in ones */
  readonly ca?: string | readonly string[];
  /** sent as User-Agent unless a request sets its own. Default none */
  readonly userAgent?: string;
}

export interface RequestOptions extends Limits {
  /** default GET */
  readonly method?: string;
  readonly headers?: HeaderFields;
  readonly body?: string | Uint8Array;
  /** 'follow' (default) goes on by hand, every hop checked; 'manual' hands out the 3xx; 'error' refuses it */
  readonly redirect?: 'follow' | 'manual' | 'error';
  /** gives up with code 'aborted' */
  readonly signal?: AbortSignal;
}

export interface NetResponse {
  readonly status: number;
  /** the URL that answered, without fragment */
  readonly url: string;
  /** the URLs that redirected here, first to last; [] when none did */
  readonly redirects: readonly string[];
  readonly headers: Headers;
  /** must be read or discarded; until then it holds a connection, and the total time runs */
  readonly body: NetBody;
}

export interface NetClient {
  /** Sends one request. Rejects with NetError only. Any HTTP status is an answer, not an error. */
  request(url: string | URL, options?: RequestOptions): Promise<NetResponse>;
  /** The same guard behind the web's `fetch`; limits are the client's own. */
  readonly fetch: GuardedFetch;
  /** Ends every connection, those in use too. */
  close(): Promise<void>;
}

/** `fetch` with text or bytes as body; credentials mode, cache and the like mean nothing here. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
