// The first question to a server finds out how it wants to be asked: plainly first, and more only where it says so.
import type { Bound } from './bound.ts';
import type { Dialect, Reply } from './dialects/dialect.ts';
import { createModern, supports } from './dialects/modern.ts';
import { createPlain } from './dialects/plain.ts';
import { createSession } from './dialects/session.ts';
import { answered, RemoteFailure } from './failure.ts';
import type { Answer, Endpoint, Wire } from './wire.ts';

/** The dialect that works, and the first page of tools it gave. Rejects with the failure that tells most. */
export async function negotiate(
  wire: Wire,
  version: string,
  endpoint: Endpoint,
  bound: Bound,
): Promise<{ readonly dialect: Dialect; readonly first: Reply }> {
  const answer = await wire.ask(endpoint, { method: 'tools/list', params: {} }, bound);
  if (answer.result !== undefined) {
    return { dialect: createPlain(wire), first: { result: answer.result, bytes: answer.bytes } };
  }
  const plainly = answered(answer.status, answer.error, endpoint);
  if (!wantsMore(answer)) throw plainly;
  const makers = [createSession, createModern];
  if (supports(answer.error?.data)) makers.reverse();
  for (const make of makers) {
    const dialect = make(wire, version);
    try {
      return { dialect, first: await dialect.request(endpoint, 'tools/list', {}, bound) };
    } catch (error) {
      dialect.end();
      // only what the server says of the request itself leads on: not a refusal, not silence, not a failure of its own
      if (!(error instanceof RemoteFailure) || !leadsOn(error)) throw error;
    }
  }
  throw plainly;
}

function wantsMore({ status, error }: Answer): boolean {
  if (status === 401 || status === 403 || status === 429) return false;
  return error !== undefined || (status >= 400 && status < 500);
}

function leadsOn({ status, http, rpc }: RemoteFailure): boolean {
  return status === 'error' && http !== undefined && http !== 429 && (rpc !== undefined || (http >= 400 && http < 500));
}
