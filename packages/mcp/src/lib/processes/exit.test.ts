// Nothing outlives the server, whichever way it ends: each road is walked by a real server with commands of every kind.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pidNamespace } from './sandbox.ts';

/** Generous: eighteen servers on a busy machine. */
const LIMIT = 180_000;

const SERVER = fileURLToPath(new URL('./exit-server.ts', import.meta.url));

let serial = 1000 * process.pid + 500;

/** A file of /proc; '' when the process is gone. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** pids whose command line holds all of `words`. */
function running(...words: readonly string[]): string[] {
  return readdirSync('/proc').filter((pid) => {
    const line = /^\d+$/.test(pid) ? read(pid, 'cmdline') : '';
    return line !== '' && words.every((word) => line.includes(word));
  });
}

/** The folder that the watchdog of this server is to remove. */
function watchedFolder(server: number): string | undefined {
  const pid = running('hanzo-mcp-watchdog').find(
    (each) => read(each, 'stat').split(') ')[1]?.split(' ')[1] === `${server}`,
  );
  return pid && read(pid, 'cmdline').split('\0')[4];
}

const INSIDE = [
  'close',
  'close, then exit',
  'exit',
  'exit while closing',
  'exception',
  'rejection',
  'broken pipe',
  'abort',
];
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const;

/** Calls `look` until it gives `wanted` or 20 seconds are over; the last look. */
async function until<T>(look: () => T, wanted: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 800 && !wanted(look()); tries++) await sleep(50);
  return look();
}

/** Lets a server end by `road` and tells what is left of it. */
async function walk(road: string, sandbox: string): Promise<unknown> {
  const mark = String(++serial);
  const argv = ['--conditions=hanzo-source', SERVER, mark, road, sandbox];
  const server = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    await new Promise((resolve) => server.stdout.once('data', resolve));
    const started = await until(
      () => running(mark).filter((pid) => Number(pid) !== server.pid).length,
      (count) => count > 9,
    );
    const folder = watchedFolder(server.pid as number) ?? '';
    const watched = existsSync(folder);

    if (road === 'broken pipe') server.stdout.destroy();
    server.kill(road.startsWith('SIG') ? (road as NodeJS.Signals) : 'SIGUSR1');
    await ended;
    const left = await until(
      () => [...running(mark), ...running('hanzo-mcp-watchdog', folder), ...(existsSync(folder) ? [folder] : [])],
      (found) => found.length === 0,
    );
    return { started: started > 9, watched, left };
  } finally {
    server.kill('SIGKILL');
  }
}

const NOTHING = { started: true, watched: true, left: [] };

test.runIf(process.platform === 'linux').concurrent.each([...INSIDE, ...SIGNALS])(
  'nothing is left after: %s',
  async (road) => {
    expect(await walk(road, '')).toEqual(NOTHING);
  },
  LIMIT,
);

test.runIf(pidNamespace() !== undefined).concurrent.each(['close', 'exit', 'SIGTERM', 'SIGKILL'])(
  'nothing is left, with PID namespaces, after: %s',
  async (road) => {
    expect(await walk(road, 'sandbox')).toEqual(NOTHING);
  },
  LIMIT,
);
