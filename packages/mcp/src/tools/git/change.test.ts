// Commits, branches, and the ways commits come together or go away.
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, bench } from './fixture.ts';

let b: Bench;
beforeAll(() => {
  b = bench();
});
afterAll(() => b.dispose());

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const HASH = /^[0-9a-f]{40}$/;
const read = (name: string): string => readFileSync(path.join(b.root, name), 'utf8');

describe('commit', () => {
  it('takes exactly the named files, new, changed and deleted, and leaves what else is staged', async () => {
    const repo = b.repo('exact');
    b.write('exact/gone.txt', 'x\n');
    b.raw('exact', 'add', '-A');
    b.raw('exact', 'commit', '-qm', 'more');
    b.write('exact/new.txt', 'new\n');
    b.write('exact/a.txt', 'changed\n');
    b.write('exact/staged.txt', 's\n');
    b.raw('exact', 'add', 'staged.txt');
    rmSync(path.join(repo, 'gone.txt'));
    const { data } = await b.call('commit', {
      path: repo,
      message: 'exactly these',
      files: ['new.txt', `${repo}/a.txt`, 'gone.txt'],
    });
    expect(data).toMatchObject({
      message: 'exactly these',
      branch: 'main',
      files: [
        { path: 'a.txt', status: 'M', added: 1, deleted: 3 },
        { path: 'gone.txt', status: 'D', added: 0, deleted: 1 },
        { path: 'new.txt', status: 'A', added: 1, deleted: 0 },
      ],
      clean: false,
    });
    expect(data.hash).toMatch(HASH);
    expect(b.raw('exact', 'status', '--porcelain')).toBe('A  staged.txt\n');
  });

  it('a folder means every file in it, from a folder below the top as well', async () => {
    const repo = b.repo('deep');
    b.write('deep/src/x/1', '');
    b.write('deep/src/x/2', '');
    b.write('deep/other', '');
    const { data } = await b.call('commit', { path: path.join(repo, 'src'), message: 'm', files: ['x'] });
    expect(data.files.map((each: { path: string }) => each.path)).toEqual(['src/x/1', 'src/x/2']);
    expect(data.untracked).toEqual(['other']);
  });

  it('the first commit of a repository', async () => {
    const repo = b.folder('fresh');
    await b.call('init', { path: repo });
    b.write('fresh/f', 'f\n');
    const { data } = await b.call('commit', { path: repo, message: 'first', files: ['f'] });
    expect(data.files).toEqual([{ path: 'f', status: 'A', added: 1, deleted: 0 }]);
  });

  it('all takes every tracked change and names what it left out', async () => {
    const repo = b.repo('all');
    b.write('all/a.txt', 'x\n');
    b.write('all/new', '');
    const { data } = await b.call('commit', { path: repo, message: 'm', all: true });
    expect(data.files.map((each: { path: string }) => each.path)).toEqual(['a.txt']);
    expect(data.untracked).toEqual(['new']);
  });

  it('without files and all, what is staged; nothing staged says what to do', async () => {
    const repo = b.repo('staged');
    b.write('staged/a.txt', 'x\n');
    const none = await b.call('commit', { path: repo, message: 'm' });
    expect(none.error.code).toBe('CONFLICT');
    expect(none.error.message).toMatch(/nothing is staged; name the files/);
    b.raw('staged', 'add', 'a.txt');
    expect((await b.call('commit', { path: repo, message: 'm' })).ok).toBe(true);
    expect((await b.call('commit', { path: repo, message: 'm' })).error.message).toMatch(/equals the last commit/);
    expect((await b.call('commit', { path: repo, message: 'm', files: ['a.txt'] })).error.message).toMatch(
      /do not differ/,
    );
  });

  it('the message is the caller’s, character by character', async () => {
    const repo = b.repo('message');
    const message = '-m "quoted" $HOME `x`\n\n# not a comment\n- ünïcode ✓\n\ttabbed';
    b.write('message/a.txt', 'x\n');
    const { data } = await b.call('commit', { path: repo, message, all: true });
    expect(data.message).toBe('-m "quoted" $HOME `x`');
    expect(b.raw('message', 'log', '-1', '--format=%B').trimEnd()).toBe(message);
  });

  it('a missing file, an ignored file and a blank message are refused and nothing is staged', async () => {
    const repo = b.repo('refused');
    b.write('refused/.gitignore', 'ign\n');
    b.write('refused/ign', '');
    b.write('refused/new', '');
    expect((await b.call('commit', { path: repo, message: 'm', files: ['none', 'new'] })).error.code).toBe('NOT_FOUND');
    expect((await b.call('commit', { path: repo, message: 'm', files: ['ign'] })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'files',
    });
    expect((await b.call('commit', { path: repo, message: ' \n ', files: ['new'] })).error).toMatchObject({
      param: 'message',
    });
    expect((await b.call('commit', { path: repo, message: 'm', files: [] })).error).toMatchObject({ param: 'files' });
    expect((await b.call('commit', { path: repo, message: 'm', files: ['new'], all: true })).error).toMatchObject({
      param: 'all',
    });
    expect(b.raw('refused', 'status', '--porcelain')).toBe('?? .gitignore\n?? new\n');
  });

  it('a hook that refuses: its words are the answer, and a new file is as untracked as before', async () => {
    const repo = b.repo('hooked');
    b.write(
      'hooked/.git/hooks/pre-commit',
      '#!/bin/sh\necho "lint: bad style in $(git diff --cached --name-only -- "*.js")" >&2\nexit 1\n',
    );
    chmodSync(path.join(repo, '.git/hooks/pre-commit'), 0o755);
    b.write('hooked/new.js', 'x\n');
    const { error } = await b.call('commit', { path: repo, message: 'm', files: ['new.js'] });
    expect(error).toMatchObject({ code: 'CONFLICT', exit_code: 1 });
    expect(error.message).toContain('lint: bad style in new.js');
    expect(b.raw('hooked', 'status', '--porcelain')).toBe('?? new.js\n');
  });

  it('what a passing hook says is shown', async () => {
    const repo = b.repo('talking');
    b.write('talking/.git/hooks/pre-commit', '#!/bin/sh\necho "checked 1 file"\n');
    chmodSync(path.join(repo, '.git/hooks/pre-commit'), 0o755);
    b.write('talking/a.txt', 'x\n');
    expect((await b.call('commit', { path: repo, message: 'm', all: true })).bodies['output']).toBe('checked 1 file\n');
  });

  it('a cancelled commit takes its hook with it and leaves neither a lock nor a staged file', async () => {
    const repo = b.repo('cancelled');
    const begun = path.join(b.root, 'begun');
    b.write(
      'cancelled/.git/hooks/pre-commit',
      `#!/bin/sh\necho $$ > '${begun}.new'\nmv '${begun}.new' '${begun}'\nsleep 300\n`,
    );
    chmodSync(path.join(repo, '.git/hooks/pre-commit'), 0o755);
    b.write('cancelled/new', 'x\n');
    const stop = new AbortController();
    const call = b.call('commit', { path: repo, message: 'm', files: ['new'] }, { signal: stop.signal });
    while (!existsSync(begun)) await sleep(20);
    stop.abort();
    expect((await call).ok).toBe(false);
    const pid = Number(readFileSync(begun, 'utf8'));
    for (let tries = 0; tries < 200 && alive(pid); tries++) await sleep(20);
    expect(alive(pid)).toBe(false);
    expect(b.raw('cancelled', 'status', '--porcelain')).toBe('?? new\n');
    rmSync(path.join(repo, '.git/hooks/pre-commit'));
    expect((await b.call('commit', { path: repo, message: 'm', files: ['new'] })).error).toBeNull();
  });

  it('without an identity the answer names the two settings, and config sets them', async () => {
    const repo = b.repo('nobody');
    b.write('nobody/a.txt', 'x\n');
    const kept = { ...process.env };
    for (const name of Object.keys(process.env))
      if (/^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL)$/.test(name)) delete process.env[name];
    process.env['EMAIL'] = '';
    b.raw('nobody', 'config', 'user.useConfigOnly', 'true');
    try {
      const { error } = await b.call('commit', { path: repo, message: 'm', all: true });
      expect(error.code).toBe('CONFLICT');
      expect(error.message).toContain('user.email');
      await b.call('config', { path: repo, key: 'user.name', value: 'Bob' });
      await b.call('config', { path: repo, key: 'user.email', value: 'bob@example.test' });
      expect((await b.call('commit', { path: repo, message: 'm', all: true })).ok).toBe(true);
    } finally {
      Object.assign(process.env, kept);
    }
  });
});

