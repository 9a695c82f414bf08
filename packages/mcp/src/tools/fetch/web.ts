// The guarded client of this server, and its failures in the codes of a tool.
import type { NetClient, NetError, RequestOptions, NetResponse } from '@hanzo/net';
import { ToolError } from '@hanzo/tool';
import type { Config } from '../../config.ts';
import type { Ctx } from '../../local.ts';
import { createKept, type Kept } from './kept.ts';

/** What the fetch tool keeps between calls: connections, and copies of texts that are being paged through. */
export interface Web {
  readonly client: NetClient;
  readonly kept: Kept;
}

// One per server: a config is made once per server and lives as long.
const webs = new WeakMap<Config, Promise<Web>>();

/** The web of the server a call belongs to; the HTTP client is loaded on first use. */
export function webOf(ctx: Ctx): Promise<Web> {
  const { config } = ctx.env;
  let web = webs.get(config);
  if (!web) {
    web = makeWeb(config);
    webs.set(config, web);
  }
  return web;
}

async function makeWeb(config: Config): Promise<Web> {
  const { createClient } = await import('@hanzo/net');
  return {
    client: createClient({ allowPrivate: config.allowPrivate, userAgent: userAgent(config) }),
    kept: createKept(),
  };
}

/** What this server calls itself towards web servers. */
function userAgent(config: Config): string {
  return `hanzo-mcp/${config.version}`;
}

/** Sends one request through the guard. Failures are ToolErrors; any HTTP status is an answer. */
export async function ask(ctx: Ctx, url: string, options: RequestOptions): Promise<NetResponse> {
  const { client } = await webOf(ctx);
  return guarded(client.request(url, { signal: ctx.signal, ...options }));
}

/** Awaits network work and turns its NetError into a ToolError. */
export async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isNetError(error) ? toToolError(error) : error;
  }
}

function isNetError(error: unknown): error is NetError {
  // By name, so that the client is not loaded to look at an error.
  return error instanceof Error && error.name === 'NetError';
}

/** A failed exchange as a tool's error: blocked is PERMISSION_DENIED, what the network did is HTTP_ERROR with a reason. */
function toToolError(error: NetError): ToolError {
  const { reason: cause, ...facts } = error.details;
  const details = { reason: error.code, ...(cause === undefined ? {} : { cause }), ...facts };
  switch (error.code) {
    case 'invalid':
      return new ToolError('INVALID_PARAMS', error.message, details);
    case 'blocked': {
      const mend = 'kind' in error.details ? '; start this server with --allow-private to reach local servers' : '';
      return new ToolError('PERMISSION_DENIED', `${error.message}${mend}`, details);
    }
    case 'timeout':
      return new ToolError('TIMEOUT', error.message, details);
    case 'aborted':
      return new ToolError('INTERNAL_ERROR', error.message, details);
    default:
      return new ToolError('HTTP_ERROR', error.message, details);
  }
}
