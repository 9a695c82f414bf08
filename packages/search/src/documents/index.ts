// Text of PDF, office and archive files. This side only starts the reader, in a thread that can be ended at any moment.
import { Worker } from 'node:worker_threads';
import { containerOf } from './kind.ts';
import { type Limits, LIMITS } from './limits.ts';
import type { DocumentText, Message } from './types.ts';

export type { DocumentText, Part } from './types.ts';

/** True for a file `readDocument` understands; `head` is its first 1024 bytes (512 suffice but for odd PDFs). */
export function isDocument(name: string, head: Buffer): boolean {
  return containerOf(name, head) !== undefined;
}

/** Readers at work at one time; each may hold a few hundred megabytes. */
const READERS = 2;
/** Milliseconds a thread has beyond its time limit before it is ended. */
const GRACE = 2000;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a document. Never rejects for what the file is: a broken, encrypted or oversize one comes back with `skipped` and
 * what could be read of it. `limits` replaces some of the bounds in limits.ts. Rejects with the signal's reason when
 * `signal` is aborted.
 */
export async function readDocument(
  file: string,
  signal?: AbortSignal,
  limits: Partial<Limits> = {},
): Promise<DocumentText> {
  signal?.throwIfAborted();
  await takePlace();
  let worker: Worker | undefined;
  try {
    signal?.throwIfAborted();
    const all = { ...LIMITS, ...limits };
    worker = await start(file, all);
    return await answerOf(worker, signal, all.time + GRACE);
  } finally {
    // The answer does not wait until the thread is gone; the next reader does.
    if (worker) void worker.terminate().finally(givePlace);
    else givePlace();
  }
}

async function takePlace(): Promise<void> {
  if (running < READERS) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Hands the place to whoever waits longest. */
function givePlace(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
}

async function start(file: string, limits: Limits): Promise<Worker> {
  const { WORKER, url } = await import('./worker.ts');
  const worker = new Worker(new URL(url), {
    workerData: { [WORKER]: { file, limits } },
    // A library's chatter must never reach the protocol on stdout.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // An error after the answer has nobody left to hear it.
  worker.on('error', () => {});
  return worker;
}

/** What the thread finds, until it is done, dies, has had `time` milliseconds, or the call is aborted. */
function answerOf(worker: Worker, signal: AbortSignal | undefined, time: number): Promise<DocumentText> {
  const found: DocumentText = { kind: 'unknown', text: '', parts: [] };
  return new Promise<DocumentText>((resolve, reject) => {
    const give = (skipped?: string): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      worker.removeAllListeners('message');
      resolve(skipped === undefined ? found : { ...found, skipped });
    };
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => give('took too long; the rest is left out'), time);
    signal?.addEventListener('abort', aborted, { once: true });
    if (signal?.aborted) aborted();
    worker.on('message', (message: Message) => {
      if ('batch' in message) {
        for (const part of message.batch.parts) found.parts.push(part);
        found.text += message.batch.text;
      } else {
        found.kind = message.done.kind;
        give(message.done.skipped);
      }
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      give(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'needs too much memory' : `cannot be read: ${error.message}`),
    );
    worker.on('exit', () => give('cannot be read: the reader ended'));
  });
}