describe('branch, checkout, tag', () => {
  it('lists, creates, switches, renames and deletes', async () => {
    const repo = b.repo('br');
    const made = await b.call('branch', { path: repo, sub_action: 'create', name: 'topic/x' });
    expect(made.data).toMatchObject({ created: 'topic/x' });
    expect((await b.call('branch', { path: repo, sub_action: 'checkout', name: 'topic/x' })).data).toMatchObject({
      branch: 'topic/x',
    });
    expect(
      (await b.call('branch', { path: repo, sub_action: 'rename', name: 'topic/x', target: 'topic/y' })).data.name,
    ).toBe('topic/y');
    const { data } = await b.call('branch', { path: repo });
    expect(data.current).toBe('topic/y');
    expect(data.branches).toMatchObject([
      { name: 'main', message: 'first' },
      { name: 'topic/y', message: 'first' },
    ]);
    await b.call('checkout', { path: repo, name: 'main' });
    expect((await b.call('branch', { path: repo, sub_action: 'delete', name: 'topic/y' })).data.deleted).toBe(
      'topic/y',
    );
  });

  it('an unmerged branch goes only with force and confirm', async () => {
    const repo = b.repo('unmerged');
    b.raw('unmerged', 'switch', '-qc', 'x');
    b.raw('unmerged', 'commit', '-q', '--allow-empty', '-m', 'mine');
    b.raw('unmerged', 'switch', '-q', 'main');
    const args = { path: repo, sub_action: 'delete', name: 'x' };
    expect((await b.call('branch', args)).error.code).toBe('CONFLICT');
    const force = await b.call('branch', { ...args, force: true });
    expect(force.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'confirm', expected: true });
    expect((await b.call('branch', { ...args, force: true, confirm: true })).data.hash).toMatch(HASH);
  });

  it('an unknown name is NOT_FOUND with the nearest one', async () => {
    const repo = b.repo('near');
    b.raw('near', 'branch', 'feature-login');
    for (const [action, args] of [
      ['checkout', { name: 'feature-logn' }],
      ['merge', { target: 'feature-logn' }],
      ['diff', { target: 'feature-logn' }],
      ['log', { ref: 'main..feature-logn' }],
      ['show', { ref: 'feature-logn' }],
    ] as const) {
      const { error } = await b.call(action, { path: repo, ...args });
      expect(error).toMatchObject({ code: 'NOT_FOUND', nearest: 'feature-login' });
    }
  });

  it('checkout of a tag or a commit detaches; create starts a branch there', async () => {
    const repo = b.repo('co');
    b.raw('co', 'tag', 'v1');
    expect((await b.call('checkout', { path: repo, name: 'v1' })).data).toMatchObject({ branch: null, detached: true });
    expect((await b.call('checkout', { path: repo, name: 'next', ref: 'v1', create: true })).data).toMatchObject({
      branch: 'next',
      created: 'next',
    });
    expect((await b.call('checkout', { path: repo, name: 'next', create: true })).error.code).toBe('CONFLICT');
  });

  it('checkout of a branch that only a remote has follows it', async () => {
    b.repo('far');
    b.raw('far', 'branch', 'there');
    b.raw('.', 'clone', '-q', 'far', 'near2');
    const repo = path.join(b.root, 'near2');
    expect((await b.call('checkout', { path: repo, name: 'there' })).data.branch).toBe('there');
    expect((await b.call('branch', { path: repo, all: true })).data.branches).toMatchObject([
      { name: 'main', upstream: 'origin/main' },
      { name: 'there', upstream: 'origin/there' },
      { name: 'origin/main', remote: true },
      { name: 'origin/there', remote: true },
    ]);
  });

  it('checkout does not overwrite local changes, and drops them only with force and confirm', async () => {
    const repo = b.repo('dirty');
    b.raw('dirty', 'switch', '-qc', 'x');
    b.write('dirty/a.txt', 'x\n');
    b.raw('dirty', 'commit', '-qam', 'x');
    b.raw('dirty', 'switch', '-q', 'main');
    b.write('dirty/a.txt', 'local\n');
    expect((await b.call('checkout', { path: repo, name: 'x' })).error.code).toBe('CONFLICT');
    expect((await b.call('checkout', { path: repo, name: 'x', force: true })).error.param).toBe('confirm');
    expect(read('dirty/a.txt')).toBe('local\n');
    expect((await b.call('checkout', { path: repo, name: 'x', force: true, confirm: true })).data.branch).toBe('x');
  });

  it('checkout with files puts them back; lost changes need confirm', async () => {
    const repo = b.repo('files');
    b.write('files/a.txt', 'local\n');
    const refused = await b.call('checkout', { path: repo, files: ['a.txt'] });
    expect(refused.error).toMatchObject({ param: 'confirm' });
    expect(refused.error.message).toContain('a.txt');
    expect((await b.call('checkout', { path: repo, files: ['a.txt'], confirm: true })).data.restored).toEqual([
      'a.txt',
    ]);
    expect(read('files/a.txt')).toBe('one\ntwo\nthree\n');
    rmSync(path.join(repo, 'a.txt'));
    expect((await b.call('checkout', { path: repo, ref: 'HEAD', file: 'a.txt', confirm: true })).ok).toBe(true);
    expect(existsSync(path.join(repo, 'a.txt'))).toBe(true);
  });

  it('tags: light and annotated, shown, listed, deleted', async () => {
    const repo = b.repo('tags');
    expect((await b.call('tag', { path: repo, name: 'v1' })).data).toMatchObject({ created: 'v1', annotated: false });
    expect(
      (await b.call('tag', { path: repo, sub_action: 'create', name: 'v2', message: 'Two\n\n# body' })).data.annotated,
    ).toBe(true);
    const { data } = await b.call('tag', { path: repo });
    expect(data.total).toBe(2);
    expect(data.tags.find((each: { name: string }) => each.name === 'v2')).toMatchObject({
      annotated: true,
      message: 'Two',
    });
    expect((await b.call('tag', { path: repo, sub_action: 'show', name: 'v2' })).data.message).toBe('Two\n\n# body');
    expect((await b.call('tag', { path: repo, name: 'v1' })).error.code).toBe('CONFLICT');
    expect((await b.call('tag', { path: repo, name: 'v1', force: true })).error.param).toBe('confirm');
    expect((await b.call('describe', { path: repo })).data.description).toMatch(/^v[12]$/);
    expect((await b.call('tag', { path: repo, sub_action: 'delete', name: 'v1' })).data.deleted).toBe('v1');
    expect((await b.call('tag', { path: repo, sub_action: 'show', name: 'v1' })).error.code).toBe('NOT_FOUND');
  });
});

