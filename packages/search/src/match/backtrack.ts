// The `backtrack` option: a JavaScript expression, with look-around and back-references, run in a thread under a deadline.
// Nothing is ever matched on the caller's side, so that no pattern can hold it up.
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../worker.ts';
import { SearchError } from '../types.ts';
import type { Expression, Lines, Task } from './backtrack-thread.ts';

export interface BacktrackOptions {
  readonly ignoreCase?: boolean;
  readonly word?: boolean;
  /** the pattern is text */
  readonly literal?: boolean;
  /** a match may cross lines; every line it touches counts */
  readonly multiline?: boolean;
}

/** Matching lines of one text: flat byte offsets, line ends left out, and per line those of its matches. */
export type BacktrackLines = Omit<Lines, 'id'>;

export interface BacktrackAnswer {
  /** as far as the texts were decided, in their order */
  readonly texts: readonly BacktrackLines[];
  /** index of the text the thread was at when time ran out, or that was too much for it; later ones were not begun */
  readonly undecided: number | undefined;
}

export interface Backtracker {
  /**
   * Finds the matching lines of each text (UTF-8, without a mark). Time that runs out is an answer; `signal` makes it
   * throw SearchError `ABORTED`. `limit` bounds the matches told per line (default 100). One call at a time.
   */
  matchingLines(
    texts: readonly Uint8Array[],
    options: { readonly deadlineMs: number; readonly signal?: AbortSignal; readonly limit?: number },
  ): Promise<BacktrackAnswer>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** What one thread may take before it is given up on. */
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
const WORD = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

/** Throws SearchError `PATTERN` when the pattern is no JavaScript expression. No thread is started before it is needed. */
export function createBacktracker(pattern: string, options: BacktrackOptions = {}): Backtracker {
  return new Thread(expressionOf(pattern, options));
}

function expressionOf(pattern: string, { ignoreCase, word, literal, multiline }: BacktrackOptions): Expression {
  const text = literal === true ? pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`) : pattern;
  // Within a line `.` is any character; across lines it stops at their ends, and `^` and `$` are there.
  const flags = `g${ignoreCase === true ? 'i' : ''}${multiline === true ? 'm' : 's'}`;
  let mistake: unknown;
  // v has set operations in classes; what it refuses of u's, such as `[(]`, is read as u.
  for (const unicode of ['v', 'u']) {
    try {
      // Alone first: a pattern may not close the group that is put around it.
      void new RegExp(text, flags + unicode);
      const source = word === true ? `(?<!${WORD})(?:${text})(?!${WORD})` : text;
      return { source, flags: flags + unicode, multiline: multiline === true };
    } catch (error) {
      mistake ??= error;
    }
  }
  const detail = mistake instanceof Error ? mistake.message.replace(/^.*: /s, '') : '';
  throw new SearchError(
    'PATTERN',
    `with \`backtrack\` the pattern is a JavaScript expression, which this is not: ${detail}`,
  );
}

class Thread implements Backtracker {
  readonly #expression: Expression;
  #worker: Worker | undefined;
  #closed = false;
  #next = 0;

  constructor(expression: Expression) {
    this.#expression = expression;
  }

  async matchingLines(
    texts: readonly Uint8Array[],
    options: { readonly deadlineMs: number; readonly signal?: AbortSignal; readonly limit?: number },
  ): Promise<BacktrackAnswer> {
    if (this.#closed) throw new SearchError('CLOSED', 'this search is closed');
    const { signal, limit = 100 } = options;
    const done: BacktrackLines[] = [];
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), options.deadlineMs);
    const abort = (): void => stop.abort();
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    try {
      for (const text of texts) {
        const lines = await this.#ask(text, limit, stop.signal);
        if (signal?.aborted === true) throw new SearchError('ABORTED', 'the search was aborted');
        if (lines === undefined) return { texts: done, undecided: done.length };
        done.push(lines);
      }
      return { texts: done, undecided: undefined };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
  }

  /** `undefined`: stopped before there was an answer, or the thread failed. */
  async #ask(text: Uint8Array, limit: number, stop: AbortSignal): Promise<BacktrackLines | undefined> {
    if (stop.aborted) return undefined;
    const worker = await this.#start();
    const id = this.#next++;
    const { promise, resolve } = Promise.withResolvers<BacktrackLines | undefined>();
    const answer = ({ id: of, ...lines }: Lines): void => {
      if (of === id) resolve(lines);
    };
    const fail = (): void => resolve(undefined);
    worker.on('message', answer);
    worker.once('error', fail);
    worker.once('exit', fail);
    stop.addEventListener('abort', fail, { once: true });
    if (stop.aborted) fail();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
    worker.postMessage({ id, text, limit } satisfies Task);
    try {
      const lines = await promise;
      // What does not answer in time is not waited for: only its end makes sure that it takes no more time.
      if (lines === undefined) await this.#end();
      return lines;
    } finally {
      worker.off('message', answer);
      worker.off('exit', fail);
      stop.removeEventListener('abort', fail);
    }
  }

  async #start(): Promise<Worker> {
    if (this.#worker !== undefined) return this.#worker;
    // Loaded here as well, so that a build gives the thread a file of its own and knows where it is.
    const { url, WORKER } = await import('./backtrack-thread.ts');
    const worker = startWorker(url, { workerData: { [WORKER]: this.#expression }, resourceLimits: MEMORY });
    // A thread that fails between two calls must not end the process; the next call starts another.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
