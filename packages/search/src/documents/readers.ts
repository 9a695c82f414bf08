// The threads that read documents: few at a time, and kept a while, because starting one costs more than most documents.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../worker.ts';

/** A thread that reads one document at a time. */
export interface Reader {
  readonly worker: Worker;
  /** documents it was asked for */
  asked: number;
}

/** Readers at work at one time; each may hold a few hundred megabytes. */
const READERS = 2;
/** Milliseconds a reader without work is kept. */
const IDLE_MS = 3000;
/** Documents after which a reader is replaced, whatever they left in its memory. */
const DOCUMENTS = 100;

let running = 0;
const waiting: (() => void)[] = [];
const idle: { reader: Reader; timer: NodeJS.Timeout }[] = [];

/** Waits for a place and gives a reader, which must go back by `giveReader`. */
export async function takeReader(): Promise<Reader> {
  await takePlace();
  const kept = idle.pop();
  if (kept) {
    clearTimeout(kept.timer);
    kept.reader.worker.ref();
    return kept.reader;
  }
  try {
    return { worker: await start(), asked: 0 };
  } catch (error) {
    givePlace();
    throw error;
  }
}

/** Takes a reader back; one that did not end its document of itself (`clean`) is ended. */
export function giveReader(reader: Reader, clean: boolean): void {
  if (!clean || reader.asked >= DOCUMENTS) {
    // The answer does not wait until the thread is gone; the next reader does.
    void reader.worker.terminate().finally(givePlace);
    return;
  }
  const timer = setTimeout(() => {
    const at = idle.findIndex((each) => each.reader === reader);
    if (at >= 0) idle.splice(at, 1);
    void reader.worker.terminate();
  }, IDLE_MS);
  // Neither it nor its end keeps a program that has nothing else to do.
  timer.unref();
  reader.worker.unref();
  idle.push({ reader, timer });
  givePlace();
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

async function start(): Promise<Worker> {
  const { WORKER, url } = await import('./worker.ts');
  const worker = startWorker(url, {
    workerData: { [WORKER]: true },
    resourceLimits: { maxOldGenerationSizeMb: 768 },
  });
  // An error after the answer has nobody left to hear it; a reader that dies without work is not used again.
  worker.on('error', () => {});
  worker.on('exit', () => {
    const at = idle.findIndex((each) => each.reader.worker === worker);
    if (at >= 0) clearTimeout(idle.splice(at, 1)[0]?.timer);
  });
  return worker;
}
