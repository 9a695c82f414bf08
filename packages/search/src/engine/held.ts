// The generation that queries are answered from, and what has changed since: opened when there is a new one, closed when no
// query uses it any more.
import { statSync } from 'node:fs';
import path from 'node:path';
import type { Generation } from '../store/types.ts';
import type { Freshness } from '../tree/types.ts';

/** A generation with its freshness, in use by some queries. */
export class Held {
  readonly generation: Generation;
  readonly freshness: Freshness;
  #users = 0;
  #dropped = false;

  constructor(generation: Generation, freshness: Freshness) {
    this.generation = generation;
    this.freshness = freshness;
  }

  enter(): void {
    this.#users++;
  }

  leave(): void {
    this.#users--;
    if (this.#dropped && this.#users === 0) this.#close();
  }

  /** Closed as soon as the last query has left. */
  drop(): void {
    if (this.#dropped) return;
    this.#dropped = true;
    if (this.#users === 0) this.#close();
  }

  #close(): void {
    this.freshness.close();
    this.generation.close();
  }
}

export interface Opening {
  readonly folder: string;
  readonly open: () => Generation | undefined;
  readonly watch: (generation: Generation) => Promise<Freshness>;
  /** it is there but cannot be used */
  readonly onDamage: (error: Error) => void;
}

export class Current {
  readonly #opening: Opening;
  #held: Held | undefined;
  /** which CURRENT was looked at last */
  #seen = '';
  #renewing: Promise<void> | undefined;
  #closed = false;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  get held(): Held | undefined {
    return this.#held;
  }

  /**
   * What queries are to be answered from. While a newer generation is made ready, which may take a look at every file, the
   * one before still answers, and is right.
   */
  async take(): Promise<Held | undefined> {
    const stamp = stampOf(path.join(this.#opening.folder, 'CURRENT'));
    if (stamp !== this.#seen && !this.#closed) {
      this.#seen = stamp;
      this.#renewing = this.#renew(this.#renewing);
    }
    if (!this.#held) await this.#renewing;
    return this.#held;
  }

  /** Resolves when what is published now is in use. */
  async settle(): Promise<void> {
    await this.take();
    await this.#renewing;
  }

  /** Stops using what is there: it is damaged. It is not looked at again until something else is published. */
  drop(): void {
    this.#held?.drop();
    this.#held = undefined;
  }

  close(): void {
    this.#closed = true;
    this.drop();
  }

  async #renew(before: Promise<void> | undefined): Promise<void> {
    await before;
    let generation: Generation | undefined;
    try {
      generation = this.#opening.open();
      if (!generation) return;
      const freshness = await this.#opening.watch(generation);
      if (this.#held) await freshness.sync().catch(() => undefined);
      const next = new Held(generation, freshness);
      this.#held?.drop();
      this.#held = next;
      if (this.#closed) this.drop();
    } catch (error) {
      generation?.close();
      this.#opening.onDamage(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/** Names one state of a file. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.ctimeMs} ${stat.size}` : '';
}
