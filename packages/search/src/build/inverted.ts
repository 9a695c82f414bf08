// The inverted index of one shard, in the memory of its kernel (kernel/extract.ts): texts go in by way of the room, lists
// come out by ascending gram. It opens no file.
import { instantiate } from '../kernel/load.ts';
import type { KernelMemory } from '../kernel/load.ts';
import { EXTRACT_WASM } from '../kernel/extract.wasm.ts';

/** The kernel's functions; what they mean is said there. */
interface ExtractKernel {
  memoryBytes(): number;
  start(): void;
  roomFor(bytes: number): number;
  poolBytes(): number;
  classify(at: number, length: number): number;
  addNothing(): void;
  add(at: number, length: number, ascii: number): number;
  rewind(): number;
  next(): number;
  listAt(): number;
  lengthOfList(): number;
  isBitmap(): number;
  mostDocs(): number;
  postingCount(): number;
  clear(): void;
}

/** Where lists go; a ShardWriter is one. */
export interface ListSink {
  put(gram: number, list: Uint8Array, bitmap: boolean): void;
}

/** Memory that the kernel's tables and lists of a batch lie in; only what is used of it becomes resident. */
const FIXED_PAGES = 0x11b0000 / 65_536;

export class Inverted {
  /** documents of the shard at hand */
  docs = 0;
  /** more would not fit into a list's buffer */
  readonly mostDocs: number;
  readonly #kernel: ExtractKernel;
  readonly #memory: KernelMemory;
  #room = 0;
  #bytes: Buffer;

  constructor() {
    const { memory, exports } = instantiate(EXTRACT_WASM, FIXED_PAGES);
    // the kernel is compiled from the source whose functions the interface lists
    this.#kernel = exports as unknown as ExtractKernel;
    this.#memory = memory;
    if (this.#kernel.memoryBytes() !== FIXED_PAGES * 65_536) throw new Error('the kernel wants memory of another size');
    this.#kernel.start();
    this.#bytes = Buffer.from(memory.buffer);
    this.mostDocs = this.#kernel.mostDocs();
  }

  /** A view of at least `bytes` bytes for the next text; valid until a document is added or more is asked for. */
  room(bytes: number): Buffer {
    this.#room = this.#kernel.roomFor(bytes);
    return this.#view(this.#room, bytes);
  }

  /** What is known of `length` bytes at `from` in the room: is there a byte above 127, is there a NUL? */
  classify(from: number, length: number): { high: boolean; nul: boolean } {
    const found = this.#kernel.classify(this.#room + from, length);
    return { high: (found & 1) !== 0, nul: (found & 2) !== 0 };
  }

  /** The next document: `length` bytes at `from` in the room. False if it has too many grams, and has none in the index. */
  add(from: number, length: number, ascii: boolean): boolean {
    this.docs++;
    return this.#kernel.add(this.#room + from, length, ascii ? 1 : 0) >= 0;
  }

  /** The next document, without grams. */
  addNothing(): void {
    this.docs++;
    this.#kernel.addNothing();
  }

  /** Bytes of memory that the lists take so far. */
  get bytes(): number {
    return this.#kernel.poolBytes();
  }

  /** Pairs of a gram and a document so far. */
  get postings(): number {
    return this.#kernel.postingCount();
  }

  /** Gives all lists to `sink` and forgets the documents. */
  drain(sink: ListSink): void {
    const kernel = this.#kernel;
    kernel.rewind();
    const at = kernel.listAt();
    for (let gram = kernel.next(); gram >= 0; gram = kernel.next()) {
      sink.put(gram, this.#view(at, kernel.lengthOfList()), kernel.isBitmap() !== 0);
    }
    kernel.clear();
    this.docs = 0;
  }

  #view(at: number, length: number): Buffer {
    // growing leaves the old buffer empty
    if (this.#bytes.length === 0) this.#bytes = Buffer.from(this.#memory.buffer);
    return this.#bytes.subarray(at, at + length);
  }
}
