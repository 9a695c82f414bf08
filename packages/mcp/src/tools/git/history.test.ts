// What has been: diff, show, log, blame and their pages.
import { chmodSync, renameSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Bench, bench } from './fixture.ts';

let b: Bench;
beforeAll(() => {
  b = bench();
});
afterAll(() => b.dispose());

/** All pages of a text body, joined. */
async function whole(
  action: string,
  key: string,
  args: Record<string, unknown>,
  maxOutput: number,
): Promise<{ text: string; pages: Answer[] }> {
  const pages: Answer[] = [];
  let text = '';
  for (let cursor: string | undefined; pages.length < 1000;) {
    const page = await b.call(action, { ...args, ...(cursor === undefined ? {} : { cursor }) }, { maxOutput });
    expect(page.error).toBeNull();
    pages.push(page);
    text += page.bodies[key] ?? '';
    cursor = page.data.paging?.cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { text, pages };
}

describe('diff', () => {
  it('files and totals as data, the patch as text, the same under any config', async () => {
    const repo = b.repo('d');
    for (const [key, value] of [
      ['diff.noprefix', 'true'],
      ['diff.mnemonicPrefix', 'true'],
      ['color.ui', 'always'],
      ['diff.renames', 'false'],
      ['diff.relative', 'true'],
    ] as const) {
      b.raw('d', 'config', key, value);
    }
    b.write('d/a.txt', 'one\n2\nthree\n');
    b.write('d/bin', new Uint8Array([0, 1, 2]));
    b.raw('d', 'add', 'bin');
    const { data, bodies } = await b.call('diff', { path: repo });
    expect(data).toMatchObject({
      files_changed: 1,
      added: 1,
      deleted: 1,
      files: [{ path: 'a.txt', status: 'M', added: 1, deleted: 1 }],
    });
    expect(bodies['diff']).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n');
    const staged = await b.call('diff', { path: repo, staged: true });
    expect(staged.data.files).toEqual([{ path: 'bin', status: 'A', binary: true }]);
    const applied = await b.call('apply', { path: repo, patch: bodies['diff'], check: true });
    expect(applied.error).toMatchObject({ code: 'CONFLICT' });
  });

  it('renames carry both names; a range, two refs and one ref mean what they do in git', async () => {
    const repo = b.repo('r');
    b.raw('r', 'tag', 'v1');
    renameSync(path.join(repo, 'a.txt'), path.join(repo, 'b.txt'));
    b.raw('r', 'add', '-A');
    b.raw('r', 'commit', '-qm', 'moved');
    const renamed = [{ path: 'b.txt', from: 'a.txt', status: 'R', added: 0, deleted: 0 }];
    for (const args of [
      { target: 'v1' },
      { target: 'v1..HEAD' },
      { target: 'v1...HEAD' },
      { ref: 'v1', target: 'HEAD' },
      { ref: 'v1' },
    ]) {
      expect((await b.call('diff', { path: repo, ...args })).data.files).toEqual(renamed);
    }
    expect((await b.call('diff', { path: repo, ref: 'HEAD', target: 'v1' })).data.files).toMatchObject([
      { path: 'a.txt', from: 'b.txt' },
    ]);
    expect((await b.call('diff', { path: repo, target: 'v1', file: 'b.txt' })).data.files).toMatchObject([
      { path: 'b.txt', status: 'A' },
    ]);
    expect((await b.call('diff', { path: repo, target: 'v1..', stat: true })).bodies).toEqual({});
    expect((await b.call('diff', { path: repo, staged: true, target: 'v1..HEAD' })).error.param).toBe('staged');
  });

  it('copies are copies where asked of git’s config', async () => {
    const repo = b.repo('cp');
    const text = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');
    b.write('cp/long', text);
    b.raw('cp', 'add', '-A');
    b.raw('cp', 'commit', '-qm', 'long');
    b.write('cp/copy', text);
    b.write('cp/long', `${text}more\n`);
    b.raw('cp', 'add', '-A');
    b.raw('cp', 'config', 'status.renames', 'copies');
    const { data } = await b.call('status', { path: repo });
    expect(data.staged).toEqual([
      { path: 'copy', status: 'C', from: 'long' },
      { path: 'long', status: 'M' },
    ]);
  });

  it('no differences is an empty text and no files', async () => {
    const repo = b.repo('none');
    expect((await b.call('diff', { path: repo })).data).toEqual({
      files_changed: 0,
      added: 0,
      deleted: 0,
      files: [],
      diff: '',
    });
  });

  it('a touched file is no change, a changed mode is one', async () => {
    const repo = b.repo('touched');
    utimesSync(path.join(repo, 'a.txt'), 1, 1);
    expect((await b.call('diff', { path: repo })).data.files).toEqual([]);
    expect((await b.call('status', { path: repo })).data.clean).toBe(true);
    chmodSync(path.join(repo, 'a.txt'), 0o755);
    expect((await b.call('diff', { path: repo })).data.files).toEqual([
      { path: 'a.txt', status: 'M', added: 0, deleted: 0 },
    ]);
  });

  it('during a merge the conflicted file is U', async () => {
    const repo = b.repo('u');
    b.raw('u', 'switch', '-qc', 'x');
    b.write('u/a.txt', 'x\n');
    b.raw('u', 'commit', '-qam', 'x');
    b.raw('u', 'switch', '-q', 'main');
    b.write('u/a.txt', 'y\n');
    b.raw('u', 'commit', '-qam', 'y');
    await b.call('merge', { path: repo, target: 'x' });
    const { data, bodies } = await b.call('diff', { path: repo });
    expect(data.files).toMatchObject([{ path: 'a.txt', status: 'U' }]);
    expect(bodies['diff']).toContain('<<<<<<<');
  });

  it('pages join to the whole, no code point is split, and a changed tree is noticed', async () => {
    const repo = b.repo('pg');
    b.write(
      'pg/a.txt',
      Array.from({ length: 400 }, (_, i) => `zeile ${i} 😀 ${'日本'.repeat(i % 7)}\n`).join('') + '😀'.repeat(900),
    );
    const full = (await b.call('diff', { path: repo }, { maxOutput: 1_000_000 })).bodies['diff'];
    const { text, pages } = await whole('diff', 'diff', { path: repo }, 1500);
    expect(text).toBe(full);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(pages.length).toBeGreaterThan(8);
    expect(pages[0]?.data.files).toHaveLength(1);
    expect(pages[1]?.data.files).toBeUndefined();
    expect(pages.every((each) => Buffer.byteLength(each.bodies['diff'] as string) <= 1500)).toBe(true);
    const cursor = pages[0]?.data.paging.cursor;
    b.write('pg/a.txt', 'other\n');
    expect((await b.call('diff', { path: repo, cursor })).error.code).toBe('CONFLICT');
    for (const bad of ['x', '12', '-5', '99999999.00000000', '1.5']) {
      expect(['INVALID_PARAMS', 'CONFLICT']).toContain((await b.call('diff', { path: repo, cursor: bad })).error.code);
    }
  });

  it('bytes that are not UTF-8 are announced', async () => {
    const repo = b.repo('latin');
    b.write('latin/a.txt', Buffer.from([0xe9, 0x0a]));
    const { data, bodies } = await b.call('diff', { path: repo });
    expect(data.lossy).toContain('U+FFFD');
    expect(bodies['diff']).toContain('+\ufffd\n');
  });

  it('many files: a first page lists some, stat pages all of them', async () => {
    const repo = b.repo('mf');
    for (let i = 0; i < 230; i++) b.write(`mf/f${String(i).padStart(3, '0')}`, 'x\n');
    b.raw('mf', 'add', '-A');
    const { data } = await b.call('diff', { path: repo, staged: true });
    expect(data).toMatchObject({ files_changed: 230, files_listed: 200 });
    const one = await b.call('diff', { path: repo, staged: true, stat: true, limit: 100 });
    expect(one.data.paging).toEqual({ cursor: '100', more: true, total: 230 });
    const three = await b.call('diff', { path: repo, staged: true, stat: true, limit: 100, cursor: '200' });
    expect(three.data.files).toHaveLength(30);
    expect(three.data.paging).toEqual({ cursor: null, more: false, total: 230 });
  });

  it('key material is withheld by name and the rest is shown', async () => {
    const repo = b.repo('key');
    b.write('key/id_rsa', 'PRIVATE\n');
    b.write('key/ok', 'fine\n');
    b.raw('key', 'add', '-A');
    const { data, bodies } = await b.call('diff', { path: repo, staged: true });
    expect(data.withheld).toEqual(['id_rsa']);
    expect(bodies['diff']).toContain('fine');
    expect(bodies['diff']).not.toContain('PRIVATE');
    b.raw('key', 'commit', '-qm', 'keys');
    expect((await b.call('show', { path: repo })).bodies['output']).not.toContain('PRIVATE');
    expect((await b.call('show', { path: repo, ref: 'HEAD:id_rsa' })).error.code).toBe('PERMISSION_DENIED');
    expect((await b.call('blame', { path: repo, file: 'id_rsa' })).error.code).toBe('PERMISSION_DENIED');
  });
});

describe('show', () => {
  it('a commit, its counts, a tag, a file of the past, a binary one', async () => {
    const repo = b.repo('s');
    b.write('s/b', new Uint8Array([0, 255]));
    b.write('s/dir/f.txt', 'past\n');
    b.raw('s', 'add', '-A');
    b.raw('s', 'commit', '-qm', 'subject\n\nbody');
    b.raw('s', 'tag', '-a', 'v1', '-m', 'tagged');
    const shown = await b.call('show', { path: repo });
    expect(shown.data).toMatchObject({ ref: 'HEAD', type: 'commit', files_changed: 2 });
    expect(shown.bodies['output']).toContain('    subject\n    \n    body\n');
    const counts = await b.call('show', { path: repo, stat: true });
    expect(counts.data).toMatchObject({
      author: 'Ada',
      email: 'ada@example.test',
      message: 'subject\n\nbody',
      timestamp: '2026-01-02T03:04:05+00:00',
    });
    expect(counts.bodies).toEqual({});
    expect((await b.call('show', { path: repo, ref: 'v1' })).bodies['output']).toMatch(/^tag v1\n/);
    expect((await b.call('show', { path: repo, ref: 'HEAD:dir/f.txt' })).bodies['output']).toBe('past\n');
    expect((await b.call('show', { path: path.join(repo, 'dir'), ref: 'HEAD:./f.txt' })).bodies['output']).toBe(
      'past\n',
    );
    expect((await b.call('show', { path: repo, ref: 'HEAD:b' })).data).toMatchObject({
      type: 'blob',
      binary: true,
      size: 2,
    });
    expect((await b.call('show', { path: repo, ref: 'HEAD:dir' })).data.type).toBe('tree');
    expect((await b.call('show', { path: repo, ref: 'HEAD:none' })).error.code).toBe('NOT_FOUND');
  });
});

/** The repository of the log tests. */
const at = (): string => path.join(b.root, 'l');
const subjects = (answer: Answer): string[] =>
  answer.data.commits.map((each: { message: string }) => each.message.slice(0, 2));

describe('log', () => {
  beforeAll(() => {
    b.repo('l');
    for (let i = 1; i <= 6; i++) {
      b.write('l/n', `${i}\n`);
      b.raw('l', 'add', '-A');
      b.raw(
        'l',
        '-c',
        `user.name=${i % 2 ? 'Ada' : 'Bob'}`,
        'commit',
        '-q',
        `--author=${i % 2 ? 'Ada' : 'Bob'} <x@y.test>`,
        '-m',
        `c${i}: "quoted" | a\n\nbody ${i}`,
      );
    }
    b.raw('l', 'tag', 'mid', 'HEAD~3');
  });
  it('commits newest first, in pages that join', async () => {
    const first = await b.call('log', { path: at(), limit: 4 });
    expect(subjects(first)).toEqual(['c6', 'c5', 'c4', 'c3']);
    expect(first.data.commits[0]).toMatchObject({
      author: 'Bob',
      email: 'x@y.test',
      message: 'c6: "quoted" | a',
      refs: ['HEAD -> main'],
    });
    expect(first.data.paging).toEqual({ cursor: '4', more: true });
    const second = await b.call('log', { path: at(), limit: 4, cursor: '4' });
    expect(subjects(second)).toEqual(['c2', 'c1', 'fi']);
    expect(second.data).toMatchObject({ total: 7, paging: { cursor: null, more: false, total: 7 } });
  });

  it('filters by author, text, ref, file and time', async () => {
    expect(subjects(await b.call('log', { path: at(), author: 'Bob' }))).toEqual(['c6', 'c4', 'c2']);
    expect(subjects(await b.call('log', { path: at(), pattern: 'BODY (1|2)' }))).toEqual(['c2', 'c1']);
    expect(subjects(await b.call('log', { path: at(), ref: 'mid..HEAD' }))).toEqual(['c6', 'c5', 'c4']);
    expect(subjects(await b.call('log', { path: at(), ref: 'mid' }))).toEqual(['c3', 'c2', 'c1', 'fi']);
    expect(subjects(await b.call('log', { path: at(), file: 'a.txt' }))).toEqual(['fi']);
    expect(subjects(await b.call('log', { path: at(), since: '2030-01-01' }))).toEqual([]);
    expect((await b.call('log', { path: at(), until: '2030-01-01' })).data.total).toBe(7);
  });

  it('a misspelt file, a broken pattern and a word that is no date are errors, not empty answers', async () => {
    const file = await b.call('log', { path: at(), file: 'a.tx' });
    expect(file.error).toMatchObject({ code: 'NOT_FOUND', param: 'file', nearest: 'a.txt' });
    expect((await b.call('diff', { path: at(), file: 'a.tx' })).error).toMatchObject({
      code: 'NOT_FOUND',
      nearest: 'a.txt',
    });
    expect((await b.call('diff', { path: at(), file: 'a.txt' })).data.files).toEqual([]);
    expect((await b.call('log', { path: at(), pattern: '(' })).error.code).toBe('INVALID_PARAMS');
    expect((await b.call('log', { path: at(), format: 'nonsense' })).error.code).toBe('INVALID_PARAMS');
    expect((await b.call('log', { path: at(), since: 'nonsense' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'since',
    });
    expect((await b.call('log', { path: at(), since: 'yesterday' })).error).toBeNull();
  });

  it('oneline false gives whole messages and parents', async () => {
    const { data } = await b.call('log', { path: at(), oneline: false, limit: 1 });
    expect(data.commits[0].message).toBe('c6: "quoted" | a\n\nbody 6');
    expect(data.commits[0].parents).toHaveLength(1);
  });

  it('graph, format and stat are text', async () => {
    expect((await b.call('log', { path: at(), graph: true })).bodies['log']).toMatch(
      /^\* [0-9a-f]{7} \(HEAD -> main\) c6/,
    );
    expect((await b.call('log', { path: at(), format: '%an', limit: 2 })).bodies['log']).toBe('Bob\nAda\n');
    expect((await b.call('log', { path: at(), stat: true, limit: 1 })).bodies['log']).toContain('1 file changed');
  });

  it('an unborn branch has no commits', async () => {
    b.folder('lu');
    b.raw('lu', 'init', '-q');
    const repo = path.join(b.root, 'lu');
    expect((await b.call('log', { path: repo })).data).toEqual({ commits: [], total: 0 });
    expect((await b.call('reflog', { path: repo })).data.entries).toEqual([]);
    expect((await b.call('shortlog', { path: repo })).data.authors).toEqual([]);
    expect((await b.call('rev_parse', { path: repo })).error.code).toBe('NOT_FOUND');
    expect((await b.call('log', { path: repo, ref: 'main' })).error.message).toContain('has none yet');
  });

  it('reflog, shortlog, rev_parse', async () => {
    const entries = (await b.call('reflog', { path: at(), limit: 2 })).data;
    expect(entries.entries[0]).toMatchObject({ selector: 'HEAD@{0}', message: 'commit: c6: "quoted" | a' });
    expect(entries.paging).toEqual({ cursor: '2', more: true, total: 7 });
    expect((await b.call('shortlog', { path: at() })).data.authors).toEqual([
      { commits: 3, name: 'Ada', email: 'x@y.test' },
      { commits: 3, name: 'Bob', email: 'x@y.test' },
      { commits: 1, name: 'Ada', email: 'ada@example.test' },
    ]);
    const { data } = await b.call('rev_parse', { path: at(), ref: 'mid' });
    expect(data).toMatchObject({ ref: 'mid', type: 'commit', name: 'refs/tags/mid' });
    expect(data.sha).toBe(b.raw('l', 'rev-parse', 'mid').trim());
    expect((await b.call('describe', { path: at() })).data.description).toMatch(/^mid-3-g/);
  });

  it('bounds are checked: limit 0, -1 and 1001 are refused', async () => {
    for (const limit of [0, -1, 1001, 1.5, '5']) {
      expect((await b.call('log', { path: at(), limit })).error).toMatchObject({
        code: 'INVALID_PARAMS',
        param: 'limit',
      });
    }
    expect((await b.call('log', { path: at(), limt: 5 })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      nearest: 'limit',
    });
  });

  it('a shallow clone ends where it ends', async () => {
    b.raw('.', 'clone', '-q', '--depth=2', `file://${at()}`, 'shallow');
    expect((await b.call('log', { path: path.join(b.root, 'shallow') })).data).toMatchObject({ total: 2 });
  });
});

describe('blame', () => {
  it('lines with their commits; a range; uncommitted lines; pages', async () => {
    const repo = b.repo('bl');
    b.write('bl/a.txt', 'one\nTWO\nthree\n');
    b.raw('bl', 'commit', '-qam', 'second');
    const head = b.raw('bl', 'rev-parse', 'HEAD').trim();
    const { data, bodies } = await b.call('blame', { path: repo, file: 'a.txt', lines: '2,3' });
    expect(bodies['blame']).toMatch(/^[0-9a-f]{8} 2 TWO\n[0-9a-f]{8} 3 three\n$/);
    expect(data.commits[0]).toEqual({
      hash: head,
      author: 'Ada',
      timestamp: '2026-01-02T03:04:05.000Z',
      message: 'second',
    });
    expect((await b.call('blame', { path: repo, file: 'a.txt', ref: 'HEAD~1' })).bodies['blame']).toContain(' 2 two\n');
    const { text, pages } = await whole('blame', 'blame', { path: repo, file: 'a.txt' }, 20);
    expect(text).toBe((await b.call('blame', { path: repo, file: 'a.txt' })).bodies['blame']);
    expect(pages.length).toBeGreaterThan(1);
    for (const lines of ['0', '3,2', 'x', '1,2,3']) {
      expect((await b.call('blame', { path: repo, file: 'a.txt', lines })).error).toMatchObject({ param: 'lines' });
    }
    expect((await b.call('blame', { path: repo, file: 'none' })).error.code).toBe('NOT_FOUND');
    expect((await b.call('blame', { path: repo, file: 'a.txt', lines: '100,200' })).ok).toBe(false);
  });
});
