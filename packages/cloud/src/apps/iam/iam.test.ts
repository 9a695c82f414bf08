// Identity: keys and tokens settle who calls; nobody reaches into another organization; what ends, ends everywhere.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import type { Identity } from '../../core/identity.ts';
import { Problem } from '../../core/problem.ts';
import type { Store } from '../../ports/store.ts';
import { describeStores } from '../../store/testkit.ts';
import { recordingAudit, statusOf, testCaller, testClock, testIds } from '../../testing/caller.ts';
import { createIamApp, type IamOptions } from './index.ts';
import { iamMigrations } from './migrations.ts';

const bearer = (key: string, project?: string): Headers =>
  new Headers({ authorization: `Bearer ${key}`, ...(project === undefined ? {} : { 'x-project-id': project }) });

function iamOn(store: Store, more: Partial<IamOptions> = {}) {
  const clock = testClock();
  const audit = recordingAudit();
  const app = createIamApp({ store, clock, ids: testIds, audit, ...more });
  const { keys, directory, ingress } = app.service;
  const identify = (headers: Headers): Promise<Identity | undefined> => ingress.identify(headers);
  const who = async (key: string, project?: string): Promise<Identity> => {
    const identity = await identify(bearer(key, project));
    if (identity === undefined) throw new Error('nobody');
    return identity;
  };
  return { app, clock, audit, keys, directory, identify, who, call: testCaller(app.ops) };
}

type Iam = ReturnType<typeof iamOn>;

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (error instanceof Problem) return `${error.status} ${error.code}`;
    throw error;
  }
}

/** An organization with an admin `root`, a member `alice`, and a key of each. */
async function organization({ directory, keys }: Iam, name: string) {
  await directory.createOrganization(name);
  const root = await directory.createUser({ owner: name, name: 'root', isAdmin: true });
  const alice = await directory.createUser({ owner: name, name: 'alice', email: `alice@${name}.example` });
  const admin = await keys.create({ org: name, userId: root.user.id });
  const member = await keys.create({ org: name, userId: alice.user.id });
  const machine = await keys.create({ org: name, name: 'robot' });
  return { root, alice, admin: admin.secret, member: member.secret, machine: machine.secret };
}

