// Other repositories, other work trees, patches, settings, and bisecting.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, bench } from './fixture.ts';

let b: Bench;
beforeAll(() => {
  b = bench();
});
afterAll(() => b.dispose());

const read = (name: string): string => readFileSync(path.join(b.root, name), 'utf8');

/** `NAME.git` and two clones of it, `NAME-1` and `NAME-2`. */
function shared(name: string): [string, string] {
  b.repo(`${name}-source`);
  b.raw('.', 'clone', '-q', '--bare', `${name}-source`, `${name}.git`);
  for (const each of ['1', '2']) b.raw('.', 'clone', '-q', `${name}.git`, `${name}-${each}`);
  return [path.join(b.root, `${name}-1`), path.join(b.root, `${name}-2`)];
}

describe('clone, init', () => {
  it('clones into a folder named by the url or the call, shallow where asked', async () => {
    b.repo('orig');
    b.write('orig/x', '');
    b.raw('orig', 'add', '-A');
    b.raw('orig', 'commit', '-qm', 'second');
    const into = b.folder('into');
    const one = await b.call('clone', { path: into, url: path.join(b.root, 'orig') });
    expect(one.data).toMatchObject({ uri: pathToFileURL(path.join(into, 'orig')).href, branch: 'main' });
    const two = await b.call('clone', {
      path: into,
      url: pathToFileURL(path.join(b.root, 'orig')).href,
      name: 'sub/two',
      depth: 1,
    });
    expect(two.error).toBeNull();
    expect((await b.call('log', { path: path.join(into, 'sub/two') })).data.total).toBe(1);
    expect((await b.call('clone', { path: into, url: path.join(b.root, 'orig') })).error.code).toBe('CONFLICT');
    const none = await b.call('clone', { path: into, url: path.join(b.root, 'none'), name: 'three' });
    expect(none.error.code).toBe('NOT_FOUND');
    expect(existsSync(path.join(into, 'three'))).toBe(false);
    expect(
      (await b.call('clone', { path: into, url: path.join(b.root, 'orig'), name: '/var/tmp/not-here' })).error.code,
    ).toBe('PERMISSION_DENIED');
  });

  it('a file in the way is named', async () => {
    b.write('in-the-way', '');
    expect((await b.call('init', { path: path.join(b.root, 'in-the-way') })).error.code).toBe('CONFLICT');
    expect((await b.call('init', { path: b.root, name: 'in-the-way/below' })).error.code).toBe('CONFLICT');
    const url = path.join(b.root, 'orig');
    expect((await b.call('clone', { path: b.root, url, name: 'in-the-way' })).error.code).toBe('CONFLICT');
    expect((await b.call('clone', { path: b.root, url, name: 'in-the-way/below' })).error.code).toBe('CONFLICT');
    expect((await b.call('clone', { path: b.root, url: 'file://host/x' })).error.code).toBe('INVALID_PARAMS');
  });

  it('init makes a folder and its repository, once', async () => {
    const at = path.join(b.root, 'made/by init');
    expect((await b.call('init', { path: b.root, name: 'made/by init' })).data).toMatchObject({
      uri: pathToFileURL(at).href,
      created: true,
    });
    expect((await b.call('init', { path: at })).data.created).toBe(false);
    expect((await b.call('status', { path: at })).data.branch.oid).toBeNull();
  });
});

