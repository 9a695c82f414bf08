// The connection on which PostgreSQL tells which generations were raised by other nodes. Losing it costs time, not truth.
import type { Client } from 'pg';
import { connection, type PostgresOptions } from './postgres.ts';

/** The channel of NOTIFY; the payload is a generation's key. */
export const CHANNEL = 'hanzo_cloud_generation';

const LONGEST_PAUSE = 10_000;

export class Listener {
  readonly #options: PostgresOptions;
  readonly #onKey: (key: string) => void;
  readonly #onGap: () => void;
  #client: Client | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #pause = 100;

  /** `onGap` is called when notices may have been missed */
  constructor(options: PostgresOptions, onKey: (key: string) => void, onGap: () => void) {
    this.#options = options;
    this.#onKey = onKey;
    this.#onGap = onGap;
  }

  async start(): Promise<void> {
    const { Client: Constructor } = (await import('pg')).default;
    const client = new Constructor(await connection(this.#options));
    client.on('notification', ({ payload }) => {
      if (payload !== undefined) this.#onKey(payload);
    });
    client.on('error', (error) => this.#options.onFault?.(error));
    client.on('end', () => this.#again(client));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#pause = 100;
      this.#onGap();
    } catch (error) {
      this.#options.onFault?.(error);
      this.#again(client);
    }
  }

  #again(client: Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#onGap();
    this.#timer = setTimeout(() => void this.start(), this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }
}
