// For tests: calls an operation as a surface does, with its input validated and an identity settled before.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Identity } from '../core/identity.ts';
import type { Op, OpContext } from '../core/op.ts';
import { Problem } from '../core/problem.ts';
import type { Audit, AuditEntry } from '../ports/audit.ts';
import type { Clock, Ids } from '../ports/clock.ts';

export const testIds: Ids = { hex: (bytes) => randomBytes(bytes).toString('hex'), uuid: () => randomUUID() };

/** A clock that stands still until it is moved. */
export function testClock(start = 1_790_000_000_000): Clock & { advance(milliseconds: number): void } {
  let time = start;
  return {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
}

/** A member of an organization, as ingress would have settled them. */
export function person(org: string, more: Partial<Identity> = {}): Identity {
  return {
    org,
    project: 'default',
    user: `${org}-user`,
    owner: org,
    isAdmin: false,
    isOperator: false,
    kind: 'user',
    method: 'key',
    credential: 'key_1',
    publishable: false,
    ...more,
  };
}

export function testContext(identity: Identity | undefined, more: Partial<OpContext> = {}): OpContext {
  return {
    identity,
    requestId: randomUUID(),
    signal: new AbortController().signal,
    method: 'POST',
    path: '/v1/test',
    headers: new Map(),
    setHeader: () => undefined,
    ...more,
  };
}

/** What it was told, for tests that look. */
export function recordingAudit(): Audit & { readonly entries: (AuditEntry & { org?: string })[] } {
  const entries: (AuditEntry & { org?: string })[] = [];
  return {
    entries,
    async append(context, entry) {
      entries.push({ ...entry, org: context.identity?.org });
    },
  };
}

export interface RawInput {
  readonly params?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly body?: Record<string, unknown>;
}

/** Calls by id. Rejects with the Problem that the surface would write. */
export function testCaller(ops: readonly Op[]) {
  const byId = new Map(ops.map((each) => [each.id, each]));
  return async (
    identity: Identity | undefined,
    id: string,
    input: RawInput = {},
    more: Partial<OpContext> = {},
  ): Promise<unknown> => {
    const found = byId.get(id);
    if (found === undefined) throw new Error(`no operation ${id}`);
    if (found.auth !== 'none' && identity === undefined) throw new Problem(401, 'no credential');
    const allowed =
      found.auth === 'none' ||
      found.auth === 'member' ||
      identity?.isOperator === true ||
      (found.auth === 'admin' && identity?.isAdmin === true);
    if (!allowed) throw new Problem(403, 'not allowed');
    const part = (place: 'params' | 'query' | 'body'): unknown => {
      const parsed = found.input[place]?.safeParse(input[place] ?? {});
      if (parsed?.success === false) throw new Problem(400, parsed.error.message);
      return parsed?.data;
    };
    const taken = { params: part('params'), query: part('query'), body: part('body') } as Parameters<Op['run']>[1];
    const context = testContext(identity, { method: found.method, path: found.path, ...more });
    const answer = await found.run(context, taken);
    // an answer that is not of its schema is a fault of the operation
    return found.answer === undefined ? undefined : found.answer.parse(answer);
  };
}

/** The status a rejected promise has. */
export async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    if (error instanceof Problem) return error.status;
    throw error;
  }
}
