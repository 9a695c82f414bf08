// search_symbol: an identifier on word boundaries, files that define it first, pages of one list.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallContext } from '@hanzo/tool';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Config, defaultConfig } from '../../config.ts';
import { createAccess } from '../../lib/access.ts';
import { toUri } from '../../lib/path.ts';
import { createIndexes } from '../../lib/search/indexes.ts';
import type { Local } from '../../local.ts';
import { code } from './index.ts';

let root = '';
let closes: (() => Promise<void>)[] = [];
const at = (name: string): string => path.join(root, name);

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'code-')));
  mkdirSync(at('lib'));
  writeFileSync(at('a.ts'), 'load();\nload(1);\nreload();\n');
  writeFileSync(at('lib/b.ts'), '// load\nexport function load(): void {\n  return;\n}\n');
  writeFileSync(at('lib/c.py'), 'def load():\n    pass\n\nload()\nload()\n');
  writeFileSync(at('notes.md'), 'load load\n');
  writeFileSync(at('lib/id_rsa'), 'load\n');
  writeFileSync(at('lib/key.ts'), '-----BEGIN PRIVATE KEY-----\nconst load = 1;\n');
});
afterAll(async () => {
  await Promise.all(closes.map((each) => each()));
  closes = [];
  rmSync(root, { recursive: true, force: true });
});

function local(config: Config, allowSecrets: readonly string[] = []): Local {
  const access = createAccess({ level: 'workspace-write', cwd: config.cwd, roots: [], allowSecrets });
  const indexes = createIndexes({ access, cache: false });
  closes.push(() => indexes.close());
  // the code tool uses neither processes nor the surface
  return { config, access, indexes } as unknown as Local;
}

/** The envelope of an answer, and the text after it. */
async function call(args: Record<string, unknown>, options: { jsonOnly?: boolean; allowSecrets?: string[] } = {}) {
  const config = defaultConfig({ cwd: root, jsonOnly: options.jsonOnly === true });
  const context: CallContext = {
    signal: new AbortController().signal,
    progress: () => undefined,
    log: () => undefined,
    clientCapabilities: {},
    ask: () => Promise.reject(new Error('no client')),
  };
  const { content } = await code.call(
    { action: 'search_symbol', ...args },
    { context, env: local(config, options.allowSecrets), jsonOnly: options.jsonOnly },
  );
  const texts = content.map((each) => (each.type === 'text' ? each.text : ''));
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  return { ...(JSON.parse(texts[0] ?? 'null') as { ok: boolean; data: any; error: any }), text: texts[1] ?? '' };
}

describe('search_symbol', () => {
  test('files with more definitions, then more uses, come first; code files only', async () => {
    const { data, text } = await call({ query: 'load' });
    expect(data).toMatchObject({ query: 'load', count: 7, total: 7, definitions: 2 });
    expect(text).toBe(
      'lib/c.py\n1 (definition):def load():\n4:load()\n5:load()\n\n' +
        'lib/b.ts\n1:// load\n2 (definition):export function load(): void {\n\n' +
        'a.ts\n1:load();\n2:load(1);\n',
    );
  });

  test('with JSON only every hit has its type', async () => {
    const { data } = await call({ query: 'load', path: at('lib/b.ts') }, { jsonOnly: true });
    const uri = toUri(at('lib/b.ts'));
    expect(data.results).toEqual([
      { uri, line: 1, text: '// load', type: 'reference' },
      { uri, line: 2, text: 'export function load(): void {', type: 'definition' },
    ]);
  });

  test('a pattern names other files', async () => {
    expect((await call({ query: 'load', pattern: '*.md' })).text).toBe('notes.md\n1:load load\n');
  });

  test('pages are offsets into one list', async () => {
    const first = await call({ query: 'load', max_results: 4 });
    expect(first.data.paging).toEqual({ cursor: '4', more: true, total: 7 });
    const second = await call({ query: 'load', limit: 4, cursor: first.data.paging.cursor });
    expect(second.text).toBe(
      'lib/b.ts\n2 (definition):export function load(): void {\n\na.ts\n1:load();\n2:load(1);\n',
    );
    expect(second.data.paging).toEqual({ cursor: null, more: false, total: 7 });
  });

  test('private keys are left out by their first line unless they are allowed', async () => {
    expect((await call({ query: 'load', pattern: 'key.ts' })).data.total).toBe(0);
    const allowed = await call({ query: 'load', pattern: 'key.ts' }, { allowSecrets: [at('lib/key.ts')] });
    expect(allowed.text).toBe('lib/key.ts\n2 (definition):const load = 1;\n');
  });

  test('an expression is no symbol, a missing place is not found', async () => {
    expect((await call({ query: 'load|b' })).error).toMatchObject({ code: 'INVALID_PARAMS', param: 'query' });
    expect((await call({ query: 'load', uri: at('nope') })).error.code).toBe('NOT_FOUND');
  });
});
