// Appends to the record and reads it. One chain for each organization, so that each can check its own; written in batches.
import type { Transaction } from 'kysely';
import { OPERATOR_ORG } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import type { Audit } from '../../ports/audit.ts';
import type { Clock, Ids } from '../../ports/clock.ts';
import type { Store } from '../../ports/store.ts';
import { createBatch } from '../../store/batch.ts';
import { type AuditRow, GENESIS, type Head, rowHash, type Verdict, verifyRows } from './chain.ts';
import { redact, redactText } from './redact.ts';
import type { AuditTables } from './store.ts';

export interface AuditDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  /** told of rows that could not be written; they hold no secret and can be logged whole */
  readonly onLost?: (rows: readonly unknown[], error: unknown) => void;
}

export interface AuditFilter {
  /** left out: every organization */
  readonly org?: string;
  readonly action?: string;
  readonly sub?: string;
  readonly resource?: string;
  readonly result?: string;
  /** Unix seconds, inclusive */
  readonly since?: number;
  readonly until?: number;
}

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** give it back for the rows before these; absent at the end */
  readonly cursor?: string;
}

export interface AuditService extends Audit {
  /** newest first */
  page(filter: AuditFilter, limit: number, cursor?: string): Promise<AuditPage>;
  /** every row, oldest first, of one organization or of all, organization by organization */
  rows(org?: string): AsyncGenerator<AuditRow>;
  /** checks the store's own rows, and that none is missing at the end */
  verify(org?: string): Promise<Verdict>;
  settled(): Promise<void>;
}

interface Pending {
  readonly id: string;
  readonly row: Omit<AuditRow, 'seq' | 'prevHash' | 'hash'>;
}

const PAGE = 1000;

export function createAuditService({ store, clock, ids, onLost }: AuditDeps): AuditService {
  const db = () => store.db<AuditTables>();

  const batch = createBatch<Pending, AuditTables>(store, {
    // the head's row is locked: nodes take turns in an organization and chains do not fork
    async write(trx, items, again) {
      const written = again ? await writtenOf(trx, items) : new Set<string>();
      const byOrg = Map.groupBy(
        items.filter(({ id }) => !written.has(id)),
        ({ row }) => row.actor.org,
      );
      // always in the same order, so that two nodes never wait for each other
      for (const org of [...byOrg.keys()].sort()) await append(store, trx, org, byOrg.get(org) ?? []);
    },
    onLost: (items, error) =>
      onLost?.(
        items.map(({ row }) => row),
        error,
      ),
  });

  return {
    append({ identity, ip, userAgent, requestId, method, path }, entry) {
      const before = redact(entry.before);
      const after = redact(entry.after);
      const { id } = entry.resource;
      const { reason } = entry.outcome;
      return batch.add({
        id: ids.uuid(),
        row: {
          time: Math.floor(clock.now() / 1000),
          actor: {
            // what nobody of an organization did is the operators' to see
            org: identity?.org ?? OPERATOR_ORG,
            sub: identity?.user ?? '',
            ...(identity?.email === undefined ? {} : { email: identity.email }),
          },
          action: entry.action,
          resource: { type: entry.resource.type, ...(id === undefined ? {} : { id: redactText(id, 300) }) },
          auth: { method: identity?.method ?? 'none', isAdmin: identity?.isAdmin ?? false },
          outcome: {
            result: entry.outcome.result,
            status: entry.outcome.status,
            ...(reason === undefined ? {} : { reason: redactText(reason, 500) }),
          },
          ...(ip === undefined ? {} : { sourceIp: redactText(ip, 64) }),
          ...(userAgent === undefined ? {} : { userAgent: redactText(userAgent, 256) }),
          requestId: redactText(requestId, 128),
          method,
          path: redactText(path, 300),
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        },
      });
    },

    async page(filter, limit, cursor) {
      let query = db().selectFrom('audit_rows').selectAll();
      if (filter.org !== undefined) query = query.where('org', '=', filter.org);
      if (filter.action !== undefined) query = query.where('action', '=', filter.action);
      if (filter.sub !== undefined) query = query.where('sub', '=', filter.sub);
      if (filter.resource !== undefined) query = query.where('resource_id', '=', filter.resource);
      if (filter.result !== undefined) query = query.where('result', '=', filter.result);
      if (filter.since !== undefined) query = query.where('time', '>=', filter.since);
      if (filter.until !== undefined) query = query.where('time', '<=', filter.until);
      const from = parseCursor(cursor);
      if (from !== undefined)
        query = query.where((e) =>
          e.or([
            e('time', '<', from.time),
            e.and([e('time', '=', from.time), e('org', '<', from.org)]),
            e.and([e('time', '=', from.time), e('org', '=', from.org), e('seq', '<', from.seq)]),
          ]),
        );
      const found = await query
        .orderBy('time', 'desc')
        .orderBy('org', 'desc')
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      const rows = found.slice(0, limit);
      const end = rows.at(-1);
      return {
        rows: rows.map(asRow),
        ...(found.length > limit && end !== undefined ? { cursor: formatCursor(end) } : {}),
      };
    },

    async *rows(org) {
      yield* upToHeads(store, await headsOf(store, org));
    },

    async verify(org) {
      const heads = await headsOf(store, org);
      return verifyRows(upToHeads(store, heads), heads);
    },

    settled: () => batch.settled(),
  };
}

