// Nothing a caller names becomes an option or a command, and no repository makes a read run a program.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, bench } from './fixture.ts';

let b: Bench;
let repo: string;
let marker: string;
/** a program that leaves the marker; with a name that needs no quoting */
let evil: string;

beforeAll(() => {
  b = bench();
  repo = b.repo('repo');
  b.raw('repo', 'branch', 'dev');
  b.raw('repo', 'tag', 'v1');
  b.raw('.', 'clone', '-q', '--bare', 'repo', 'origin.git');
  b.raw('repo', 'remote', 'add', 'origin', path.join(b.root, 'origin.git'));
  marker = path.join(b.root, 'marker');
  evil = b.write('evil', `#!/bin/sh\ntouch '${marker}'\nexec cat\n`);
  chmodSync(evil, 0o755);
});
afterAll(() => b.dispose());
beforeEach(() => rmSync(marker, { force: true }));

/** Attempts: M stands for the marker's path, E for the program that makes it. */
const ATTEMPTS: readonly (readonly [action: string, args: Readonly<Record<string, unknown>>])[] = [
  ['diff', { target: '--output=M' }],
  ['diff', { ref: '--output=M' }],
  ['diff', { target: '--ext-diff' }],
  ['diff', { target: '--no-index', file: '/etc/passwd' }],
  ['diff', { target: 'HEAD', ref: '-O/etc/passwd' }],
  ['diff', { target: 'HEAD..--output=M' }],
  ['diff', { file: '/etc/passwd' }],
  ['diff', { file: '../outside' }],
  ['diff', { files: ['a.txt', '--output=M'] }],
  ['log', { ref: '--output=M' }],
  ['log', { ref: 'HEAD --output=M' }],
  ['log', { ref: 'HEAD;touch M' }],
  ['log', { author: '"; touch M; "' }],
  ['log', { author: '$(touch M)' }],
  ['log', { since: '`touch M`' }],
  ['log', { until: '--output=M' }],
  ['log', { pattern: "'; touch M #" }],
  ['log', { format: '%H"; touch M' }],
  ['log', { format: '%H --output=M' }],
  ['log', { file: '--output=M' }],
  ['show', { ref: '--output=M' }],
  ['show', { ref: 'HEAD:--output=M' }],
  ['show', { ref: '--ext-diff' }],
  ['blame', { file: 'a.txt', ref: '--contents=/etc/passwd' }],
  ['blame', { file: '--contents=/etc/passwd' }],
  ['blame', { file: '/etc/passwd' }],
  ['blame', { file: 'a.txt', lines: '1,1:/x/;touch M' }],
  ['blame', { file: 'a.txt', lines: ':f --output=M' }],
  ['branch', { name: '--list' }],
  ['branch', { name: '-D' }],
  ['branch', { name: 'x;touch M' }],
  ['branch', { name: '$(touch M)' }],
  ['branch', { name: 'x', target: '--track' }],
  ['branch', { sub_action: 'delete', name: '--all' }],
  ['branch', { sub_action: 'rename', name: 'dev', target: '-M' }],
  ['checkout', { name: '--orphan=x' }],
  ['checkout', { name: '-f' }],
  ['checkout', { name: '-bx', create: true }],
  ['checkout', { name: '--detach' }],
  ['tag', { name: '-F/etc/passwd' }],
  ['tag', { name: 'x', ref: '--file=/etc/passwd' }],
  ['tag', { name: 'x y' }],
  ['tag', { sub_action: 'show', name: '*' }],
  ['reset', { ref: '--hard' }],
  ['reset', { ref: '--pathspec-from-file=/etc/passwd' }],
  ['merge', { target: '--exec=E' }],
  ['merge', { target: '-s E' }],
  ['merge', { target: '--file=/etc/passwd' }],
  ['rebase', { target: '--exec=E' }],
  ['rebase', { target: '-x E' }],
  ['rebase', { target: '-ixE' }],
  ['cherry_pick', { cherry: '--strategy=E' }],
  ['cherry_pick', { ref: '-nHEAD' }],
  ['stash', { sub_action: 'push', message: '--all; touch M' }],
  ['stash', { sub_action: 'push', files: ['--pathspec-from-file=/etc/passwd'] }],
  ['remote', { sub_action: 'add', name: '--mirror=push', url: 'https://x.test/r' }],
  ['remote', { sub_action: 'add', name: 'e1', url: 'ext::E' }],
  ['remote', { sub_action: 'add', name: 'e2', url: 'ext::sh -c "touch M"' }],
  ['remote', { sub_action: 'add', name: 'e3', url: '--upload-pack=E' }],
  ['remote', { sub_action: 'add', name: 'e4', url: 'ssh://-oProxyCommand=touch%20M/x' }],
  ['remote', { sub_action: 'add', name: 'e5', url: '-oProxyCommand=E:x' }],
  ['remote', { sub_action: 'add', name: 'e6', url: 'git@-oProxyCommand=E:x' }],
  ['remote', { sub_action: 'add', name: 'x/../../y', url: 'https://x.test/r' }],
  ['clone', { url: 'ext::E', name: 'c1' }],
  ['clone', { url: 'ext::sh -c touch% M', name: 'c2' }],
  ['clone', { url: '--upload-pack=E', name: 'c3' }],
  ['clone', { url: 'fd::17/x', name: 'c4' }],
  ['clone', { url: 'ssh://-oProxyCommand=E/x', name: 'c5' }],
  ['clone', { url: 'O', name: '--upload-pack=E' }],
  ['clone', { url: 'O', name: '../escaped' }],
  ['clone', { url: 'O', name: 'c6', target: '--upload-pack=E' }],
  ['clone', { url: 'transport::address', name: 'c7' }],
  ['fetch', { name: '--upload-pack=E' }],
  ['fetch', { name: 'ext::E' }],
  ['fetch', { name: 'origin', target: '--upload-pack=E' }],
  ['fetch', { name: 'origin', target: '+refs/heads/*:refs/heads/*' }],
  ['fetch', { name: '../origin.git' }],
  ['pull', { name: '--upload-pack=E' }],
  ['pull', { name: 'origin', target: '--upload-pack=E' }],
  ['pull', { name: 'ext::E', target: 'main' }],
  ['push', { name: '--receive-pack=E' }],
  ['push', { name: 'origin', target: '--receive-pack=E' }],
  ['push', { name: 'origin', target: '+main' }],
  ['push', { name: 'origin', target: ':main' }],
  ['push', { name: 'origin', target: '--force' }],
  ['push', { name: 'ext::E', target: 'main' }],
  ['worktree', { sub_action: 'add', name: '--force' }],
  ['worktree', { sub_action: 'add', name: 'wt1', target: '--lock' }],
  ['worktree', { sub_action: 'add', name: 'wt2', target: '-B main', create: true }],
  ['worktree', { sub_action: 'remove', name: '--force' }],
  ['describe', { ref: '--dirty=M' }],
  ['rev_parse', { ref: '--show-toplevel' }],
  ['rev_parse', { ref: '--git-path M' }],
  ['shortlog', { ref: '--output=M' }],
  ['shortlog', { since: '--output=M' }],
  ['reflog', { ref: '--expire=all' }],
  ['bisect', { sub_action: 'start', ref: '--term-new=x' }],
  ['bisect', { sub_action: 'run', value: 'touch M' }],
  ['clean', { pattern: '--force; touch M' }],
  ['clean', { pattern: '-x', files: ['--force'] }],
  ['init', { name: '--template=/etc' }],
  ['init', { name: '--separate-git-dir=../x' }],
  ['commit', { message: 'm', files: ['--amend'] }],
  ['commit', { message: 'm', files: ['../outside'] }],
  ['commit', { message: '--amend' }],
  ['apply', { patch: '--directory=/' }],
  ['config', { key: '--global', value: 'x' }],
  ['config', { key: '--file=M', value: 'x' }],
  ['config', { key: 'alias.x', value: '!touch M' }],
  ['config', { key: 'core.pager', value: 'E' }],
  ['config', { key: 'core.editor', value: 'E' }],
  ['config', { key: 'core.fsmonitor', value: 'E' }],
  ['config', { key: 'core.fsMonitor', value: 'E' }],
  ['config', { key: 'core.hooksPath', value: '.' }],
  ['config', { key: 'core.sshCommand', value: 'E' }],
  ['config', { key: 'core.gitProxy', value: 'E' }],
  ['config', { key: 'core.askPass', value: 'E' }],
  ['config', { key: 'core.worktree', value: '/' }],
  ['config', { key: 'core.attributesFile', value: 'M' }],
  ['config', { key: 'credential.helper', value: '!E' }],
  ['config', { key: 'credential.https://x.test.helper', value: '!E' }],
  ['config', { key: 'diff.external', value: 'E' }],
  ['config', { key: 'diff.x.textconv', value: 'E' }],
  ['config', { key: 'diff.x.command', value: 'E' }],
  ['config', { key: 'filter.x.clean', value: 'E' }],
  ['config', { key: 'filter.x.smudge', value: 'E' }],
  ['config', { key: 'filter.x.process', value: 'E' }],
  ['config', { key: 'merge.x.driver', value: 'E' }],
  ['config', { key: 'gpg.program', value: 'E' }],
  ['config', { key: 'gpg.ssh.program', value: 'E' }],
  ['config', { key: 'include.path', value: 'M' }],
  ['config', { key: 'includeIf.gitdir:/.path', value: 'M' }],
  ['config', { key: 'url.ext::E.insteadOf', value: 'https://' }],
  ['config', { key: 'remote.origin.uploadpack', value: 'E' }],
  ['config', { key: 'remote.origin.receivepack', value: 'E' }],
  ['config', { key: 'remote.origin.vcs', value: 'ext' }],
  ['config', { key: 'remote.origin.url', value: 'ext::E' }],
  ['config', { key: 'remote.origin.pushurl', value: 'ext::E' }],
  ['config', { key: 'remote.origin.proxy', value: 'http://x.test' }],
  ['config', { key: 'submodule.x.update', value: '!E' }],
  ['config', { key: 'protocol.ext.allow', value: 'always' }],
  ['config', { key: 'pager.log', value: 'E' }],
  ['config', { key: 'sequence.editor', value: 'E' }],
  ['config', { key: 'interactive.diffFilter', value: 'E' }],
  ['config', { key: 'trailer.x.command', value: 'E' }],
  ['config', { key: 'uploadpack.packObjectsHook', value: 'E' }],
  ['config', { key: 'http.proxy', value: 'http://x.test' }],
  ['config', { key: 'init.templateDir', value: '.' }],
  ['config', { key: 'extensions.partialClone', value: 'origin' }],
  ['config', { key: 'user.name', value: 'x\n[core]\n\tfsmonitor = E' }],
  ['config', { key: 'user.name\n[alias]x', value: 'E' }],
  ['config', { key: 'branch.a\nb.remote', value: 'E' }],
];

