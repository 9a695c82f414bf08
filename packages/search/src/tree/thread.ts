// A thread that looks at trees. Its own module, so that a build gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { UserPlaces } from './sources.ts';
import { type SweepJob, work } from './sweep.ts';
import type { Walked } from './walk.ts';

/** The key under which the thread finds that it is meant. */
export const TREE_THREAD = 'search-tree';

/** Where this module lies. */
export const url = import.meta.url;

export type TreeTask =
  | { readonly id: number; readonly sweep: readonly SweepJob[] }
  | { readonly id: number; readonly walk: { readonly root: string; readonly places: UserPlaces } };

export interface TreeAnswer {
  readonly id: number;
  readonly walked?: Walked;
}

if (!isMainThread && typeof workerData === 'object' && workerData !== null && TREE_THREAD in workerData) {
  const port = parentPort!;
  port.on('message', (task: TreeTask) => {
    if ('sweep' in task) {
      for (const job of task.sweep) work(job);
      port.postMessage({ id: task.id } satisfies TreeAnswer);
    } else {
      // what goes wrong ends the thread, and the asker walks itself
      void walkAll(task.walk).then((walked) => port.postMessage({ id: task.id, walked } satisfies TreeAnswer));
    }
  });
}

/** The walk is not loaded before it is asked for: a sweep, which somebody waits for, is not to wait for it. */
async function walkAll({ root, places }: { root: string; places: UserPlaces }): Promise<Walked> {
  return (await import('./walk.ts')).walk(root, { places });
}
