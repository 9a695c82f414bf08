// The threads of this library: none sees anything of the process around it, and none can end that process.
import process from 'node:process';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/**
 * A thread that runs the module at `url`. What it prints is dropped: on standard output it would break a protocol.
 *
 * V8 compiles the way from a WebAssembly module to an imported function once it was called a thousand times, for the whole process,
 * and frees it while other threads may come by (nodejs/node#64500). With this budget it never does; calls take the general way.
 */
export function startWorker(url: string, options: { workerData: unknown; resourceLimits?: ResourceLimits }): Worker {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-wrapper-tiering-budget=1000000000');
  const worker = new Worker(new URL(url), { ...options, env: {}, execArgv: [], stdout: true, stderr: true });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}
