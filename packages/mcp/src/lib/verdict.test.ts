// The real classifier in the server: what it sees of the machine, the files of rules, and that a deny starts nothing.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exec } from '../tools/exec/index.ts';
import { createFixture } from '../tools/exec/testkit.ts';
import { bisect } from '../tools/git/bisect.ts';
import { createAccess } from './access.ts';
import type { Classify } from './commands/verdict.ts';
import { findProgram } from './program.ts';
import { createClassify } from './verdict.ts';

let folder = '';
let root = '';
let data = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'verdict-')));
  [root, data] = [path.join(folder, 'root'), path.join(folder, 'data')];
  mkdirSync(root);
  mkdirSync(data);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const access = (): ReturnType<typeof createAccess> =>
  createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [] });
const classifier = (): Classify => createClassify({ access: access(), dataDir: data });
const judge = async (command: string, more: Partial<Parameters<Classify>[0]> = {}): Promise<string> =>
  (await classifier()({ command, cwd: root, roots: access().roots(), ...more })).decision;

describe('what it sees of the machine', () => {
  test('links are followed, also those whose end is missing', async () => {
    symlinkSync('/etc', path.join(root, 'link'));
    symlinkSync('/etc/missing', path.join(root, 'dangling'));
    expect(await judge('echo x > file')).toBe('allow');
    expect(await judge('echo x > link/motd')).toBe('ask');
    expect(await judge('echo x > dangling/deep/file')).toBe('ask');
    expect(await judge('rm -rf link/../usr')).toBe('deny');
  });

  test('scripts of the project are read; a pipe is not waited for', async () => {
    writeFileSync(path.join(root, 'bad.sh'), 'rm -rf /\n');
    writeFileSync(path.join(root, 'good.sh'), 'ls\n');
    execFileSync('mkfifo', [path.join(root, 'pipe.sh')]);
    expect(await judge('bash bad.sh')).toBe('deny');
    expect(await judge('bash good.sh')).toBe('allow');
    expect(await judge('bash pipe.sh')).not.toBe('deny'); // and it does not wait for the pipe
  });

  test('the environment and the input of the call count', async () => {
    expect(await judge('rm -rf "$HOME"/..', { env: { HOME: '/home/x' } })).toBe('deny');
    expect(await judge('ls', { env: { LANG: 'C' } })).toBe('allow');
    expect(await judge('ls', { env: { LD_PRELOAD: './x.so' } })).not.toBe('allow');
    expect(await judge('bash', { stdin: { text: 'rm -rf /' } })).toBe('deny');
    expect(await judge('cat', { stdin: { text: 'rm -rf /' } })).toBe('allow');
    expect(await judge('bash', { stdin: 'unknown' })).toBe('ask');
  });
});

describe('files of rules', () => {
  const rules = (where: string, rows: unknown): void => {
    mkdirSync(path.dirname(where), { recursive: true });
    writeFileSync(where, JSON.stringify({ rules: rows }));
  };

  test('a project makes the rules stricter, the user also milder', async () => {
    expect(await judge('git push')).toBe('ask');
    rules(path.join(data, 'verdict.json'), [{ match: ['git', 'push', '**'], decision: 'allow', loosen: true }]);
    expect(await judge('git push')).toBe('allow');
    rules(path.join(root, '.hanzo', 'verdict.json'), [{ match: ['git', 'push', '**'], decision: 'deny' }]);
    expect(await judge('git push')).toBe('deny');
  });

  test('a folder for temporary files is nobody’s project', async () => {
    const temporary = { ...access(), temporary: () => [root] };
    rules(path.join(root, '.hanzo', 'verdict.json'), [{ match: ['ls', '**'], decision: 'deny' }]);
    const verdict = await createClassify({ access: temporary, dataDir: data })({
      command: 'ls',
      cwd: root,
      roots: [root],
    });
    expect(verdict.decision).toBe('allow');
  });

  test('a broken file is told by its name and line', () => {
    writeFileSync(path.join(data, 'verdict.json'), '{\n "rules": [{"match": "npm"}]\n}');
    expect(() => classifier()({ command: 'ls', cwd: root, roots: [root] })).toThrow(
      `${path.join(data, 'verdict.json')}:2: rules.0.match is a list of words`,
    );
  });
});

