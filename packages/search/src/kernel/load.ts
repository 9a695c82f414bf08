// Instantiates an embedded WebAssembly kernel on a memory of its own. Knows nothing of what the kernels do.

/** What is used of the engine's WebAssembly: Node's types do not declare it, and the browser's would bring all of the DOM. */
interface Engine {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number; readonly maximum?: number }) => KernelMemory;
  readonly Instance: new (module: object, imports: Readonly<Record<string, object>>) => { readonly exports: object };
}

export interface KernelMemory {
  /** a new one after every `grow`, which leaves the old one empty */
  readonly buffer: ArrayBuffer;
  /** by so many pages of 64 KiB; throws a RangeError where there is no more memory */
  grow(pages: number): number;
}

export interface Kernel {
  readonly memory: KernelMemory;
  /** the module's functions, by name; the caller knows their signatures */
  readonly exports: Readonly<Record<string, (...args: number[]) => number>>;
}

const { Module, Memory, Instance } = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;

/** Compiled modules of this thread: compiling is most of what instantiating costs. */
const modules = new Map<string, object>();

/**
 * Makes an instance of a module of `src/kernel/*.wasm.ts`.
 * @param base64 the embedded module
 * @param pages size of its memory to begin with, in pages of 64 KiB; it may grow up to 4 GiB
 */
export function instantiate(base64: string, pages: number): Kernel {
  let module = modules.get(base64);
  if (module === undefined) {
    module = new Module(Buffer.from(base64, 'base64'));
    modules.set(base64, module);
  }
  const memory = new Memory({ initial: pages });
  const instance = new Instance(module, { env: { memory } });
  // every export of our kernels is a function of numbers: they import their memory, and export no globals
  return { memory, exports: instance.exports as Kernel['exports'] };
}
