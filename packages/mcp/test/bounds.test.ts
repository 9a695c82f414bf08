// Every answer of every tool is bounded, whatever it is asked: all text blocks together take at most the output limit
// and a fixed allowance.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CallContext, ENVELOPE_ALLOWANCE, utf8Length } from '@hanzo/tool';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultConfig } from '../src/config.ts';
import { LOADERS } from '../src/host.ts';
import { createAccess } from '../src/lib/access.ts';
import { createModes } from '../src/lib/modes/current.ts';
import { createProcessTable } from '../src/lib/processes/table.ts';
import { createIndexes } from '../src/lib/search/indexes.ts';
import { createStore } from '../src/lib/store/index.ts';
import type { Local } from '../src/local.ts';
import { createSurface } from '../src/surface.ts';

const MAX_OUTPUT = 2048;
/** What is long, escapes badly, takes four bytes, and is no name of anything. */
const HOSTILE = '😀"\\\u0001é '.repeat(6000);

const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'bounds-')));
const config = defaultConfig({ cwd: root, dataDir: path.join(root, '.data') });
const access = createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [] });
const env: Local = {
  config,
  access,
  processes: createProcessTable(),
  surface: createSurface([...LOADERS.keys()], config.dataDir),
  indexes: createIndexes({ access, cache: false }),
  store: createStore({ dataDir: config.dataDir }),
  modes: createModes(),
};
const context: CallContext = {
  signal: AbortSignal.timeout(50_000),
  progress: () => undefined,
  log: () => undefined,
  clientCapabilities: {},
  ask: () => Promise.reject(new Error('nobody to ask')),
};

beforeAll(() => {
  writeFileSync(path.join(root, 'text'), '\u0001"\\'.repeat(20_000));
  writeFileSync(path.join(root, 'lines'), `${'x "quoted" \\ '.repeat(20)}\n`.repeat(500));
  mkdirSync(path.join(root, 'many'));
  for (let i = 0; i < 150; i++) writeFileSync(path.join(root, 'many', `${'n'.repeat(150)}${i}`), '');
});
afterAll(async () => {
  await Promise.all([env.processes.close(), env.indexes.close(), env.store.close()]);
  rmSync(root, { recursive: true, force: true });
});

async function bytesOf(name: string, args: object, jsonOnly: boolean): Promise<number> {
  const tool = await LOADERS.get(name)?.();
  const { content } = (await tool?.call(args, { context, env, maxOutput: MAX_OUTPUT, jsonOnly })) ?? { content: [] };
  const [first] = content;
  JSON.parse(first?.type === 'text' ? first.text : '');
  return content.reduce((sum, block) => sum + (block.type === 'text' ? utf8Length(block.text) : 0), 0);
}

const uri = (name: string): string => path.join(root, name);

it.each([...LOADERS.keys()])('%s: every action, every text of its input hostile', async (name) => {
  const spec = (await LOADERS.get(name)?.())?.spec;
  for (const action of ['help', 'schema', 'status', HOSTILE, ...Object.keys(spec?.actions ?? {})]) {
    const shape = new Map(Object.entries(spec?.actions[action]?.input.shape ?? {}));
    const texts = [...shape].filter(([, type]) => type.safeParse('a').success || type.safeParse(HOSTILE).success);
    const all = Object.fromEntries(texts.map(([key]) => [key, HOSTILE]));
    for (const args of [{ action }, { action, ...all }, { action, [HOSTILE]: 1 }]) {
      expect(await bytesOf(name, args, false), `${name} ${action.slice(0, 20)}`).toBeLessThanOrEqual(
        MAX_OUTPUT + ENVELOPE_ALLOWANCE,
      );
    }
  }
});

it.each([
  ['fs', { action: 'read', uri: uri('text') }],
  ['fs', { action: 'read', uri: uri('lines') }],
  ['fs', { action: 'list', uri: uri('many') }],
  ['fs', { action: 'search_text', uri: root, pattern: 'quoted' }],
  ['code', { action: 'search_symbol', uri: root, query: 'quoted', pattern: '*' }],
  [
    'fs',
    {
      action: 'patch',
      patch: `*** Begin Patch\n${Array.from({ length: 200 }, (_, i) => `*** Delete File: ${uri(`no${i}`)}\n`).join('')}*** End Patch\n`,
    },
  ],
  ['exec', { action: 'exec', command: `cat ${uri('text')} ${uri('lines')}; cat ${uri('lines')} >&2` }],
  ['exec', { action: 'exec', command: `true ${'😀'.repeat(5000)}` }],
  ['exec', { action: 'ps' }],
  ['jq', { action: 'run', filter: '.', input: JSON.stringify(Array.from({ length: 3000 }, (_, i) => `"\\${i}`)) }],
  ['jq', { action: 'run', filter: `${'.a|'.repeat(20_000)}(`, input: '{}' }],
] as const)('%s %o, in blocks and in one', async (name, args) => {
  for (const jsonOnly of [false, true]) {
    expect(await bytesOf(name, args, jsonOnly)).toBeLessThanOrEqual(MAX_OUTPUT + ENVELOPE_ALLOWANCE);
  }
});