/** Attempts whose words are harmless where they end up, so that they may well succeed: a message, a filter, a file name. */
const MAY_SUCCEED = /^(log|shortlog|stash|clean|commit|clone|init|worktree|diff)$/;

/** Refs, config, hooks and whatever else lies in a git directory, but for objects and what any command may touch. */
function state(at: string): string {
  const names = readdirSync(path.join(at, '.git'), { recursive: true, encoding: 'utf8' });
  const kept = names.filter((each) => !/^(objects|logs)|^(index|FETCH_HEAD|ORIG_HEAD)$/.test(each)).sort();
  const texts = ['config', 'HEAD', 'refs/heads/main'].map((each) => readFileSync(path.join(at, '.git', each), 'utf8'));
  return [...kept, ...texts].join('\n');
}

describe('what a caller names', () => {
  it.each(ATTEMPTS.map((each, i) => [i, ...each] as const))('%i %s %j', async (_, action, args) => {
    const fill = (value: unknown): unknown =>
      typeof value === 'string'
        ? value.replaceAll('M', marker).replaceAll('E', evil).replace(/^O$/, path.join(b.root, 'origin.git'))
        : Array.isArray(value)
          ? value.map(fill)
          : value;
    // `HEAD` holds an E: fill only what is neither HEAD nor an action's own word.
    const safe = Object.fromEntries(
      Object.entries(args).map(([key, value]) => [
        key,
        typeof value === 'string'
          ? (fill(value.replaceAll('HEAD', '\u0000')) as string).replaceAll('\u0000', 'HEAD')
          : fill(value),
      ]),
    );
    const around = (): string => `${state(repo)}\n${readdirSync(b.root).sort().join()}`;
    const before = around();
    const answer = await b.call(action, { path: repo, ...safe }, { roots: [repo] });
    expect(existsSync(marker), 'a command ran').toBe(false);
    expect(existsSync(path.join(repo, marker)), 'a file was written').toBe(false);
    if (MAY_SUCCEED.test(action) && answer.ok) return;
    expect(answer.ok).toBe(false);
    expect(['INVALID_PARAMS', 'NOT_FOUND', 'PERMISSION_DENIED', 'CONFLICT']).toContain(answer.error.code);
    expect(around()).toBe(before);
  });
});

