// A tool that keeps something, on a folder of its own, as its tests call it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext, ToolDefinition } from '@hanzo/tool';
import { type Config, defaultConfig } from '../../config.ts';
import { createAccess } from '../access.ts';
import { createStore, type Store } from './index.ts';
import type { Local } from '../../local.ts';

/** An answer, taken apart. */
export interface Answer {
  readonly ok: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly error: any;
  /** bytes of all blocks */
  readonly bytes: number;
  /** a body by its key, wherever it travelled */
  text(key?: string): string;
}

export interface ToolFixture {
  readonly folder: string;
  readonly dataDir: string;
  readonly store: Store;
  call(args: Record<string, unknown>, maxOutput?: number): Promise<Answer>;
  /** what a call that must succeed has in its `data` */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  ok(args: Record<string, unknown>): Promise<any>;
  /** what `pick` takes from each page of an answer, in order, over all its pages */
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  pages<T>(args: Record<string, unknown>, pick: (data: any) => readonly T[]): Promise<T[]>;
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
export function createToolFixture(
  tool: ToolDefinition<Local>,
  overrides: Partial<Config> = {},
  folder?: string,
): ToolFixture {
  const at = folder ?? realpathSync(mkdtempSync(path.join(tmpdir(), `${tool.name}-`)));
  let env = environment(at, overrides);
  const call: ToolFixture['call'] = async (args, maxOutput = env.config.maxOutput) => {
    const result = await tool.call(args, { context: CONTEXT, env, maxOutput, jsonOnly: env.config.jsonOnly });
    const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
    const envelope = JSON.parse(texts[0] ?? '') as Omit<Answer, 'text' | 'bytes'>;
    return {
      ...envelope,
      bytes: texts.reduce((sum, each) => sum + Buffer.byteLength(each), 0),
      text(key = 'text') {
        const found = envelope.data?.[key];
        return typeof found === 'string' ? found : (texts[found?.block] ?? '');
      },
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
    async pages<T>(args: Record<string, unknown>, pick: (data: Answer['data']) => readonly T[]) {
      const items: T[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const answer = await tool.call(cursor === undefined ? args : { ...args, cursor }, {
          context: CONTEXT,
          env: { ...env, config: { ...env.config, jsonOnly: true } },
          jsonOnly: true,
        });
        const [block] = answer.content;
        const { data, error } = JSON.parse(block?.type === 'text' ? block.text : '') as Answer;
        if (!data) throw new Error(JSON.stringify(error));
        items.push(...pick(data));
        cursor = data.paging.cursor as string | null;
      }
      return items;
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
  return {
    config,
    access: createAccess({ level: config.access, cwd: folder, roots: [], allowSecrets: [] }),
    store: createStore({ dataDir: config.dataDir, readOnly: config.access === 'read-only' }),
  } as unknown as Local; // the other services are no business of these tools
}
