// Runs one program to its end and hands back what it said. No shell, no terminal; for commands of a caller use the process table.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { ToolError } from '@hanzo/tool';
import { endTrees } from './processes/ending.ts';
import { childEnv } from './processes/env.ts';
import { MARK_VARIABLE } from './processes/scan.ts';
import { killNow, type Trace, traceOf } from './processes/tree.ts';
import { needProgram } from './program.ts';

export interface RunOptions {
  /** absolute; must be a directory */
  readonly cwd: string;
  /** laid over the server's environment (its own credentials are never in it); undefined removes a name */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** what the program reads; without it its standard input is empty */
  readonly input?: string | Uint8Array;
  /** milliseconds; at the limit the whole tree is killed and `timedOut` is set */
  readonly timeoutMs: number;
  /** most bytes kept per stream; the rest is read and dropped, and `truncated` is set */
  readonly maxBytes: number;
  /** kills the whole tree; the run then rejects */
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** null when a signal ended the program */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly truncated: boolean;
  readonly timedOut: boolean;
}

/** How long the pipes may stay open, in milliseconds, after the program itself has ended. */
const PIPE_GRACE = 200;

/** Programs that run right now: should this process exit meanwhile, they end with it. */
const running = new Set<Trace>();

function endWithProcess(trace: Trace): void {
  if (running.size === 0) process.once('exit', endAll);
  running.add(trace);
}

function ended(trace: Trace): void {
  running.delete(trace);
  if (running.size === 0) process.off('exit', endAll);
}

function endAll(): void {
  killNow([...running]);
}

/**
 * Runs `argv` and resolves when the program ends, whatever its exit code. The program leads its own session and group.
 * A child it leaves behind does not hold the answer up. Rejects with NOT_FOUND for a missing program or directory, with
 * INTERNAL_ERROR when aborted or when the system refuses to start it.
 */
export async function run(argv: readonly string[], options: RunOptions): Promise<RunResult> {
  // The mark finds what leaves the program's session and parent behind.
  const mark = `run.${randomUUID()}`;
  const env = childEnv({ ...options.env, [MARK_VARIABLE]: mark });
  const [name = '', ...args] = argv;
  if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ToolError('NOT_FOUND', `${options.cwd} is not a directory`, { path: options.cwd });
  }
  const program = needProgram(name, env['PATH'], options.cwd);
  if (options.signal?.aborted) throw cancelled(name);
  const child = spawn(program, args, {
    cwd: options.cwd,
    env,
    argv0: name,
    detached: true,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const [stdin, out, err] = child.stdio;
  const stdout = collect(out, options.maxBytes);
  const stderr = collect(err, options.maxBytes);
  stdin?.on('error', () => {}); // the program may end before it has read everything
  stdin?.end(options.input);

  let timedOut = false;
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
  const trace = child.pid === undefined ? undefined : traceOf(child.pid, { env: mark, limit: undefined });
  if (trace) endWithProcess(trace);
  const stop = (): void => {
    if (trace) void endTrees([trace], 'SIGKILL', 0);
  };
  const abort = (): void => {
    stop();
    reject(cancelled(name));
  };
  const limit = setTimeout(() => {
    timedOut = true;
    stop();
  }, options.timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  options.signal?.addEventListener('abort', abort, { once: true });
  child.once('error', (error) => {
    reject(new ToolError('INTERNAL_ERROR', `${name} could not be started: ${error.message}`, { program: name }));
  });
  child.once('exit', (code, signal) => {
    clearTimeout(limit);
    const finish = (): void => {
      out?.destroy();
      err?.destroy();
      resolve({
        code,
        signal,
        stdout: stdout.bytes(),
        stderr: stderr.bytes(),
        truncated: stdout.truncated() || stderr.truncated(),
        timedOut,
      });
    };
    child.once('close', finish);
    grace = setTimeout(finish, PIPE_GRACE);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(limit);
    clearTimeout(grace);
    if (trace) ended(trace);
    options.signal?.removeEventListener('abort', abort);
  }
}

function cancelled(name: string): ToolError {
  return new ToolError('INTERNAL_ERROR', `${name} was cancelled`, { program: name });
}

function collect(
  stream: NodeJS.ReadableStream | null | undefined,
  maxBytes: number,
): { bytes(): Buffer; truncated(): boolean } {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  let over = false;
  stream?.on('data', (chunk: Buffer) => {
    if (chunk.length > left) over = true;
    if (left > 0) chunks.push(chunk.length > left ? chunk.subarray(0, left) : chunk);
    left -= Math.min(left, chunk.length);
  });
  stream?.on('error', () => {});
  return { bytes: () => Buffer.concat(chunks), truncated: () => over };
}
