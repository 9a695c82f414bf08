// The official SDK's clients, of both generations, at work with the built hanzo-mcp in a real repository.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Peer, PEERS, type Result, type Target } from './peers.ts';
import { type Running, startProgram } from './program.ts';

/** For what another process does in its own time. */
const PATIENCE = { timeout: 30_000, interval: 50 };

let repository: string;
let server: Running;
let target: Target;

beforeAll(async () => {
  repository = await mkdtemp(path.join(tmpdir(), 'clients-'));
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: repository });
  git('init', '--quiet', '--initial-branch=main');
  await writeFile(path.join(repository, 'greeting.txt'), 'Hello, world.\n');
  git('add', 'greeting.txt');
  git('commit', '--quiet', '--message=A greeting');
  const token = randomBytes(24).toString('base64url');
  server = await startProgram([], repository, token);
  target = { args: [], cwd: repository, home: server.home, url: server.url, token };
});

afterAll(async () => {
  await server?.close();
  if (repository) await rm(repository, { recursive: true, force: true });
});

/** The envelope of a local tool's answer, and the bodies beside it. */
function read({ texts }: Result): { envelope: { ok: boolean; data: Record<string, unknown> }; bodies: string } {
  const [first = '', ...bodies] = texts;
  return { envelope: JSON.parse(first), bodies: bodies.join('\n') };
}

describe.each(PEERS)('$name', ({ revision, connect }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await connect(target);
    await writeFile(path.join(repository, 'greeting.txt'), 'Hello, world.\n');
  });
  afterAll(() => peer?.close());

  test(`speaks ${revision} and sees the tools`, async () => {
    expect(peer.revision).toBe(revision);
    expect(await peer.tools()).toEqual(expect.arrayContaining(['fs', 'exec', 'git']));
  });

  test('reads and edits a file, runs a command on it, and sees the change in git', async () => {
    const uri = path.join(repository, 'greeting.txt');
    const before = read(await peer.call('fs', { action: 'read', uri }));
    expect(before.envelope.ok).toBe(true);
    expect(before.bodies).toContain('Hello, world.');

    const edit = { old_text: 'world', new_text: 'door', base_hash: before.envelope.data['hash'] };
    expect(read(await peer.call('fs', { action: 'apply_patch', uri, ...edit })).envelope.ok).toBe(true);
    expect(await readFile(uri, 'utf8')).toBe('Hello, door.\n');

    const run = read(await peer.call('exec', { action: 'exec', command: 'cat greeting.txt', cwd: repository }));
    expect(run.envelope).toMatchObject({ ok: true, data: { exit_code: 0 } });
    expect(run.bodies).toContain('Hello, door.');

    const status = read(await peer.call('git', { action: 'status', path: repository }));
    expect(status.envelope).toMatchObject({ ok: true, data: { branch: { head: 'main' } } });
    expect(JSON.stringify(status)).toContain('greeting.txt');
  });

  test('is told what was wrong with a call', async () => {
    const missing = await peer.call('fs', { action: 'read', uri: path.join(repository, 'greting.txt') });
    expect(missing.isError).toBe(true);
    expect(read(missing).envelope).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  test('gives a command up, and the command ends', async () => {
    const file = path.join(repository, '.git', 'command.pid');
    const giving = new AbortController();
    const command = `echo $$ > ${file}; exec sleep 600`;
    const call = peer.call('exec', { action: 'exec', command, timeout: 600_000 }, { signal: giving.signal });
    const refused = expect(call).rejects.toThrow();
    const pid = await vi.waitFor(async () => {
      const found = Number(await readFile(file, 'utf8'));
      expect(found).toBeGreaterThan(0);
      return found;
    }, PATIENCE);
    giving.abort();
    await refused;
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), PATIENCE);
    await rm(file);
  });
});
