// The vault: what is sealed opens in its own place, under its own keys, and nowhere else; nothing of it lies about.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createKmsApp } from '../apps/kms/index.ts';
import type { Identity } from '../core/identity.ts';
import { Problem } from '../core/problem.ts';
import type { Store } from '../ports/store.ts';
import { describeStores } from '../store/testkit.ts';
import { recordingAudit, statusOf, testCaller, testClock, testIds } from '../testing/caller.ts';
import { createVault, type Keks, loadKeks, vaultMigrations } from './index.ts';
import { seal, unseal } from './seal.ts';
import type { VaultTables } from './store.ts';

const newKek = (): string => randomBytes(32).toString('base64');
const keksOf = (...keys: string[]): Keks =>
  loadKeks({ env: { HANZO_KEK: keys[0], HANZO_KEK_PREVIOUS: keys.slice(1).join(',') } });

const vaultOn = (store: Store, keks: Keks) => createVault({ store, keks, clock: testClock(), ids: testIds });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (value: Uint8Array | undefined): string | undefined => value && new TextDecoder().decode(value);

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return error instanceof Problem ? `${error.status} ${error.code}` : String(error);
  }
}

function admin(org: string, more: Partial<Identity> = {}): Identity {
  return {
    org,
    project: 'default',
    user: `${org}-user`,
    owner: org,
    isAdmin: true,
    isOperator: false,
    kind: 'user',
    method: 'key',
    credential: 'key_1',
    publishable: false,
    ...more,
  };
}