/** Branches main and side that change the same line of a.txt. */
function clash(name: string): string {
  const repo = b.repo(name);
  b.raw(name, 'switch', '-qc', 'side');
  b.write(`${name}/a.txt`, 'side\ntwo\nthree\n');
  b.raw(name, 'commit', '-qam', 'side');
  b.raw(name, 'switch', '-q', 'main');
  b.write(`${name}/a.txt`, 'main\ntwo\nthree\n');
  b.raw(name, 'commit', '-qam', 'main');
  return repo;
}

describe('merge, rebase, cherry_pick', () => {
  it('a merge forward and one that has nothing to do', async () => {
    const repo = b.repo('ff');
    b.raw('ff', 'switch', '-qc', 'x');
    b.write('ff/n', 'n\n');
    b.raw('ff', 'add', '-A');
    b.raw('ff', 'commit', '-qm', 'n');
    b.raw('ff', 'switch', '-q', 'main');
    expect((await b.call('merge', { path: repo, target: 'x' })).data).toMatchObject({
      branch: 'main',
      up_to_date: false,
      files: [{ path: 'n', status: 'A', added: 1, deleted: 0 }],
    });
    expect((await b.call('merge', { path: repo, target: 'x' })).data.up_to_date).toBe(true);
  });

  it.each([
    ['merge', { target: 'side' }],
    ['rebase', { target: 'side' }],
    ['cherry_pick', { cherry: 'side' }],
  ] as const)(
    '%s stops at a conflict, is continued with the resolved file, and can be called off',
    async (action, args) => {
      const name = `clash-${action}`;
      const repo = clash(name);
      const before = b.raw(name, 'rev-parse', 'HEAD');
      const stopped = await b.call(action, { path: repo, ...args });
      expect(stopped.error).toMatchObject({
        code: 'CONFLICT',
        operation: action,
        conflicts: [{ path: 'a.txt', code: 'UU' }],
      });
      expect((await b.call('status', { path: repo })).data).toMatchObject({
        operation: action,
        conflicts: [{ path: 'a.txt', code: 'UU' }],
        ...(action === 'rebase' ? { rebasing: 'main', branch: { detached: true } } : {}),
      });
      expect((await b.call(action, { path: repo, ...args })).error).toMatchObject({
        code: 'CONFLICT',
        operation: action,
      });
      const early = await b.call(action, { path: repo, sub_action: 'continue' });
      expect(early.error).toMatchObject({ code: 'CONFLICT', conflicts: [{ path: 'a.txt', code: 'UU' }] });
      expect((await b.call(action, { path: repo, sub_action: 'abort' })).data).toMatchObject({
        aborted: true,
        branch: 'main',
      });
      expect(b.raw(name, 'rev-parse', 'HEAD')).toBe(before);

      await b.call(action, { path: repo, ...args });
      b.write(`${name}/a.txt`, 'both\ntwo\nthree\n');
      const done = await b.call(action, { path: repo, sub_action: 'continue', files: ['a.txt'] });
      expect(done.error).toBeNull();
      expect(done.data).toMatchObject({ branch: 'main', up_to_date: false });
      const after = await b.call('status', { path: repo });
      expect(after.data.clean).toBe(true);
      expect(after.data.operation).toBeUndefined();
    },
  );

  it('commit with the resolved files ends a merge too', async () => {
    const repo = clash('resolve');
    await b.call('merge', { path: repo, target: 'side' });
    expect((await b.call('commit', { path: repo, message: 'merged' })).error).toMatchObject({
      code: 'CONFLICT',
      conflicts: [{ path: 'a.txt' }],
    });
    b.write('resolve/a.txt', 'both\n');
    const { data } = await b.call('commit', { path: repo, message: 'merged', files: ['a.txt'] });
    expect(data.message).toBe('merged');
    expect(b.raw('resolve', 'log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
  });

  it('local changes in the way are named and nothing moves', async () => {
    const repo = clash('way');
    b.write('way/a.txt', 'local\n');
    for (const [action, args] of [
      ['merge', { target: 'side' }],
      ['rebase', { target: 'side' }],
      ['cherry_pick', { cherry: 'side' }],
    ] as const) {
      expect((await b.call(action, { path: repo, ...args })).error.code).toBe('CONFLICT');
    }
    expect(read('way/a.txt')).toBe('local\n');
    expect((await b.call('status', { path: repo })).data.operation).toBeUndefined();
  });

  it('a pick that changes nothing stops and can be skipped', async () => {
    const repo = b.repo('empty-pick');
    b.raw('empty-pick', 'commit', '-q', '--allow-empty', '-m', 'e');
    b.write('empty-pick/a.txt', 'x\n');
    b.raw('empty-pick', 'commit', '-qam', 'x');
    const { error } = await b.call('cherry_pick', { path: repo, cherry: 'HEAD' });
    expect(error.code).toBe('CONFLICT');
    expect(error.message).toContain('skip');
    expect((await b.call('cherry_pick', { path: repo, sub_action: 'skip' })).ok).toBe(true);
    expect((await b.call('merge', { path: repo, sub_action: 'abort' })).error.code).toBe('CONFLICT');
  });

  it('a merge message may begin with a dash', async () => {
    const repo = b.repo('mm');
    b.raw('mm', 'switch', '-qc', 'x');
    b.raw('mm', 'commit', '-q', '--allow-empty', '-m', 'x');
    b.raw('mm', 'switch', '-q', 'main');
    b.raw('mm', 'commit', '-q', '--allow-empty', '-m', 'y');
    expect((await b.call('merge', { path: repo, target: 'x', message: '--no-commit' })).ok).toBe(true);
    expect(b.raw('mm', 'log', '-1', '--format=%s')).toBe('--no-commit\n');
  });
});

describe('reset, clean, stash', () => {
  it('reset unstages by default, moves where told, and drops changes only when confirmed', async () => {
    const repo = b.repo('rs');
    b.write('rs/b', '');
    b.raw('rs', 'add', '-A');
    expect((await b.call('reset', { path: repo })).data.mode).toBe('mixed');
    expect(b.raw('rs', 'status', '--porcelain')).toBe('?? b\n');
    b.raw('rs', 'add', '-A');
    b.write('rs/a.txt', 'x\n');
    b.raw('rs', 'add', '-A');
    expect((await b.call('reset', { path: repo, files: ['b'] })).data.unstaged).toEqual(['b']);
    expect(b.raw('rs', 'status', '--porcelain')).toBe('M  a.txt\n?? b\n');
    const refused = await b.call('reset', { path: repo, mode: 'hard' });
    expect(refused.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'confirm' });
    expect(refused.error.message).toContain('1 file');
    expect(read('rs/a.txt')).toBe('x\n');
    expect((await b.call('reset', { path: repo, mode: 'hard', confirm: true })).ok).toBe(true);
    expect(read('rs/a.txt')).toBe('one\ntwo\nthree\n');
    b.raw('rs', 'commit', '-q', '--allow-empty', '-m', 'second');
    const soft = await b.call('reset', { path: repo, mode: 'soft', ref: 'HEAD~1' });
    expect(soft.data.from).toMatch(HASH);
    expect((await b.call('reset', { path: repo, mode: 'keep' })).error.code).toBe('INVALID_PARAMS');
  });

  it('reset unstages on an unborn branch', async () => {
    const repo = b.folder('rs-unborn');
    b.raw('rs-unborn', 'init', '-q');
    b.write('rs-unborn/x', '');
    b.raw('rs-unborn', 'add', 'x');
    expect((await b.call('reset', { path: repo })).error).toBeNull();
    expect(b.raw('rs-unborn', 'status', '--porcelain')).toBe('?? x\n');
  });

  it('clean shows first, deletes when forced and confirmed, spares a pattern and nested repositories', async () => {
    const repo = b.repo('cl');
    for (const name of ['x.log', 'dir/y', 'keep.me', 'new\nline', 'q"uote']) b.write(`cl/${name}`, '');
    b.repo('cl/nested');
    const dry = await b.call('clean', { path: repo, pattern: 'keep.*' });
    expect(dry.data).toEqual({
      would_remove: [{ path: 'dir/' }, { path: 'new\nline' }, { path: 'q"uote' }, { path: 'x.log' }],
      dry_run: true,
      total: 4,
    });
    expect((await b.call('clean', { path: repo, force: true })).error.param).toBe('confirm');
    expect(existsSync(path.join(repo, 'x.log'))).toBe(true);
    expect(
      (await b.call('clean', { path: repo, force: true, confirm: true, pattern: 'keep.*' })).data.removed,
    ).toHaveLength(4);
    expect(b.raw('cl', 'status', '--porcelain')).toBe('?? keep.me\n?? nested/\n');
  });

  it('stash: put away, listed, shown, brought back, dropped', async () => {
    const repo = b.repo('st');
    expect((await b.call('stash', { path: repo })).data.stashed).toBeNull();
    b.write('st/a.txt', 'stashed\n');
    b.write('st/new', 'n\n');
    expect((await b.call('stash', { path: repo, message: '-m "odd"', all: true })).data.stashed).toMatchObject({
      index: 0,
      message: 'On main: -m "odd"',
    });
    expect((await b.call('status', { path: repo })).data).toMatchObject({ clean: true, stashes: 1 });
    expect((await b.call('stash', { path: repo, sub_action: 'list' })).data.stashes).toHaveLength(1);
    const shown = await b.call('stash', { path: repo, sub_action: 'show' });
    expect(shown.data.files).toEqual([{ path: 'a.txt', status: 'M', added: 1, deleted: 3 }]);
    expect(shown.bodies['diff']).toContain('+stashed\n');
    expect((await b.call('stash', { path: repo, sub_action: 'apply' })).ok).toBe(true);
    expect(read('st/a.txt')).toBe('stashed\n');
    b.raw('st', 'checkout', '-q', '.');
    rmSync(path.join(repo, 'new'));
    expect((await b.call('stash', { path: repo, sub_action: 'drop' })).error.param).toBe('confirm');
    expect((await b.call('stash', { path: repo, sub_action: 'pop' })).ok).toBe(true);
    expect((await b.call('stash', { path: repo, sub_action: 'pop' })).error.code).toBe('NOT_FOUND');
  });

  it('a stash that clashes keeps the stash and names the conflict', async () => {
    const repo = b.repo('st2');
    b.write('st2/a.txt', 'mine\n');
    await b.call('stash', { path: repo });
    b.write('st2/a.txt', 'theirs\n');
    b.raw('st2', 'commit', '-qam', 'theirs');
    const { error } = await b.call('stash', { path: repo, sub_action: 'pop' });
    expect(error).toMatchObject({ code: 'CONFLICT', conflicts: [{ path: 'a.txt', code: 'UU' }] });
    expect((await b.call('stash', { path: repo, sub_action: 'list' })).data.total).toBe(1);
  });
});
