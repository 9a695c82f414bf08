// The services of a local server as tests of processes need them, and a call that reads like one.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext, CallResult, ToolDefinition } from '@hanzo/tool';
import { type Config, defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import type { Classify } from '../../lib/commands/verdict.ts';
import { createProcessTable, type ProcessTableOptions } from '../../lib/processes/table.ts';
import type { Local } from '../../local.ts';

interface Judging {
  readonly classify?: Classify;
}
type Services = Local & Judging;

/** An answer, taken apart. */
export interface Answer {
  readonly ok: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly error: any;
  readonly isError: boolean;
  /** bytes of all blocks */
  readonly bytes: number;
  /** a body by its key, wherever it travelled */
  text(key: string): string;
}

export interface Fixture {
  readonly folder: string;
  readonly env: Services;
  call(tool: ToolDefinition<Local>, args: unknown, context?: Partial<CallContext>, maxOutput?: number): Promise<Answer>;
  close(): Promise<void>;
}

export function createFixture(options: ProcessTableOptions = {}, extra: Partial<Config> & Judging = {}): Fixture {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'exec-')));
  const { classify, ...overrides } = extra;
  const config = defaultConfig({ cwd: folder, dataDir: path.join(folder, '.data'), ...overrides });
  const env = {
    config,
    access: createAccess({ level: config.access, cwd: folder, roots: [], allowSecrets: [] }),
    processes: createProcessTable(options),
    ...(classify ? { classify } : {}),
  } as unknown as Services; // the surface is no business of these tools
  return {
    folder,
    env,
    async call(tool, args, context = {}, maxOutput = config.maxOutput) {
      const full = { ...CONTEXT, signal: new AbortController().signal, ...context };
      return takeApart(await tool.call(args, { context: full as CallContext, env, maxOutput }));
    },
    async close() {
      await env.processes.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const CONTEXT = {
  progress: () => {},
  log: () => {},
  clientCapabilities: {},
  ask: () => Promise.reject(new Error('nobody to ask')),
};

function takeApart(result: CallResult): Answer {
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
  const envelope = JSON.parse(texts[0] ?? '') as Omit<Answer, 'text' | 'bytes' | 'isError'>;
  return {
    ...envelope,
    isError: result.isError === true,
    bytes: texts.reduce((sum, each) => sum + Buffer.byteLength(each), 0),
    text(key) {
      const value = envelope.data?.[key];
      return typeof value === 'string' ? value : (texts[value?.block] ?? '');
    },
  };
}
