// Documents of a registry over HTTP, through the guard: bounded, kept a while, and left alone after it failed again and again.
import type { NetClient, NetError } from '@hanzo/net';
import { ToolError } from '@hanzo/tool';
import type { Config } from '../../../config.ts';
import type { Ctx } from '../../../local.ts';
import type { Place } from './place.ts';

/** How long an answer is kept, and how a registry that fails is spared (contract, local core tools 5.8). */
const KEPT_MS = 15 * 60_000;
const FAILURES = 5;
const SPARED_MS = 60_000;

/** Milliseconds one document may take, and most of its bytes. */
const TIMEOUT_MS = 15_000;
const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes of all documents kept. */
const KEPT_BYTES = 32 * 1024 * 1024;

interface Kept {
  readonly value: unknown;
  readonly bytes: number;
  readonly until: number;
}

interface Shop {
  readonly client: NetClient;
  /** oldest first */
  readonly kept: Map<string, Kept>;
  readonly failures: Map<string, { count: number; until: number }>;
}

// One per server: a config is made once per server and lives as long.
const shops = new WeakMap<Config, Promise<Shop>>();

function shopOf(ctx: Ctx): Promise<Shop> {
  const { config } = ctx.env;
  const shop = shops.get(config) ?? makeShop(config);
  shops.set(config, shop);
  return shop;
}

async function makeShop({ allowPrivate, version }: Config): Promise<Shop> {
  const { createClient } = await import('@hanzo/net');
  const client = createClient({ allowPrivate, userAgent: `hanzo-mcp/${version}`, maxBytes: MOST_BYTES });
  return { client, kept: new Map(), failures: new Map() };
}

/**
 * The JSON document at `url` of a registry, kept for 15 minutes. Rejects with NOT_FOUND for 404 and 410, PERMISSION_DENIED where
 * the guard refuses, HTTP_ERROR for other answers and what is not JSON, TIMEOUT.
 */
export async function readUrl(ctx: Ctx, place: Place & { kind: 'http' }, url: string): Promise<unknown> {
  const shop = await shopOf(ctx);
  const now = Date.now();
  const key = JSON.stringify([url, place.headers]);
  const known = shop.kept.get(key);
  if (known && known.until > now) return known.value;
  const spared = shop.failures.get(place.origin);
  if (spared && spared.count >= FAILURES && spared.until > now) {
    const seconds = Math.ceil((spared.until - now) / 1000);
    throw new ToolError(
      'HTTP_ERROR',
      `${place.origin} failed ${FAILURES} times in a row and is not asked again for ${seconds} s`,
      { registry: place.name, retry_after: seconds },
    );
  }
  try {
    const { value, bytes } = await ask(ctx, shop.client, place, url);
    shop.failures.delete(place.origin);
    keep(shop, key, { value, bytes, until: now + KEPT_MS });
    return value;
  } catch (error) {
    if (isFailure(error)) shop.failures.set(place.origin, { count: (spared?.count ?? 0) + 1, until: now + SPARED_MS });
    else if (error instanceof ToolError && error.code === 'NOT_FOUND') shop.failures.delete(place.origin);
    throw error;
  }
}

/** An answer that there is no such document is none, nor is what this side refuses. */
function isFailure(error: unknown): boolean {
  return error instanceof ToolError && (error.code === 'HTTP_ERROR' || error.code === 'TIMEOUT');
}

function keep({ kept }: Shop, key: string, one: Kept): void {
  kept.delete(key);
  kept.set(key, one);
  let total = [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  for (const [oldest, { bytes }] of kept) {
    if (total <= KEPT_BYTES) break;
    kept.delete(oldest);
    total -= bytes;
  }
}

async function ask(
  ctx: Ctx,
  client: NetClient,
  place: Place & { kind: 'http' },
  url: string,
): Promise<{ value: unknown; bytes: number }> {
  try {
    const secret = Object.keys(place.headers).length > 0;
    const answer = await client.request(url, {
      signal: ctx.signal,
      timeoutMs: TIMEOUT_MS,
      headers: { accept: 'application/json', ...place.headers },
      // What a registry's own headers hold is for that registry.
      redirect: secret ? 'error' : 'follow',
    });
    if (answer.status < 200 || answer.status > 299) {
      answer.body.discard();
      throw refused(place, url, answer.status);
    }
    const bytes = await answer.body.bytes();
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      .toString('utf8')
      .replace(/^\ufeff/, '');
    return { value: parsed(place, url, text), bytes: bytes.length };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NetError') throw error;
    throw toToolError(error as NetError, place);
  }
}

function parsed(place: Place, url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what = /^\s*</.test(text) ? 'a web page' : 'something that is not JSON';
    throw new ToolError('HTTP_ERROR', `${withoutQuery(url)} answers ${what} where a registry's JSON was expected`, {
      registry: place.name,
      url: withoutQuery(url),
    });
  }
}

function refused(place: Place, url: string, status: number): ToolError {
  const details = { registry: place.name, url: withoutQuery(url), status };
  if (status === 404 || status === 410) {
    return new ToolError('NOT_FOUND', `registry ${place.name} has no ${withoutQuery(url)} (${status})`, details);
  }
  const mend =
    status === 401 || status === 403
      ? '; it wants a credential, or asks are limited: `headers` of the registry in components.json can hold one'
      : '';
  return new ToolError('HTTP_ERROR', `${withoutQuery(url)} answered ${status}${mend}`, details);
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

function toToolError(error: NetError, { name }: Place): ToolError {
  const details = { registry: name, reason: error.code };
  if (error.code === 'blocked') {
    const mend = 'kind' in error.details ? '; start this server with --allow-private to reach local registries' : '';
    return new ToolError('PERMISSION_DENIED', `${error.message}${mend}`, details);
  }
  if (error.code === 'timeout') return new ToolError('TIMEOUT', error.message, details);
  if (error.code === 'invalid') return new ToolError('INVALID_PARAMS', error.message, details);
  return new ToolError(error.code === 'aborted' ? 'INTERNAL_ERROR' : 'HTTP_ERROR', error.message, details);
}
