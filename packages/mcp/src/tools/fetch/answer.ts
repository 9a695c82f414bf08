// One exchange read into memory, and the facts of it that an answer shows.
import { STATUS_CODES } from 'node:http';
import type { RequestOptions } from '@hanzo/net';
import { utf8Length } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { decodeText } from './charset.ts';
import { type Media, mediaOf } from './media.ts';
import { ask, guarded } from './web.ts';

/** An answer with its body, up to the limit it was asked with. */
export interface Received {
  readonly status: number;
  /** the URL that answered */
  readonly url: string;
  readonly redirects: readonly string[];
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** the body is longer than the limit */
  readonly truncated: boolean;
  readonly media: Media;
}

/** Sends a request and reads the body; a longer one than `maxBytes` is cut. */
export async function receive(ctx: Ctx, url: string, options: RequestOptions): Promise<Received> {
  const answer = await ask(ctx, url, { overflow: 'truncate', ...options });
  const bytes = await guarded(answer.body.bytes());
  const { status, redirects, headers } = answer;
  return {
    status,
    url: answer.url,
    redirects,
    headers,
    bytes,
    truncated: answer.body.truncated,
    media: mediaOf(headers.get('content-type'), bytes),
  };
}

/** The body as text; undefined where it is none. */
export function textOf(received: Received): { text: string; charset: string } | undefined {
  if (received.media.kind === 'binary' || received.media.kind === 'image') return undefined;
  return decodeText(received.bytes, received.media.charset, received.truncated);
}

/** Headers a caller acts on; the others cost tokens and are shown when asked for. */
const USEFUL: readonly string[] = [
  'location',
  'link',
  'retry-after',
  'www-authenticate',
  'allow',
  'etag',
  'last-modified',
  'content-disposition',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

/**
 * The response headers to show, names in lower case, as many as take `room` bytes together: the useful ones first, all of
 * them where `all` asks for it. Repeated ones are joined, cookies listed; `headers_left_out` counts those without room.
 */
export function headersOf(
  headers: Headers,
  all = false,
  room = MOST_VALUE,
): { headers?: Record<string, unknown>; headers_left_out?: number } {
  const shown: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const names = [...new Set(headers.keys())];
  const useful = names.filter((name) => USEFUL.includes(name));
  const wanted = all ? [...useful, ...names.filter((name) => !USEFUL.includes(name))] : useful;
  let left = room;
  let out = 0;
  for (const name of wanted) {
    const value = name === 'set-cookie' ? headers.getSetCookie() : (headers.get(name) ?? '').slice(0, MOST_VALUE);
    const size = utf8Length(JSON.stringify({ [name]: value }));
    if (size > left) {
      out++;
      continue;
    }
    left -= size;
    shown[name] = value;
  }
  return {
    ...(Object.keys(shown).length > 0 ? { headers: shown } : {}),
    ...(out > 0 ? { headers_left_out: out } : {}),
  };
}

const MOST_VALUE = 2000;

/** What headers may take of an answer; its body has the rest. */
export function headerRoom(maxOutput: number): number {
  return Math.max(MOST_VALUE, Math.floor(maxOutput / 2));
}

/** What the body of an answer may take beside the facts that go with it. */
export function bodyRoom(data: Readonly<Record<string, unknown>>, maxOutput: number): number {
  const headers = data['headers'] === undefined ? 0 : utf8Length(JSON.stringify(data['headers']));
  // A few headers are part of the envelope's own allowance.
  return headers <= MOST_VALUE ? maxOutput : maxOutput - headers;
}

/** Status, its words where it is no success, and the final URL where that is not the one asked for. */
export function outcomeOf(
  asked: string,
  { status, url, redirects }: Pick<Received, 'status' | 'url' | 'redirects'>,
): Record<string, unknown> {
  const words = status >= 200 && status < 300 ? undefined : STATUS_CODES[status];
  return {
    status,
    ...(words ? { status_text: words } : {}),
    ...(redirects.length > 0 || URL.parse(asked)?.href.split('#', 1)[0] !== url ? { url } : {}),
    ...(redirects.length > 0 ? { redirects: redirects.length } : {}),
  };
}

/** Type, charset where it is not UTF-8, and size of what came. */
export function contentOf({ media, bytes, truncated }: Received, charset: string | undefined): Record<string, unknown> {
  return {
    mime: media.mime,
    ...(charset !== undefined && charset !== 'utf-8' ? { charset } : {}),
    size: bytes.length,
    ...(truncated ? { truncated: true } : {}),
  };
}

/** What to say at the end of a body that was cut at the limit. */
export function cutNote({ truncated, bytes }: Received): { note?: string } {
  return truncated ? { note: `the body goes on after ${bytes.length} bytes; a larger max_bytes gives more of it` } : {};
}
