// The thread that reads documents. Its own module, so that a build gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Answer, Message, Request } from './types.ts';

/** The key under which the thread finds that it is one. */
export const WORKER = 'document';

/** Where this module lies. */
export const url = import.meta.url;

if (!isMainThread && parentPort && typeof workerData === 'object' && workerData !== null && WORKER in workerData) {
  const port = parentPort;
  port.on('message', async ({ id, file, limits }: Request) => {
    const send = (message: Message): void => port.postMessage({ id, message } satisfies Answer);
    const { readFileAt } = await import('./read.ts');
    send({ done: await readFileAt(file, limits, (batch) => send({ batch })) });
  });
}