describeStores('identity', ({ open, database }) => {
  test('the first start makes one key; the second makes none', async () => {
    const iam = iamOn(await open(iamMigrations));
    const first = await iam.app.service.bootstrap();
    expect(first?.secret).toMatch(/^sk-[0-9a-f]{48}$/);
    expect(await iam.app.service.bootstrap()).toBeUndefined();
    expect(await iam.who(first?.secret ?? '')).toMatchObject({
      org: 'admin',
      project: 'default',
      isAdmin: true,
      isOperator: true,
      kind: 'user',
      method: 'key',
      publishable: false,
    });
  });

  test('of nodes that start at once one gets the first key', async () => {
    const at = await database();
    const nodes = await Promise.all([0, 1, 2].map(() => open(iamMigrations, { database: at, exclusive: false })));
    const firsts = await Promise.all(nodes.map((store) => iamOn(store).app.service.bootstrap()));
    expect(firsts.filter((first) => first !== undefined)).toHaveLength(1);
  });

  test('a key is kept as its hash only', async () => {
    const store = await open(iamMigrations);
    const iam = iamOn(store);
    const { admin } = await organization(iam, 'acme');
    const rows = JSON.stringify(await store.db<Record<string, never>>().selectFrom('iam_keys').selectAll().execute());
    expect(rows).not.toContain(admin);
    expect(rows).not.toContain(admin.slice(3, 20));
  });

  test('no credential is nobody; what is no credential is refused with its reason', async () => {
    const iam = iamOn(await open(iamMigrations));
    expect(await iam.identify(new Headers({ 'x-org-id': 'acme', 'x-user-id': 'root' }))).toBeUndefined();
    expect(await refusal(iam.identify(new Headers({ authorization: 'Basic YTpi' })))).toBe('401 invalid_credential');
    for (const wrong of ['sk-00', `sk-${'0'.repeat(48)}`, `xx-${'0'.repeat(48)}`, 'a.b.c', `sk-${'0'.repeat(48)}'--`])
      expect(await refusal(iam.identify(bearer(wrong)))).toBe('401 invalid_credential');
  });

  test('a machine is never an admin nor an operator, a publishable key neither', async () => {
    const iam = iamOn(await open(iamMigrations));
    await iam.app.service.bootstrap();
    const acme = await organization(iam, 'acme');
    expect(await iam.who(acme.machine)).toMatchObject({ kind: 'machine', isAdmin: false, isOperator: false });
    const robot = await iam.keys.create({ org: 'admin', name: 'robot' });
    expect(await iam.who(robot.secret)).toMatchObject({ org: 'admin', kind: 'machine', isOperator: false });
    const shown = await iam.keys.create({ org: 'acme', userId: acme.root.user.id, type: 'publishable' });
    expect(shown.secret).toMatch(/^pk-/);
    expect(await iam.who(shown.secret)).toMatchObject({ publishable: true, isAdmin: false, isOperator: false });
  });

  test('X-Project-Id chooses among the caller’s projects only; other identity headers say nothing', async () => {
    const iam = iamOn(await open(iamMigrations));
    const acme = await organization(iam, 'acme');
    await organization(iam, 'rival');
    await iam.directory.createProject('acme', 'p1');
    await iam.directory.createProject('rival', 'p2');
    expect((await iam.who(acme.member, 'p1')).project).toBe('p1');
    expect((await iam.who(acme.member, 'default')).project).toBe('default');
    expect((await iam.who(acme.member)).project).toBe('default');
    expect(await refusal(iam.who(acme.member, 'p2'))).toBe('403 wrong_project');
    const forged = bearer(acme.member);
    forged.set('x-org-id', 'rival');
    forged.set('x-user-isadmin', 'true');
    expect(await iam.identify(forged)).toMatchObject({ org: 'acme', isAdmin: false });
    const bound = await iam.keys.create({ org: 'acme', project: 'p1' });
    expect((await iam.who(bound.secret)).project).toBe('p1');
    expect((await iam.who(bound.secret, 'p1')).project).toBe('p1');
    expect(await refusal(iam.who(bound.secret, 'default'))).toBe('403 wrong_project');
    const ended: string[] = [];
    iam.directory.onProjectDeleted(async (org, project) => {
      ended.push(`${org}/${project}`);
    });
    expect(await iam.directory.deleteProject('rival', 'p1')).toBe(false);
    expect(await iam.directory.deleteProject('acme', 'p1')).toBe(true);
    expect(ended).toEqual(['acme/p1']);
    expect(await refusal(iam.who(bound.secret))).toBe('401 invalid_credential');
    expect(await refusal(iam.who(acme.member, 'p1'))).toBe('403 wrong_project');
  });

  test('a key ends at its time, and when it is revoked', async () => {
    const iam = iamOn(await open(iamMigrations));
    await organization(iam, 'acme');
    const soon = await iam.keys.create({ org: 'acme', expires: Math.floor(iam.clock.now() / 1000) + 60 });
    await iam.who(soon.secret);
    iam.clock.advance(60_000);
    expect(await refusal(iam.who(soon.secret))).toBe('401 expired_credential');
    const robot = await iam.keys.create({ org: 'acme', name: 'r2' });
    await iam.who(robot.secret);
    expect(await iam.keys.revoke('acme', 'r2')).toBe(true);
    expect(await iam.keys.revoke('acme', 'r2')).toBe(false);
    expect(await refusal(iam.who(robot.secret))).toBe('401 revoked_credential');
  });

  test('a change on one node is noticed on the other', async () => {
    const at = await database();
    const one = iamOn(await open(iamMigrations, { database: at }));
    const two = iamOn(await open(iamMigrations, { database: at }));
    const acme = await organization(one, 'acme');
    expect(await two.who(acme.member)).toMatchObject({ isAdmin: false });
    await one.directory.updateUser('acme', 'acme', 'alice', { isAdmin: true });
    await expect.poll(async () => (await two.who(acme.member)).isAdmin, { timeout: 20_000, interval: 20 }).toBe(true);
    await one.directory.updateUser('acme', 'acme', 'alice', { isForbidden: true });
    await expect
      .poll(() => refusal(two.who(acme.member)), { timeout: 20_000, interval: 20 })
      .toBe('401 revoked_credential');
    expect(await refusal(one.who(acme.member))).toBe('401 revoked_credential');
  });

  test('what somebody was ends with the membership, the user and the organization', async () => {
    const iam = iamOn(await open(iamMigrations));
    await iam.app.service.bootstrap();
    const acme = await organization(iam, 'acme');
    await organization(iam, 'rival');
    await iam.directory.addMember('rival', 'acme', 'alice', false);
    const there = await iam.keys.create({ org: 'rival', userId: acme.alice.user.id });
    expect(await iam.who(there.secret)).toMatchObject({ org: 'rival', user: acme.alice.user.id });
    await iam.directory.removeMember('rival', 'acme', 'alice');
    expect(await refusal(iam.who(there.secret))).toBe('401 invalid_credential');
    await iam.who(acme.member);
    await iam.directory.deleteUser('acme', 'alice');
    expect(await refusal(iam.who(acme.member))).toBe('401 invalid_credential');
    const ended: string[] = [];
    iam.directory.onOrganizationDeleted(async (org) => {
      ended.push(org);
    });
    await iam.directory.deleteOrganization('acme');
    expect(ended).toEqual(['acme']);
    expect(await refusal(iam.who(acme.admin))).toBe('401 invalid_credential');
    expect(await statusOf(iam.directory.createOrganization('acme'))).toBe(409);
    expect(await statusOf(iam.directory.deleteOrganization('admin'))).toBe(409);
  });

  test('the last admin stays', async () => {
    const iam = iamOn(await open(iamMigrations));
    await organization(iam, 'acme');
    expect(await statusOf(iam.directory.updateUser('acme', 'acme', 'root', { isAdmin: false }))).toBe(409);
    expect(await statusOf(iam.directory.updateUser('acme', 'acme', 'root', { isForbidden: true }))).toBe(409);
    expect(await statusOf(iam.directory.deleteUser('acme', 'root'))).toBe(409);
    expect(await statusOf(iam.directory.addMember('acme', 'acme', 'root', false))).toBe(409);
    await iam.directory.updateUser('acme', 'acme', 'alice', { isAdmin: true });
    expect(await iam.directory.deleteUser('acme', 'root')).toBe(true);
  });

  test('two admins who demote each other at once leave one', async () => {
    const iam = iamOn(await open(iamMigrations));
    await organization(iam, 'acme');
    await iam.directory.updateUser('acme', 'acme', 'alice', { isAdmin: true });
    const statuses = await Promise.all(
      ['root', 'alice'].map((name) => statusOf(iam.directory.updateUser('acme', 'acme', name, { isAdmin: false }))),
    );
    expect(statuses.sort()).toEqual([200, 409]);
  });

  test('the account says who the caller is', async () => {
    const iam = iamOn(await open(iamMigrations));
    const acme = await organization(iam, 'acme');
    expect(await iam.call(await iam.who(acme.member), 'get_iam_account')).toMatchObject({
      status: 'ok',
      data: { owner: 'acme', name: 'alice', organization: 'acme', project: 'default', isAdmin: false, type: 'user' },
    });
    expect(await iam.call(await iam.who(acme.machine), 'get_iam_account')).toMatchObject({
      data: { owner: 'acme', name: 'robot', type: 'machine', isAdmin: false },
    });
  });

  test('creating a key shows it once; a member makes their own only, a bound key none that is wider', async () => {
    const iam = iamOn(await open(iamMigrations));
    const acme = await organization(iam, 'acme');
    await iam.directory.createProject('acme', 'p1');
    const alice = await iam.who(acme.member);
    const made = (await iam.call(alice, 'post_iam_keys', { body: { name: 'laptop', scope: 'p1' } })) as {
      secret: string;
    };
    const laptop = await iam.who(made.secret);
    expect(laptop).toMatchObject({ user: acme.alice.user.id, project: 'p1' });
    expect(JSON.stringify(await iam.call(alice, 'get_iam_keys'))).not.toContain(made.secret);
    expect(JSON.stringify(iam.audit.entries)).not.toContain(made.secret);
    expect(await statusOf(iam.call(alice, 'post_iam_keys', { body: { user: 'acme/root' } }))).toBe(403);
    expect(await statusOf(iam.call(alice, 'post_iam_keys', { body: { machine: true } }))).toBe(403);
    expect(await statusOf(iam.call(laptop, 'post_iam_keys', { body: { scope: 'default' } }))).toBe(403);
    const narrow = (await iam.call(laptop, 'post_iam_keys', { body: {} })) as { scope: string };
    expect(narrow.scope).toBe('p1');
    expect(iam.app.ops.filter(({ discloses }) => discloses).map(({ id }) => id)).toEqual(['post_iam_keys']);
    const machine = await iam.who(acme.machine);
    expect(await statusOf(iam.call(machine, 'post_iam_keys', { body: {} }))).toBe(403);
    expect(await statusOf(iam.call(await iam.who(acme.admin), 'post_iam_keys', { body: { machine: true } }))).toBe(200);
  });

  test('another organization is not there: reads and writes answer 404, lists leave it out', async () => {
    const iam = iamOn(await open(iamMigrations));
    const operator = await iam.who((await iam.app.service.bootstrap())?.secret ?? '');
    const acme = await organization(iam, 'acme');
    await organization(iam, 'rival');
    const root = await iam.who(acme.admin);
    const theirs = { owner: 'rival', name: 'alice' };
    const attempts: [string, object][] = [
      ['get_iam_users', { query: { owner: 'rival' } }],
      ['get_iam_users_by_owner_by_name', { params: theirs }],
      ['put_iam_users_by_owner_by_name', { params: theirs, body: { user: { isAdmin: true } } }],
      ['delete_iam_users_by_owner_by_name', { params: theirs }],
      ['post_iam_users', { body: { user: { owner: 'rival', name: 'mole', isAdmin: true } } }],
      ['get_iam_organizations_by_owner_by_name', { params: { owner: 'admin', name: 'rival' } }],
      ['put_iam_organizations_by_owner_by_name', { params: { owner: 'admin', name: 'rival' }, body: {} }],
      ['get_iam_memberships', { query: { org: 'rival' } }],
      ['get_iam_memberships', { query: { user: 'rival/alice' } }],
      ['post_iam_memberships', { body: { org: 'rival', user: 'acme/root', isAdmin: true } }],
      ['post_iam_memberships', { body: { user: 'rival/alice' } }],
      ['post_iam_memberships', { body: { user: 'rival/nobody' } }],
      ['post_iam_delete_membership', { body: { org: 'rival', user: 'rival/alice' } }],
      ['get_iam_projects', { query: { owner: 'rival' } }],
      ['post_iam_projects', { body: { owner: 'rival', name: 'p' } }],
      ['delete_iam_projects_by_owner_by_name', { params: { owner: 'rival', name: 'p' } }],
      ['get_iam_keys', { query: { owner: 'rival' } }],
      ['post_iam_keys', { body: { owner: 'rival', user: 'rival/root' } }],
      ['delete_iam_keys_by_owner_by_name', { params: { owner: 'rival', name: 'robot' } }],
    ];
    for (const [id, input] of attempts) expect([id, await statusOf(iam.call(root, id, input))]).toEqual([id, 404]);
    expect(await iam.call(root, 'get_iam_organizations')).toMatchObject({
      total: 1,
      organizations: [{ name: 'acme' }],
    });
    expect(await iam.call(operator, 'get_iam_organizations')).toMatchObject({ total: 3 });
    expect(await iam.call(operator, 'get_iam_users', { query: { owner: 'rival' } })).toMatchObject({ total: 2 });
    expect(await statusOf(iam.call(root, 'post_iam_organizations', { body: { name: 'mine' } }))).toBe(403);
  });

  test('a token of the issuer is its user; what is not signed, not for us or not in time is refused', async () => {
    const { privateKey, publicKey } = await generateKeyPair('EdDSA');
    const other = await generateKeyPair('EdDSA');
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'EdDSA' }] };
    const iam = iamOn(await open(iamMigrations), {
      jwt: { issuer: 'https://id.example', audience: 'https://plane.example', jwks },
    });
    const acme = await organization(iam, 'acme');
    const now = Math.floor(iam.clock.now() / 1000);
    const sign = (claims: Record<string, unknown>, key = privateKey): Promise<string> =>
      new SignJWT({
        iss: 'https://id.example',
        aud: 'https://plane.example',
        exp: now + 300,
        owner: 'acme',
        sub: 'root',
        ...claims,
      })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'k1' })
        .sign(key);
    expect(await iam.who(await sign({}))).toMatchObject({
      org: 'acme',
      user: acme.root.user.id,
      isAdmin: true,
      isOperator: false,
      method: 'jwt',
    });
    expect(await iam.who(await sign({ sub: acme.alice.user.id }))).toMatchObject({ isAdmin: false });
    const refused = [
      sign({}, other.privateKey),
      sign({ aud: 'https://other.example' }),
      sign({ iss: 'https://evil.example' }),
      sign({ owner: 'rival' }),
      sign({ sub: 'nobody' }),
      sign({ owner: undefined }),
      sign({ exp: undefined }),
      Promise.resolve(`${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`),
    ];
    for (const each of refused) expect(await refusal(iam.identify(bearer(await each)))).toBe('401 invalid_credential');
    expect(await refusal(iam.identify(bearer(await sign({ exp: now - 60 }))))).toBe('401 expired_credential');
    const kept = await sign({});
    await iam.who(kept);
    iam.clock.advance(400_000);
    expect(await refusal(iam.who(kept))).toBe('401 expired_credential');
  });

  test('when a key was last used is written in the background', async () => {
    const iam = iamOn(await open(iamMigrations));
    const acme = await organization(iam, 'acme');
    await iam.who(acme.machine);
    await iam.app.service.ingress.flush();
    expect((await iam.keys.get('acme', 'robot'))?.lastUsed).toBe(Math.floor(iam.clock.now() / 1000));
  });

  test('a lost database is a 503, never somebody', async () => {
    const store = await open(iamMigrations);
    const iam = iamOn(store);
    const acme = await organization(iam, 'acme');
    await store.close();
    const outcome = await iam.who(acme.admin).then(
      () => 'somebody',
      (error: unknown) => (error instanceof Error ? 'refused' : 'odd'),
    );
    expect(outcome).toBe('refused');
  });
});
