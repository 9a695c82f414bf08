// One command: its process, its streams, its end. Made by the table, which is the only one to start and to end it.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { ToolError } from '@hanzo/tool';
import { Capture } from './capture.ts';
import type { Pipe, PipeMaker } from './pipes.ts';
import type { Ended, Proc } from './proc.ts';
import { lookSoon, type Marks, readsStdin, type Snapshot } from './scan.ts';
import { identity, inputFile, OutputStream } from './streams.ts';
import { members, type Trace, traceOf } from './tree.ts';

/** How long the pipes may stay open, in milliseconds, after the command's own process has ended. */
const PIPE_GRACE = 150;
/** Most text waiting for a command that does not read. */
const MAX_UNREAD = 1024 * 1024;

/** What the table has worked out of a request. */
export interface Launch {
  readonly id: string;
  readonly serial: number;
  readonly argv: readonly string[];
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly marks: Marks;
  /** the first process is a keeper of the namespace, not the command */
  readonly keeper: boolean;
  readonly input: string | undefined;
  readonly stdin: boolean;
  readonly verdict: unknown;
  readonly sandbox: string | undefined;
  /** paths of the two logs, made on need */
  readonly logs: readonly [stdout: string, stderr: string];
  readonly maxLog: number;
  readonly pipes: PipeMaker;
}

export class Command implements Proc {
  readonly id: string;
  readonly serial: number;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  readonly started = Date.now();
  readonly verdict: unknown;
  readonly sandbox: string | undefined;
  readonly stdout: Capture;
  readonly stderr: Capture;
  readonly done: Promise<Ended>;
  readonly trace: Trace;
  ended: Ended | undefined;
  #streams: readonly OutputStream[];
  readonly #listeners = new Set<() => void>();
  readonly #begun = performance.now();
  readonly #stdinPipe: string | undefined;
  #stdin: Writable | undefined;
  #gone = false;

