// The verbs on a plane's database, beside a plane that is running.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createAuditApp } from '../apps/audit/index.ts';
import { auditMigrations } from '../apps/audit/store.ts';
import { createIamApp } from '../apps/iam/index.ts';
import { iamMigrations } from '../apps/iam/migrations.ts';
import type { Store } from '../ports/store.ts';
import { postgresBinaries } from '../store/cluster.ts';
import { createStore } from '../store/index.ts';
import { describeStores } from '../store/testkit.ts';
import { recordingAudit, testContext, testIds } from '../testing/caller.ts';
import { createVault, loadKeks, vaultMigrations } from '../vault/index.ts';
import { auditVerb } from './audit.ts';
import { backupVerb, restoreVerb } from './backup.ts';
import { systemClock, type VerbContext, VerbError } from './context.ts';
import { keysVerb } from './keys.ts';

function contextOf(database: string) {
  const printed: string[] = [];
  const warned: string[] = [];
  const context: VerbContext = {
    database,
    print: (line) => printed.push(line),
    warn: (line) => warned.push(line),
  };
  return { context, printed, warned };
}

const migrations = [...iamMigrations, ...auditMigrations, ...vaultMigrations];
const deps = (store: Store) => ({ store, clock: systemClock, ids: testIds });
const bearer = (key: string): Headers => new Headers({ authorization: `Bearer ${key}` });

