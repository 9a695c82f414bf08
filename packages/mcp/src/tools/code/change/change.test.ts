// What all changing actions promise: a patch first, all or nothing then, bytes that are not meant stay as they are.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createAccess } from '../../../lib/access.ts';
import { commit } from '../../../lib/edits/patch/commit.ts';
import { makePlan, resolveTargets } from '../../../lib/edits/patch/plan.ts';
import { parseSections } from '../../../lib/edits/patch/sections.ts';
import { createProject, type Project } from '../testkit.ts';
import { Changes } from './changes.ts';

let project: Project | undefined;

afterEach(async () => {
  await project?.close();
  project = undefined;
});

const open = (files: Record<string, string>): Project => (project = createProject(files));
const text = (name: string): string => readFileSync(project?.at(name) ?? '', 'utf8');

/** Applies a patch as fs patch does. */
async function patch(root: string, input: string): Promise<void> {
  const access = createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [] });
  const ctx = { signal: new AbortController().signal, env: { access, config: { cwd: root } } } as never;
  const plan = await makePlan(ctx, await resolveTargets(ctx, parseSections(input.trimEnd().split('\n'))));
  expect(plan.failed).toBeUndefined();
  await commit(plan.steps);
}

describe('preview and apply', () => {
  const files = {
    'a.ts': 'const a = 1;\n\nuse(a);\n\n\n\n\n\n\n\n\nuse(a, a);\nlast(a)',
    'b.ts': 'first(a)\r\nuse(a);\r\n\tx\nuse(a)\r\n',
    'c.ts': '\uFEFFuse(a);\n',
  };

  test.each([
    ['grep_replace', { query: 'use\\((\\w)', replacement: 'used(${1}$&' }],
    ['transform', { query: 'use($$$X)', replacement: 'used(1, $$$X)' }],
    ['grep_replace', { query: '(?P<what>a)\\)', replacement: '${what}, $$ ${0}' }],
  ])('%s: without apply nothing is written, and the patch leads to the same bytes', async (action, args) => {
    const one = open(files);
    const { data, text: shown } = await one.call(action, { ...args, pattern: '*.ts' });
    expect(data).toMatchObject({ applied: false, files_changed: 3 });
    for (const [name, before] of Object.entries(files)) expect(text(name)).toBe(before);
    await patch(one.root, shown);
    const patched = Object.keys(files).map(text);
    for (const [name, before] of Object.entries(files)) writeFileSync(one.at(name), before);
    const applied = await one.call(action, { ...args, pattern: '*.ts', apply: true });
    expect(applied.data.changed).toHaveLength(3);
    expect(Object.keys(files).map(text)).toEqual(patched);
    expect(patched).not.toEqual(Object.values(files));
  });

  test('pages of a patch are patches, and together the whole', async () => {
    const line = (i: number): string => `call(${i});\n${'// filler\n'.repeat(12)}`;
    const source = Array.from({ length: 60 }, (_, i) => line(i)).join('');
    const one = open({ 'a.ts': source });
    const args = { query: 'call($X)', replacement: 'called($X)', uri: one.at('a.ts') };
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      // each page is made before any is applied
      const { text: shown, data } = await one.call(
        'transform',
        { ...args, ...(cursor ? { cursor } : {}) },
        { maxOutput: 2000 },
      );
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(2000);
      writeFileSync(one.at(`page${pages}`), shown);
      cursor = data.paging.cursor;
    }
    expect(pages).toBeGreaterThan(2);
    for (let i = 0; i < pages; i++) await patch(one.root, text(`page${i}`));
    expect(text('a.ts')).toBe(source.replaceAll('call(', 'called('));
  });

  test('CRLF, a byte order mark, Latin-1 and damaged UTF-8 keep their bytes', async () => {
    const { call, at, root } = open({ 'a.py': '' });
    const latin = Buffer.concat([
      Buffer.from('# caf'),
      Buffer.from([0xe9]),
      Buffer.from('\r\nold = 1\r\nprint(old)\n# end'),
      Buffer.from([0xff]),
    ]);
    const marked = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from('from a import old\r\nprint(old, "é")\r\n'),
    ]);
    const damaged = Buffer.concat([
      Buffer.from('from a import old # ééé '),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('\nold\n'),
    ]);
    writeFileSync(at('a.py'), latin);
    writeFileSync(at('b.py'), marked);
    writeFileSync(at('c.py'), damaged);
    const { data } = await call('rename', { query: 'old', new_name: 'renewed', uri: at('a.py'), apply: true });
    expect(data.files_changed).toBe(3);
    const swap = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('old', 'renewed');
    expect(readFileSync(path.join(root, 'a.py')).toString('latin1')).toBe(swap(latin));
    expect(readFileSync(path.join(root, 'b.py')).toString('latin1')).toBe(swap(marked));
    expect(readFileSync(path.join(root, 'c.py')).toString('latin1')).toBe(swap(damaged));
  });

  test('one of two files read-only: nothing is written', async () => {
    const { call, at } = open({ 'a.ts': 'export const old = 1;\n', 'b.ts': 'import { old } from "./a";\nold;\n' });
    chmodSync(at('b.ts'), 0o444);
    const before = statSync(at('a.ts')).mtimeMs;
    const { error } = await call('rename', { query: 'old', new_name: 'renewed', uri: at('a.ts'), apply: true });
    expect(error.code).toBe('PERMISSION_DENIED');
    expect(error.message).toContain('nothing was written');
    expect(text('a.ts')).toBe('export const old = 1;\n');
    expect(statSync(at('a.ts')).mtimeMs).toBe(before);
  });

  test('a file that changed meanwhile: CONFLICT, and nothing is written', async () => {
    const { at, root } = open({ 'a.ts': 'one\n', 'b.ts': 'one\n' });
    const access = createAccess({ level: 'workspace-write', cwd: root, roots: [], allowSecrets: [] });
    const ctx = {
      signal: new AbortController().signal,
      maxOutput: 9999,
      env: { access, config: { cwd: root } },
    } as never;
    const changes = new Changes(ctx);
    for (const name of ['a.ts', 'b.ts']) changes.replace(await changes.origin(at(name)), 0, 3, 'two');
    writeFileSync(at('b.ts'), 'three\n');
    await expect(changes.answer({ apply: true, base: root }, {})).rejects.toMatchObject({ code: 'CONFLICT' });
    expect([text('a.ts'), text('b.ts')]).toEqual(['one\n', 'three\n']);
  });
});

