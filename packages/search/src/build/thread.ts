// A thread of a build. Its own module, so that a build of the program gives it a file of its own: `url` is where that is.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { BuildJob, ThreadAnswer } from './job.ts';

/** The key under which the thread finds what it is to build. */
export const BUILD_THREAD = 'search-build';

/** Where this module lies. */
export const url = import.meta.url;

if (!isMainThread && isAsked(workerData)) {
  const port = parentPort!;
  const { job, thread } = workerData[BUILD_THREAD];
  const { work } = await import('./work.ts');
  const { asBuildError } = await import('./failure.ts');
  let answer: ThreadAnswer;
  try {
    answer = { shards: work(job, thread) };
  } catch (error) {
    const { code, message } = asBuildError(error);
    answer = { failed: { code, message } };
  }
  port.postMessage(answer);
}

function isAsked(data: unknown): data is { [BUILD_THREAD]: { job: BuildJob; thread: number } } {
  return typeof data === 'object' && data !== null && BUILD_THREAD in data;
}
