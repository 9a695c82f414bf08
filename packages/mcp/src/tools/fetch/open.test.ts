// open: what reaches the desktop's opener, tried with an opener of our own.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, bench } from './testkit.ts';

let web: Bench;
const before = { PATH: process.env['PATH'], HANZO_API_KEY: process.env['HANZO_API_KEY'] };
beforeEach(() => {
  web = bench();
  process.env['PATH'] = web.root;
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  web.close();
});

const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';

function install(script: string): void {
  writeFileSync(web.at(opener), `#!/bin/sh\n${script}\n`);
  chmodSync(web.at(opener), 0o755);
}

it('hands the URL over as one argument, without our keys', async () => {
  process.env['HANZO_API_KEY'] = 'hush';
  install(`printf '%s\\n' "$#" "$1" "\${HANZO_API_KEY-none}" > '${web.at('seen')}'`);
  const url = 'http://localhost:3000/a?b=$(id)&c=;rm%20x#d';
  expect((await web.call('open', { url })).data).toEqual({ url, opened: true, program: opener });
  expect(readFileSync(web.at('seen'), 'utf8')).toBe(`1\n${url}\nnone\n`);
});

it.each(['file:///etc/passwd', 'javascript:alert(1)', 'vscode://x', '-a', 'example.com', 'http://u:p@example.com/'])(
  '%s is not opened',
  async (url) => {
    install(`touch '${web.at('seen')}'`);
    expect((await web.call('open', { url })).error.code).toBe('INVALID_PARAMS');
    expect(existsSync(web.at('seen'))).toBe(false);
  },
);

it('a missing opener is named', async () => {
  const { error } = await web.call('open', { url: 'https://example.com/' });
  expect(error.code).toBe('NOT_FOUND');
  expect(error.message).toContain(opener);
});

it('an opener that fails says so', async () => {
  install('exit 3');
  expect((await web.call('open', { url: 'https://example.com/' })).error).toMatchObject({ code: 'EXIT', exit_code: 3 });
});
