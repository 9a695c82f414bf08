// `hanzo-cloud keys create|list|revoke`: keys by whoever has the database, for the first start and for the day nobody has a key.
import { parseArgs } from 'node:util';
import { createAuditService } from '../apps/audit/service.ts';
import { auditMigrations } from '../apps/audit/store.ts';
import { createKeys, type Keys } from '../apps/iam/keys.ts';
import { iamMigrations } from '../apps/iam/migrations.ts';
import { createDirectory } from '../apps/iam/service.ts';
import { keyOut } from '../apps/iam/shapes.ts';
import { OPERATOR_ORG } from '../core/identity.ts';
import { byHand, systemClock, systemIds, VerbError, type VerbContext, withStore } from './context.ts';

const KEYS_USAGE = `hanzo-cloud keys create [--org ORG] [--user OWNER/NAME | --machine] [--name NAME] [--project PROJECT]
                        [--expires DAYS] [--publishable] [--json]
hanzo-cloud keys list   [--org ORG] [--json]
hanzo-cloud keys revoke [--org ORG] NAME

ORG is 'admin' where it is left out; a key is OWNER/NAME 'admin/admin's there.`;

/** Answers the exit code. The plane may be running: it notices within a second. */
export async function keysVerb(args: readonly string[], context: VerbContext): Promise<number> {
  const { values, positionals } = parse(args);
  const [action, ...rest] = positionals;
  const org = values.org ?? OPERATOR_ORG;
  return withStore(context, [...iamMigrations, ...auditMigrations], async (store) => {
    const deps = { store, clock: systemClock, ids: systemIds };
    const audit = createAuditService(deps);
    // whoever has the database is nobody in particular: the operators' record says what was done
    const record = (act: 'create' | 'revoke', id: string): Promise<void> =>
      audit.append(byHand(`hanzo-cloud keys ${act}`), {
        action: `iam.key.${act}`,
        resource: { type: 'keys', id },
        outcome: { result: 'ok', status: 200 },
        after: { org },
      });
    const keys = createKeys(deps);
    switch (action) {
      case 'create': {
        if (rest.length > 0) throw new VerbError(`'${rest.join(' ')}' is not understood\n\n${KEYS_USAGE}`, 2);
        if (values.machine === true && values.user !== undefined)
          throw new VerbError('give --user or --machine, not both', 2);
        const person = values.user ?? (org === OPERATOR_ORG ? `${OPERATOR_ORG}/admin` : undefined);
        if (values.machine !== true && person === undefined)
          throw new VerbError('say whose key it is: --user OWNER/NAME, or --machine', 2);
        const [owner = '', name = ''] = (person ?? '').split('/');
        const member = values.machine === true ? undefined : await createDirectory(deps).member(org, owner, name);
        if (values.machine !== true && member === undefined)
          throw new VerbError(`'${person}' is no member of '${org}'`);
        const made = await keys.create({
          org,
          name: values.name,
          userId: member?.user.id,
          project: values.project,
          type: values.publishable === true ? 'publishable' : 'secret',
          expires: expiry(values.expires),
        });
        await record('create', made.key.id);
        if (values.json === true) context.print(json({ ...keyOut(made.key, systemClock.now()), secret: made.secret }));
        else {
          context.print(made.secret);
          context.warn(`This is the key '${made.key.name}' of ${org}. It is shown this once and kept nowhere.`);
        }
        return 0;
      }
      case 'list': {
        const rows = await allOf(keys, org);
        const shown = rows.map((key) => keyOut(key, systemClock.now()));
        if (values.json === true) context.print(json({ keys: shown, total: shown.length }));
        else
          for (const key of shown)
            context.print(
              [key.name, key.accessKey, key.state, key.user || '(machine)', key.scope || '(any project)'].join('\t'),
            );
        return 0;
      }
      case 'revoke': {
        const [name] = rest;
        if (name === undefined || rest.length > 1)
          throw new VerbError(`name the one key to revoke\n\n${KEYS_USAGE}`, 2);
        if (!(await keys.revoke(org, name))) throw new VerbError(`'${org}' has no live key '${name}'`);
        await record('revoke', name);
        context.print(`revoked ${name}`);
        return 0;
      }
      default:
        throw new VerbError(KEYS_USAGE, 2);
    }
  });
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        org: { type: 'string' },
        user: { type: 'string' },
        machine: { type: 'boolean' },
        name: { type: 'string' },
        project: { type: 'string' },
        expires: { type: 'string' },
        publishable: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new VerbError(`${(error as Error).message}\n\n${KEYS_USAGE}`, 2);
  }
}

/** Unix seconds of so many days from now. */
function expiry(days: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(days)) throw new VerbError('--expires takes a number of days', 2);
  return Math.floor(systemClock.now() / 1000) + Number(days) * 86_400;
}

async function allOf(keys: Keys, org: string) {
  const { rows } = await keys.list(org, {}, { limit: 100_000, offset: 0 });
  return rows;
}
