// Access: decided on real paths, for every road that leads to a file.
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AccessLevel } from '../config.ts';
import { type Access, createAccess } from './access.ts';
import { within } from './path.ts';

// The temporary folders are roots themselves, so what lies outside has to lie elsewhere.
const temporary = [realpathSync(tmpdir()), '/tmp'];
const base = ['/var/tmp', homedir(), process.cwd()].find(
  (each) => existsSync(each) && !temporary.some((folder) => within(realpathSync(each), folder)) && writable(each),
)!;
function writable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

let top: string;
let root: string;
let home: string;
let outside: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(base, 'access-test-')));
  [root, home, outside] = ['root', 'home', 'outside'].map((name) => path.join(top, name)) as [string, string, string];
  for (const each of [root, home, outside]) mkdirSync(each);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const make = (level: AccessLevel = 'workspace-write', more: Partial<Parameters<typeof createAccess>[0]> = {}): Access =>
  createAccess({ level, cwd: root, roots: [], allowSecrets: [], home, ...more });
const denied = expect.objectContaining({ code: 'PERMISSION_DENIED' });

describe('writing', () => {
  test('under the working directory, every root and the temporary folder, nowhere else', async () => {
    const access = make('workspace-write', { roots: [path.join(outside, 'r')] });
    expect(await access.write(path.join(root, 'new', 'a'), 'keep')).toBe(path.join(root, 'new', 'a'));
    expect(await access.write(path.join(outside, 'r', 'a'), 'keep')).toBe(path.join(outside, 'r', 'a'));
    expect(await access.write(path.join(tmpdir(), 'a'), 'keep')).toBe(path.join(realpathSync(tmpdir()), 'a'));
    await expect(access.write(path.join(outside, 'a'), 'keep')).rejects.toEqual(denied);
    await expect(access.write(`${root}x`, 'keep')).rejects.toEqual(denied);
    await expect(access.write(top, 'keep')).rejects.toEqual(denied);
  });

  test('the refusal names a root that would allow it', async () => {
    await expect(make().write(path.join(outside, 'a'), 'keep')).rejects.toThrow(`--root ${outside}`);
  });

  test('read-only allows none, full allows all but key material', async () => {
    await expect(make('read-only').write(path.join(root, 'a'), 'keep')).rejects.toThrow('--access read-only');
    expect(await make('full').write(path.join(outside, 'a'), 'keep')).toBe(path.join(outside, 'a'));
    await expect(make('full').write(path.join(outside, 'id_rsa'), 'keep')).rejects.toEqual(denied);
  });

  test('a link in the way is followed before the decision', async () => {
    symlinkSync(outside, path.join(root, 'l'));
    await expect(make().write(path.join(root, 'l', 'a'), 'keep')).rejects.toEqual(denied);
    await expect(make().write(path.join(root, 'l', 'new', 'a'), 'keep')).rejects.toEqual(denied);
  });

  test('the last component: a link itself is kept, its target followed', async () => {
    writeFileSync(path.join(outside, 'f'), '');
    symlinkSync(path.join(outside, 'f'), path.join(root, 'l'));
    expect(await make().write(path.join(root, 'l'), 'keep')).toBe(path.join(root, 'l'));
    await expect(make().write(path.join(root, 'l'), 'follow')).rejects.toEqual(denied);
    symlinkSync('nowhere', path.join(root, 'd'));
    await expect(make().write(path.join(root, 'd'), 'follow')).rejects.toEqual(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });

  test('a dangling link in the way leads where it says, from where it really lies', async () => {
    mkdirSync(path.join(outside, 'sub'));
    symlinkSync('../gone', path.join(outside, 'sub', 'dangling'));
    symlinkSync(path.join(outside, 'sub'), path.join(root, 'l'));
    // read from the link's real folder this is outside/gone; from its name it would be root/gone
    await expect(make().write(path.join(root, 'l', 'dangling', 'a'), 'keep')).rejects.toThrow(
      path.join(outside, 'gone', 'a'),
    );
  });

  test('a root that is a link is made canonical', async () => {
    symlinkSync(root, path.join(top, 'alias'));
    const access = make('workspace-write', { cwd: path.join(top, 'alias') });
    expect(await access.write(path.join(root, 'a'), 'keep')).toBe(path.join(root, 'a'));
    expect(await access.write(path.join(top, 'alias', 'a'), 'keep')).toBe(path.join(root, 'a'));
  });

  test('the client’s roots count while they are declared', async () => {
    const access = make();
    access.setClientRoots([outside, 'relative']);
    expect(await access.write(path.join(outside, 'a'), 'keep')).toBe(path.join(outside, 'a'));
    access.setClientRoots([]);
    await expect(access.write(path.join(outside, 'a'), 'keep')).rejects.toEqual(denied);
  });

  test('a loop of links is said to be one', async () => {
    symlinkSync('b', path.join(root, 'a'));
    symlinkSync('a', path.join(root, 'b'));
    await expect(make().write(path.join(root, 'a', 'x'), 'keep')).rejects.toThrow('loop');
    await expect(make().read(path.join(root, 'a'))).rejects.toThrow('loop');
  });
});

describe('key material', () => {
  test.each([
    '.ssh/id_ed25519',
    '.ssh/work',
    '.ssh/sub/config.key',
    '.gnupg/x',
    '.aws/credentials',
    '.npmrc',
    '.kube/config',
    '.docker/config.json',
    '.hanzo/credentials.json',
    '.config/gcloud/a',
    '.config/gh/hosts.yml',
    'project/.netrc',
    'project/id_rsa',
    'project/a.p12',
    'project/tls.key',
    'project/private_key.pem',
    'project/app-private-key.json',
    'project/privatekey',
  ])('~/%s is refused for reading and writing', async (name) => {
    const access = make('full');
    await expect(access.read(path.join(home, name))).rejects.toThrow('--allow-secret');
    await expect(access.write(path.join(home, name), 'keep')).rejects.toEqual(denied);
    expect(access.isSecret(path.join(home, name))).toBe(true);
  });

  test.each([
    '.ssh',
    '.ssh/config',
    '.ssh/known_hosts',
    '.ssh/id_rsa.pub',
    '.sshx/a',
    'project/.npmrc',
    'project/private_key.ts',
    'project/privateKey.test.js',
    'project/keys.ts',
    'project/.env.example',
    'project/config.json',
    'project/shadow',
    'keyboard',
    'id_rsa.pub',
  ])('~/%s is not', async (name) => {
    expect(await make().read(path.join(home, name))).toBe(path.join(home, name));
  });

  test.each([
    '/etc/shadow',
    '/proc/self/environ',
    '/proc/1/environ',
    '/proc/self/root/etc/shadow',
    '/etc/../etc/shadow',
    '/run/secrets/token',
  ])('%s is refused', async (file) => {
    await expect(make('full').read(file)).rejects.toEqual(denied);
  });

  test('by a link it is key material still, also where the folder itself is one', async () => {
    mkdirSync(path.join(outside, 'keys'));
    writeFileSync(path.join(outside, 'keys', 'work'), '');
    symlinkSync(path.join(outside, 'keys'), path.join(home, '.ssh'));
    symlinkSync(path.join(home, '.ssh', 'work'), path.join(root, 'innocent'));
    await expect(make().read(path.join(root, 'innocent'))).rejects.toEqual(denied);
    await expect(make().read(path.join(outside, 'keys', 'work'))).rejects.toEqual(denied);
  });

  test('a folder that holds some is not moved or deleted', async () => {
    mkdirSync(path.join(home, '.ssh'));
    mkdirSync(path.join(home, '.config', 'gh'), { recursive: true });
    writeFileSync(path.join(home, '.config', 'gh', 'hosts.yml'), '');
    const access = make('full');
    for (const name of ['.ssh', '.config', '.config/gh', '']) {
      await expect(access.write(path.join(home, name), 'keep')).rejects.toEqual(denied);
    }
    expect(await access.write(path.join(home, '.config', 'other'), 'keep')).toBe(path.join(home, '.config', 'other'));
  });

  test('what the operator allowed is allowed, no more', async () => {
    mkdirSync(path.join(home, '.ssh'));
    const access = make('workspace-write', { allowSecrets: [path.join(home, '.ssh', 'work')] });
    expect(await access.read(path.join(home, '.ssh', 'work'))).toBe(path.join(home, '.ssh', 'work'));
    await expect(access.read(path.join(home, '.ssh', 'other'))).rejects.toEqual(denied);
  });

  test.each([
    ['-----BEGIN PRIVATE KEY-----\n', true],
    ['\uFEFF\n-----BEGIN EC PRIVATE KEY-----\n', true],
    ['-----BEGIN ENCRYPTED PRIVATE KEY-----\n', true],
    ['PuTTY-User-Key-File-3: ssh-ed25519\n', true],
    ['-----BEGIN CERTIFICATE-----\n', false],
    ['-----BEGIN PUBLIC KEY-----\n', false],
    ['# -----BEGIN PRIVATE KEY-----\n', false],
    ['', false],
  ])('a file that starts with %j: a private key is %s', (text, is) => {
    const file = path.join(root, 'server.pem');
    expect(make().holdsKey(file, Buffer.from(text))).toBe(is);
    expect(make('full', { allowSecrets: [root] }).holdsKey(file, Buffer.from(text))).toBe(false);
  });

  test('a hard link of a known name is refused by that name', async () => {
    writeFileSync(path.join(root, 'a'), '');
    linkSync(path.join(root, 'a'), path.join(root, 'id_rsa'));
    await expect(make().read(path.join(root, 'id_rsa'))).rejects.toEqual(denied);
  });
});

test('reading gives the real path, also of what is missing', async () => {
  symlinkSync(root, path.join(top, 'alias'));
  expect(await make().read(path.join(top, 'alias', 'gone', 'x'))).toBe(path.join(root, 'gone', 'x'));
  expect(await make().read(path.join(outside, 'x'))).toBe(path.join(outside, 'x'));
});
