// A client made of nothing: it writes lines and collects what comes back, so that tests see the wire itself.
import { PassThrough } from 'node:stream';
import { serveStdio, type StdioOptions } from '../src/index.ts';

export type Json = Record<string, any>; // eslint-disable-line typescript/no-explicit-any -- tests look into answers freely

const META = 'io.modelcontextprotocol/';

/** Params of a 2026-07-28 request. */
export function modern(params: Json = {}, capabilities: Json = {}, meta: Json = {}): Json {
  return {
    ...params,
    _meta: {
      [`${META}protocolVersion`]: '2026-07-28',
      [`${META}clientCapabilities`]: capabilities,
      [`${META}clientInfo`]: { name: 'test', version: '1' },
      ...meta,
    },
  };
}

export interface Wire {
  /** every message that came, in order */
  readonly messages: Json[];
  write(bytes: string | Buffer): void;
  send(message: Json | Json[]): void;
  /** sends a request and waits for its answer */
  ask(id: string | number, method: string, params?: Json): Promise<Json>;
  /** waits for the first message, past or future, that fits */
  wait(fits: (message: Json) => boolean): Promise<Json>;
  initialize(capabilities?: Json, protocolVersion?: string): Promise<Json>;
  /** ends the input and waits until serving has ended */
  end(): Promise<void>;
  readonly served: Promise<void>;
}

/** Serves `options` in this process over a pair of streams. */
export function openWire(options: Omit<StdioOptions, 'input' | 'output'>): Wire {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: Json[] = [];
  const waiting: { fits: (message: Json) => boolean; resolve: (message: Json) => void }[] = [];
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Json;
      messages.push(message);
      const index = waiting.findIndex(({ fits }) => fits(message));
      if (index >= 0) waiting.splice(index, 1)[0]?.resolve(message);
    }
  });
  const served = serveStdio({ ...options, input, output });
  const wire: Wire = {
    messages,
    served,
    write: (bytes) => void input.write(bytes),
    send: (message) => void input.write(`${JSON.stringify(message)}\n`),
    ask(id, method, params) {
      const answer = new Promise<Json>((resolve) => {
        waiting.push({ fits: (message) => message['id'] === id && !('method' in message), resolve });
      });
      wire.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
      return answer;
    },
    wait(fits) {
      const found = messages.find(fits);
      return found ? Promise.resolve(found) : new Promise((resolve) => void waiting.push({ fits, resolve }));
    },
    async initialize(capabilities = {}, protocolVersion = '2025-11-25') {
      const clientInfo = { name: 'test', version: '1' };
      const answer = await wire.ask('init', 'initialize', { protocolVersion, capabilities, clientInfo });
      wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    end() {
      input.end();
      return served;
    },
  };
  return wire;
}
