// npx and uvx: what their runner is called with, and what becomes of it. The runners here only say how they were called.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exec } from '../exec/index.ts';
import { createFixture, type Fixture } from '../exec/testkit.ts';
import { uvx } from '../uvx/index.ts';
import { npx } from './index.ts';

const PATH = process.env['PATH'] ?? '';
let fixture: Fixture;
beforeAll(() => {
  fixture = createFixture();
  const bin = path.join(fixture.folder, 'bin');
  mkdirSync(bin);
  for (const name of ['npx', 'uvx']) {
    writeFileSync(path.join(bin, name), '#!/bin/sh\nprintf "[%s]" "$@"\necho to stderr >&2\nexit ${CODE:-0}\n');
    chmodSync(path.join(bin, name), 0o755);
  }
  process.env['PATH'] = `${bin}:${PATH}`;
});
afterAll(async () => {
  process.env['PATH'] = PATH;
  await fixture.close();
});

describe.each([
  ['npx', npx, '[--yes][--][pkg]'],
  ['uvx', uvx, '[--][pkg]'],
] as const)('%s', (_name, tool, head) => {
  test.each([
    ['', ''],
    ['a b', '[a][b]'],
    ['"a b" c', '[a b][c]'],
    [`'it'"'"'s' \\"x\\" --flag="1 2"`, `[it's]["x"][--flag=1 2]`],
    ['$HOME *.ts `id` ; rm', '[$HOME][*.ts][`id`][;][rm]'],
    ['""', '[]'],
    [['a b', "it's", ''], "[a b][it's][]"],
  ])('the arguments %j arrive as %s', async (args, words) => {
    const answer = await fixture.call(tool, { package: 'pkg', args });
    expect(answer).toMatchObject({ ok: true, data: { status: 'success', exit_code: 0 } });
    expect(answer.text('stdout')).toBe(head + words);
    expect(answer.text('stderr')).toBe('to stderr\n');
  });

  test('a package that would be an option is refused', async () => {
    for (const name of ['--package=evil', '-c', '', 'a b', 'a\0b']) {
      expect((await fixture.call(tool, { package: name })).error).toMatchObject({ code: 'INVALID_PARAMS' });
    }
  });

  test('an open quote is refused, and where it is', async () => {
    const answer = await fixture.call(tool, { package: 'pkg', args: `a 'b` });
    expect(answer.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'args' });
    expect(answer.error.message).toContain('character 3');
  });

  test('another exit code is EXIT with the output', async () => {
    process.env['CODE'] = '7';
    try {
      const answer = await fixture.call(tool, { action: 'run', package: 'pkg' });
      expect(answer).toMatchObject({ ok: false, isError: true, error: { code: 'EXIT' }, data: { exit_code: 7 } });
      expect(answer.text('stdout')).toBe(head);
    } finally {
      delete process.env['CODE'];
    }
  });

  test('is in the table of exec', async () => {
    const { proc_id } = (await fixture.call(tool, { package: 'pkg', args: 'seen' })).data;
    const { processes } = (await fixture.call(exec, { action: 'ps', proc_id })).data;
    expect(processes[0].command).toContain('pkg seen');
  });

  test('without its runner says how to get it', async () => {
    process.env['PATH'] = '/nowhere';
    try {
      const answer = await fixture.call(tool, { package: 'pkg' });
      expect(answer.error).toMatchObject({ code: 'NOT_FOUND', program: tool.name });
    } finally {
      process.env['PATH'] = `${path.join(fixture.folder, 'bin')}:${PATH}`;
    }
  });
});

test('npx without yes installs nothing unasked', async () => {
  expect((await fixture.call(npx, { package: 'pkg', yes: false })).text('stdout')).toBe('[--no][--][pkg]');
});

test('uvx takes a Python, but no option in its place', async () => {
  expect((await fixture.call(uvx, { package: 'pkg', python: '3.12' })).text('stdout')).toBe(
    '[--python][3.12][--][pkg]',
  );
  expect((await fixture.call(uvx, { package: 'pkg', python: '--index-url=x' })).error.code).toBe('INVALID_PARAMS');
});
