// The built hanzo-mcp as a child process: one command line from start to end, or a server that is spoken to over stdio.
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/hanzo-mcp.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const BUILD = fileURLToPath(new URL('../../../scripts/build.ts', import.meta.url));

export type Environment = Readonly<Record<string, string>>;

/** How a command line ended, and what it said. */
export interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A JSON-RPC message from the server, with the members of results that tests look at. */
export interface Answer {
  id?: number;
  method?: string;
  result?: {
    tools?: { name: string }[];
    resources?: object[];
    contents?: { text: string }[];
    content?: { type: string; text: string }[];
  };
  error?: { code: number; message: string };
}

/** A server over stdio that has been initialized. */
export interface Stdio {
  /** the answer to a request */
  request(method: string, params?: object): Promise<Answer>;
  /** the next notification of that method that was not taken yet */
  notification(method: string): Promise<Answer>;
  /** ends the input and waits for the end of the server; its exit code */
  close(): Promise<number | null>;
}

/** Starts the program; builds it first where it never was. */
export function start(args: readonly string[], env: Environment): ChildProcessByStdio<Writable, Readable, Readable> {
  if (!existsSync(BUILT)) execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 2, 2] });
  return spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs one command line to its end, without input. */
export async function run(args: readonly string[], env: Environment): Promise<Ending> {
  const child = start(args, env);
  child.stdin.end();
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => (said[stream] += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** Serves over stdio and initializes. */
export async function serveStdio(args: readonly string[], env: Environment): Promise<Stdio> {
  const child = start(['serve', ...args], env);
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.stderr.resume();
  const waiting = new Map<number, (answer: Answer) => void>();
  const heard: Answer[] = [];
  const listeners: (() => void)[] = [];
  let serial = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.method === undefined) return waiting.get(answer.id ?? 0)?.(answer);
    heard.push(answer);
    for (const listener of listeners.splice(0)) listener();
  });
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const stdio: Stdio = {
    request(method, params = {}) {
      const id = ++serial;
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async notification(method) {
      for (;;) {
        const at = heard.findIndex((each) => each.method === method);
        if (at >= 0) return heard.splice(at, 1)[0] as Answer;
        await new Promise<void>((resolve) => listeners.push(resolve));
      }
    },
    async close() {
      child.stdin.end();
      return (await closed)[0];
    },
  };
  await stdio.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return stdio;
}
