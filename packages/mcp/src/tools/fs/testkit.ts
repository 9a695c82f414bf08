// What the tests of this tool share: a server's services over a temporary folder, and calls that answer plain values.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext, ContentBlock } from '@hanzo/tool';
import { defaultConfig, type Config } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import { toUri } from '../../lib/path.ts';
import { createIndexes } from '../../lib/search/indexes.ts';
import type { Local } from '../../local.ts';
import { fs } from './index.ts';

/** An answer taken apart. */
export interface Answer {
  readonly ok: boolean;
  // Tests reach into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly error: any;
  /** text of the body `key` */
  body(key: string): string;
  readonly content: readonly ContentBlock[];
}

export interface Bench {
  /** real path of the working directory, the only root */
  readonly root: string;
  readonly local: Local;
  at(...names: string[]): string;
  uri(...names: string[]): string;
  call(
    action: string,
    args?: Record<string, unknown>,
    options?: { maxOutput?: number; signal?: AbortSignal; jsonOnly?: boolean },
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** A context of a call with nothing behind it. */
export function context(signal: AbortSignal = new AbortController().signal): CallContext {
  return {
    signal,
    progress: () => undefined,
    log: () => undefined,
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('no client')),
  };
}

/** A server's services over a new temporary folder; `close` removes it. */
export function bench(overrides: Partial<Config> = {}): Bench {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'fs-')));
  const config = defaultConfig({ cwd: root, ...overrides });
  const access = createAccess({
    level: config.access,
    cwd: config.cwd,
    roots: config.roots,
    allowSecrets: config.allowSecrets,
  });
  // the fs tool uses neither processes nor the surface
  const indexes = createIndexes({ access, cache: overrides.indexes ?? false });
  const local = { config, access, indexes } as unknown as Local;
  return {
    root,
    local,
    at: (...names) => path.join(root, ...names),
    uri: (...names) => toUri(path.join(root, ...names)),
    async call(action, args = {}, options = {}) {
      const { content } = await fs.call(
        { action, ...args },
        { context: context(options.signal), env: local, maxOutput: options.maxOutput, jsonOnly: options.jsonOnly },
      );
      const [first] = content;
      const envelope = JSON.parse(first?.type === 'text' ? first.text : 'null') as {
        ok: boolean;
        data: never;
        error: never;
      };
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
    async close() {
      await indexes.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