describe('remote, fetch, pull, push', () => {
  it('remotes are added, shown without passwords, removed', async () => {
    const repo = b.repo('rem');
    const url = 'https://user:s3cret@host.test/r.git';
    expect((await b.call('remote', { path: repo, sub_action: 'add', name: 'up', url })).data).toEqual({
      added: 'up',
      url: 'https://user:***@host.test/r.git',
    });
    expect(b.raw('rem', 'remote', 'get-url', 'up')).toBe(`${url}\n`);
    expect((await b.call('remote', { path: repo })).data.remotes).toEqual([
      { name: 'up', url: 'https://user:***@host.test/r.git' },
    ]);
    expect(JSON.stringify(await b.call('config', { path: repo }))).not.toContain('s3cret');
    expect((await b.call('remote', { path: repo, sub_action: 'add', name: 'up', url })).error.code).toBe('CONFLICT');
    expect((await b.call('remote', { path: repo, sub_action: 'show', name: 'down' })).error).toMatchObject({
      code: 'NOT_FOUND',
      available: ['up'],
    });
    expect((await b.call('remote', { path: repo, sub_action: 'remove', name: 'up' })).data.removed).toBe('up');
    expect((await b.call('fetch', { path: repo })).error.code).toBe('NOT_FOUND');
  });

  it('push, fetch, pull: what one does, the other sees', async () => {
    const [one, two] = shared('sync');
    b.write('sync-1/n', 'n\n');
    await b.call('commit', { path: one, message: 'n', files: ['n'] });
    expect((await b.call('push', { path: one })).data).toMatchObject({
      remote: 'origin',
      pushed: [{ ref: 'refs/heads/main', status: 'updated' }],
    });
    expect((await b.call('push', { path: one })).data.pushed[0].status).toBe('up_to_date');
    const fetched = await b.call('fetch', { path: two });
    expect(fetched.data.updated).toMatchObject([{ ref: 'refs/remotes/origin/main' }]);
    expect((await b.call('status', { path: two })).data.branch).toMatchObject({ ahead: 0, behind: 1 });
    expect((await b.call('pull', { path: two })).data).toMatchObject({
      branch: 'main',
      up_to_date: false,
      files: [{ path: 'n' }],
    });
    expect((await b.call('pull', { path: two })).data.up_to_date).toBe(true);
    expect((await b.call('remote', { path: two, sub_action: 'show', name: 'origin' })).data).toMatchObject({
      head: 'main',
      total: 1,
    });
  });

  it('a new branch gets its upstream, a tag goes as a tag, a branch gone there goes here when forced', async () => {
    const [one, two] = shared('new');
    await b.call('checkout', { path: one, name: 'topic', create: true });
    expect((await b.call('push', { path: one })).data).toMatchObject({
      upstream_set: true,
      pushed: [{ ref: 'refs/heads/topic', status: 'new' }],
    });
    expect((await b.call('status', { path: one })).data.branch.upstream).toBe('origin/topic');
    await b.call('tag', { path: one, name: 'v1' });
    expect((await b.call('push', { path: one, target: 'v1' })).data.pushed).toMatchObject([
      { ref: 'refs/tags/v1', status: 'new' },
    ]);
    expect((await b.call('push', { path: one, target: 'nope' })).error.code).toBe('NOT_FOUND');
    await b.call('fetch', { path: two });
    b.raw('new-1', 'push', '-q', 'origin', ':topic');
    expect((await b.call('fetch', { path: two, name: 'origin', force: true })).data.pruned).toEqual([
      'refs/remotes/origin/topic',
    ]);
    expect((await b.call('fetch', { path: two, name: 'origin', target: 'topic' })).error.code).toBe('NOT_FOUND');
  });

  it('a rejected push is CONFLICT; force needs confirm and respects the lease', async () => {
    const [one, two] = shared('rej');
    for (const [at, dir] of [
      [one, 'rej-1'],
      [two, 'rej-2'],
    ] as const) {
      b.write(`${dir}/${dir}`, '');
      await b.call('commit', { path: at, message: dir, files: [dir] });
    }
    await b.call('push', { path: one });
    const refused = await b.call('push', { path: two });
    expect(refused.error).toMatchObject({
      code: 'CONFLICT',
      rejected: [{ ref: 'refs/heads/main', status: 'rejected' }],
    });
    expect(refused.error.message).toContain('pull first');
    expect((await b.call('push', { path: two, force: true })).error).toMatchObject({ param: 'confirm' });
    const lease = await b.call('push', { path: two, force: true, confirm: true });
    expect(lease.error).toMatchObject({ code: 'CONFLICT' });
    await b.call('fetch', { path: two });
    expect((await b.call('push', { path: two, force: true, confirm: true })).data.pushed).toMatchObject([
      { status: 'forced' },
    ]);
  });

  it('a pull of diverged branches asks how, and says which files conflict', async () => {
    const [one, two] = shared('div');
    b.write('div-1/a.txt', 'theirs\n');
    await b.call('commit', { path: one, message: 'theirs', all: true });
    await b.call('push', { path: one });
    b.write('div-2/a.txt', 'ours\n');
    await b.call('commit', { path: two, message: 'ours', all: true });
    expect((await b.call('pull', { path: two })).error).toMatchObject({ code: 'CONFLICT', param: 'rebase' });
    const { error } = await b.call('pull', { path: two, rebase: false });
    expect(error).toMatchObject({ code: 'CONFLICT', conflicts: [{ path: 'a.txt', code: 'UU' }] });
    expect((await b.call('merge', { path: two, sub_action: 'abort' })).ok).toBe(true);
    expect((await b.call('pull', { path: two, rebase: true })).error.code).toBe('CONFLICT');
    b.write('div-2/a.txt', 'both\n');
    expect((await b.call('rebase', { path: two, sub_action: 'continue', files: ['a.txt'] })).ok).toBe(true);
    expect((await b.call('push', { path: two })).ok).toBe(true);
  });

  it('a remote folder outside the roots is not pushed to', async () => {
    const repo = b.repo('leak');
    const outside = `/var/tmp/hanzo-none-${process.pid}.git`;
    b.raw('leak', 'remote', 'add', 'out', outside);
    expect((await b.call('push', { path: repo, name: 'out' })).error.code).toBe('PERMISSION_DENIED');
    b.raw('leak', 'remote', 'set-url', '--push', 'out', `file://${outside}`);
    expect((await b.call('push', { path: repo, name: 'out' })).error.code).toBe('PERMISSION_DENIED');
  });

  it('an unreachable host ends with an error and without a prompt', async () => {
    const repo = b.repo('unreachable');
    b.raw('unreachable', 'remote', 'add', 'origin', 'http://127.0.0.1:9/r.git');
    const { error } = await b.call('fetch', { path: repo });
    expect(error.message).toMatch(/127\.0\.0\.1/);
  });
});

