// What the tests of this tool share: a project on disk, and calls as a client makes them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext } from '@hanzo/tool';
import { defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import { createIndexes } from '../../lib/search/indexes.ts';
import type { Local } from '../../local.ts';
import { code } from './index.ts';

export interface Answer {
  readonly ok: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly data: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  readonly error: any;
  /** the body */
  readonly text: string;
}

export interface Project {
  readonly root: string;
  at(name: string): string;
  call(
    action: string,
    args?: Record<string, unknown>,
    options?: { json?: boolean; maxOutput?: number },
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** Lays files out in a folder of their own. */
export function createProject(files: Readonly<Record<string, string>>): Project {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'code-')));
  const at = (name: string): string => path.join(root, name);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
  const access = createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [] });
  const indexes = createIndexes({ access, cache: false });
  const context: CallContext = {
    signal: new AbortController().signal,
    progress: () => undefined,
    log: () => undefined,
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('no client')),
  };
  return {
    root,
    at,
    async call(action, args = {}, { json = false, maxOutput } = {}) {
      const config = defaultConfig({ cwd: root, jsonOnly: json });
      // the code tool uses neither processes nor the surface
      const env = { config, access, indexes } as unknown as Local;
      const { content } = await code.call({ action, ...args }, { context, env, jsonOnly: json, maxOutput });
      const texts = content.map((each) => (each.type === 'text' ? each.text : ''));
      return { ...(JSON.parse(texts[0] ?? 'null') as Answer), text: texts[1] ?? '' };
    },
    async close() {
      await indexes.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