/** A repository whose own config, attributes and hooks want to run `evil` on every occasion. */
function trap(name: string): string {
  const at = b.repo(name);
  const set = (key: string, value: string): void => void b.raw(name, 'config', key, value);
  set('core.fsmonitor', evil);
  set('core.pager', evil);
  set('core.editor', evil);
  set('diff.external', evil);
  set('diff.x.textconv', evil);
  set('diff.x.command', evil);
  set('filter.x.clean', evil);
  set('filter.x.smudge', evil);
  set('filter.x.process', evil);
  set('filter.x.required', 'true');
  set('gpg.program', evil);
  set('gpg.ssh.program', evil);
  set('log.showSignature', 'true');
  set('core.sshCommand', evil);
  set('credential.helper', evil);
  set('alias.status', `!${evil}`);
  set('interactive.diffFilter', evil);
  set('color.ui', 'always');
  b.write(`${name}/.gitattributes`, '*.txt filter=x diff=x\n');
  for (const hook of [
    'post-index-change',
    'post-checkout',
    'reference-transaction',
    'fsmonitor-watchman',
    'pre-auto-gc',
  ]) {
    b.write(`${name}/.git/hooks/${hook}`, `#!/bin/sh\ntouch '${marker}'\n`);
    chmodSync(path.join(at, '.git/hooks', hook), 0o755);
  }
  b.write(`${name}/a.txt`, 'one\ntwo\nfour\n');
  rmSync(marker, { force: true });
  return at;
}

