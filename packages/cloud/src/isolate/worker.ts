// A thread that runs one small JavaScript function at a time in a QuickJS WebAssembly instance of its own.
// Its own module, so that a build gives it a file of its own: `url` is where that is.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSSyncVariant } from 'quickjs-emscripten-core';

/** The mark by which the thread knows that it is one. */
export const WORKER = 'isolate';

/** Where this module lies. */
export const url = import.meta.url;

export interface Task {
  readonly source: string;
  /** JSON text; absent: the source is only checked, its function not called */
  readonly input?: string;
  readonly milliseconds: number;
  /** of heap, about; 10 MiB at least */
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly outputBytes: number;
}

/** `time`, `memory` and `output`: a bound was reached; `pending`: it waits for what never comes; `error`: it threw. */
export type FailureKind = 'error' | 'time' | 'memory' | 'output' | 'pending';
export type Done =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly kind: FailureKind; readonly error: string };

class Failed extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const LONGEST_ERROR = 500;
const TOO_MUCH = 'it used more memory than it may';
const THREW_NULL = 'it threw null';
const FILE = 'function.js';

/** What is used of WebAssembly: Node's types do not declare it, and the browser's would bring all of the DOM. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => {
    readonly buffer: ArrayBuffer;
  };
}

const PAGE = 65_536;
/** What the module wants to start with: 16 MiB, of which about 10 are heap. */
const START_PAGES = 256;
const FIRST_HEAP = 10 * 1_048_576;

/** Loads QuickJS, in the thread only: this module is also read where threads are started. */
async function load(): Promise<(task: Task) => Promise<Done>> {
  const [{ newQuickJSWASMModuleFromVariant, newVariant }, { default: shipped }] = await Promise.all([
    import('quickjs-emscripten-core'),
    import('@jitl/quickjs-wasmfile-release-sync'),
  ]);
  // its declarations are written for CommonJS, where the default export is a member of the module
  const variant = shipped as unknown as QuickJSSyncVariant;
  const { Module, Memory } = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;
  // Compiled once; an instance is made for each call, so that none finds anything of another's, even after a fault of QuickJS.
  const wasmModule = new Module(
    readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
  );
  return async (task) => {
    const most = START_PAGES + Math.max(0, Math.ceil((task.memoryBytes - FIRST_HEAP) / PAGE));
    // QuickJS's own limit counts nothing here: Emscripten does not tell it how large a piece is
    const wasmMemory = new Memory({ initial: START_PAGES, maximum: most });
    const fresh = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule, wasmMemory }));
    const end = performance.now() + task.milliseconds;
    let interrupted = false;
    const runtime = fresh.newRuntime({
      maxStackSizeBytes: task.stackBytes,
      interruptHandler: () => (interrupted ||= performance.now() > end),
    });
    try {
      return { ok: true, output: evaluate(runtime, runtime.newContext(), task, () => interrupted) };
    } catch (error) {
      if (interrupted) return { ok: false, kind: 'time', error: `it ran longer than ${task.milliseconds} ms` };
      // an engine without memory for an error throws null, or stops
      const bare = !(error instanceof Failed) || error.message === THREW_NULL;
      if (bare && wasmMemory.buffer.byteLength > START_PAGES * PAGE)
        return { ok: false, kind: 'memory', error: TOO_MUCH };
      if (error instanceof Failed) return { ok: false, kind: error.kind, error: error.message };
      return unusable(error);
    }
    // Nothing is disposed of: the whole instance goes.
  };
}

/** Of the engine itself; the instance is thrown away either way. */
function unusable(error: unknown): Done {
  const why = cut(error instanceof Error ? error.message : String(error));
  return { ok: false, kind: 'error', error: `it could not be run: ${why}` };
}

function evaluate(runtime: QuickJSRuntime, context: QuickJSContext, task: Task, over: () => boolean): string {
  // taken before the function can put others in their place
  const json = context.getProp(context.global, 'JSON');
  const parse = context.getProp(json, 'parse');
  const stringify = context.getProp(json, 'stringify');

  /** The value, or what the promise came to. Microtasks are run in portions, so that an endless chain of them meets the clock. */
  const settled = (value: QuickJSHandle): QuickJSHandle => {
    for (;;) {
      const state = context.getPromiseState(value);
      if (state.type === 'rejected') throw thrown(context, state.error);
      if (state.type === 'fulfilled') {
        if (state.notAPromise === true) return value;
        return state.value;
      }
      if (!runtime.hasPendingJob()) {
        throw new Failed('pending', 'it waits for a promise that nothing settles: there are no timers and no network');
      }
      const ran = runtime.executePendingJobs(100);
      if (ran.error !== undefined) throw thrown(context, ran.error);
      // asks the clock between portions: jobs of a few instructions rarely do
      if (runtime.hasPendingJob()) result(context.evalCode('for (let i = 0; i < 20000; i++);', FILE));
      if (over()) throw new Failed('time', 'it ran too long');
    }
  };
  const result = (made: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle => {
    if (made.error !== undefined) throw thrown(context, made.error);
    return made.value;
  };

  const exports = settled(result(context.evalCode(task.source, FILE, { type: 'module' })));
  const main = context.getProp(exports, 'default');
  if (context.typeof(main) !== 'function') {
    throw new Failed('error', 'it has no default export that is a function: write `export default (input) => ...`');
  }
  if (task.input === undefined) return 'null';
  const input = result(context.callFunction(parse, context.undefined, context.newString(task.input)));
  const value = settled(result(context.callFunction(main, context.undefined, input)));
  const text = result(context.callFunction(stringify, context.undefined, value));
  if (context.typeof(text) !== 'string') return 'null';
  // before it is copied out; UTF-16 units, and the bytes once it is here
  if (context.getNumber(context.getProp(text, 'length')) > task.outputBytes) throw tooLarge(task);
  const output = context.getString(text);
  if (Buffer.byteLength(output) > task.outputBytes) throw tooLarge(task);
  return output;
}

function tooLarge({ outputBytes }: Task): Failed {
  return new Failed('output', `its answer is larger than ${outputBytes} bytes as JSON`);
}

function thrown(context: QuickJSContext, handle: QuickJSHandle): Failed {
  const value: unknown = context.dump(handle);
  if (typeof value !== 'object' || value === null) return new Failed('error', `it threw ${cut(String(value))}`);
  const { name, message, stack } = value as { name?: unknown; message?: unknown; stack?: unknown };
  if (name === 'InternalError' && message === 'out of memory') {
    return new Failed('memory', TOO_MUCH);
  }
  const said = [name, message].filter((each) => typeof each === 'string' && each !== '').join(': ');
  const line = typeof stack === 'string' ? /function\.js:(\d+)/.exec(stack)?.[1] : undefined;
  return new Failed('error', `${cut(said || 'it threw an object')}${line === undefined ? '' : ` (line ${line})`}`);
}

function cut(text: string): string {
  const clean = text.toWellFormed();
  return clean.length > LONGEST_ERROR ? `${clean.slice(0, LONGEST_ERROR).replace(/[\ud800-\udbff]$/, '')}…` : clean;
}

if (!isMainThread && workerData === WORKER && parentPort !== null) {
  const port = parentPort;
  const run = await load();
  port.on('message', async (task: Task) => {
    let done: Done;
    try {
      done = await run(task);
    } catch (error) {
      done = unusable(error);
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    port.postMessage(done);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  port.postMessage('ready');
}
