// The limits of one request: their defaults, and the signal that ends it.
import { NetError } from './errors.ts';
import type { Limits } from './types.ts';

export type FullLimits = Required<Limits>;

/** Timers of Node count in 31 bits; a longer one would fire at once. */
const MOST_MS = 2_147_483_647;

/** The limits of a request: its own, else its client's, else the documented ones. Throws NetError `invalid`. */
export function limitsOf(request: Limits, client: Limits): FullLimits {
  const number = (
    name: 'timeoutMs' | 'idleMs' | 'maxBytes' | 'maxRedirects',
    fallback: number,
    least: number,
  ): number => {
    const value = request[name] ?? client[name] ?? fallback;
    if (typeof value !== 'number' || !(value >= least)) {
      throw new NetError('invalid', `${name} must be a number of at least ${least}`, { option: name });
    }
    return value;
  };
  return {
    timeoutMs: Math.min(MOST_MS, number('timeoutMs', 30_000, 1)),
    idleMs: Math.min(MOST_MS, number('idleMs', 15_000, 1)),
    maxBytes: number('maxBytes', 10 * 1024 * 1024, 0),
    maxRedirects: number('maxRedirects', 10, 0),
    overflow: request.overflow ?? client.overflow ?? 'error',
  };
}

export interface Deadline {
  readonly signal: AbortSignal;
  clear(): void;
}

/** One signal for the total time and the caller's wish, whose reason is always a NetError. */
export function deadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const late = setTimeout(() => {
    controller.abort(
      new NetError('timeout', `no complete answer within ${timeoutMs} ms; allow more time, or ask for less`, {
        timeoutMs,
        phase: 'total',
      }),
    );
  }, timeoutMs);
  const give = (): void => controller.abort(new NetError('aborted', 'the request was cancelled', {}, caller?.reason));
  if (caller?.aborted) give();
  else caller?.addEventListener('abort', give, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(late);
      caller?.removeEventListener('abort', give);
    },
  };
}