describe('a deny', () => {
  test('starts no process: neither in the table nor in the system', async () => {
    const fixture = createFixture({}, { classify: classifier() });
    let started = 0;
    const { start } = fixture.env.processes;
    Object.assign(fixture.env.processes, {
      start: (...args: Parameters<typeof start>) => {
        started++;
        return start(...args);
      },
    });
    try {
      const refused = await fixture.call(exec, { action: 'exec', command: 'touch made; rm -rf /' });
      expect(refused.error).toMatchObject({
        code: 'PERMISSION_DENIED',
        verdict: { decision: 'deny', reasons: [{ rule: 'deletes-above', command: 'rm -rf /', span: [12, 20] }] },
      });
      expect(started).toBe(0);
      expect((await fixture.call(exec, { action: 'ps' })).data.total).toBe(0);
      expect((await fixture.call(exec, { action: 'exec', command: 'echo ran' })).data.verdict).toEqual({
        decision: 'allow',
      });
      expect(started).toBe(1);
    } finally {
      await fixture.close();
    }
  });

  test('what a waiting shell is sent is judged too', async () => {
    const fixture = createFixture({}, { classify: classifier() });
    try {
      const { data: shell } = await fixture.call(exec, { action: 'exec', command: 'bash', stdin: true, timeout: 0 });
      expect(shell.verdict.decision).toBe('ask');
      const { proc_id } = shell;
      expect((await fixture.call(exec, { action: 'write', proc_id, input: 'rm -r' })).ok).toBe(true);
      const refused = await fixture.call(exec, { action: 'write', proc_id, input: 'f /\n' });
      expect(refused.error).toMatchObject({ code: 'PERMISSION_DENIED', verdict: { decision: 'deny' } });
    } finally {
      await fixture.close();
    }
  });

  test('git bisect run is judged by the command it runs', async () => {
    const fixture = createFixture({}, { classify: classifier() });
    const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: fixture.folder, stdio: 'pipe' });
    try {
      git('init', '-q', '-b', 'main');
      for (const each of ['a', 'b', 'c'])
        git('-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q', '--allow-empty', '-m', each);
      const ctx = { env: fixture.env, maxOutput: 32_768, signal: new AbortController().signal, progress: () => {} };
      const run = (input: object): unknown =>
        bisect.run(ctx as unknown as Parameters<typeof bisect.run>[0], { path: fixture.folder, ...input } as never);
      await run({ sub_action: 'start', ref: 'HEAD', target: 'HEAD~2' });
      await expect(run({ sub_action: 'run', value: "bash -c 'touch made && rm -rf /'" })).rejects.toThrow(
        'refused, nothing was run',
      );
      expect(existsSync(path.join(fixture.folder, 'made'))).toBe(false);
    } finally {
      await fixture.close();
    }
  });

  test.runIf(findProgram('strace') !== undefined && canTrace())(
    'executes nothing, seen by the system',
    async () => {
      const trace = path.join(folder, 'trace');
      const script = path.join(folder, 'serve.mjs');
      const here = new URL('..', import.meta.url).href;
      writeFileSync(
        script,
        `import { createLocalHost } from '${here}host.ts';
       import { defaultConfig } from '${here}config.ts';
       const host = createLocalHost(defaultConfig({ cwd: ${JSON.stringify(root)}, tools: ['exec'], dataDir: ${JSON.stringify(data)} }), { tools: () => '[]' }, { listed: () => ['exec'], onChange() {} });
       const context = { signal: new AbortController().signal, progress() {}, log() {}, clientCapabilities: {} };
       const result = await host.call({ id: 'x' }, 'exec', { action: 'exec', command: 'touch made; rm -rf /' }, context);
       console.log(result.content[0].text);
       await host.close();`,
      );
      const child = spawn(
        'strace',
        [
          '-f',
          '-e',
          'trace=execve,execveat',
          '-o',
          trace,
          process.execPath,
          '--conditions=hanzo-source',
          '--no-warnings',
          script,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      let said = '';
      child.stdout.on('data', (chunk) => (said += chunk));
      await new Promise((resolve) => child.once('close', resolve));
      expect(said).toContain('PERMISSION_DENIED');
      chmodSync(trace, 0o600);
      const calls = execFileSync('grep', ['-c', 'execve', trace], { encoding: 'utf8' }).trim();
      expect(calls).toBe('1'); // node itself
    },
    60_000,
  );
});

function canTrace(): boolean {
  return spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0;
}
