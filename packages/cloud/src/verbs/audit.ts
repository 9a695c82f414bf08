// `hanzo-cloud audit verify|export`: checks the record's chains, in a file without any plane or in the database, and writes the file.
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { type Verdict, verifyRows } from '../apps/audit/chain.ts';
import { type AuditService, createAuditService } from '../apps/audit/service.ts';
import { auditMigrations } from '../apps/audit/store.ts';
import type { Store } from '../ports/store.ts';
import { systemClock, systemIds, VerbError, type VerbContext, withStore } from './context.ts';

const AUDIT_USAGE = `hanzo-cloud audit verify FILE          checks an export (JSON, a row a line); no plane is needed
hanzo-cloud audit verify --db [--org ORG]   checks the database, its end too
hanzo-cloud audit export FILE [--org ORG]   writes every row, oldest first`;

/** Answers the exit code: 0 whole, 1 broken (the first broken row is named). */
export async function auditVerb(args: readonly string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parse(args);
  const [action, file, ...rest] = positionals;
  if (rest.length > 0) throw new VerbError(AUDIT_USAGE, 2);
  if (action === 'verify' && (file === undefined) === (values.db !== true)) throw new VerbError(AUDIT_USAGE, 2);
  if (action === 'verify' && file !== undefined) return report(await verifyFile(file), context, false);
  if (action === 'verify')
    return withStore(context, auditMigrations, async (store) =>
      report(await serviceOn(store).verify(values.org), context, true),
    );
  if (action === 'export' && file !== undefined && values.db !== true)
    return withStore(context, auditMigrations, async (store) => {
      const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
      await once(out, 'open');
      let count = 0;
      for await (const row of serviceOn(store).rows(values.org)) {
        count += 1;
        if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, 'drain');
      }
      out.end();
      await once(out, 'finish');
      context.print(`${count} rows`);
      return 0;
    });
  throw new VerbError(AUDIT_USAGE, 2);
}

function serviceOn(store: Store): AuditService {
  return createAuditService({ store, clock: systemClock, ids: systemIds });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { db: { type: 'boolean' }, org: { type: 'string' } },
    });
  } catch (error) {
    throw new VerbError(`${(error as Error).message}\n\n${AUDIT_USAGE}`, 2);
  }
}

/** Checks a file of rows, one a line. Rejects for a file that cannot be read. */
async function verifyFile(file: string): Promise<Verdict> {
  const input = createReadStream(file, { encoding: 'utf8' });
  await once(input, 'open').catch((error: Error) => {
    throw new VerbError(`${file} cannot be read: ${error.message}`);
  });
  return verifyRows(linesAsRows(createInterface({ input, crlfDelay: Infinity })));
}

async function* linesAsRows(lines: AsyncIterable<string>): AsyncGenerator<unknown> {
  for await (const line of lines) {
    if (line.trim() === '') continue;
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch {
      // told as the row it is not
      row = undefined;
    }
    yield row;
  }
}

function report(verdict: Verdict, { print }: VerbContext, toTheEnd: boolean): number {
  if (!verdict.ok) {
    const { row, org, seq, reason } = verdict.broken;
    print(`broken at row ${row}${org === '' ? '' : ` (${org}, number ${seq})`}: ${reason}`);
    return 1;
  }
  print(`${verdict.rows} rows, ${verdict.heads.size} ${verdict.heads.size === 1 ? 'chain' : 'chains'}: whole`);
  if (!toTheEnd)
    // a file cannot tell that it was cut; whoever has an earlier end can
    for (const [org, { seq, hash }] of verdict.heads) print(`${org} ends with number ${seq}, ${hash}`);
  return 0;
}
