// What the next request of a redirect is, and whether there may be one (RFC 9110 15.4; Fetch standard, HTTP-redirect fetch).
import { NetError, shown } from './errors.ts';
import type { Guard } from './guard.ts';
import { isCredential } from './headers.ts';

/** One request as it goes out. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | Uint8Array | undefined;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The Location of a redirect, or undefined when the response is an answer. */
export function locationOf(status: number, headers: Headers): string | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const location = headers.get('location');
  // Raw bytes above 0x7f in a Location are UTF-8 in practice, as browsers read them.
  return location === null ? undefined : Buffer.from(location, 'latin1').toString('utf8');
}

/**
 * The request that follows `hop` at `status` and `location`. Credentials and bodies do not leave the origin they were
 * meant for. Throws NetError `redirect`, or what the guard says of the new URL.
 */
export function follow(hop: Hop, status: number, location: string, guard: Guard): Hop {
  const url = target(hop, location, guard);
  const seeOther = status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD';
  const postToGet = (status === 301 || status === 302) && hop.method === 'POST';
  const dropsBody = seeOther || postToGet;
  const headers = new Map(hop.headers);
  if (dropsBody) for (const name of headers.keys()) if (name.startsWith('content-')) headers.delete(name);
  const body = dropsBody ? undefined : hop.body;

  if (url.origin !== hop.url.origin) {
    const credentials = [...headers.keys()].filter(isCredential);
    if (hop.url.protocol === 'https:' && url.protocol === 'http:' && credentials.length > 0) {
      throw new NetError(
        'redirect',
        `${shown(hop.url)} redirects a request with credentials from https to http (${shown(url)}); ask there without them if that is meant`,
        { from: shown(hop.url), to: shown(url), status, headers: credentials },
      );
    }
    if (body !== undefined && !isUpgrade(hop.url, url)) {
      throw new NetError(
        'redirect',
        `${shown(hop.url)} redirects the request with its body to another origin; send it to ${shown(url)} yourself if that is meant`,
        { from: shown(hop.url), to: shown(url), status },
      );
    }
    for (const name of credentials) headers.delete(name);
  }
  return { url, method: dropsBody ? 'GET' : hop.method, headers, body };
}

function target(hop: Hop, location: string, guard: Guard): URL {
  try {
    return guard.url(location, hop.url);
  } catch (error) {
    if (!(error instanceof NetError)) throw error;
    throw new NetError(
      error.code === 'invalid' ? 'redirect' : error.code,
      `${shown(hop.url)} redirects to a place that is refused: ${error.message}`,
      { ...error.details, from: shown(hop.url) },
      error,
    );
  }
}

/** The same host on its default ports, from http to https: the body has already gone there in the clear. */
function isUpgrade(from: URL, to: URL): boolean {
  return from.protocol === 'http:' && to.protocol === 'https:' && from.host === to.host && from.port === '';
}
