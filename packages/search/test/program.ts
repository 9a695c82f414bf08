// Starts child.ts and speaks with it. Nothing of the engine is known here but its commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { IndexOptions } from '../src/index.ts';
import type { Answer, Command } from './child.ts';

export interface Program {
  readonly process: ChildProcess;
  /** answers in the order of the commands; rejects if the process is gone */
  ask(command: Command): Promise<Answer>;
  /** waits until it is gone */
  kill(): Promise<void>;
}

export interface Limits {
  /** most bytes of a file it writes, in units of 1,024: what a full disk is like */
  readonly fileBlocks?: number;
  /** runs as nobody */
  readonly unprivileged?: boolean;
}

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

/** A process on `root`; resolves when it has opened the tree. */
export async function start(root: string, options: IndexOptions, limits: Limits = {}): Promise<Program> {
  const argv = [
    process.execPath,
    '--conditions=hanzo-source',
    '--no-warnings',
    CHILD,
    JSON.stringify({ root, options }),
  ];
  const shell = ['bash', '-c', `ulimit -f ${limits.fileBlocks ?? 'unlimited'}; exec "$0" "$@"`];
  const [file, ...args] = limits.fileBlocks === undefined ? argv : [...shell, ...argv];
  const child = spawn(file as string, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(limits.unprivileged && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const gone = once(child, 'close');
  child.stdin.on('error', () => {});
  const next = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the process is gone');
    return JSON.parse(value as string) as Answer;
  };
  await next();
  let last: Promise<unknown> = Promise.resolve();
  return {
    process: child,
    ask(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      const before = last;
      const answer = (async () => {
        await before;
        return next();
      })();
      last = answer.catch(() => undefined);
      return answer;
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
