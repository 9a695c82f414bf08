// What the tests of this tool share: a server's services over a temporary folder, web servers, calls that answer plain values.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext, ContentBlock } from '@hanzo/tool';
import { defaultConfig, type Config } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import type { Local } from '../../local.ts';
import { fetch } from './index.ts';

export interface Answer {
  readonly ok: boolean;
  // Tests reach into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly error: any;
  readonly meta: { readonly paging?: { cursor: string | null; more: boolean; total?: number } };
  /** text of the body `key` */
  body(key: string): string;
  readonly content: readonly ContentBlock[];
}

export interface CallExtras {
  readonly maxOutput?: number;
  readonly signal?: AbortSignal;
  readonly progress?: CallContext['progress'];
}

export interface Bench {
  readonly root: string;
  at(...names: string[]): string;
  call(action: string, args?: Record<string, unknown>, extras?: CallExtras): Promise<Answer>;
  /** starts a web server on loopback; returns its origin and what it was asked */
  serve(answer: RequestListener): Promise<{ origin: string; requests: IncomingMessage[] }>;
  close(): void;
}

/** A local server's services, private addresses allowed unless `overrides` says otherwise. */
export function bench(overrides: Partial<Config> = {}): Bench {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'fetch-')));
  const config = defaultConfig({ cwd: root, allowPrivate: true, version: '1.2.3', ...overrides });
  const access = createAccess({ level: config.access, cwd: root, roots: config.roots, allowSecrets: [] });
  // The fetch tool uses neither the process table nor the surface.
  const env = { config, access } as unknown as Local;
  const stops: (() => void)[] = [];
  return {
    root,
    at: (...names) => path.join(root, ...names),
    async call(action, args = {}, extras = {}) {
      const context: CallContext = {
        signal: extras.signal ?? new AbortController().signal,
        progress: extras.progress ?? (() => undefined),
        log: () => undefined,
        clientCapabilities: {},
        ask: () => Promise.reject(new Error('no client')),
      };
      const options = extras.maxOutput === undefined ? {} : { maxOutput: extras.maxOutput };
      const { content } = await fetch.call({ action, ...args }, { context, env, ...options });
      const [first] = content;
      const envelope = JSON.parse(first?.type === 'text' ? first.text : 'null') as Answer;
      return {
        ...envelope,
        content,
        body(key) {
          const value = (envelope.data as Record<string, unknown> | null)?.[key];
          if (typeof value === 'string') return value;
          const block = content[(value as { block: number }).block];
          return block?.type === 'text' ? block.text : '';
        },
      };
    },
    async serve(answer) {
      const requests: IncomingMessage[] = [];
      const server = createServer((request, response) => {
        requests.push(request);
        answer(request, response);
      });
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      stops.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
    },
    close() {
      for (const stop of stops) stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
