// Waiting for something to become true of a command, without polling it and without outliving the wait.
import { ToolError } from '@hanzo/tool';
import type { Capture } from './capture.ts';
import type { Proc } from './proc.ts';

export interface WaitOptions {
  /** milliseconds */
  readonly timeoutMs: number;
  /** regular expression (RE2 syntax, linear time) that a line of either stream has to match */
  readonly pattern?: string;
  /** milliseconds without output */
  readonly quietMs?: number;
  readonly signal?: AbortSignal;
}

/** Why the wait is over; `undefined` at its time limit. */
export type Met = { readonly by: 'exit' | 'quiet' } | { readonly by: 'pattern'; readonly line: string } | undefined;

/** Bytes looked at in one step, and how many of them are looked at again with the next one. */
const WINDOW = 1024 * 1024;
const OVERLAP = 4096;
/** Output is looked at this many milliseconds after it came, so that a burst is looked at once. */
const GATHER = 5;

/**
 * Resolves as soon as one of the conditions holds; the end of the command always is one. What was written before the wait
 * counts for `pattern`. Rejects with INVALID_PARAMS for a bad pattern, and with the signal's reason when aborted.
 */
export async function waitFor(proc: Proc, options: WaitOptions): Promise<Met> {
  const match = options.pattern === undefined ? undefined : await matcher(options.pattern);
  const searches = match ? [proc.stdout, proc.stderr].map((capture) => new Search(capture, match)) : [];
  const { promise, resolve, reject } = Promise.withResolvers<Met>();
  let gather: NodeJS.Timeout | undefined;
  let quiet: NodeJS.Timeout | undefined;

  const check = (): void => {
    gather = undefined;
    for (const search of searches) {
      const line = search.next();
      if (line !== undefined) return resolve({ by: 'pattern', line });
    }
    if (proc.ended) return resolve({ by: 'exit' });
    if (options.quietMs === undefined) return;
    const since = performance.now() - Math.max(proc.stdout.changedAt, proc.stderr.changedAt);
    if (since >= options.quietMs) return resolve({ by: 'quiet' });
    clearTimeout(quiet);
    quiet = setTimeout(check, options.quietMs - since + 1);
  };
  const abort = (): void => reject(options.signal?.reason);
  const forget = proc.onChange(() => (gather ??= setTimeout(check, GATHER)));
  const limit = setTimeout(() => resolve(undefined), options.timeoutMs);
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    options.signal?.throwIfAborted();
    check();
    return await promise;
  } finally {
    forget();
    for (const timer of [gather, quiet, limit]) clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Finds the first match in a text and gives its place; undefined where there is none. */
type Match = (text: string) => { start: number; end: number } | undefined;

async function matcher(pattern: string): Promise<Match> {
  if (!/[\\^$.*+?()[\]{}|]/.test(pattern)) {
    return (text) => {
      const start = text.indexOf(pattern);
      return start < 0 ? undefined : { start, end: start + pattern.length };
    };
  }
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.MULTILINE);
    return (text) => {
      const found = compiled.matcher(text);
      return found.find() ? { start: found.start(), end: found.end() } : undefined;
    };
  } catch (error) {
    throw new ToolError(
      'INVALID_PARAMS',
      `'pattern' is no regular expression (RE2 syntax): ${(error as Error).message}`,
      {
        param: 'pattern',
      },
    );
  }
}

/** A search through one stream that goes on where it stopped. */
class Search {
  readonly #capture: Capture;
  readonly #match: Match;
  #from = 0;

  constructor(capture: Capture, match: Match) {
    this.#capture = capture;
    this.#match = match;
  }

  /** The line of the first match in what is new; undefined if there is none yet. */
  next(): string | undefined {
    this.#from = Math.min(this.#from, this.#capture.settled);
    for (;;) {
      const end = Math.min(this.#from + WINDOW, this.#capture.size);
      const bytes = this.#capture.read(this.#from, end);
      const text = bytes.toString();
      const found = this.#match(text);
      if (found) return lineAround(text, found.start, found.end);
      const last = end === this.#capture.size;
      // The unfinished line is looked at again, and a bit before it for a pattern that spans lines.
      const line = Math.max(bytes.lastIndexOf(0x0a) + 1 + this.#from, end - OVERLAP);
      this.#from = last ? Math.max(Math.min(line, end - OVERLAP), this.#from) : end - OVERLAP;
      if (last) return undefined;
    }
  }
}

function lineAround(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', Math.max(end - 1, start));
  return text.slice(Math.max(from, start - 200), to < 0 ? start + 300 : Math.min(to, start + 300));
}
