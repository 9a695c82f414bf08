// One at a time, in the order of asking: the queue of writers on a database that has one writer.

/** A lock that is handed on in order. */
export class Turn {
  #holder: object | undefined;
  readonly #waiting: (() => void)[] = [];

  /** who holds it now */
  get holder(): object | undefined {
    return this.#holder;
  }

  get free(): boolean {
    return this.#holder === undefined;
  }

  async take(holder: object): Promise<void> {
    if (this.#holder !== undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    // whoever gave it up left it to this one: nobody came between
    this.#holder = holder;
  }

  give(holder: object): void {
    if (this.#holder !== holder) return;
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#holder = undefined;
      return;
    }
    this.#holder = HANDED_ON;
    next();
  }
}

/** between the giving up and the next one's waking, it is taken, not free */
const HANDED_ON = {};