describe('worktree', () => {
  it('adds, lists and removes; a tree with changes only when confirmed', async () => {
    const repo = b.repo('wt');
    b.raw('wt', 'branch', 'topic');
    const add = await b.call('worktree', { path: repo, sub_action: 'add', name: '../wt tree', target: 'topic' });
    expect(add.data).toMatchObject({ added: pathToFileURL(path.join(b.root, 'wt tree')).href, branch: 'topic' });
    await b.call('worktree', {
      path: repo,
      sub_action: 'add',
      name: path.join(b.root, 'wt-new'),
      target: 'fresh',
      create: true,
    });
    await b.call('worktree', { path: repo, sub_action: 'add', name: path.join(b.root, 'wt-d'), target: 'HEAD~0' });
    const { data } = await b.call('worktree', { path: repo });
    expect(data.worktrees).toMatchObject([
      { uri: pathToFileURL(repo).href, branch: 'main' },
      { uri: pathToFileURL(path.join(b.root, 'wt tree')).href, branch: 'topic' },
      { detached: true },
      { branch: 'fresh' },
    ]);
    expect((await b.call('branch', { path: repo })).data.branches).toMatchObject([
      { name: 'fresh', worktree: pathToFileURL(path.join(b.root, 'wt-new')).href },
      { name: 'main' },
      { name: 'topic' },
    ]);
    const tree = path.join(b.root, 'wt tree');
    b.write('wt tree/x', 'x\n');
    expect((await b.call('commit', { path: tree, message: 'in the tree', files: ['x'] })).data.branch).toBe('topic');
    b.write('wt tree/y', 'y\n');
    expect((await b.call('worktree', { path: repo, sub_action: 'remove', name: tree })).error.code).toBe('CONFLICT');
    expect((await b.call('worktree', { path: repo, sub_action: 'remove', name: tree, force: true })).error.param).toBe(
      'confirm',
    );
    expect(
      (await b.call('worktree', { path: repo, sub_action: 'remove', name: tree, force: true, confirm: true })).ok,
    ).toBe(true);
    expect(existsSync(tree)).toBe(false);
    expect(
      (await b.call('worktree', { path: repo, sub_action: 'add', name: '/var/tmp/not-here', target: 'topic' })).error
        .code,
    ).toBe('PERMISSION_DENIED');
    expect((await b.call('checkout', { path: repo, name: 'fresh' })).error.code).toBe('CONFLICT');
  });
});