describe('what a repository brings along', () => {
  const READS: readonly (readonly [action: string, args: Readonly<Record<string, unknown>>])[] = [
    ['status', {}],
    ['status', { all: true }],
    ['diff', {}],
    ['diff', { staged: true }],
    ['diff', { stat: true }],
    ['diff', { target: 'HEAD' }],
    ['diff', { file: 'a.txt' }],
    ['log', {}],
    ['log', { oneline: false }],
    ['log', { graph: true }],
    ['log', { stat: true }],
    ['log', { format: '%H %G? %GS' }],
    ['show', {}],
    ['show', { stat: true }],
    ['show', { ref: 'HEAD:a.txt' }],
    ['blame', { file: 'a.txt' }],
    ['branch', {}],
    ['branch', { all: true }],
    ['tag', {}],
    ['stash', { sub_action: 'list' }],
    ['remote', {}],
    ['worktree', {}],
    ['reflog', {}],
    ['shortlog', {}],
    ['rev_parse', {}],
    ['describe', {}],
    ['config', {}],
    ['config', { key: 'core.pager' }],
    ['clean', {}],
    ['apply', { check: true, patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-one\n+1\n two\n four\n' }],
  ];

  it('the trap is one: git itself falls into it', () => {
    const at = trap('proof');
    b.raw('proof', 'status');
    expect(existsSync(marker)).toBe(true);
    expect(at).toContain('proof');
  });

  it('no read runs any of it', async () => {
    const at = trap('trap');
    for (const [action, args] of READS) {
      const answer = await b.call(action, { path: at, ...args }, { access: 'read-only' });
      expect([action, args, answer.error], action).toEqual([action, args, null]);
      expect(existsSync(marker), `${action} ${JSON.stringify(args)} ran a program`).toBe(false);
    }
    const { data } = await b.call('status', { path: at });
    expect(data.unstaged).toEqual([{ path: 'a.txt', status: 'M' }]);
    expect((await b.call('diff', { path: at })).bodies['diff']).toContain('-three\n+four\n');
  });

  it('a signed commit does not start the signature program a repository names', async () => {
    const at = trap('signed');
    const commit = b
      .raw('signed', 'cat-file', 'commit', 'HEAD')
      .replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n');
    writeFileSync(path.join(b.root, 'object'), commit);
    const hash = b.raw('signed', 'hash-object', '-w', '-t', 'commit', path.join(b.root, 'object')).trim();
    rmSync(marker, { force: true });
    for (const args of [{ ref: hash }, { ref: hash, format: '%G? %GS %GK' }, { ref: hash, graph: true }]) {
      await b.call('log', { path: at, ...args });
      expect(existsSync(marker)).toBe(false);
    }
    await b.call('show', { path: at, ref: hash });
    expect(existsSync(marker)).toBe(false);
  });

  it('a submodule is looked into without its programs, listed in .gitmodules or not', async () => {
    trap('subsource');
    const at = b.repo('outer');
    b.raw('.', 'clone', '-q', '--no-checkout', 'subsource', 'outer/listed');
    b.raw('.', 'clone', '-q', '--no-checkout', 'subsource', 'outer/unlisted');
    for (const each of ['listed', 'unlisted']) {
      b.raw(`outer/${each}`, 'checkout', '-q');
      b.raw('outer', '-c', 'advice.addEmbeddedRepo=false', 'add', each);
    }
    b.write('outer/.gitmodules', '[submodule "li=sted"]\n\tpath = listed\n\turl = ../subsource\n');
    b.raw('outer', 'add', '-A');
    b.raw('outer', 'commit', '-qm', 'subs');
    for (const each of ['listed', 'unlisted']) {
      b.raw(`outer/${each}`, 'config', 'filter.y.clean', evil);
      b.raw(`outer/${each}`, 'config', 'core.fsmonitor', evil);
      b.write(`outer/${each}/.gitattributes`, '*.txt filter=y\n');
      b.write(`outer/${each}/a.txt`, 'one\ntwo\nfive!\n');
    }
    rmSync(marker, { force: true });
    const { data, error } = await b.call('status', { path: at });
    expect(error).toBeNull();
    expect(existsSync(marker)).toBe(false);
    expect(data.unstaged).toEqual([
      { path: 'listed', status: 'M', submodule: { commit: false, modified: true, untracked: true } },
    ]);
    await b.call('diff', { path: at });
    expect(existsSync(marker)).toBe(false);
    b.raw('outer', 'status');
    expect(existsSync(marker), 'git itself falls into it').toBe(true);
  });

  it('a partial clone does not dial out to read', async () => {
    b.repo('full');
    b.raw('full', 'config', 'uploadpack.allowFilter', 'true');
    b.raw('.', 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${b.root}/full`, 'partial');
    const at = path.join(b.root, 'partial');
    b.raw('partial', 'config', 'remote.origin.uploadpack', evil);
    const { error } = await b.call('show', { path: at, ref: 'HEAD:a.txt' });
    expect(existsSync(marker)).toBe(false);
    expect(error).not.toBeNull();
    b.raw('partial', 'config', 'remote.origin.url', `ext::${evil}`);
    expect((await b.call('show', { path: at })).ok).toBe(false);
    expect((await b.call('fetch', { path: at })).error.code).toBe('PERMISSION_DENIED');
    expect(existsSync(marker)).toBe(false);
  });

  it("a remote's server program is git's own", async () => {
    const at = b.repo('client');
    b.raw('client', 'remote', 'add', 'origin', path.join(b.root, 'origin.git'));
    b.raw('client', 'config', 'remote.origin.uploadpack', evil);
    b.raw('client', 'config', 'remote.origin.receivepack', evil);
    expect((await b.call('fetch', { path: at })).data.updated.map((each: { ref: string }) => each.ref)).toContain(
      'refs/remotes/origin/main',
    );
    expect((await b.call('push', { path: at, target: 'main' })).ok).toBe(true);
    expect(existsSync(marker)).toBe(false);
  });

  it('a url rewritten to a helper transport is refused by git', async () => {
    const at = b.repo('rewrite');
    b.raw('rewrite', 'remote', 'add', 'origin', 'https://x.test/r');
    b.raw('rewrite', 'config', `url.ext::${evil} .insteadOf`, 'https://');
    expect((await b.call('fetch', { path: at })).error.code).toBe('PERMISSION_DENIED');
    expect((await b.call('push', { path: at })).error.code).toBe('PERMISSION_DENIED');
    expect(existsSync(marker)).toBe(false);
  });

  it('a work tree or a git directory elsewhere is not written from here', async () => {
    const outside = path.join('/var/tmp', `hanzo-outside-${process.pid}`);
    b.raw('.', 'init', '-q', '-b', 'main', outside);
    try {
      const at = b.repo('leaves');
      b.raw('leaves', 'config', 'core.worktree', outside);
      expect((await b.call('commit', { path: at, message: 'm', all: true })).error.code).not.toBeNull();
      b.folder('pointer');
      b.write('pointer/.git', `gitdir: ${outside}/.git\n`);
      b.write('pointer/x', '');
      const { error } = await b.call('commit', { path: path.join(b.root, 'pointer'), message: 'm', files: ['x'] });
      expect(error.code).toBe('PERMISSION_DENIED');
      expect(b.raw('.', '-C', outside, 'status', '--porcelain=v2', '--branch')).toContain('(initial)');
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('a forged worktree vouches for nothing', async () => {
    const outside = path.join('/var/tmp', `hanzo-victim-${process.pid}`);
    b.raw('.', 'clone', '-q', 'repo', outside);
    try {
      // The git directory lies here, so anybody could have written that it belongs to this tree.
      b.folder('forged/tree');
      b.write('forged/tree/.git', `gitdir: ${b.root}/forged/meta\n`);
      b.write('forged/meta/commondir', `${outside}/.git\n`);
      b.write('forged/meta/gitdir', `${b.root}/forged/tree/.git\n`);
      b.write('forged/meta/HEAD', 'ref: refs/heads/main\n');
      b.write('forged/tree/x', '');
      const at = path.join(b.root, 'forged/tree');
      expect((await b.call('status', { path: at })).error).toBeNull();
      expect((await b.call('commit', { path: at, message: 'm', files: ['x'] })).error.code).toBe('PERMISSION_DENIED');
      expect((await b.call('branch', { path: at, name: 'planted' })).error.code).toBe('PERMISSION_DENIED');
      expect(existsSync(`${outside}/.git/refs/heads/planted`)).toBe(false);
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('links in a git directory are not written through', async () => {
    const outside = path.join('/var/tmp', `hanzo-linked-${process.pid}`);
    mkdirSync(outside);
    try {
      for (const [name, target] of [
        ['index', `${outside}/file`],
        ['config', `${outside}/file`],
        ['refs/heads', outside],
        ['logs', outside],
      ] as const) {
        const at = b.repo(`links-${name.replace('/', '-')}`);
        writeFileSync(`${outside}/file`, name === 'config' ? readFileSync(`${at}/.git/config`) : 'precious');
        rmSync(path.join(at, '.git', name), { recursive: true });
        symlinkSync(target, path.join(at, '.git', name));
        const before = readFileSync(`${outside}/file`, 'utf8');
        for (const [action, args] of [
          ['commit', { message: 'm', files: ['a.txt'] }],
          ['branch', { name: 'planted' }],
          ['config', { key: 'user.name', value: 'x' }],
          ['init', {}],
        ] as const) {
          expect([name, action, (await b.call(action, { path: at, ...args })).error?.code]).toEqual([
            name,
            action,
            'PERMISSION_DENIED',
          ]);
        }
        expect(readFileSync(`${outside}/file`, 'utf8')).toBe(before);
        expect(readdirSync(outside)).toEqual(['file']);
      }
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('a linked worktree whose repository lies elsewhere can be committed to, because that repository names it', async () => {
    const outside = path.join('/var/tmp', `hanzo-main-${process.pid}`);
    b.raw('.', 'clone', '-q', 'repo', outside);
    try {
      b.raw('.', '-C', outside, 'worktree', 'add', '-q', '-b', 'wt', path.join(b.root, 'linked'));
      b.write('linked/new', 'n\n');
      const made = await b.call('commit', { path: path.join(b.root, 'linked'), message: 'm', files: ['new'] });
      expect(made.error).toBeNull();
      expect((await b.call('status', { path: path.join(b.root, 'linked') })).data.linked_worktree).toBe(true);
      expect((await b.call('commit', { path: outside, message: 'm', all: true })).error.code).toBe('PERMISSION_DENIED');
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });
});