async function append(
  store: Store,
  trx: Transaction<AuditTables>,
  org: string,
  items: readonly Pending[],
): Promise<void> {
  const headOf = (): Promise<Head | undefined> =>
    trx
      .selectFrom('audit_heads')
      .select(['seq', 'hash'])
      .where('org', '=', org)
      .$if(store.dialect === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
  let head = await headOf();
  if (head === undefined) {
    await trx
      .insertInto('audit_heads')
      .values({ org, seq: 0, hash: GENESIS })
      .onConflict((conflict) => conflict.column('org').doNothing())
      .execute();
    // another node may have been first
    head = (await headOf()) ?? { seq: 0, hash: GENESIS };
  }
  let { seq, hash } = head;
  const rows = items.map(({ id, row }) => {
    seq += 1;
    const prevHash = hash;
    const body = { seq, ...row };
    hash = rowHash(body, prevHash);
    return {
      org,
      seq,
      time: row.time,
      action: row.action,
      resource_type: row.resource.type,
      resource_id: withoutNul(row.resource.id ?? null),
      result: row.outcome.result,
      sub: row.actor.sub,
      body: JSON.stringify(body),
      prev_hash: prevHash,
      hash,
      append_id: id,
    };
  });
  // 12 values each, and 32,766 are the most of one statement on SQLite
  for (let at = 0; at < rows.length; at += 250)
    await trx
      .insertInto('audit_rows')
      .values(rows.slice(at, at + 250))
      .execute();
  await trx.updateTable('audit_heads').set({ seq, hash }).where('org', '=', org).execute();
}

/** PostgreSQL keeps no NUL in a text; in the row itself it stands as an escape. */
function withoutNul(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '�');
}

async function writtenOf(trx: Transaction<AuditTables>, items: readonly Pending[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('audit_rows')
    .select('append_id')
    .where(
      'append_id',
      'in',
      items.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map((row) => row.append_id));
}

async function headsOf(store: Store, org: string | undefined): Promise<Map<string, Head>> {
  let query = store.db<AuditTables>().selectFrom('audit_heads').selectAll().orderBy('org');
  if (org !== undefined) query = query.where('org', '=', org);
  return new Map((await query.execute()).map((row) => [row.org, { seq: row.seq, hash: row.hash }]));
}

async function* upToHeads(store: Store, heads: ReadonlyMap<string, Head>): AsyncGenerator<AuditRow> {
  for (const [org, { seq }] of heads) yield* upTo(store, org, seq);
}

async function* upTo(store: Store, org: string, last: number): AsyncGenerator<AuditRow> {
  for (let after = 0; after < last;) {
    const rows = await store
      .db<AuditTables>()
      .selectFrom('audit_rows')
      .selectAll()
      .where('org', '=', org)
      .where('seq', '>', after)
      .where('seq', '<=', last)
      .orderBy('seq')
      .limit(PAGE)
      .execute();
    for (const row of rows) yield asRow(row);
    const end = rows.at(-1);
    if (end === undefined) return;
    after = end.seq;
  }
}

function asRow(row: AuditTables['audit_rows']): AuditRow {
  const body = JSON.parse(row.body) as Omit<AuditRow, 'hash' | 'prevHash'>;
  return { ...body, prevHash: row.prev_hash, hash: row.hash };
}

function formatCursor({ time, org, seq }: AuditTables['audit_rows']): string {
  return Buffer.from(JSON.stringify([time, org, seq])).toString('base64url');
}

function parseCursor(cursor: string | undefined): { time: number; org: string; seq: number } | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [time, org, seq] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (Number.isSafeInteger(time) && typeof org === 'string' && Number.isSafeInteger(seq))
      return { time: time as number, org: org.replaceAll('\0', ''), seq: seq as number };
  } catch {
    // told below, as any other text that is no cursor
  }
  throw new Problem(400, "'cursor' is not one that an earlier answer gave.");
}
