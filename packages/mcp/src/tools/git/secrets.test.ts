// Key material in a repository: no other name of an object, no patch and no copy of the repository leads around the refusal.
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, bench } from './fixture.ts';
import { pathOf } from './objects.ts';

let b: Bench;
let repo: string;
/** hash of the committed key */
let key: string;
beforeAll(() => {
  b = bench();
  repo = b.repo('keys');
  b.write('keys/id_rsa', 'PRIVATE KEY\nline\nend\n');
  b.write('keys/dir/ok', 'fine\n');
  b.raw('keys', 'add', '-A');
  b.raw('keys', 'commit', '-qm', 'keys');
  key = b.raw('keys', 'rev-parse', 'HEAD:id_rsa').trim();
  b.raw('keys', 'tag', 'light', key);
  b.raw('keys', 'tag', '-a', 'heavy', key, '-m', 'key');
  b.raw('keys', 'tag', '-a', 'heavier', 'heavy', '-m', 'twice');
  b.raw('keys', 'tag', 'fine', b.raw('keys', 'rev-parse', 'HEAD:dir/ok').trim());
});
afterAll(() => b.dispose());

describe('objects by any name', () => {
  it('the path in a revision is where git sees it', () => {
    expect(pathOf('HEAD:a')).toBe('a');
    expect(pathOf(':0:a:b')).toBe('a:b');
    expect(pathOf(':a')).toBe('a');
    expect(pathOf(':4:a')).toBe('4:a');
    expect(pathOf('@{2026-01-01 10:00:00}:a')).toBe('a');
    expect(pathOf('HEAD^{/x:y}')).toBeUndefined();
    expect(pathOf(':/x:y')).toBeUndefined();
    expect(pathOf('v1')).toBeUndefined();
  });

  it('show refuses a key by stage, by date, by hash and by tag, and shows other files by all of them', async () => {
    const names = [
      'HEAD:id_rsa',
      ':id_rsa',
      ':0:id_rsa',
      ':./id_rsa',
      'HEAD:dir/../id_rsa',
      '@{2040-01-01 10:00:00}:id_rsa',
      'HEAD^{tree}:id_rsa',
      key,
      key.slice(0, 12),
      `${key}^{blob}`,
      'light',
      'heavy',
      'heavy^{}',
      'heavier',
    ];
    for (const ref of names) {
      const answer = await b.call('show', { path: repo, ref });
      expect([ref, answer.ok]).toEqual([ref, false]);
      expect(JSON.stringify(answer)).not.toContain('PRIVATE');
    }
    for (const ref of ['HEAD:dir/ok', ':0:dir/ok', '@{2040-01-01 10:00:00}:dir/ok', 'fine']) {
      expect([ref, (await b.call('show', { path: repo, ref })).bodies['output']]).toEqual([ref, 'fine\n']);
    }
    for (const name of ['light', 'heavy']) {
      expect(JSON.stringify(await b.call('tag', { path: repo, sub_action: 'show', name }))).not.toContain('PRIVATE');
    }
  });

  it('a key in conflict is refused at every stage', async () => {
    const at = b.repo('stages');
    for (const [branch, text] of [
      ['x', 'PRIVATE x\n'],
      ['y', 'PRIVATE y\n'],
    ] as const) {
      b.raw('stages', 'switch', '-qc', branch, 'main');
      b.write('stages/id_rsa', text);
      b.raw('stages', 'add', '-A');
      b.raw('stages', 'commit', '-qm', branch);
    }
    expect((await b.call('merge', { path: at, target: 'x' })).error.code).toBe('CONFLICT');
    for (const ref of [':2:id_rsa', ':3:id_rsa']) {
      expect((await b.call('show', { path: at, ref })).error.code).toBe('PERMISSION_DENIED');
    }
  });

  it('diff refuses a key by hash, by tag and inside a range', async () => {
    const ok = b.raw('keys', 'rev-parse', 'HEAD:dir/ok').trim();
    for (const args of [
      { ref: key, target: 'HEAD:dir/ok' },
      { ref: 'HEAD:dir/ok', target: key },
      { target: `${ok}..${key}` },
      { target: `${key}...${ok}` },
      { ref: 'light', target: 'fine' },
      { ref: 'heavy', target: 'fine' },
      { ref: 'HEAD:id_rsa', target: 'HEAD:dir/ok' },
      { ref: key, file: 'a.txt' },
      { ref: `^${key}`, target: ok },
    ]) {
      const answer = await b.call('diff', { path: repo, ...args });
      expect([args, answer.ok]).toEqual([args, false]);
      expect(JSON.stringify(answer)).not.toContain('PRIVATE');
    }
    expect((await b.call('diff', { path: repo, ref: 'HEAD:a.txt', target: ok })).bodies['diff']).toContain('+fine');
  });

  it('a file that was only staged is shown by its hash, one that has no path is not', async () => {
    b.folder('unborn');
    b.raw('unborn', 'init', '-q');
    const at = path.join(b.root, 'unborn');
    b.write('unborn/x', 'staged\n');
    b.write('unborn/id_rsa', 'PRIVATE\n');
    b.raw('unborn', 'add', '-A');
    const id = (name: string): string => b.raw('unborn', 'rev-parse', `:${name}`).trim();
    expect((await b.call('show', { path: at, ref: id('x') })).bodies['output']).toBe('staged\n');
    const secret = id('id_rsa');
    expect((await b.call('show', { path: at, ref: secret })).error.code).toBe('PERMISSION_DENIED');
    b.raw('unborn', 'rm', '-q', '--cached', 'id_rsa');
    expect((await b.call('show', { path: at, ref: secret })).error).toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('folders: what lies in a secret one is withheld where they are compared, and one must be named', async () => {
    b.raw('home', 'init', '-q', '-b', 'main');
    b.write('home/.ssh/deploy', 'PRIVATE 1\n');
    b.write('home/.ssh/config', 'Host 1\n');
    b.raw('home', 'add', '-A');
    b.raw('home', 'commit', '-qm', 'one');
    b.write('home/.ssh/deploy', 'PRIVATE 2\n');
    b.write('home/.ssh/config', 'Host 2\n');
    b.raw('home', 'commit', '-qam', 'two');
    const home = path.join(b.root, 'home');
    const both = await b.call('diff', { path: home, ref: 'HEAD~1:.ssh', target: 'HEAD:.ssh' });
    expect(both.data.withheld).toEqual(['deploy']);
    expect(both.bodies['diff']).toContain('+Host 2');
    expect(JSON.stringify(both)).not.toContain('PRIVATE');
    const tree = (of: string): string => b.raw('home', 'rev-parse', of).trim();
    const hashes = { ref: tree('HEAD~1:.ssh'), target: tree('HEAD:.ssh') };
    expect((await b.call('diff', { path: home, ...hashes })).error.code).toBe('PERMISSION_DENIED');
    const empty = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    expect((await b.call('diff', { path: repo, ref: empty, target: 'HEAD^{tree}' })).data.files_changed).toBe(3);
    rmSync(path.join(home, '.git'), { recursive: true });
    rmSync(path.join(home, '.ssh'), { recursive: true });
  });
});

describe('patches', () => {
  it.each([
    ['rename from', 'similarity index 100%\nrename from id_rsa\nrename to plain\n'],
    ['rename old', 'similarity index 100%\nrename old id_rsa\nrename new plain\n'],
    ['copy from', 'similarity index 100%\ncopy from id_rsa\ncopy to plain\n'],
    ['quoted', 'similarity index 100%\nrename from "id\\137rsa"\nrename to plain\n'],
    ['only in its lines', '--- a/id_rsa\n+++ b/plain\n@@ -1,3 +1,4 @@\n PRIVATE KEY\n line\n end\n+x\n'],
  ])('a key is not given another name: %s', async (_, lines) => {
    const patch = `diff --git a/id_rsa b/plain\n${lines}`;
    expect((await b.call('apply', { path: repo, patch })).error).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(existsSync(path.join(repo, 'plain'))).toBe(false);
    expect(existsSync(path.join(repo, 'id_rsa'))).toBe(true);
  });

  it('other files are renamed as ever', async () => {
    const at = b.repo('renames');
    const patch = 'diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n';
    expect((await b.call('apply', { path: at, patch })).data).toMatchObject({
      applied: true,
      files: [{ path: 'b.txt' }],
    });
    expect(readdirSync(at)).toContain('b.txt');
  });
});

describe('a repository that is key material', () => {
  beforeAll(() => {
    b.folder('home/.ssh');
    b.raw('home/.ssh', 'init', '-q', '-b', 'main');
    b.write('home/.ssh/deploy', 'PRIVATE\n');
    b.raw('home/.ssh', 'add', '-A');
    b.raw('home/.ssh', 'commit', '-qm', 'keys');
    b.folder('by');
    symlinkSync(path.join(b.root, 'home/.ssh'), path.join(b.root, 'by/link'));
    symlinkSync(path.join(b.root, 'home/.ssh'), path.join(b.root, 'by/suffix.git'));
    mkdirSync(path.join(b.root, 'by/pointer'));
    writeFileSync(path.join(b.root, 'by/pointer/.git'), `gitdir: ${b.root}/home/.ssh/.git\n`);
    writeFileSync(path.join(b.root, 'by/file'), `gitdir: ${b.root}/home/.ssh/.git\n`);
    mkdirSync(path.join(b.root, 'by/inner'));
    symlinkSync(path.join(b.root, 'home/.ssh/.git'), path.join(b.root, 'by/inner/.git'));
  });

  const ways = [
    'home/.ssh',
    'home/.ssh/',
    'home/.ssh/.git',
    'by/link',
    'by/suffix',
    'by/pointer',
    'by/file',
    'by/inner',
  ];

  it('is not cloned, by whatever name', async () => {
    const names = ways.flatMap((each) => [path.join(b.root, each), `file://${b.root}/${each}`]);
    for (const url of names) {
      const answer = await b.call('clone', { path: b.root, url, name: 'copy' });
      expect([url, answer.error?.code]).toEqual([url, 'PERMISSION_DENIED']);
      expect(existsSync(path.join(b.root, 'copy'))).toBe(false);
    }
  });

  it('is not fetched or pulled from', async () => {
    const at = b.repo('fetches');
    for (const [i, url] of [...ways.map((each) => path.join(b.root, each)), '~/.ssh', '../by/link'].entries()) {
      b.raw('fetches', 'config', `remote.r${i}.url`, url);
      b.raw('fetches', 'config', `remote.r${i}.fetch`, `+refs/heads/*:refs/remotes/r${i}/*`);
      expect([url, (await b.call('fetch', { path: at, name: `r${i}` })).error?.code]).toEqual([
        url,
        'PERMISSION_DENIED',
      ]);
      const pulled = await b.call('pull', { path: at, name: `r${i}`, target: 'main', rebase: true });
      expect([url, pulled.error?.code]).toEqual([url, 'PERMISSION_DENIED']);
    }
    expect(b.raw('fetches', 'for-each-ref', 'refs/remotes')).toBe('');
  });
});

describe('places outside the roots', () => {
  it('a worktree is neither made nor removed through a link that leads there', async () => {
    const outside = `/var/tmp/hanzo-tree-${process.pid}`;
    mkdirSync(outside);
    try {
      const at = b.repo('trees');
      symlinkSync(outside, path.join(at, 'wt'));
      symlinkSync(`${outside}/new`, path.join(at, 'dangling'));
      for (const name of ['wt', 'dangling', 'wt/below', path.join(at, 'wt')]) {
        const made = await b.call('worktree', { path: at, sub_action: 'add', name, target: 'n', create: true });
        expect([name, made.error?.code]).toEqual([name, 'PERMISSION_DENIED']);
      }
      expect(readdirSync(outside)).toEqual([]);
      b.raw('trees', 'worktree', 'add', '-q', '-b', 'n', `${outside}/tree`);
      symlinkSync(`${outside}/tree`, path.join(at, 'there'));
      for (const args of [{ name: 'there' }, { name: 'there', force: true, confirm: true }]) {
        const gone = await b.call('worktree', { path: at, sub_action: 'remove', ...args });
        expect(gone.error?.code).toBe('PERMISSION_DENIED');
      }
      expect(existsSync(`${outside}/tree/a.txt`)).toBe(true);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('nothing is pushed to a repository there that a name within points to', async () => {
    const outside = `/var/tmp/hanzo-push-${process.pid}`;
    const at = b.repo('pushes');
    b.raw('.', 'clone', '-q', '--bare', 'pushes', outside);
    try {
      b.raw('pushes', 'branch', 'planted');
      b.write('pointed/.git', `gitdir: ${outside}\n`);
      symlinkSync(outside, path.join(b.root, 'ending.git'));
      for (const [i, place] of ['pointed', 'ending'].entries()) {
        b.raw('pushes', 'remote', 'add', `p${i}`, path.join(b.root, place));
        const pushed = await b.call('push', { path: at, name: `p${i}`, target: 'planted' });
        expect([place, pushed.error?.code]).toEqual([place, 'PERMISSION_DENIED']);
      }
      expect(existsSync(`${outside}/refs/heads/planted`)).toBe(false);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('a plain folder and its file:// url still work', async () => {
    const url = pathToFileURL(b.repo('plain')).href;
    expect((await b.call('clone', { path: b.root, url, name: 'plain-copy' })).error).toBeNull();
    expect((await b.call('fetch', { path: path.join(b.root, 'plain-copy') })).error).toBeNull();
  });
});
