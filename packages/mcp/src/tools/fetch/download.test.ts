// download: whole files or none.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import zlib from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toUri } from '../../lib/path.ts';
import { type Bench, bench } from './testkit.ts';

let web: Bench;
beforeEach(() => void (web = bench()));
afterEach(() => web.close());

it('saves exact bytes and says what it saved', async () => {
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, i) => (i * 31) % 256));
  const { origin } = await web.serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': bytes.length }).end(bytes),
  );
  const seen: number[] = [];
  const answer = await web.call(
    'download',
    { url: `${origin}/a`, output: web.at('sub', 'dir', 'a.zip') },
    { progress: ({ progress }) => seen.push(progress) },
  );
  expect(answer.data).toEqual({
    url: `${origin}/a`,
    output: toUri(web.at('sub', 'dir', 'a.zip')),
    status: 200,
    mime: 'application/zip',
    size: bytes.length,
    hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  });
  expect(readFileSync(web.at('sub', 'dir', 'a.zip')).equals(bytes)).toBe(true);
  expect(readdirSync(web.at('sub', 'dir'))).toEqual(['a.zip']);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

it('an existing file is a conflict unless overwriting is asked for; then its mode stays and the answer says so', async () => {
  const { origin, requests } = await web.serve((_, response) => response.end('new'));
  writeFileSync(web.at('f'), 'old');
  chmodSync(web.at('f'), 0o640);
  const refused = await web.call('download', { url: origin, output: web.at('f') });
  expect(refused.error.code).toBe('CONFLICT');
  expect(refused.error.message).toContain('overwrite: true');
  expect(requests).toEqual([]);
  expect(readFileSync(web.at('f'), 'utf8')).toBe('old');
  const done = await web.call('wget', { url: origin, dest: web.at('f'), overwrite: true });
  expect(done.data.replaced).toBe(true);
  expect(readFileSync(web.at('f'), 'utf8')).toBe('new');
  expect(statSync(web.at('f')).mode & 0o777).toBe(0o640);
});

it('a file that appears meanwhile is not overwritten', async () => {
  const { origin } = await web.serve((_, response) => {
    writeFileSync(web.at('f'), 'theirs');
    response.end('ours');
  });
  expect((await web.call('download', { url: origin, output: web.at('f') })).error.code).toBe('CONFLICT');
  expect(readFileSync(web.at('f'), 'utf8')).toBe('theirs');
  expect(readdirSync(web.root)).toEqual(['f']);
});

it.each([
  ['a status that is no success', 404, 'x', {}],
  ['a body over the limit', 200, 'x'.repeat(5000), { max_bytes: 1000 }],
  ['a broken body', 200, null, {}],
])('%s is an error and leaves nothing behind, folders included', async (_what, status, body, args) => {
  const { origin } = await web.serve((_, response) => {
    if (body !== null) return response.writeHead(status, { 'transfer-encoding': 'chunked' }).end(body);
    response.writeHead(200, { 'content-length': 100 }).write('half');
    return setTimeout(() => response.destroy(), 50);
  });
  const answer = await web.call('download', { url: origin, output: web.at('a', 'b', 'f'), ...args });
  expect(answer.error.code).toBe('HTTP_ERROR');
  if (status === 404) expect(answer.error.status).toBe(404);
  expect(readdirSync(web.root)).toEqual([]);
});

it('a bomb ends at the limit', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(50_000_000));
  const { origin } = await web.serve((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
  const answer = await web.call('download', { url: origin, output: web.at('f'), max_bytes: 1_000_000 });
  expect(answer.error).toMatchObject({ code: 'HTTP_ERROR', reason: 'too-large' });
  expect(readdirSync(web.root)).toEqual([]);
});

it('asks the access rules: outside the roots, through links, read-only', async () => {
  const { origin, requests } = await web.serve((_, response) => response.end('x'));
  const refused = async (output: string): Promise<string> =>
    (await web.call('download', { url: origin, output })).error.code;
  expect(await refused('/etc/new-file')).toBe('PERMISSION_DENIED');
  symlinkSync('/etc', web.at('link'));
  expect(await refused(web.at('link', 'new-file'))).toBe('PERMISSION_DENIED');
  expect(await refused('relative/file')).toBe('INVALID_PARAMS');
  expect(await refused(web.at('n'.repeat(300)))).toBe('INVALID_PARAMS');
  mkdirSync(web.at('dir'));
  expect(await refused(web.at('dir'))).toBe('INVALID_PARAMS');
  expect(await refused(`${web.at('dir')}/`)).toBe('INVALID_PARAMS');
  const readOnly = bench({ access: 'read-only' });
  expect((await readOnly.call('download', { url: origin, output: readOnly.at('f') })).error.code).toBe(
    'PERMISSION_DENIED',
  );
  readOnly.close();
  expect(requests).toEqual([]);
});

it('a link at the place of the file is replaced, not followed', async () => {
  const { origin } = await web.serve((_, response) => response.end('new'));
  writeFileSync(web.at('target'), 'kept');
  symlinkSync(web.at('target'), web.at('f'));
  expect((await web.call('download', { url: origin, output: web.at('f') })).error.code).toBe('CONFLICT');
  await web.call('download', { url: origin, output: web.at('f'), overwrite: true });
  expect(readFileSync(web.at('target'), 'utf8')).toBe('kept');
  expect(readFileSync(web.at('f'), 'utf8')).toBe('new');
});

it('what a killed server left beside the place is swept by the next download, and nothing else', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const name = (owner: number, letter: string): string => `.hanzo-${owner}-${letter.repeat(12)}.tmp`;
  const long = new Date(Date.now() - 3_600_000);
  for (const each of [name(pid, 'a'), name(process.pid, 'b'), 'mine.part']) {
    writeFileSync(web.at(each), 'half');
    utimesSync(web.at(each), long, long);
  }
  writeFileSync(web.at(name(pid, 'c')), 'young');
  const { origin } = await web.serve((_, response) => response.end('new'));
  await web.call('download', { url: origin, output: web.at('f') });
  expect(readdirSync(web.root).toSorted()).toEqual(
    [name(process.pid, 'b'), name(pid, 'c'), 'f', 'mine.part'].toSorted(),
  );
});

it('a dangling link is a conflict too', async () => {
  const { origin } = await web.serve((_, response) => response.end('new'));
  symlinkSync('/nowhere/at/all', web.at('f'));
  expect((await web.call('download', { url: origin, output: web.at('f') })).error.code).toBe('CONFLICT');
});