describe('a TypeScript project as it is published', () => {
  test('the sources of zod: 495 places in 18 files; what is left of the name is text', async () => {
    const { call, at, root } = open({});
    const source = path.join(path.dirname(createRequire(import.meta.url).resolve('zod/package.json')), 'src/v4');
    mkdirSync(at('v4'));
    cpSync(source, at('v4'), {
      recursive: true,
      filter: (each) => !/tests|\.test\.|locales\/(?!index|en\b)/.test(each),
    });
    const { data } = await call('rename', {
      query: '$ZodType',
      new_name: '$ZodKind',
      uri: at('v4/core/schemas.ts'),
      apply: true,
    });
    expect(data).toMatchObject({ files_changed: 18, total_replacements: 495 });
    const left = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) =>
        text(name)
          .split('\n')
          .filter((line) => /(?<![\w$])\$ZodType(?![\w$])/.test(line)),
      );
    for (const line of left) expect(line).toMatch(/["'`]\$ZodType["'`]|\/\/|^\s*\*/);
  }, 60_000);
});

describe('bounds', () => {
  test.each([
    ['nested', `x = ${'f('.repeat(20_000)}1${')'.repeat(20_000)};\n`],
    ['one line', `${'f(1);'.repeat(200_000)}\n`],
    ['ambiguous', `f(${'a, '.repeat(3000)}b);\n`],
  ])(
    'a codemod on a text that is %s ends',
    async (_what, source) => {
      const { call, at } = open({ 'a.js': source });
      const {
        ok,
        error,
        text: shown,
      } = await call('transform', { query: 'g($$$A, x, $$$B, y, $$$C)', replacement: 'h', uri: at('a.js') });
      expect(ok || /TIMEOUT|INVALID_PARAMS/.test(error.code)).toBe(true);
      expect(shown.length).toBeLessThan(40_000);
    },
    60_000,
  );

  test('an expression that backtracks elsewhere is linear here', async () => {
    const { call, at } = open({ 'a.ts': `${'a'.repeat(50_000)}!\n` });
    const { data } = await call('grep_replace', { query: '(a+)+$', replacement: '', uri: at('a.ts') });
    expect(data.total_replacements).toBe(0);
  });

  test('a group that is not there, and an expression that is none, are refused', async () => {
    const { call } = open({ 'a.ts': 'a\n' });
    const group = await call('grep_replace', { query: '(a)', replacement: '${2}' });
    expect(group.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'replacement' });
    const broken = await call('grep_replace', { query: '(a', replacement: '' });
    expect(broken.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'query' });
  });

  test('what lies outside of the roots is not changed', async () => {
    // the temporary folder, and a checkout that lies in it, are roots
    const outside = mkdtempSync(path.join(homedir(), '.hanzo-test-'));
    try {
      const file = path.join(outside, 'a.ts');
      writeFileSync(file, 'first\n');
      const { call } = open({ 'a.ts': 'a\n' });
      const { error } = await call('grep_replace', { query: 'first', replacement: 'x', uri: file, apply: true });
      expect(error.code).toBe('PERMISSION_DENIED');
      expect(readFileSync(file, 'utf8')).toBe('first\n');
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
});