describeStores('the verbs', ({ open, database, dialect, folder }) => {
  test('keys are made, listed and revoked beside a running plane', async () => {
    const at = await database();
    const iam = createIamApp({
      ...deps(await open(migrations, { database: at, exclusive: true })),
      audit: recordingAudit(),
    });
    await iam.service.bootstrap();
    const { context, printed, warned } = contextOf(at);
    expect(await keysVerb(['create', '--name', 'spare', '--expires', '30'], context)).toBe(0);
    const [key = ''] = printed;
    expect(key).toMatch(/^sk-[0-9a-f]{48}$/);
    expect(warned.join()).not.toContain(key);
    expect(await iam.service.ingress.identify(bearer(key))).toMatchObject({ org: 'admin', isOperator: true });
    expect(await keysVerb(['create', '--machine', '--name', 'robot', '--json'], context)).toBe(0);
    printed.length = 0;
    await keysVerb(['list'], context);
    expect(printed.map((line) => line.split('\t')[0])).toEqual(['first', 'robot', 'spare']);
    expect(printed.join()).not.toContain(key);
    expect(await keysVerb(['revoke', 'spare'], context)).toBe(0);
    await expect
      .poll(
        () =>
          iam.service.ingress.identify(bearer(key)).then(
            () => 'in',
            () => 'out',
          ),
        { timeout: 20_000 },
      )
      .toBe('out');
    const record = await auditVerb(['export', path.join(folder, `keys-${dialect}`)], context);
    const acts = readFileSync(path.join(folder, `keys-${dialect}`), 'utf8')
      .trimEnd()
      .split('\n');
    expect(record).toBe(0);
    expect(acts.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
      'hanzo-cloud keys create',
      'hanzo-cloud keys create',
      'hanzo-cloud keys revoke',
    ]);
    await expect(keysVerb(['revoke', 'spare'], context)).rejects.toThrow("'admin' has no live key 'spare'");
    await expect(keysVerb(['create', '--user', 'admin/nobody'], context)).rejects.toThrow('is no member of');
    await expect(keysVerb(['create', '--org', 'acme'], context)).rejects.toMatchObject({ exitCode: 2 });
    await expect(keysVerb(['create', '--wrong'], context)).rejects.toMatchObject({ exitCode: 2 });
    await expect(keysVerb([], context)).rejects.toMatchObject({ exitCode: 2 });
  });

  test('the record is exported and checked without the plane; the first broken row is named', async () => {
    const at = await database();
    const audit = createAuditApp(deps(await open(migrations, { database: at })));
    for (const org of ['acme', 'rival'])
      for (const id of ['a', 'b', 'c'])
        await audit.service.append(
          testContext({
            org,
            project: 'default',
            user: 'u',
            owner: org,
            isAdmin: true,
            isOperator: false,
            kind: 'user',
            method: 'key',
            credential: 'k',
            publishable: false,
          }),
          { action: 'tools.call', resource: { type: 'tools', id }, outcome: { result: 'ok', status: 200 } },
        );
    const { context, printed } = contextOf(at);
    const file = path.join(folder, `export-${dialect}`);
    expect(await auditVerb(['export', file], context)).toBe(0);
    expect(await auditVerb(['verify', file], contextOf('/nowhere').context)).toBe(0);
    expect(await auditVerb(['verify', '--db'], context)).toBe(0);
    expect(printed).toEqual(['6 rows', '6 rows, 2 chains: whole']);
    await expect(auditVerb(['export', file], context)).rejects.toThrow('EEXIST');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const broken = `${file}-broken`;
    const edited = lines.map((line, index) => (index === 4 ? line.replace('"ok"', '"no"') : line));
    writeFileSync(broken, edited.join('\n'));
    printed.length = 0;
    expect(await auditVerb(['verify', broken], context)).toBe(1);
    writeFileSync(broken, [...lines.slice(0, 1), ...lines.slice(2)].join('\r\n'));
    expect(await auditVerb(['verify', broken], context)).toBe(1);
    writeFileSync(broken, `${lines[0]}\n{"half":`);
    expect(await auditVerb(['verify', broken], context)).toBe(1);
    expect(printed).toEqual([
      'broken at row 5 (rival, number 2): its content is not what its hash was made of',
      'broken at row 2 (acme, number 3): its number is 3 where 2 is due: a row is missing, doubled or moved',
      'broken at row 2: it is no audit row',
    ]);
    await expect(auditVerb(['verify', `${file}-none`], context)).rejects.toThrow('cannot be read');
    await expect(auditVerb(['verify'], context)).rejects.toMatchObject({ exitCode: 2 });
  });

  test('a plane that is not there, or of another version, is told as that', async () => {
    if (dialect === 'sqlite')
      await expect(keysVerb(['list'], contextOf(path.join(folder, 'none.db')).context)).rejects.toThrow(
        "there is no plane's database at",
      );
    const at = await database();
    await (await createStore({ database: at })).close();
    await expect(keysVerb(['list'], contextOf(at).context)).rejects.toThrow('start the plane once');
  });

  test.runIf(dialect === 'sqlite')(
    'a backup made under load is whole, restores, and has no secret in the clear',
    async () => {
      const at = await database();
      const env = { HANZO_KEK: Buffer.alloc(32, 7).toString('base64') };
      const store = await open(migrations, { database: at, exclusive: true });
      const iam = createIamApp({ ...deps(store), audit: recordingAudit() });
      const vault = createVault({ ...deps(store), keks: loadKeks({ env }) });
      const first = await iam.service.bootstrap();
      await vault.put('acme', 'r', new TextEncoder().encode('canary-in-the-backup'));
      const file = path.join(folder, 'plane.backup');
      const { context, warned, printed } = contextOf(at);
      const writes = Promise.all(
        Array.from({ length: 200 }, (_, index) => iam.service.directory.createOrganization(`org-${index}`)),
      );
      expect(await backupVerb([file], context)).toBe(0);
      await writes;
      expect(warned.join()).toContain('key is not in it');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const content = readFileSync(file);
      for (const secret of ['canary-in-the-backup', first?.secret ?? '?', env.HANZO_KEK])
        expect(content.includes(secret)).toBe(false);
      await expect(backupVerb([file], context)).rejects.toThrow('overwrites nothing');
      await expect(restoreVerb([file], context)).rejects.toThrow('stop the plane first');
      await iam.service.directory.createOrganization('after-the-backup');
      await store.close();
      expect(await restoreVerb([file], context)).toBe(0);
      expect(printed.join()).toContain(`${at}.before-restore-1`);
      const again = await open(migrations, { database: at, exclusive: true });
      const iamAgain = createIamApp({ ...deps(again), audit: recordingAudit() });
      expect(await iamAgain.service.ingress.identify(bearer(first?.secret ?? ''))).toMatchObject({ org: 'admin' });
      expect(await iamAgain.service.directory.organization('after-the-backup')).toBeUndefined();
      const vaultAgain = createVault({ ...deps(again), keks: loadKeks({ env }) });
      expect(new TextDecoder().decode(await vaultAgain.get('acme', 'r'))).toBe('canary-in-the-backup');
      const damaged = path.join(folder, 'damaged');
      writeFileSync(damaged, content.subarray(0, 5000));
      await again.close();
      await expect(restoreVerb([damaged], context)).rejects.toThrow('is no whole database of a plane');
      await expect(restoreVerb([path.join(folder, 'none')], context)).rejects.toThrow('there is no file');
      const aside = await open(migrations, { database: `${at}.before-restore-1`, exclusive: true });
      const iamAside = createIamApp({ ...deps(aside), audit: recordingAudit() });
      expect((await iamAside.service.directory.organization('after-the-backup'))?.name).toBe('after-the-backup');
      expect(existsSync(`${at}.restoring`)).toBe(false);
    },
  );

  test.runIf(dialect === 'postgres')('PostgreSQL goes through pg_dump and pg_restore as documented', async () => {
    const [at, into] = [await database(), await database()];
    const iam = createIamApp({ ...deps(await open(migrations, { database: at })), audit: recordingAudit() });
    const first = await iam.service.bootstrap();
    const file = path.join(folder, 'plane.dump');
    const { context, warned } = contextOf(at);
    expect(await backupVerb([file], context)).toBe(1);
    expect(warned[0]).toContain('pg_dump --format=custom');
    const run = (program: string, args: string[]) => execFileSync(path.join(postgresBinaries() ?? '', program), args);
    run('pg_dump', ['--format=custom', `--file=${file}`, at]);
    run('pg_restore', ['--clean', '--if-exists', `--dbname=${into}`, file]);
    const restored = createIamApp({ ...deps(await open(migrations, { database: into })), audit: recordingAudit() });
    expect(await restored.service.ingress.identify(bearer(first?.secret ?? ''))).toMatchObject({ org: 'admin' });
  });

  test('a wrong command says what is right', async () => {
    const { context } = contextOf(await database());
    await expect(backupVerb([], context)).rejects.toThrow(VerbError);
    await expect(restoreVerb(['--force', 'x'], context)).rejects.toThrow('hanzo-cloud restore FILE');
  });
});