describeStores('the vault', ({ open, database, dialect, folder }) => {
  test('what is put in comes out, of its own organization and reference only; deleted it is gone', async () => {
    const vault = vaultOn(await open(vaultMigrations), keksOf(newKek()));
    await vault.put('acme', 'orgs/acme/a', bytes('one'));
    await vault.put('rival', 'orgs/acme/a', bytes('theirs'));
    await vault.put('acme', 'orgs/acme/a', bytes('two'));
    expect(textOf(await vault.get('acme', 'orgs/acme/a'))).toBe('two');
    expect(textOf(await vault.get('rival', 'orgs/acme/a'))).toBe('theirs');
    expect(await vault.get('acme', 'orgs/acme/b')).toBeUndefined();
    await vault.delete('acme', 'orgs/acme/a');
    await vault.delete('acme', 'orgs/acme/a');
    expect(await vault.get('acme', 'orgs/acme/a')).toBeUndefined();
    expect(textOf(await vault.get('rival', 'orgs/acme/a'))).toBe('theirs');
  });

  test('a sealed value that is moved, changed or taken back to an older one does not open', async () => {
    const store = await open(vaultMigrations);
    const vault = vaultOn(store, keksOf(newKek()));
    const db = store.db<VaultTables>();
    const row = (ref: string) =>
      db.selectFrom('vault_values').selectAll().where('ref', '=', ref).executeTakeFirstOrThrow();
    const set = (ref: string, sealed: Uint8Array) =>
      db.updateTable('vault_values').set({ sealed }).where('ref', '=', ref).execute();
    await vault.put('acme', 'a', bytes('old'));
    const old = await row('a');
    await vault.put('acme', 'a', bytes('one'));
    await vault.put('acme', 'b', bytes('two'));
    const now = await row('a');
    await set('a', old.sealed);
    expect(await codeOf(vault.get('acme', 'a'))).toBe('500 vault_damaged');
    await set('a', (await row('b')).sealed);
    expect(await codeOf(vault.get('acme', 'a'))).toBe('500 vault_damaged');
    const flipped = Uint8Array.from(now.sealed);
    flipped[flipped.length - 1]! ^= 1;
    await set('a', flipped);
    expect(await codeOf(vault.get('acme', 'a'))).toBe('500 vault_damaged');
    await set('a', now.sealed);
    expect(textOf(await vault.get('acme', 'a'))).toBe('one');
    await db.updateTable('vault_values').set({ org: 'rival' }).where('ref', '=', 'a').execute();
    expect(await codeOf(vault.get('rival', 'a'))).toBe('500 vault_damaged');
  });

  test('without a key nothing is kept and everybody is told; with another key nothing opens', async () => {
    const at = await database();
    const store = await open(vaultMigrations, { database: at });
    const none = vaultOn(store, []);
    expect(none.available).toBe(false);
    expect(await codeOf(none.put('acme', 'a', bytes('x')))).toBe('503 vault_unavailable');
    expect(await store.db<VaultTables>().selectFrom('vault_values').selectAll().execute()).toEqual([]);
    expect(await none.get('acme', 'a')).toBeUndefined();
    await vaultOn(store, keksOf(newKek())).put('acme', 'a', bytes('x'));
    expect(await codeOf(vaultOn(store, keksOf(newKek())).get('acme', 'a'))).toBe('503 vault_key_missing');
    expect(await codeOf(none.get('acme', 'a'))).toBe('503 vault_key_missing');
  });

  test('a new key-encryption key wraps the data keys anew; then the old one is not needed', async () => {
    const store = await open(vaultMigrations);
    const [old, fresh] = [newKek(), newKek()];
    const before = vaultOn(store, keksOf(old));
    for (const org of ['a', 'b', 'c']) await before.put(org, 'r', bytes(org));
    const both = vaultOn(store, keksOf(fresh, old));
    expect(textOf(await both.get('a', 'r'))).toBe('a');
    expect(await both.rewrap()).toBe(3);
    expect(await both.rewrap()).toBe(0);
    const after = vaultOn(store, keksOf(fresh));
    for (const org of ['a', 'b', 'c']) expect(textOf(await after.get(org, 'r'))).toBe(org);
    expect(await codeOf(vaultOn(store, keksOf(old)).get('a', 'r'))).toBe('503 vault_key_missing');
  });

  test('a new data key seals all values anew and the old one is gone', async () => {
    const store = await open(vaultMigrations);
    const vault = vaultOn(store, keksOf(newKek()));
    for (let index = 0; index < 20; index += 1) await vault.put('acme', `r${index}`, bytes(`v${index}`));
    await vault.put('rival', 'r', bytes('theirs'));
    const keys = () => store.db<VaultTables>().selectFrom('vault_keys').select(['org', 'id']).orderBy('org').execute();
    const before = await keys();
    expect(await vault.rotate('acme')).toBe(20);
    const after = await keys();
    expect(after.map(({ org }) => org)).toEqual(['acme', 'rival']);
    expect(after[0]?.id).not.toBe(before[0]?.id);
    expect(after[1]?.id).toBe(before[1]?.id);
    for (let index = 0; index < 20; index += 1) expect(textOf(await vault.get('acme', `r${index}`))).toBe(`v${index}`);
    expect(textOf(await vault.get('rival', 'r'))).toBe('theirs');
  });

  test('nodes that put at once agree on one data key', async () => {
    const at = await database();
    const keks = keksOf(newKek());
    const nodes = await Promise.all(
      [0, 1, 2].map(async () => vaultOn(await open(vaultMigrations, { database: at, exclusive: false }), keks)),
    );
    await Promise.all(nodes.map((vault, index) => vault.put('acme', `r${index}`, bytes(`${index}`))));
    for (const [index, vault] of nodes.entries())
      expect(textOf(await vault.get('acme', `r${(index + 1) % 3}`))).toBe(`${(index + 1) % 3}`);
    await nodes[0]?.rotate('acme');
    expect(textOf(await nodes[1]?.get('acme', 'r2'))).toBe('2');
  });

  test('what nothing points to is listed, and an organization’s end destroys all it had', async () => {
    const vault = vaultOn(await open(vaultMigrations), keksOf(newKek()));
    await vault.put('acme', 'orgs/acme/tools-mcp/m1', bytes('1'));
    await vault.put('acme', 'orgs/acme/tools-mcp/m2', bytes('2'));
    await vault.put('acme', 'orgs/acme/tools-mcp-other', bytes('3'));
    await vault.put('rival', 'orgs/rival/tools-mcp/m1', bytes('4'));
    expect(await vault.list('acme', 'orgs/acme/tools-mcp/')).toEqual([
      'orgs/acme/tools-mcp/m1',
      'orgs/acme/tools-mcp/m2',
    ]);
    const orphans = await vault.orphans(async (_, refs) => new Set(refs.filter((ref) => ref.endsWith('m1'))));
    expect(orphans.map(({ ref }) => ref)).toEqual(['orgs/acme/tools-mcp-other', 'orgs/acme/tools-mcp/m2']);
    await vault.deleteAll('acme');
    expect(await vault.list('acme', '')).toEqual([]);
    expect(textOf(await vault.get('rival', 'orgs/rival/tools-mcp/m1'))).toBe('4');
  });

  test('secrets by name: an admin’s own organization’s, never in lists, records or the database', async () => {
    const store = await open(vaultMigrations);
    const audit = recordingAudit();
    const app = createKmsApp({ vault: vaultOn(store, keksOf(newKek())), audit });
    const call = testCaller(app.ops);
    const canary = 'canary-7f3d-the-value';
    const secret = { params: { name: 'STRIPE_KEY' } };
    const put = { ...secret, body: { value: canary, env: 'prod' } };
    const inProd = { ...secret, query: { env: 'prod' } };
    expect(await call(admin('acme'), 'put_kms_secrets_by_name', put)).toEqual({ name: 'STRIPE_KEY', env: 'prod' });
    expect(await call(admin('acme'), 'get_kms_secrets', { query: { env: 'prod' } })).toEqual({
      secrets: [{ name: 'STRIPE_KEY', env: 'prod' }],
      total: 1,
    });
    expect(await call(admin('acme'), 'get_kms_secrets_by_name', inProd)).toEqual({
      name: 'STRIPE_KEY',
      env: 'prod',
      value: canary,
    });
    expect(await statusOf(call(admin('acme'), 'get_kms_secrets_by_name', secret))).toBe(404);
    for (const other of [admin('rival'), admin('admin', { isOperator: true })]) {
      expect(await statusOf(call(other, 'get_kms_secrets_by_name', inProd))).toBe(404);
      expect(await statusOf(call(other, 'delete_kms_secrets_by_name', inProd))).toBe(404);
    }
    expect(await statusOf(call(admin('acme', { isAdmin: false }), 'get_kms_secrets_by_name', inProd))).toBe(403);
    for (const name of ['../x', 'a/b', '', 'a%2fb', 'ä'])
      expect(await statusOf(call(admin('acme'), 'put_kms_secrets_by_name', { ...put, params: { name } }))).toBe(400);
    const large = { ...secret, body: { value: 'x'.repeat(65_537) } };
    expect(await statusOf(call(admin('acme'), 'put_kms_secrets_by_name', large))).toBe(400);
    expect(JSON.stringify(audit.entries)).not.toContain('canary');
    expect(audit.entries.map(({ action }) => action)).toEqual(['kms.secret.put', 'kms.secret.read']);
    expect(app.ops.filter(({ discloses }) => discloses).map(({ id }) => id)).toEqual(['get_kms_secrets_by_name']);
    const rows = await store.db<VaultTables>().selectFrom('vault_values').selectAll().execute();
    expect(Buffer.from(rows[0]?.sealed ?? []).includes('canary')).toBe(false);
    if (dialect === 'sqlite')
      for (const file of readdirSync(folder))
        expect([file, readFileSync(path.join(folder, file)).includes('canary-7f3d')]).toEqual([file, false]);
    await call(admin('acme'), 'delete_kms_secrets_by_name', inProd);
    expect(await statusOf(call(admin('acme'), 'delete_kms_secrets_by_name', inProd))).toBe(404);
  });

  test('whatever organizations do in whatever order, each gets its own back', async () => {
    const vault = vaultOn(await open(vaultMigrations), keksOf(newKek()));
    const model = new Map<string, string>();
    const step = fc.record({
      org: fc.constantFrom('a', 'b', 'A', 'a/b'),
      ref: fc.constantFrom('x', 'X', 'b/x', 'x/'),
      what: fc.constantFrom('put', 'get', 'delete', 'rotate', 'list'),
      value: fc.string(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        for (const { org, ref, what, value } of steps) {
          const name = JSON.stringify([org, ref]);
          if (what === 'put') {
            await vault.put(org, ref, bytes(value));
            model.set(name, value.toWellFormed());
          } else if (what === 'delete') {
            await vault.delete(org, ref);
            model.delete(name);
          } else if (what === 'rotate') await vault.rotate(org);
          else if (what === 'get') expect(textOf(await vault.get(org, ref))).toBe(model.get(name));
          else {
            const own = [...model.keys()].map((key) => JSON.parse(key) as [string, string]);
            const refs = own.filter(([of]) => of === org).map(([, each]) => each);
            expect(await vault.list(org, '')).toEqual(refs.sort());
          }
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('keys of the vault', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-kek-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the first start of an embedded plane makes a file that only its owner reads; the next reads it', () => {
    const file = path.join(folder, 'made');
    const [made] = loadKeks({ env: {}, file, generate: true });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadKeks({ env: {}, file, generate: true })).toEqual([made]);
    expect(loadKeks({ env: {}, file })).toEqual([made]);
  });

  test('with a key in the environment no file is made; it comes first', () => {
    const file = path.join(folder, 'unmade');
    const kek = newKek();
    expect(loadKeks({ env: { HANZO_KEK: kek }, file, generate: true })).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, `${newKek()}\n`, { mode: 0o600 });
    const both = loadKeks({ env: { HANZO_KEK: kek }, file, generate: true });
    expect(both).toHaveLength(2);
    expect(both[0]?.key).toEqual(Buffer.from(kek, 'base64'));
  });

  test('what is no key stops the start, and is not repeated', () => {
    const canary = 'Y2FuYXJ5LWNhbmFyeQ==';
    for (const wrong of [canary, 'not base64 at all!', `${newKek()}AAAA`])
      expect(() => loadKeks({ env: { HANZO_KEK: wrong } })).toThrow(
        "HANZO_KEK must be the base64 of exactly 32 random bytes, as 'openssl rand -base64 32' gives",
      );
    const open = path.join(folder, 'open');
    writeFileSync(open, `${newKek()}\n`, { mode: 0o644 });
    expect(() => loadKeks({ env: {}, file: open })).toThrow('can be read by others');
    expect(() => loadKeks({ env: {}, file: path.join(folder, 'none') })).toThrow('is not there');
    expect(loadKeks({ env: {} })).toEqual([]);
  });

  test('a value opens with the same key and the same parts, each of them', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.uint8Array(),
        fc.array(fc.string(), { minLength: 1 }),
        (key, value, parts) => {
          const sealed = seal(key, value, parts);
          expect(sealed.length).toBe(value.length + 29);
          expect(Uint8Array.from(unseal(key, sealed, parts))).toEqual(Uint8Array.from(value));
          expect(() => unseal(key, sealed, [...parts, ''])).toThrow();
          expect(() =>
            unseal(
              key.map((byte) => byte ^ 1),
              sealed,
              parts,
            ),
          ).toThrow();
        },
      ),
    );
    expect(() => unseal(new Uint8Array(32), seal(new Uint8Array(32), new Uint8Array(), ['a|b']), ['a', 'b'])).toThrow();
  });
});
