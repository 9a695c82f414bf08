// jq as WebAssembly, in a worker: a filter may loop for ever, and only the end of its thread ends it. This module is both sides.
import process from 'node:process';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** What a jq wrote and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Job {
  readonly jq: true;
  readonly flags: readonly string[];
  readonly filter: string;
  readonly input: string;
}

/**
 * Runs the filter. Resolves to undefined when it took longer than `limitMs`; rejects with the signal's reason when aborted, and with
 * what ended the worker when it ran out of memory.
 */
export async function runLibrary(
  job: Omit<Job, 'jq'>,
  limitMs: number,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  signal.throwIfAborted();
  // as the threads of @hanzo/search: ways out of WebAssembly that V8 compiles are freed under other threads (nodejs/node#64500)
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000');
  const worker = new Worker(new URL(import.meta.url), { workerData: { jq: true, ...job } satisfies Job });
  const { promise, resolve, reject } = Promise.withResolvers<Outcome | undefined>();
  const abort = (): void => reject(signal.reason);
  const limit = setTimeout(() => resolve(undefined), limitMs);
  signal.addEventListener('abort', abort, { once: true });
  worker.once('message', resolve).once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', abort);
    await worker.terminate();
  }
}

/** Marks an error of the filter in the output: the library tells of errors only where there is no output at all. */
const ERROR = '\u0001jq error\u0001';

async function work({ flags, filter, input }: Job): Promise<Outcome> {
  // The library is CommonJS and asks where it lies; bundled into an ES module nothing tells it.
  Object.assign(globalThis, { __dirname: import.meta.dirname, TextEncoder: FastEncoder });
  const { default: library } = await import('jq-wasm');
  // Each input's error is caught and the next input taken, as jq itself goes on; a newline ends a comment in the filter.
  const caught = `try (${filter}\n) catch ("\\u0001jq error\\u0001" + (if type == "string" then . else tojson end))`;
  try {
    // Without any input this only compiles, the filter as it was given: what is wrong with it is said of it, not of what is around
    // it, and what compiles by itself does not end the parentheses around it.
    await library.raw('', filter, []);
    const written = await library.raw(input, caught, [...flags]).catch((error: unknown) => {
      // A filter that stands alone only, such as one of definitions: then the first error ends it.
      if (/compile error/.test(String(error))) return library.raw(input, filter, [...flags]);
      throw error;
    });
    const lines = written.split('\n');
    const failed = lines.filter((line) => line.includes(ERROR) || line.includes(JSON.stringify(ERROR).slice(1, -1)));
    const stderr = failed.map((line) => `jq: error: ${message(line)}`).join('\n');
    return {
      code: failed.length > 0 ? 5 : 0,
      stdout: lines.filter((line) => !failed.includes(line)).join('\n'),
      stderr,
    };
  } catch (error) {
    const stderr = (error as Error).message.replace(/^Failed to execute raw query: /, '');
    return { code: /compile error/.test(stderr) ? 3 : 5, stdout: '', stderr };
  }
}

function message(line: string): string {
  const text = line.startsWith('"') ? String(JSON.parse(line)) : line;
  return text.replace(ERROR, '');
}

/** The library reads its input by dropping the first byte of it over and over; a view instead of a copy makes that linear. */
class FastEncoder extends TextEncoder {
  override encode(text?: string): Uint8Array<ArrayBuffer> {
    return Views.from(super.encode(text));
  }
}

class Views extends Uint8Array<ArrayBuffer> {
  override slice(start?: number): Views {
    return this.subarray(start) as Views;
  }
}

if (!isMainThread && (workerData as Partial<Job> | null)?.jq === true) {
  const outcome = await work(workerData as Job);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
  parentPort?.postMessage(outcome);
}
