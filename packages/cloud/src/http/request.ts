// What a request says, read once: its id, its headers without claims of identity, its address, its body within bounds.
import type { IncomingMessage } from 'node:http';
import { Problem } from '../core/problem.ts';

/** What a client says of itself is nothing (contract, tool plane 1.7); who it is comes from its credential alone. */
const CLAIMS = /^x-(?:org|user|owner|tenant|auth|forwarded-user|forwarded-email|is-?admin)(?:-|$)|^remote-user$/;
const NEVER = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The client's own id where it is a sane one. */
export function requestIdOf(given: string | null | undefined, fresh: () => string): string {
  return typeof given === 'string' && /^[A-Za-z0-9._:-]{1,128}$/.test(given) ? given : fresh();
}

/** Headers by lower-case name. One that came twice is both, so that of two credentials neither counts. */
export function headersOf({ headersDistinct }: IncomingMessage): { get(name: string): string | null } {
  return { get: (name) => headersDistinct[name]?.join(', ') ?? null };
}

/** Headers an operation may read: no credential, no claims. */
export function plainHeaders({ headersDistinct }: IncomingMessage): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (!NEVER.has(name) && !CLAIMS.test(name)) kept.set(name, values.join(', '));
  }
  return kept;
}

/** Where a request comes from; the header counts only behind a proxy that the operator vouches for. */
export function addressOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  const last = trustProxy && typeof forwarded === 'string' ? forwarded.split(',').at(-1)?.trim() : undefined;
  return last !== undefined && /^[0-9a-f.:]{2,45}$/i.test(last) ? last : socket.remoteAddress;
}

/** First values of a query string; names from outside go nowhere near a prototype. */
export function queryOf(url: URL): Readonly<Record<string, string>> {
  const query = Object.create(null) as Record<string, string>;
  for (const [name, value] of url.searchParams) query[name] ??= value;
  return query;
}

/** The JSON object of a body, `{}` where there is none. Rejects with Problem 400, 413 or 415. */
export async function bodyOf(request: IncomingMessage, most: number): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await read(request, most);
  if (bytes.byteLength === 0) return {};
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem(415, 'The body must be JSON, with Content-Type: application/json.');
  }
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new Problem(400, 'The body is not valid JSON in UTF-8.', { code: 'malformed_json', cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem(400, 'The body must be a JSON object.', { code: 'invalid_input' });
  }
  return value as Record<string, unknown>;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

async function read(request: IncomingMessage, most: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const tooLarge = (): Problem => new Problem(413, `The body must have at most ${most} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.byteLength;
    if (size <= most) return void chunks.push(chunk);
    // what still comes is nobody's; the answer goes out all the same
    request.off('data', take);
    request.resume();
    reject(tooLarge());
  };
  request.on('data', take);
  request.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => reject(new Error('the caller is gone')));
  return promise;
}
