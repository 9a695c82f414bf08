// The time a question may take: one budget for everything it needs, ended early when the caller goes.
import { RemoteFailure } from './failure.ts';

export interface Bound {
  readonly signal: AbortSignal;
  /** the whole budget, milliseconds */
  readonly ms: number;
}

/**
 * Runs `work` within the budget. Rejects with the caller's reason where the caller gave up, with a late RemoteFailure where
 * the time was over, else as `work` does.
 */
export async function within<T>(ms: number, caller: AbortSignal, work: (bound: Bound) => Promise<T>): Promise<T> {
  caller.throwIfAborted();
  const controller = new AbortController();
  const late = new RemoteFailure('unreachable', `did not answer within ${ms / 1000} s`, { late: true });
  const timer = setTimeout(() => controller.abort(late), ms);
  const give = (): void => controller.abort(caller.reason);
  caller.addEventListener('abort', give, { once: true });
  try {
    return await raced(work({ signal: controller.signal, ms }), controller.signal);
  } catch (error) {
    caller.throwIfAborted();
    throw controller.signal.aborted ? late : error;
  } finally {
    clearTimeout(timer);
    caller.removeEventListener('abort', give);
  }
}

/** The promise, or the signal's reason if that comes first. */
export async function raced<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => undefined);
  signal.throwIfAborted();
  const { promise: gone, reject } = Promise.withResolvers<never>();
  const give = (): void => reject(signal.reason);
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([promise, gone]);
  } finally {
    signal.removeEventListener('abort', give);
  }
}
