// The README's examples are run, and print what the README says they print.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const readme = readFileSync(path.resolve(import.meta.dirname, '../README.md'), 'utf8');
const examples = [...readme.matchAll(/^## (.+)\n\n```ts\n([\s\S]*?)```/gm)].map(
  ([, title = '', code = '']) => [title, code] as const,
);

it('there are three', () => {
  expect(examples).toHaveLength(3);
});

it.each(examples)('%s', async (_title, code) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'readme-'));
  try {
    const here = code
      .replace("'@hanzo/tool'", JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'index.ts')).href))
      .replace("'zod'", JSON.stringify(import.meta.resolve('zod')));
    const file = path.join(folder, 'example.mts');
    await writeFile(file, here);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    const said = code.split('\n').filter((line) => line.startsWith('// '));
    expect(stdout.trimEnd().split('\n')).toEqual(said.map((line) => line.slice(3)));
  } finally {
    await rm(folder, { recursive: true });
  }
});
