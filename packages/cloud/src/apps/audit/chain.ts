// The chain: each row carries the hash of itself and the one before, so that a row that is changed, dropped or put in shows.
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';

/** One row as it is kept, served and exported (contract, tool plane 5.3). */
export interface AuditRow {
  /** from 1, without gaps, of the organization */
  readonly seq: number;
  /** Unix seconds */
  readonly time: number;
  readonly actor: { readonly org: string; readonly sub: string; readonly email?: string };
  readonly action: string;
  readonly resource: { readonly type: string; readonly id?: string };
  readonly auth: { readonly method: string; readonly isAdmin: boolean };
  readonly outcome: { readonly result: string; readonly status: number; readonly reason?: string };
  readonly sourceIp?: string;
  readonly userAgent?: string;
  readonly requestId?: string;
  readonly method?: string;
  readonly path?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly prevHash: string;
  readonly hash: string;
}

export const GENESIS = '0'.repeat(64);

/** SHA-256, in hex, of the row's canonical JSON with both hash members empty, followed by the previous hash. */
export function rowHash(row: Omit<AuditRow, 'hash' | 'prevHash'>, prevHash: string): string {
  return createHash('sha256')
    .update(canonicalJson({ ...row, prevHash: '', hash: '' }))
    .update(prevHash)
    .digest('hex');
}

export interface Broken {
  /** 1 is the first row that was given */
  readonly row: number;
  readonly org: string;
  readonly seq: number;
  /** what is wrong, as a sentence */
  readonly reason: string;
}

export type Verdict =
  | { readonly ok: true; readonly rows: number; readonly heads: ReadonlyMap<string, Head> }
  | { readonly ok: false; readonly rows: number; readonly broken: Broken };

/** The end of an organization's chain, as the store keeps it beside the rows. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/**
 * Checks rows in the order given; several organizations' may be mixed. `heads` says where each chain must end: without it,
 * rows missing at the end cannot be noticed.
 */
export async function verifyRows(
  rows: AsyncIterable<unknown> | Iterable<unknown>,
  heads?: ReadonlyMap<string, Head>,
): Promise<Verdict> {
  const last = new Map<string, Head>();
  let count = 0;
  for await (const value of rows) {
    count += 1;
    const row = asRow(value);
    const where = { row: count, org: row?.actor.org ?? '', seq: row?.seq ?? 0 };
    const fail = (reason: string): Verdict => ({ ok: false, rows: count, broken: { ...where, reason } });
    if (row === undefined) return fail('it is no audit row');
    const { hash, prevHash, ...rest } = row;
    const before = last.get(row.actor.org) ?? { seq: 0, hash: GENESIS };
    if (row.seq !== before.seq + 1)
      return fail(`its number is ${row.seq} where ${before.seq + 1} is due: a row is missing, doubled or moved`);
    if (prevHash !== before.hash) return fail('it does not follow the row before it');
    if (rowHash(rest, prevHash) !== hash) return fail('its content is not what its hash was made of');
    last.set(row.actor.org, { seq: row.seq, hash });
  }
  for (const [org, head] of heads ?? []) {
    const end = last.get(org) ?? { seq: 0, hash: GENESIS };
    if (end.seq !== head.seq || end.hash !== head.hash)
      return {
        ok: false,
        rows: count,
        broken: {
          row: count + 1,
          org,
          seq: end.seq + 1,
          reason: `the chain must end with row ${head.seq} and ends with ${end.seq}: rows are missing at its end`,
        },
      };
  }
  return { ok: true, rows: count, heads: last };
}

function asRow(value: unknown): AuditRow | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const row = value as Partial<AuditRow>;
  const whole =
    Number.isSafeInteger(row.seq) &&
    typeof row.hash === 'string' &&
    typeof row.prevHash === 'string' &&
    typeof row.actor?.org === 'string';
  return whole ? (row as AuditRow) : undefined;
}
