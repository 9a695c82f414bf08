// A process whose file-system threads are stuck ends all the same; one that is not ends with its own code.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { start } from './program.ts';

const LEAVE = JSON.stringify(new URL('../src/verbs/leave.ts', import.meta.url).href);
let folder: string;
let pipe: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'leave-'));
  pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that may use `leaveSoon`, `leaveNow`, `readFile` and `pipe`; how it ended and what it said. */
async function ending(program: string): Promise<{ code: number | null; signal: string | null; said: string }> {
  const source = `
    import { readFile } from 'node:fs';
    const { leaveNow, leaveSoon } = await import(${LEAVE});
    const pipe = ${JSON.stringify(pipe)};
    process.on('exit', (code) => process._rawDebug('exit ' + code));
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, said };
}

describe('the end of the process', () => {
  it('comes in spite of reads that never return, after the exit listeners have run', async () => {
    const stuck = 'for (let i = 0; i < 6; i++) readFile(pipe, () => {});';
    expect(await ending(`${stuck} leaveSoon(0, 100);`)).toMatchObject({ signal: 'SIGKILL', said: 'exit 0\n' });
    expect(await ending(`${stuck} leaveNow(3);`)).toMatchObject({ signal: 'SIGKILL', said: 'exit 3\n' });
  });

  it('comes with the code that was asked for where no thread is stuck', async () => {
    expect(await ending('setInterval(() => {}, 1000); leaveSoon(4, 100);')).toMatchObject({
      code: 4,
      said: 'exit 4\n',
    });
    expect(await ending('setInterval(() => {}, 1000); leaveNow(5);')).toMatchObject({ code: 5, said: 'exit 5\n' });
  });

  it('is not hurried where it comes by itself', async () => {
    expect(await ending('process.exitCode = 6; leaveSoon(0, 60_000);')).toMatchObject({ code: 6, said: 'exit 6\n' });
  });
});

describe('a server all of whose file-system threads are stuck', () => {
  it('ends when its client is gone, and its commands with it', async () => {
    const preload = path.join(folder, 'stick.mjs');
    writeFileSync(
      preload,
      `import { readFile } from 'node:fs';
      process.on('SIGUSR2', () => {
        for (let i = 0; i < 8; i++) readFile(${JSON.stringify(pipe)}, () => {});
        process._rawDebug('stuck');
      });`,
    );
    const server = start(['serve', '--tools', 'exec'], {
      HANZO_CONFIG_HOME: folder,
      NODE_OPTIONS: `--import=${new URL(`file://${preload}`).href}`,
    });
    const closed = once(server, 'close');
    const next = (stream: 'stdout' | 'stderr', what: RegExp): Promise<RegExpExecArray> =>
      new Promise((resolve) => {
        let said = '';
        server[stream].setEncoding('utf8').on('data', (chunk: string) => {
          said += chunk;
          const found = what.exec(said);
          if (found) resolve(found);
        });
      });
    const answered = next('stdout', /\\"pid\\":(\d+)/);
    const stuck = next('stderr', /stuck/);
    const call = { name: 'exec', arguments: { action: 'exec', command: 'exec sleep 600', background: true } };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })}\n`);
    const pid = Number((await answered)[1]);
    expect(() => process.kill(pid, 0)).not.toThrow();
    server.kill('SIGUSR2');
    await stuck;
    server.stdin.end();
    expect(await closed).toEqual([null, 'SIGKILL']);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
