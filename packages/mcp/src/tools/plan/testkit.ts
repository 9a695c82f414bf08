// Plans on a folder of their own, as their tests call them.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext } from '@hanzo/tool';
import { type Config, defaultConfig } from '../../config.ts';
import { createStore, type Store } from '../../lib/store/index.ts';
import type { Local } from '../../local.ts';
import { plan } from './index.ts';

/** An answer, taken apart. */
export interface Answer {
  readonly ok: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly error: any;
  /** the body beside the envelope, or in it */
  readonly text: string;
  /** bytes of all blocks */
  readonly bytes: number;
}

export interface Fixture {
  readonly folder: string;
  readonly dataDir: string;
  readonly store: Store;
  call(args: Record<string, unknown>, maxOutput?: number): Promise<Answer>;
  /** what a call that must succeed has in its `data` */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  ok(args: Record<string, unknown>): Promise<any>;
  /** the error of a call that must be refused, as `CODE message` */
  refused(args: Record<string, unknown>): Promise<string>;
  /** all pages of an answer */
  pages(args: Record<string, unknown>, maxOutput?: number): Promise<Answer[]>;
  /** the server ends and another begins on the same folder */
  restart(overrides?: Partial<Config>): Promise<void>;
  close(): Promise<void>;
}

const CONTEXT: CallContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  log: () => undefined,
  clientCapabilities: {},
  ask: () => Promise.reject(new Error('nobody to ask')),
};

/** `folder`: an existing one, which `close` leaves there. */
export function createFixture(overrides: Partial<Config> = {}, folder?: string): Fixture {
  const at = folder ?? realpathSync(mkdtempSync(path.join(tmpdir(), 'plan-')));
  let env = environment(at, overrides);
  const call: Fixture['call'] = async (args, maxOutput = env.config.maxOutput) => {
    const result = await plan.call(args, { context: CONTEXT, env, maxOutput, jsonOnly: env.config.jsonOnly });
    const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
    const envelope = JSON.parse(texts[0] ?? '') as Pick<Answer, 'ok' | 'data' | 'error'>;
    const inside = envelope.data?.text;
    return {
      ...envelope,
      text: typeof inside === 'string' ? inside : (texts[1] ?? ''),
      bytes: texts.reduce((sum, each) => sum + Buffer.byteLength(each), 0),
    };
  };
  return {
    folder: at,
    dataDir: env.config.dataDir,
    get store() {
      return env.store;
    },
    call,
    async ok(args) {
      const answer = await call(args);
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      return answer.data;
    },
    async refused(args) {
      const { ok, error } = await call(args);
      if (ok) throw new Error(`not refused: ${JSON.stringify(args)}`);
      return `${error.code} ${error.message}`;
    },
    async pages(args, maxOutput) {
      const pages = [await call(args, maxOutput)];
      for (let last = pages[0]; last?.data?.paging?.more; last = pages.at(-1)) {
        pages.push(await call({ ...args, cursor: last.data.paging.cursor }, maxOutput));
      }
      return pages;
    },
    async restart(changed = {}) {
      await env.store.close();
      env = environment(at, { ...overrides, ...changed });
    },
    async close() {
      await env.store.close();
      if (folder === undefined) rmSync(at, { recursive: true, force: true });
    },
  };
}

function environment(folder: string, overrides: Partial<Config>): Local {
  const config = defaultConfig({ cwd: folder, dataDir: path.join(folder, '.hanzo'), ...overrides });
  const store = createStore({ dataDir: config.dataDir, readOnly: config.access === 'read-only' });
  return { config, store } as unknown as Local; // the other services are no business of plans
}
