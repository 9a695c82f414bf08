// Real pipes between this server and its commands. What Node calls a pipe is a pair of sockets, and a socket cannot be opened through
// /dev/stdout, /dev/stderr or /dev/stdin, which scripts do. A named pipe, unlinked once both ends are open, can.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../program.ts';

/** Two descriptors of one pipe: the one this server keeps (non-blocking) and the one the command gets (blocking). */
export interface Pipe {
  readonly ours: number;
  readonly theirs: number;
}

/** Named pipes made in one go; a run of mkfifo costs about as much as one pipe or fifty. */
const BATCH = 48;

/** Makes pipes in a folder of its own. */
export class PipeMaker {
  readonly #folder: string;
  readonly #maker = findProgram('mkfifo');
  #ready: string[] = [];
  #made = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A pipe the command writes to and this server reads; undefined where the system has no named pipes. */
  fromCommand(): Pipe | undefined {
    const fifo = this.#next();
    if (fifo === undefined) return undefined;
    const ours = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    return this.#second(fifo, ours, constants.O_WRONLY);
  }

  /** A pipe this server writes to and the command reads. */
  toCommand(): Pipe | undefined {
    const fifo = this.#next();
    if (fifo === undefined) return undefined;
    // Opened for both, so that neither of the next two has to wait for the other.
    const both = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    const theirs = openSync(fifo, constants.O_RDONLY);
    const pipe = this.#second(fifo, theirs, constants.O_WRONLY | constants.O_NONBLOCK);
    closeSync(both);
    return { ours: pipe.theirs, theirs: pipe.ours };
  }

  #second(fifo: string, first: number, flags: number): Pipe {
    try {
      return { ours: first, theirs: openSync(fifo, flags) };
    } catch (error) {
      closeSync(first);
      throw error;
    } finally {
      rmSync(fifo, { force: true });
    }
  }

  #next(): string | undefined {
    if (this.#ready.length === 0) {
      const names = Array.from({ length: BATCH }, () => path.join(this.#folder, `pipe-${this.#made++}`));
      if (this.#maker === undefined) return undefined;
      if (spawnSync(this.#maker, ['-m', '600', ...names], { stdio: 'ignore' }).status !== 0) return undefined;
      this.#ready = names;
    }
    return this.#ready.pop();
  }
}
