// Starts the test server as a child process and talks to it in lines.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Json } from './wire.ts';

const SERVER = fileURLToPath(new URL('server.ts', import.meta.url));

/** The name of the export condition that leads to sources. */
function sourceCondition(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Json;
  return Object.keys(manifest['exports']['.'])[0] as string;
}

export const SERVER_COMMAND: readonly string[] = [`--conditions=${sourceCondition()}`, '--no-warnings', SERVER];

export interface Program {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** the whole lines of standard output */
  readonly lines: readonly string[];
  /** what came after the last line end */
  readonly rest: () => string;
  readonly stderr: () => string;
  send(message: Json): void;
  ask(id: number, method: string, params?: Json): Promise<Json>;
  /** resolves to the exit code, or the signal's name */
  readonly exit: Promise<number | string>;
}

export function startServer(): Program {
  const child = spawn(process.execPath, [...SERVER_COMMAND], { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  let rest = '';
  let stderr = '';
  const waiting = new Map<number, (answer: Json) => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = `${rest}${chunk}`.split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      const message = JSON.parse(line) as Json;
      waiting.get(message['id'])?.(message);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => {});
  const exit = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const program: Program = {
    child,
    exit,
    lines,
    rest: () => rest,
    stderr: () => stderr,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    ask: (id, method, params) =>
      new Promise((resolve) => {
        waiting.set(id, resolve);
        program.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
      }),
  };
  return program;
}
