// Threads of the plane: none sees anything of the process around it, and what it prints is dropped.
import process from 'node:process';
import { type ResourceLimits, Worker } from 'node:worker_threads';

export interface ThreadOptions {
  readonly name: string;
  readonly workerData: unknown;
  readonly resourceLimits?: ResourceLimits;
}

/**
 * A thread that runs the module at `url`. Ways out of WebAssembly that V8 compiles are for the whole process, and freed under
 * other threads (nodejs/node#64500): with this budget none is compiled.
 */
export function startThread(url: string, options: ThreadOptions): Worker {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000');
  const worker = new Worker(new URL(url), {
    ...options,
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.unref();
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
