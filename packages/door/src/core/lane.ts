// The way back for one request, and the table of requests that are under way.

/** Where the messages that belong to one request go, ahead of its answer. */
export interface Lane {
  /** false where the client takes exactly one JSON answer: then nothing can be said before it */
  readonly open: boolean;
  /** aborted when the client cancels or vanishes */
  readonly signal: AbortSignal;
  /** `spare` says that the message may be left out where the client does not keep up with reading */
  send(text: string, spare?: boolean): void;
}

/** Unread bytes above which spare messages are left out. */
export const MAX_SPARE = 1024 * 1024;

/** A lane that falls silent for good once `finish` is called or its client is gone. */
export function finishable(lane: Lane): Lane & { finish(): void } {
  let done = false;
  return {
    open: lane.open,
    signal: lane.signal,
    send(text, spare) {
      if (!done && !lane.signal.aborted) lane.send(text, spare);
    },
    finish() {
      done = true;
    },
  };
}

/** One request under way. */
export interface Flight {
  readonly signal: AbortSignal;
  abort(reason: string): void;
  close(): void;
}

/**
 * Work under way on one connection, by request id; what has no id of its own (a batch) goes by itself. One id may be there
 * twice: both are answered, a cancel ends both.
 */
export interface Flights {
  readonly size: number;
  open(id: unknown): Flight;
  cancel(id: unknown, reason: string): void;
  abortAll(reason: string): void;
  /** resolves when nothing is under way */
  idle(): Promise<void>;
}

export function createFlights(): Flights {
  // Map keys keep 1 and "1" apart, as JSON-RPC does.
  const byId = new Map<unknown, Set<AbortController>>();
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    get size() {
      return count;
    },
    open(id) {
      const controller = new AbortController();
      const known = byId.get(id);
      if (known) known.add(controller);
      else byId.set(id, new Set([controller]));
      count++;
      let closed = false;
      return {
        signal: controller.signal,
        abort: (reason) => controller.abort(new Error(reason)),
        close() {
          if (closed) return;
          closed = true;
          const others = byId.get(id);
          others?.delete(controller);
          if (others?.size === 0) byId.delete(id);
          if (--count > 0) return;
          for (const wake of waiting) wake();
          waiting = [];
        },
      };
    },
    cancel(id, reason) {
      for (const controller of byId.get(id) ?? []) controller.abort(new Error(reason));
    },
    abortAll(reason) {
      for (const all of byId.values()) for (const controller of all) controller.abort(new Error(reason));
    },
    idle: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
