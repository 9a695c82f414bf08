// The server's ends of a command's three streams.
import { fstatSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import type { Capture } from './capture.ts';
import type { Pipe } from './pipes.ts';

/** A descriptor from which exactly `text` can be read; nothing of it stays on the disk's tree. */
export function inputFile(near: string, text: string): number {
  const file = `${near}.in`;
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  try {
    return openSync(file, 'r');
  } finally {
    rmSync(file);
  }
}

/** What a pipe is on this machine, by one of its descriptors or by a path that leads to it; undefined where there is none. */
export function identity(end: number | string): string | undefined {
  try {
    const { dev, ino } = typeof end === 'number' ? fstatSync(end) : statSync(end);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** One output stream on its way into a capture. */
export class OutputStream {
  readonly capture: Capture;
  readonly over: Promise<void>;
  readonly #fd: number | undefined;
  readonly #source: Readable | Duplex;
  #finish: () => void;
  #changed: () => void = () => {};
  #ended = false;

  constructor(pipe: Pipe | undefined, fallback: Readable | null, capture: Capture) {
    this.capture = capture;
    this.#fd = pipe?.ours;
    // One buffer, used again: what is read is taken out of it before the next read.
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (count: number, buffer: Uint8Array) => this.#read(count, buffer),
    };
    this.#source = pipe ? new Socket({ fd: pipe.ours, readable: true, writable: false, onread }) : fallback!;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.#finish = resolve;
  }

  start(changed: () => void): void {
    this.#changed = changed;
    this.#source.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#source.on('error', () => this.close());
    this.#source.on('close', () => this.close());
    this.#source.on('end', () => this.close());
  }

  #read(count: number, buffer: Uint8Array): true {
    this.#take(buffer.subarray(0, count));
    return true;
  }

  /** Takes what is in the pipe right now, without waiting for the event loop to come round. */
  drain(): void {
    if (this.#fd === undefined || this.#ended) return;
    const buffer = Buffer.allocUnsafe(65_536);
    for (let rounds = 0; rounds < 64; rounds++) {
      let count: number;
      try {
        count = readSync(this.#fd, buffer);
      } catch {
        return; // EAGAIN: empty, but someone still holds the other end
      }
      if (count === 0) return this.close();
      this.#take(buffer.subarray(0, count));
    }
  }

  close(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#source.destroy();
    this.capture.end();
    this.#changed();
    this.#finish();
  }

  #take(chunk: Uint8Array): void {
    if (this.#ended) return;
    this.capture.feed(chunk);
    this.#changed();
  }
}
