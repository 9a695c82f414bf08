// Requests of connectors: URLs made of parts that cannot climb, bounded answers, refusals as sentences.
import type { NetClient } from '@hanzo/net';
import { ActionFailed, type Ask, type Reply } from './types.ts';

/** Contract, tool plane 6.3. */
const TIMEOUT_MS = 15_000;
const LARGEST = 5 * 1_048_576;

export function requester(net: NetClient, signal: AbortSignal): (ask: Ask) => Promise<Reply> {
  return async ({ method = 'GET', url, headers = {}, body, maxBytes = LARGEST, redirects = 0 }) => {
    const answer = await net.request(url, {
      method,
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      signal,
      ...(body === undefined ? {} : { body }),
      ...(redirects === 0 ? { redirect: 'error' as const } : { maxRedirects: redirects }),
    });
    const bytes = await answer.body.bytes();
    return { status: answer.status, headers: answer.headers, text: decode(bytes, answer.headers.get('content-type')) };
  };
}

function decode(bytes: Uint8Array, type: string | null): string {
  const label = /charset="?([\w-]{1,40})/i.exec(type ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * `base` with `path` below it, each segment percent-encoded. Throws ActionFailed for a segment that is empty or only dots,
 * which a server would take for a way up.
 */
export function below(
  base: string,
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${segments.map(encoded).join('/')}`;
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/** One segment of a path, whatever it holds. */
export function encoded(segment: string): string {
  if (segment === '' || /^\.+$/.test(segment)) {
    throw new ActionFailed(`'${segment}' cannot stand in a path: it must not be empty or only dots`);
  }
  if (!segment.isWellFormed()) throw new ActionFailed('a part of the path is not well-formed Unicode');
  return encodeURIComponent(segment);
}

/** The JSON of a success. Throws ActionFailed with the service's own short reason for anything but 2xx. */
export function jsonOf(service: string, { status, text }: Reply): unknown {
  if (status < 200 || status > 299) throw refused(service, status, text);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ActionFailed(`${service} answered ${status} with something that is not JSON`);
  }
}

export function refused(service: string, status: number, text: string): ActionFailed {
  const reason = reasonIn(text);
  return new ActionFailed(`${service} answered ${status}${reason === '' ? '' : `: ${reason}`}`);
}

/** The `message`, `error` or `detail` that services put into refusals, at most 300 characters. */
function reasonIn(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return '';
  }
  for (const name of ['message', 'error', 'error_description', 'detail', 'title']) {
    let found: unknown = member(value, name);
    if (typeof found === 'object') found = member(found, 'message');
    if (typeof found === 'string' && found.trim() !== '') return [...found.trim()].slice(0, 300).join('');
  }
  return '';
}

/** An own member of a value from outside; undefined where there is none. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
