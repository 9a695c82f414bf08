// The plane this server is told of: its key, its address, and one way to ask it. Reads the environment at every call, so that
// a login is noticed.
import process from 'node:process';
import { shorten, ToolError } from '@hanzo/tool';
import type { Config } from '../config.ts';

/** Where a key is looked for, first to last (contract, local core tools 4.4). */
const KEYS = ['HANZO_API_KEY', 'API_KEY', 'API_TOKEN', 'HANZO_TOKEN'] as const;
const BASES = ['HANZO_API_URL', 'API_URL', 'HANZO_API_BASE', 'HANZO_BASE_URL'] as const;
const DEFAULT_BASE = 'https://api.hanzo.ai';

const LONGEST_REASON = 200;
const LARGEST_ANSWER = 4_194_304;

export interface PlaneAnswer {
  readonly status: number;
  readonly body: string;
}

export interface PlaneRequest {
  readonly path: string;
  readonly body: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** NO_CREDENTIAL, naming the variable, where there is no key. `what` begins the sentence: 'search'. */
export function needKey(what: string): string {
  const key = first(KEYS);
  if (key !== undefined) return key;
  throw new ToolError(
    'NO_CREDENTIAL',
    `${what} needs a key: set ${KEYS[0]} (or ${KEYS.slice(1).join(', ')}) for this server`,
    { variable: KEYS[0] },
  );
}

/** Without a slash at its end. */
export function planeBase(): string {
  return (first(BASES) ?? DEFAULT_BASE).replace(/\/+$/, '');
}

/** POSTs JSON with the key. Rejects with the network's own error (its message names the address, never the key). */
export async function askPlane(config: Config, key: string, request: PlaneRequest): Promise<PlaneAnswer> {
  const { createClient } = await import('@hanzo/net');
  // The operator names this address, and a plane of one's own may well be on this machine; the key goes nowhere else.
  const client = createClient({
    allowPrivate: true,
    userAgent: `hanzo-mcp/${config.version}`,
    maxBytes: LARGEST_ANSWER,
  });
  try {
    const answer = await client.request(`${planeBase()}${request.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request.body),
      redirect: 'error',
      timeoutMs: request.timeoutMs,
      idleMs: request.timeoutMs,
      signal: request.signal,
    });
    return { status: answer.status, body: Buffer.from(await answer.body.bytes()).toString('utf8') };
  } finally {
    await client.close();
  }
}

/** What a refusal says, on one line: its own sentence where it has one, else the start of its body. */
export function reasonIn(body: string): string {
  let said: unknown = body;
  try {
    const value = record(JSON.parse(body));
    const error = value?.get('error');
    said = [record(error)?.get('message'), value?.get('msg'), value?.get('message'), error, value?.get('detail')].find(
      (each) => typeof each === 'string' && each !== '',
    );
  } catch {
    // plain text
  }
  return shorten((typeof said === 'string' ? said : body).replaceAll(/\s+/g, ' ').trim(), LONGEST_REASON);
}

/** The members of an object; undefined for anything else. */
export function record(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : undefined;
}

function first(names: readonly string[]): string | undefined {
  return names.map((name) => process.env[name]?.trim()).find((value) => value !== undefined && value !== '');
}
