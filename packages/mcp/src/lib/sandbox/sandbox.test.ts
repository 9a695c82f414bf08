// The sandbox with the real bubblewrap: what a command can and cannot do in it, and what is said where there is none.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { exec } from '../../tools/exec/index.ts';
import { createFixture, type Answer, type Fixture } from '../../tools/exec/testkit.ts';
import { createAccess } from '../access.ts';
import { findProgram } from '../program.ts';
import { createSandbox } from './index.ts';

const WORKS =
  findProgram('bwrap') !== undefined &&
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', 'true']).status === 0;

let fixture: Fixture | undefined;
const folders: string[] = [];
afterEach(async () => {
  await fixture?.close();
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true });
});

/** A server for a folder beside the home, both under /var/tmp, which is no folder that commands may write to. */
function sandboxed(
  mode: 'on' | 'strict',
  search?: string,
): { home: string; root: string; run(command: string): Promise<Answer> } {
  const home = realpathSync(mkdtempSync('/var/tmp/sandbox-'));
  folders.push(home);
  const root = path.join(home, 'project');
  for (const each of ['project', '.ssh', '.aws']) mkdirSync(path.join(home, each));
  writeFileSync(path.join(home, '.ssh', 'id_rsa'), 'a key\n');
  writeFileSync(path.join(home, '.ssh', 'known_hosts'), 'a host\n');
  writeFileSync(path.join(home, '.aws', 'credentials'), 'a secret\n');
  writeFileSync(path.join(home, 'notes'), 'plain\n');
  const access = createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [], home });
  const sandbox = createSandbox({ mode, access, ...(search === undefined ? {} : { search }) });
  fixture = createFixture();
  Object.assign(fixture.env, { access, sandbox });
  const { call } = fixture;
  return { home, root, run: (command) => call(exec, { action: 'exec', command, cwd: root }) };
}

describe.runIf(WORKS)('with bubblewrap', () => {
  test('writes go under the roots and the temporary folder, and nowhere else', async () => {
    const { home, root, run } = sandboxed('on');
    const inside = await run('echo made > file && cat file');
    expect(inside).toMatchObject({ ok: true, data: { exit_code: 0, sandbox: 'bubblewrap' } });
    expect(inside.text('stdout')).toBe('made\n');
    expect(readFileSync(path.join(root, 'file'), 'utf8')).toBe('made\n');
    const outside = await run(`echo x > ${home}/notes; touch /etc/hanzo-sandbox`);
    expect(outside.text('stderr').match(/Read-only file system/g)).toHaveLength(2);
    expect(readFileSync(path.join(home, 'notes'), 'utf8')).toBe('plain\n');
    expect(existsSync('/etc/hanzo-sandbox')).toBe(false);
    const temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'sandbox-')));
    folders.push(temporary);
    await run(`echo there > ${temporary}/file`);
    expect(readFileSync(path.join(temporary, 'file'), 'utf8')).toBe('there\n');
  });

  test('key material cannot be read, its neighbours can', async () => {
    const { home, run } = sandboxed('on');
    const { text } = await run(
      `cat ${home}/.ssh/id_rsa ${home}/.aws/credentials /etc/shadow; cat ${home}/.ssh/known_hosts ${home}/notes`,
    );
    expect(text('stdout')).toBe('a host\nplain\n');
    expect(text('stderr').match(/No such file|Permission denied/g)).toHaveLength(3);
    const undone = await run(
      `umount ${home}/.aws/credentials; unshare -Urm umount ${home}/.aws/credentials; mount -o remount,rw /; cat ${home}/.aws/credentials; mv ${home}/.ssh ${home}/x`,
    );
    expect(undone.text('stdout')).toBe('');
    expect(undone.data.exit_code).not.toBe(0);
  });

  test('on keeps the network, strict has none', async () => {
    const server = createServer((_, answer) => answer.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3`;
    try {
      expect((await sandboxed('on').run(ask)).text('stdout')).toContain('reached');
      await fixture?.close();
      const strict = await sandboxed('strict').run(ask);
      expect(strict.text('stderr')).toContain('Connection refused');
      expect(strict.data.exit_code).not.toBe(0);
    } finally {
      server.close();
    }
  });

  test('output, exit codes and input are as without it', async () => {
    const { root, run } = sandboxed('strict');
    const failed = await run('pwd; echo oops >&2; exit 7');
    expect(failed).toMatchObject({ error: { code: 'EXIT' }, data: { exit_code: 7 } });
    expect([failed.text('stdout'), failed.text('stderr')]).toEqual([`${root}\n`, 'oops\n']);
    expect((await run('kill -KILL $$')).data.exit_code).toBe(137);
    const { call } = fixture as Fixture;
    const read = await call(exec, { action: 'exec', command: 'tr a-z A-Z', cwd: root, input: 'loud' });
    expect(read.text('stdout')).toBe('LOUD');
  });

  test('kill ends all of it, and nothing is left behind', async () => {
    const { root } = sandboxed('on');
    const { call } = fixture as Fixture;
    const command = 'setsid sleep 4711 & setsid env -i sleep 4711 & echo ready; wait';
    const { data } = await call(exec, { action: 'exec', command, cwd: root, timeout: 0 });
    await call(exec, { action: 'wait', proc_id: data.proc_id, pattern: 'ready' });
    const killed = await call(exec, { action: 'kill', proc_id: data.proc_id });
    expect(killed.data).toMatchObject({ killed: true, sandbox: 'bubblewrap' });
    expect(killed.data.survivors).toBeUndefined();
    expect(spawnSync('pgrep', ['-f', '^sleep 4711'], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe('without bubblewrap', () => {
  test('on runs unconfined and says why, once', async () => {
    const { run } = sandboxed('on', '/nowhere');
    const first = await run('echo fine');
    expect(first.data).toMatchObject({ sandbox: 'none', exit_code: 0 });
    expect(first.data.sandbox_note).toMatch(/^commands run unconfined: bubblewrap /);
    const second = await run('echo fine');
    expect(second.data.sandbox).toBe('none');
    expect(second.data.sandbox_note).toBeUndefined();
  });

  test('strict runs nothing', async () => {
    const { root, run } = sandboxed('strict', '/nowhere');
    const refused = await run('touch made');
    expect(refused).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED', sandbox: 'none' } });
    expect(existsSync(path.join(root, 'made'))).toBe(false);
  });
});
