// The stdio transport: newline-delimited messages in, newline-delimited messages out, a clean end by every road.
import type { Host, Prepared } from '../host.ts';
import { type Lane, MAX_SPARE } from '../core/lane.ts';
import { createService } from '../core/service.ts';
import { createConnection } from './connection.ts';
import { createLineReader } from './lines.ts';
import { divertStdout, type Output } from './stdout.ts';

/** Most bytes of one line. */
const MAX_LINE = 64 * 1024 * 1024;
/** Unread bytes of output above which no more input is taken. Generous: a client may write a lot before it reads. */
const MAX_UNREAD = 16 * 1024 * 1024;
/** Milliseconds that calls under way have to finish once the input has ended. */
const GRACE = 3000;
/** Milliseconds that aborted calls, and the last bytes of output, have. */
const LAST = 1000;

export interface StdioOptions {
  /** loaded when the first request needs it */
  host: Host | (() => Promise<Host>);
  /** with it `initialize`, `server/discover`, `ping` and `tools/list` are answered without loading the host */
  prepared?: Prepared;
  /** default: standard input */
  input?: NodeJS.ReadableStream;
  /** default: standard output, from which everything else is diverted while serving */
  output?: Output;
  /** ends the serving; calls under way are aborted */
  signal?: AbortSignal;
  /** awaited before the returned promise resolves; the place to end children */
  onEnd?: () => Promise<void> | void;
  /** most bytes of one line; default 64 MiB */
  maxLine?: number;
  /** milliseconds that calls under way have to finish once the input has ended; default 3000 */
  grace?: number;
  pageSize?: number;
}

/**
 * Serves one client over stdio. Resolves when the input has ended, the output has broken (EPIPE), or `signal` was
 * aborted; by then every call has finished or been aborted and `onEnd` is done. Never exits the process itself.
 */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { input = process.stdin, maxLine = MAX_LINE, grace = GRACE, signal } = options;
  const diverted = options.output ? undefined : divertStdout();
  const output: Output = options.output ?? (diverted as Output);
  const service = createService(options);
  let broken = false;
  let paused = false;

  const send: Lane['send'] = (text, spare = false) => {
    if (broken || (spare && output.writableLength > MAX_SPARE)) return;
    output.write(`${text}\n`);
    if (paused || output.writableLength < MAX_UNREAD) return;
    paused = true;
    input.pause();
  };
  // A client that is gone takes standard error with it: what is said there then is lost, not fatal.
  if (!process.stderr.listeners('error').includes(ignore)) process.stderr.on('error', ignore);
  const connection = createConnection(service, send, maxLine);
  const lines = createLineReader(maxLine, connection.take);

  const onDrain = (): void => {
    if (!paused) return;
    paused = false;
    input.resume();
  };
  const onData = (chunk: Buffer | string): void => lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);

  // The end of input leaves calls their grace; a signal or a broken output does not.
  const cut = new Promise<void>((resolve) => {
    const onBroken = (): void => {
      broken = true;
      resolve();
    };
    output.on('error', onBroken);
    output.on('close', onBroken);
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  const ended = new Promise<void>((resolve) => {
    input.once('end', () => {
      lines.end();
      resolve();
    });
    input.once('close', resolve);
    input.once('error', () => resolve());
  });
  output.on('drain', onDrain);
  input.on('data', onData);

  try {
    await Promise.race([ended, cut]);
    input.removeListener('data', onData);
    input.pause();
    connection.close();
    await within(grace, Promise.race([connection.flights.idle(), cut]));
    connection.flights.abortAll('the server is ending');
    await within(LAST, connection.flights.idle());
    service.close();
    await options.onEnd?.();
    if (!broken) await within(LAST, new Promise<void>((resolve) => void output.write('', () => resolve())));
  } finally {
    diverted?.restore();
  }
}

function ignore(): void {}

/** Waits for `work`, at most `time` milliseconds. */
async function within(time: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
