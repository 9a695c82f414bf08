import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, bench } from './fixture.ts';

let b: Bench;
beforeAll(() => {
  b = bench();
});
afterAll(() => b.dispose());

describe('status', () => {
  it('an unborn branch has a name and no commit', async () => {
    b.folder('unborn');
    b.raw('unborn', 'init', '-q', '-b', 'main');
    const { data } = await b.call('status', { path: path.join(b.root, 'unborn') });
    expect(data.branch).toEqual({ head: 'main', oid: null, detached: false });
    expect(data).toMatchObject({ clean: true, staged: [], unstaged: [], untracked: [], conflicts: [] });
  });

  it('tells staged, unstaged and untracked apart, renames with their old path', async () => {
    const repo = b.repo('mixed');
    b.write('mixed/b.txt', 'b\n');
    b.raw('mixed', 'mv', 'a.txt', 'c.txt');
    b.write('mixed/c.txt', 'one\ntwo\nthree\nfour\n');
    const { data } = await b.call('status', { path: repo });
    expect(data.staged).toEqual([{ path: 'c.txt', status: 'R', from: 'a.txt' }]);
    expect(data.unstaged).toEqual([{ path: 'c.txt', status: 'M' }]);
    expect(data.untracked).toEqual([{ path: 'b.txt' }]);
    expect(data.clean).toBe(false);
  });

  it('a rename only in the work tree is seen once its new name is known to the index', async () => {
    const repo = b.repo('moved');
    renameSync(path.join(repo, 'a.txt'), path.join(repo, 'z.txt'));
    b.raw('moved', 'add', '-N', 'z.txt');
    const { data } = await b.call('status', { path: repo });
    expect(data.unstaged).toEqual([{ path: 'z.txt', status: 'R', from: 'a.txt' }]);
  });

  const ODD = [
    'with space.txt',
    ' leading space',
    'trailing space ',
    'tab\there',
    'new\nline',
    'quote"quote',
    "it's",
    'back\\slash',
    'ünïcødé-日本語.txt',
    '-leading-dash',
    '--output=x',
    '[id].tsx',
    '*.ts',
    ':(exclude)x',
    'R  a -> b',
    '$(touch marker)',
    '`touch marker`',
    ';touch marker',
    'ctrl\u0001',
    '__proto__',
  ];

  it('odd names are themselves in status, commit, diff, log and blame', async () => {
    const repo = b.repo('odd');
    for (const name of ODD) b.write(`odd/${name}`, 'x\n');
    const names = ODD.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const seen = await b.call('status', { path: repo });
    expect(seen.data.untracked.map((each: { path: string }) => each.path)).toEqual(names);
    const made = await b.call('commit', { path: repo, message: 'odd', files: ODD });
    expect(made.error).toBeNull();
    expect(made.data.files).toEqual(names.map((name) => ({ path: name, status: 'A', added: 1, deleted: 0 })));
    b.write('odd/a.txt', 'changed\n');
    for (const name of ODD) b.write(`odd/${name}`, 'x\ny\n');
    for (const name of ODD) {
      const diff = await b.call('diff', { path: repo, file: name });
      expect(diff.data.files).toEqual([{ path: name, status: 'M', added: 1, deleted: 0 }]);
      expect(diff.bodies['diff']).toContain('+y\n');
    }
    for (const name of ['-leading-dash', 'new\nline', '*.ts', ':(exclude)x']) {
      expect((await b.call('log', { path: repo, file: name })).data.commits).toHaveLength(1);
      const blamed = await b.call('blame', { path: repo, file: name });
      expect(blamed.bodies['blame']).toMatch(/^[0-9a-f]{8} 1 x\n0{8} 2 y\n$/);
    }
  });

  it('names all seven kinds of conflict', async () => {
    const repo = b.repo('seven');
    for (const each of ['uu', 'ud', 'du']) b.write(`seven/${each}`, `${each}\nbase\n`);
    b.write('seven/dd', 'same text that is long enough to be found again\n'.repeat(5));
    b.raw('seven', 'add', '-A');
    b.raw('seven', 'commit', '-qm', 'base');
    b.raw('seven', 'switch', '-qc', 'theirs');
    b.write('seven/uu', 'uu\ntheirs\n');
    rmSync(path.join(repo, 'ud'));
    b.write('seven/du', 'du\ntheirs\n');
    b.write('seven/aa', 'theirs\n');
    renameSync(path.join(repo, 'dd'), path.join(repo, 'ua'));
    b.raw('seven', 'add', '-A');
    b.raw('seven', 'commit', '-qm', 'theirs');
    b.raw('seven', 'switch', '-q', 'main');
    b.write('seven/uu', 'uu\nours\n');
    b.write('seven/ud', 'ud\nours\n');
    rmSync(path.join(repo, 'du'));
    b.write('seven/aa', 'ours\n');
    renameSync(path.join(repo, 'dd'), path.join(repo, 'au'));
    b.raw('seven', 'add', '-A');
    b.raw('seven', 'commit', '-qm', 'ours');
    const merge = await b.call('merge', { path: repo, target: 'theirs' });
    expect(merge.error).toMatchObject({ code: 'CONFLICT', operation: 'merge' });
    const expected = [
      { path: 'aa', code: 'AA' },
      { path: 'au', code: 'AU' },
      { path: 'dd', code: 'DD' },
      { path: 'du', code: 'DU' },
      { path: 'ua', code: 'UA' },
      { path: 'ud', code: 'UD' },
      { path: 'uu', code: 'UU' },
    ];
    expect(merge.error.conflicts).toEqual(expected);
    const { data } = await b.call('status', { path: repo });
    expect(data.conflicts).toEqual(expected);
    expect(data.operation).toBe('merge');
  });

  it('a detached HEAD has no branch', async () => {
    const repo = b.repo('detached');
    b.raw('detached', 'checkout', '-q', '--detach');
    const { data } = await b.call('status', { path: repo });
    expect(data.branch).toMatchObject({ head: null, detached: true });
    expect(data.branch.oid).toMatch(/^[0-9a-f]{40}$/);
  });

  it('counts what upstream and branch have over each other', async () => {
    b.repo('up');
    b.raw('.', 'clone', '-q', 'up', 'down');
    b.write('down/b', 'b\n');
    b.raw('down', 'add', '-A');
    b.raw('down', 'commit', '-qm', 'mine');
    const { data } = await b.call('status', { path: path.join(b.root, 'down') });
    expect(data.branch).toMatchObject({ head: 'main', upstream: 'origin/main', ahead: 1, behind: 0 });
  });

  it('says what a submodule has: new commits, changes, untracked files', async () => {
    b.repo('lib');
    const repo = b.repo('super');
    b.raw('super', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../lib', 'lib dir');
    b.raw('super', 'commit', '-qm', 'sub');
    b.write('super/lib dir/new', 'n\n');
    b.write('super/lib dir/a.txt', 'changed\n');
    const dirty = await b.call('status', { path: repo });
    expect(dirty.data.unstaged).toEqual([
      { path: 'lib dir', status: 'M', submodule: { commit: false, modified: true, untracked: true } },
    ]);
    b.raw('super/lib dir', 'add', '-A');
    b.raw('super/lib dir', 'commit', '-qm', 'more');
    const ahead = await b.call('status', { path: repo });
    expect(ahead.data.unstaged[0].submodule).toEqual({ commit: true, modified: false, untracked: false });
  });

  it('pages one ordered list', async () => {
    const repo = b.repo('many');
    for (let i = 0; i < 7; i++) b.write(`many/u${i}`, '');
    b.write('many/a.txt', 'x\n');
    const first = await b.call('status', { path: repo, limit: 5 });
    expect(first.data.paging).toEqual({ cursor: '5', more: true, total: 8 });
    expect(first.data.counts).toEqual({ conflicts: 0, staged: 0, unstaged: 1, untracked: 7 });
    const second = await b.call('status', { path: repo, limit: 5, cursor: '5' });
    expect(second.data.unstaged).toEqual([]);
    expect(second.data.untracked.map((each: { path: string }) => each.path)).toEqual(['u4', 'u5', 'u6']);
    expect((await b.call('status', { path: repo, cursor: '99' })).error.code).toBe('INVALID_PARAMS');
    expect((await b.call('status', { path: repo, cursor: '-1' })).error.code).toBe('INVALID_PARAMS');
  });
});

describe('which repository', () => {
  it('a folder outside any repository is NOT_FOUND and names init', async () => {
    const plain = b.folder('plain');
    const { error } = await b.call('status', { path: plain });
    expect(error.code).toBe('NOT_FOUND');
    expect(error.message).toContain(plain);
    expect(error.message).toContain('init');
  });

  it('a relative, a missing and a file path are told what would be right', async () => {
    const repo = b.repo('where');
    expect((await b.call('status', { path: 'where' })).error).toMatchObject({ code: 'INVALID_PARAMS', param: 'path' });
    expect((await b.call('status', { path: `${repo}/none` })).error.code).toBe('NOT_FOUND');
    const file = await b.call('status', { path: `${repo}/a.txt` });
    expect(file.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'path' });
    expect(file.error.message).toContain('file');
    expect((await b.call('status', { path: `file://${repo}` })).ok).toBe(true);
    expect((await b.call('status', { cwd: repo })).ok).toBe(true);
  });

  it('a read-only server reads and refuses every change', async () => {
    const repo = b.repo('ro');
    b.write('ro/a.txt', 'x\n');
    const only = { access: 'read-only' } as const;
    expect((await b.call('status', { path: repo }, only)).ok).toBe(true);
    expect((await b.call('branch', { path: repo }, only)).ok).toBe(true);
    for (const [action, args] of [
      ['commit', { message: 'm', all: true }],
      ['branch', { name: 'x' }],
      ['tag', { name: 'x' }],
      ['stash', {}],
      ['reset', {}],
      ['checkout', { name: 'main' }],
      ['config', { key: 'user.name', value: 'x' }],
      ['merge', { target: 'main' }],
      ['clean', { force: true, confirm: true }],
      ['worktree', { sub_action: 'add', name: 'wt' }],
      ['init', {}],
      ['apply', { patch: 'x' }],
      ['remote', { sub_action: 'add', name: 'o', url: '/x' }],
    ] as const) {
      expect([action, (await b.call(action, { path: repo, ...args }, only)).error?.code]).toEqual([
        action,
        'PERMISSION_DENIED',
      ]);
    }
    expect(b.raw('ro', 'status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('a bare repository has history but no status', async () => {
    b.repo('src');
    b.raw('.', 'clone', '-q', '--bare', 'src', 'bare.git');
    const bare = path.join(b.root, 'bare.git');
    expect((await b.call('log', { path: bare })).data.commits).toHaveLength(1);
    expect((await b.call('branch', { path: bare })).data.branches[0].name).toBe('main');
    expect((await b.call('blame', { path: bare, file: 'a.txt' })).ok).toBe(true);
    expect((await b.call('show', { path: bare, ref: 'HEAD:a.txt' })).bodies['output']).toBe('one\ntwo\nthree\n');
    expect((await b.call('status', { path: bare })).error.code).toBe('INVALID_PARAMS');
  });

  it('a folder whose name holds a newline is a repository like any other', async () => {
    const repo = b.repo('new\nline');
    expect((await b.call('status', { path: repo })).data.clean).toBe(true);
  });

  it('environment variables of the server do not move git to another repository', async () => {
    const repo = b.repo('here');
    const other = b.repo('other');
    process.env['GIT_DIR'] = path.join(other, '.git');
    process.env['GIT_INDEX_FILE'] = path.join(other, '.git/none');
    try {
      b.write('here/new', '');
      expect((await b.call('status', { path: repo })).data.untracked).toEqual([{ path: 'new' }]);
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_INDEX_FILE'];
    }
  });

  it.skipIf(process.getuid?.() !== 0)('a repository of another user is refused with the way to allow it', async () => {
    const repo = b.repo('theirs');
    chownSync(repo, 12345, 12345);
    chownSync(path.join(repo, '.git'), 12345, 12345);
    const { error } = await b.call('status', { path: repo });
    expect(error.code).toBe('PERMISSION_DENIED');
    expect(error.message).toContain('safe.directory');
  });

  it('a git too old to be kept from running what a repository names is not used', async () => {
    const repo = b.repo('old');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const fake = b.write('bin/git', `#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec ${real} "$@"\n`);
    chmodSync(fake, 0o755);
    const before = process.env['PATH'];
    process.env['PATH'] = `${path.dirname(fake)}:${before}`;
    try {
      expect((await b.call('status', { path: repo })).error.message).toContain('2.31');
    } finally {
      process.env['PATH'] = before;
    }
  });

  it('a worktree whose repository is gone says where it pointed', async () => {
    b.folder('orphan');
    b.write('orphan/.git', `gitdir: ${b.root}/nowhere/.git/worktrees/x\n`);
    const { error } = await b.call('status', { path: path.join(b.root, 'orphan') });
    expect(error.code).toBe('NOT_FOUND');
    expect(error.message).toContain('nowhere');
  });

  it('a linked path leads to the same repository', async () => {
    const repo = b.repo('target');
    symlinkSync(repo, path.join(b.root, 'link'));
    b.write('target/a.txt', 'x\n');
    const link = path.join(b.root, 'link');
    expect((await b.call('diff', { path: link, file: path.join(link, 'a.txt') })).data.files_changed).toBe(1);
  });
});