/** A patch that makes the file `name`. */
const make = (name: string): string =>
  `diff --git a/${name} b/${name}\nnew file mode 100755\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;

describe('apply', () => {
  const PATCH = '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+$& \\1 2\n three\n';

  it('tries, applies, stages; paths are from the top wherever the call stands', async () => {
    const repo = b.repo('ap');
    b.folder('ap/sub');
    const at = path.join(repo, 'sub');
    expect((await b.call('apply', { path: at, patch: PATCH, check: true })).data).toMatchObject({
      applied: false,
      clean: true,
      files: [{ path: 'a.txt', added: 1, deleted: 1 }],
    });
    expect(read('ap/a.txt')).toBe('one\ntwo\nthree\n');
    expect((await b.call('apply', { path: at, patch: PATCH.trimEnd(), staged: true })).data).toMatchObject({
      applied: true,
      files_changed: 1,
    });
    expect(read('ap/a.txt')).toBe('one\n$& \\1 2\nthree\n');
    expect(b.raw('ap', 'status', '--porcelain')).toBe('M  a.txt\n');
    expect((await b.call('apply', { path: at, patch: PATCH })).error.code).toBe('CONFLICT');
  });

  it('what diff says, apply takes back, odd names and binary files aside', async () => {
    const repo = b.repo('round');
    b.write('round/new\nline ü', 'x\n');
    b.write('round/a.txt', 'one\r\n2\n');
    b.raw('round', 'add', '-A');
    const { bodies } = await b.call('diff', { path: repo, staged: true });
    b.raw('round', 'reset', '-q', '--hard');
    expect((await b.call('apply', { path: repo, patch: bodies['diff'] })).error).toBeNull();
    expect(read('round/a.txt')).toBe('one\r\n2\n');
    expect(readdirSync(repo)).toContain('new\nline ü');
  });

  it('all or nothing, nothing outside, nothing in .git, nothing that is no patch', async () => {
    const repo = b.repo('an');
    const two = `${PATCH}--- a/none\n+++ b/none\n@@ -1 +1 @@\n-x\n+y\n`;
    expect((await b.call('apply', { path: repo, patch: two })).ok).toBe(false);
    for (const name of ['../escaped', '.git/hooks/pre-commit', '/tmp/abs', 'id_rsa']) {
      expect((await b.call('apply', { path: repo, patch: make(name) })).ok).toBe(false);
    }
    b.write('an/id_ed25519', 'key\n');
    b.raw('an', 'add', '-A');
    b.raw('an', 'commit', '-qm', 'key');
    const rename = 'diff --git a/id_ed25519 b/plain\nsimilarity index 100%\nrename from id_ed25519\nrename to plain\n';
    expect((await b.call('apply', { path: repo, patch: rename })).error.code).toBe('PERMISSION_DENIED');
    for (const patch of ['not a patch', '', '\n', '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,9 @@\n one\n']) {
      expect((await b.call('apply', { path: repo, patch })).error.code).toBe('INVALID_PARAMS');
    }
    expect(b.raw('an', 'status', '--porcelain')).toBe('');
    expect(existsSync(path.join(b.root, 'escaped'))).toBe(false);
    expect(existsSync(path.join(repo, '.git/hooks/pre-commit'))).toBe(false);
  });
});

describe('config', () => {
  it('reads with scope, sets what is harmless, keeps odd values as they are', async () => {
    const repo = b.repo('cfg');
    expect((await b.call('config', { path: repo, key: 'User.Name', value: '-O\'Hara "x" #;' })).data).toEqual({
      key: 'user.name',
      value: '-O\'Hara "x" #;',
      scope: 'local',
    });
    expect((await b.call('config', { path: repo, key: 'user.name' })).data).toMatchObject({
      value: '-O\'Hara "x" #;',
      scope: 'local',
    });
    expect((await b.call('config', { path: repo, key: 'branch.Main.description', value: '' })).ok).toBe(true);
    expect((await b.call('config', { path: repo, key: 'branch.Main.description' })).data.value).toBe('');
    expect((await b.call('config', { path: repo, key: 'user.none' })).error.code).toBe('NOT_FOUND');
    expect((await b.call('config', { path: repo, key: 'nodot' })).error.code).toBe('INVALID_PARAMS');
    b.raw('cfg', 'config', 'http.https://x.test/.extraheader', 'AUTHORIZATION: basic abc');
    expect(JSON.stringify(await b.call('config', { path: repo }))).not.toContain('basic abc');
    expect((await b.call('config', { path: repo })).data.entries).toContainEqual({
      key: 'user.name',
      value: '-O\'Hara "x" #;',
      scope: 'local',
    });
  });
});

describe('bisect', () => {
  it('finds the first bad commit by hand and by command', async () => {
    const repo = b.repo('bi');
    for (let i = 1; i <= 8; i++) {
      b.write('bi/n', `${i}\n`);
      if (i === 6) b.write('bi/broken', '');
      b.raw('bi', 'add', '-A');
      b.raw('bi', 'commit', '-qm', `c${i}`);
    }
    const bad = b.raw('bi', 'rev-parse', 'HEAD~2').trim();
    expect((await b.call('bisect', { path: repo, sub_action: 'good' })).error.code).toBe('CONFLICT');
    await b.call('bisect', { path: repo, sub_action: 'start', ref: 'HEAD', target: 'HEAD~8' });
    expect((await b.call('status', { path: repo })).data.operation).toBe('bisect');
    expect(
      (await b.call('bisect', { path: repo, sub_action: 'run', value: 'test ! -e broken && true' })).error,
    ).toMatchObject({ param: 'value' });
    const { data } = await b.call('bisect', { path: repo, sub_action: 'run', value: "test '!' -e broken" });
    expect(data.first_bad).toBe(bad);
    expect((await b.call('bisect', { path: repo })).bodies['output']).toContain('first bad commit');
    expect((await b.call('bisect', { path: repo, sub_action: 'reset' })).data.branch).toBe('main');

    await b.call('bisect', { path: repo, sub_action: 'start', target: 'HEAD~8' });
    let found: string | undefined;
    for (let i = 0; i < 8 && found === undefined; i++) {
      const verdict = existsSync(path.join(repo, 'broken')) ? 'bad' : 'good';
      found = (await b.call('bisect', { path: repo, sub_action: verdict })).data.first_bad;
    }
    expect(found).toBe(bad);
    await b.call('bisect', { path: repo, sub_action: 'reset' });
  });
});

describe('the tool', () => {
  it('has the 29 documented actions, and status is the repository’s', async () => {
    const { git } = await import('./index.ts');
    const listed = (git.describe().inputSchema['properties'] as { action: { enum: string[] } }).action.enum;
    for (const name of 'diff log branch commit blame stash show tag remote merge rebase cherry_pick reset clean worktree bisect reflog init clone fetch pull push config shortlog rev_parse describe apply checkout status'.split(
      ' ',
    )) {
      expect(listed).toContain(name);
    }
    const { encode } = await import('gpt-tokenizer/encoding/o200k_base');
    const { name, description, inputSchema } = git.describe();
    expect(encode(JSON.stringify({ name, description, inputSchema })).length).toBeLessThanOrEqual(420);
  });

  it('a cancelled call ends', async () => {
    const repo = b.repo('cancel');
    const stop = new AbortController();
    stop.abort();
    expect((await b.call('status', { path: repo }, { signal: stop.signal })).ok).toBe(false);
  });
});
