// What a thread of the pool does with its orders: searches in slices, in turn; excerpts at once; walks before searches of their own.
import type { LineScanner } from '../match/types.ts';
import { compileMatcher } from '../match/pike.ts';
import { ScanKernel } from '../match/kernel.ts';
import { createScanner } from '../match/scanner.ts';
import { excerpt, type Tools } from './excerpt.ts';
import type { How } from './job.ts';
import type { Answer, Order } from './orders.ts';
import { type NamedResult, searchPieces } from './pieces.ts';
import { SearchTask } from './task.ts';
import { type Extras, Verifier } from './verify.ts';
import { WalkTask } from './walks.ts';

/** How long one search goes on before another has its turn. */
const SLICE_MS = 10;
/** Compiled specifications kept. */
const SCANNERS = 4;

interface Running {
  readonly id: number;
  readonly step: (until: number) => boolean;
  /** set when there is an answer beside that it is done */
  value?: NamedResult;
}

/** Returns what takes orders; answers go to `send`. */
export function work(send: (answer: Answer) => void): (order: Order) => void {
  const running: Running[] = [];
  let scheduled = false;

  function turn(): void {
    scheduled = false;
    const next = running.shift();
    if (!next) return;
    try {
      if (next.step(performance.now() + SLICE_MS)) running.push(next);
      else send({ id: next.id, kind: 'done', ...(next.value ? { value: next.value } : {}) });
    } catch (error) {
      failed(next.id, error);
    }
    schedule();
  }

  function schedule(): void {
    if (scheduled || running.length === 0) return;
    scheduled = true;
    setImmediate(turn);
  }

  function failed(id: number, error: unknown): void {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    send({ id, kind: 'failed', message, stack });
  }

  async function begin(order: Order): Promise<void> {
    const { id } = order;
    if (order.kind === 'excerpt') {
      send({ id, kind: 'done', value: excerpt(order.job, await toolsFor(order.job.how)) });
      return;
    }
    if (order.kind === 'named') {
      const steps = searchPieces(order.job, await toolsFor(order.job.how));
      const task: Running = {
        id,
        step() {
          const next = steps.next();
          if (next.done) task.value = next.value;
          return !next.done;
        },
      };
      running.push(task);
    } else if (order.kind === 'walk') {
      const task = await WalkTask.start(order.job, (chunk) => send({ id, kind: 'chunk', chunk }));
      running.unshift({ id, step: (until) => task.step(until) });
    } else {
      const { how } = order.job;
      const task = new SearchTask(order.job, new Verifier(how, scannerFor(how), await extrasFor(how)));
      running.push({ id, step: (until) => task.step(until) });
    }
    schedule();
  }

  return (order) => {
    begin(order).catch((error: unknown) => failed(order.id, error));
  };
}

const scanners = new Map<string, LineScanner>();
/** One for all scanners of the thread: most of it is the room for a file. */
let kernel: ScanKernel | undefined;

/** The scanner of a query, compiled once per thread while it is among the last used. */
export function scannerFor(how: Pick<How, 'key' | 'spec'>): LineScanner {
  let scanner = scanners.get(how.key);
  if (scanner) scanners.delete(how.key);
  else scanner = createScanner(how.spec, (kernel ??= new ScanKernel()));
  scanners.set(how.key, scanner);
  const [oldest] = scanners.keys();
  if (scanners.size > SCANNERS && oldest !== undefined) scanners.delete(oldest);
  return scanner;
}

/** What an excerpt needs. */
export async function toolsFor(how: How): Promise<Tools> {
  const { defines } = await extrasFor({ ...how, globs: undefined });
  return { scanner: scannerFor(how), matcher: compileMatcher(how.spec.hir), defines };
}

/** What the query needs beside the scanner; loaded only where it is asked for. */
export async function extrasFor(how: How): Promise<Extras> {
  const { symbol, globs } = how;
  const defines = symbol === undefined ? undefined : (await import('./symbols.ts')).definesIn(symbol);
  const passes = globs === undefined ? undefined : (await import('./globs.ts')).passing(globs);
  return { ...(defines ? { defines } : {}), ...(passes ? { passes } : {}) };
}
