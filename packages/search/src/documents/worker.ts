// The thread that reads one document. Its own module, so that a build gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Limits } from './limits.ts';
import type { Message } from './types.ts';

/** The key under which the thread finds what it is to read. */
export const WORKER = 'document';

/** Where this module lies. */
export const url = import.meta.url;

if (!isMainThread && isAsked(workerData)) {
  const port = parentPort;
  const send = (message: Message): void => port?.postMessage(message);
  const { readFileAt } = await import('./read.ts');
  const { file, limits } = workerData[WORKER];
  send({ done: await readFileAt(file, limits, (batch) => send({ batch })) });
}

function isAsked(data: unknown): data is { [WORKER]: { file: string; limits: Limits } } {
  return typeof data === 'object' && data !== null && WORKER in data;
}
