// A thread of the pool: takes slices of the searches that are under way in turn, so that a small one does not wait for a large one.
// Its own module, so that a build gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { type Answer, END, type Order } from './orders.ts';

/** The key under which the thread finds that it is one of the pool's. */
export const THREAD = 'search-thread';

/** Where this module lies. */
export const url = import.meta.url;

if (!isMainThread && isAsked(workerData)) {
  const port = parentPort!;
  const { work } = await import('./work.ts');
  const take = work((answer: Answer) => port.postMessage(answer));
  port.on('message', (order: Order | typeof END) => {
    if (order === END) port.close();
    else take(order);
  });
}

function isAsked(data: unknown): data is { [THREAD]: true } {
  return typeof data === 'object' && data !== null && THREAD in data;
}
