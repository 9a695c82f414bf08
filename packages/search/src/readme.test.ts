// The examples of the README run as they stand.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as make from './documents/fixtures.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const EXAMPLES = [...README.matchAll(/^## (\w+)\n\n```ts\n(.*?)^```$/gms)].map(
  ([, name, code]) => [name, code] as const,
);
const SAID: Readonly<Record<string, string>> = {
  Text: '2 lines in 1 files\na.ts:1:export function openIndex() {}\na.ts:3:openIndex();\n',
  Symbols: 'a.ts:1 definition: export function openIndex() {}\na.ts:3 reference: openIndex();\n',
  Documents: 'para 1: net income\n',
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'search-readme-'));
  writeFileSync(path.join(folder, 'a.ts'), 'export function openIndex() {}\n\nopenIndex();\n');
  writeFileSync(path.join(folder, 'report.docx'), make.docx(make.para('net income')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there are three', () => {
  expect(EXAMPLES.map(([name]) => name)).toEqual(Object.keys(SAID));
});

test.each(EXAMPLES)('%s', (name, code = '') => {
  const own = code.replaceAll(/'(@hanzo\/search[^']*)'/g, (_, each: string) =>
    JSON.stringify(import.meta.resolve(each)),
  );
  const said = execFileSync(process.execPath, ['--conditions=hanzo-source', '--input-type=module', '-e', own], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: path.join(folder, '.cache') },
  });
  expect(said.replaceAll(`${folder}/`, '')).toBe(SAID[name as string]);
});