  private constructor(
    launch: Launch,
    child: ChildProcess,
    pid: number,
    streams: OutputStream[],
    stdin: Writable | undefined,
    stdinPipe: string | undefined,
  ) {
    this.id = launch.id;
    this.serial = launch.serial;
    this.pid = pid;
    this.command = launch.command;
    this.cwd = launch.cwd;
    this.verdict = launch.verdict;
    this.sandbox = launch.sandbox;
    this.trace = traceOf(pid, launch.marks, launch.keeper);
    [this.stdout, this.stderr] = [streams[0]!.capture, streams[1]!.capture];
    this.#streams = streams;
    for (const stream of streams) stream.start(() => this.#changed());
    this.#stdin = stdin;
    this.#stdinPipe = stdinPipe;
    const { promise, resolve } = Promise.withResolvers<Ended>();
    this.done = promise;
    child.once('exit', (code, signal) => void this.#leaderEnded(code, signal).then(resolve));
  }

  /** Starts the process. Rejects with INTERNAL_ERROR where the system refuses. */
  static async start(launch: Launch): Promise<Command> {
    const pipes: (Pipe | undefined)[] = [];
    // Text that is all there is goes in as a file: it ends where it ends, and no one has to feed it.
    const text = launch.input !== undefined && !launch.stdin ? inputFile(launch.logs[0], launch.input) : undefined;
    let child: ChildProcess;
    try {
      pipes.push(launch.stdin ? launch.pipes.toCommand() : undefined);
      pipes.push(launch.pipes.fromCommand());
      pipes.push(launch.pipes.fromCommand());
      const stdin = text ?? pipes[0]?.theirs ?? (launch.stdin ? 'pipe' : 'ignore');
      const [program = '', ...args] = launch.argv;
      child = spawn(program, args, {
        cwd: launch.cwd,
        env: launch.env,
        detached: true,
        stdio: [stdin, pipes[1]?.theirs ?? 'pipe', pipes[2]?.theirs ?? 'pipe'],
      });
      await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    } catch (error) {
      for (const pipe of pipes) if (pipe) closeSync(pipe.ours);
      throw new ToolError('INTERNAL_ERROR', `the command could not be started: ${(error as Error).message}`);
    } finally {
      for (const pipe of pipes) if (pipe) closeSync(pipe.theirs);
      if (text !== undefined) closeSync(text);
    }
    child.on('error', () => {}); // a signal that could not be delivered; nothing depends on it
    const streams = [1, 2].map(
      (index) =>
        new OutputStream(
          pipes[index],
          child.stdio[index] as Readable | null,
          new Capture(launch.logs[index - 1]!, launch.maxLog),
        ),
    );
    const stdinPipe = pipes[0] && identity(pipes[0].ours);
    const stdin = pipes[0]
      ? new Socket({ fd: pipes[0].ours, readable: false, writable: true })
      : (child.stdin ?? undefined);
    stdin?.on('error', () => {}); // it may end without having read everything
    if (launch.input !== undefined) stdin?.write(launch.input);
    return new Command(launch, child, child.pid as number, streams, stdin, stdinPipe);
  }

  get takesInput(): boolean {
    return this.#stdin !== undefined && this.#stdin.writable && this.ended === undefined;
  }

  /** true once it has ended and nothing of it lives */
  get gone(): boolean {
    return this.#gone;
  }

  /** True if one of its processes sits in a read of the input that `write` feeds. */
  get waitsForInput(): boolean {
    const pipe = this.#stdinPipe;
    if (pipe === undefined || !this.takesInput) return false;
    return members(this.trace).some((each) => readsStdin(each.pid) && identity(`/proc/${each.pid}/fd/0`) === pipe);
  }

  get runningFor(): number {
    return Math.round(this.ended ? this.ended.at - this.started : performance.now() - this.#begun);
  }

  /** How many of its processes live. Once it is 0 it stays so, and the system's numbers are not looked at again. */
  alive(now?: Snapshot): number {
    if (this.#gone) return 0;
    const count = members(this.trace, now).length;
    if (count === 0 && this.ended) this.#close();
    return count;
  }

  /** Calls `listener` after each piece of output and at the end; returns the way to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async write(input: string, eof: boolean): Promise<void> {
    const stdin = this.#stdin;
    if (!stdin) {
      throw new ToolError(
        'CONFLICT',
        `${this.id} was started without an open standard input; start it with stdin: true`,
      );
    }
    if (!this.takesInput) throw new ToolError('CONFLICT', `${this.id} has ended or its standard input is closed`);
    if (stdin.writableLength + input.length > MAX_UNREAD) {
      throw new ToolError(
        'CONFLICT',
        `${this.id} has not read the last ${stdin.writableLength} bytes yet; nothing was sent`,
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const failed = (): void => reject(new ToolError('CONFLICT', `${this.id} has closed its standard input`));
    stdin.once('error', failed);
    stdin.write(input, (error) => (error ? failed() : resolve()));
    if (eof) stdin.end();
    // A command that does not read leaves the text in the pipe or, when that is full, here; neither holds the caller up.
    const enough = setTimeout(resolve, 200);
    try {
      await promise;
    } finally {
      clearTimeout(enough);
      stdin.off('error', failed);
    }
  }

  /** Waits until its own process is reaped, at most `ms`; then lets go of the pipes, whoever holds the other ends. */
  async settle(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.done, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
    clearTimeout(timer);
    if (this.#gone || this.alive(await lookSoon()) === 0) this.#close();
  }

  /** Lets go of everything it holds, its log too. */
  discard(): void {
    this.#close();
    this.stdout.close();
    this.stderr.close();
  }

  async #leaderEnded(code: number | null, signal: NodeJS.Signals | null): Promise<Ended> {
    const at = Date.now();
    for (const stream of this.#streams) stream.drain();
    await within(PIPE_GRACE, Promise.all(this.#streams.map((stream) => stream.over)));
    for (const stream of this.#streams) stream.drain();
    this.ended = { exitCode: code ?? 128 + (signal ? constants.signals[signal] : 0), signal: signal ?? undefined, at };
    this.#stdin?.destroy();
    // Whether something of it lives on is found out later at worst.
    const now = await lookSoon().catch(() => undefined);
    if (now) this.alive(now);
    this.#changed();
    return this.ended;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #close(): void {
    this.#gone = true;
    this.#stdin?.destroy();
    for (const stream of this.#streams) stream.close();
    this.#streams = []; // and with them their buffers: a finished command is kept for its output only
  }
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
