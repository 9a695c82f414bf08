// A thread that looks at trees. Its own module, so that a build gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { UserPlaces } from './sources.ts';
import type { SweepJob } from './sweep.ts';
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
  const { work } = await import('./sweep.ts');
  const { walk } = await import('./walk.ts');
  port.on('message', (task: TreeTask) => {
    if ('sweep' in task) {
      for (const job of task.sweep) work(job);
      port.postMessage({ id: task.id } satisfies TreeAnswer);
    } else {
      port.postMessage({
        id: task.id,
        walked: walk(task.walk.root, { places: task.walk.places }),
      } satisfies TreeAnswer);
    }
  });
}
