// The walk lists what `rg --files` lists: hand-made hostile rules, random rules over random trees, real packages.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileGlobs } from './glob.ts';
import { sortPaths } from './table.ts';
import { walk, walkBelow, Walker } from './walk.ts';

let top: string;
/** The tree that is walked: two levels down, so that there is something above it. */
let root: string;
let home: string;
beforeEach(() => {
  top = mkdtempSync(path.join(realpathSync(tmpdir()), 'tree-'));
  root = path.join(top, 'up', 'root');
  home = path.join(top, 'home');
  mkdirSync(root, { recursive: true });
  mkdirSync(home);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(name: string, text: string | Buffer = 'x\n'): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}

const places = (): { home: string; config: string } => ({ home, config: path.join(home, '.config') });

function rg(globs: readonly string[] = [], cwd = root): string[] | undefined {
  const flags = globs.flatMap((each) => ['-g', each]);
  const { stdout, stderr } = spawnSync(rgPath, ['--files', '--no-config', '--no-messages', ...flags, './'], {
    cwd,
    env: { HOME: home },
    maxBuffer: 1e9,
  });
  if (/error parsing glob/.test(stderr.toString())) return undefined;
  return sortPaths(
    stdout
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/^\.\//, '')),
  );
}

function ours(globs: readonly string[] = []): string[] {
  return walk(root, { places: places(), globs: compileGlobs(globs) }).files;
}

/** The same answer from a plain walk, by what an index knows: paths, and what was left out. */
function oursByPaths(globs: readonly string[]): string[] {
  const compiled = compileGlobs(globs);
  const { files, facts } = walk(root, { places: places() });
  if (!compiled) return files;
  const live = compiled.live(facts.excluded);
  const found = [...files.filter((each) => compiled.matchesFile(each)), ...live.files];
  const walker = new Walker(root, places());
  for (const directory of live.directories) {
    for (const listing of walkBelow(walker, directory, compiled)) found.push(...listing.files);
  }
  return sortPaths(found);
}

/** mulberry32 */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const NAMES = [
  'a',
  'b',
  'ab',
  'a.b',
  'b.a',
  '.a',
  '.b',
  'a.',
  'a b',
  'b ',
  'é',
  'aé.b',
  '[a',
  'a]',
  '{a}',
  'a,b',
  '!a',
  '#a',
  'a*',
  'a\\b',
  'A',
  'a-b',
  '-',
  '😀',
  'x.tar.gz',
  '\ufffd',
];
const PIECES = [
  'a',
  'b',
  '.',
  '*',
  '**',
  '?',
  '/',
  '**/',
  '/**',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-c]',
  '[]a]',
  '[a',
  '{a,b}',
  '{a,*.b}',
  '{,a}',
  '{a',
  '}',
  ',',
  '\\',
  '\\*',
  '\\a',
  ' ',
  '\\ ',
  '!',
  '#',
  'é',
  '[é]',
  '[a-é]',
  '\t',
  '-',
  'ab',
  '.b',
  '*.',
  '.*',
  'A',
  '[[:alpha:]]',
  '[b-a]',
  '\ufeff',
  '😀',
  'x.tar.gz',
  '[/]',
  '{a/b,b}',
  '{**/a,b}',
  'a/**/b',
];

function randomLine(pick: (below: number) => number): string {
  let line = pick(4) === 0 ? '!' : '';
  if (pick(6) === 0) line += '/';
  for (let n = 1 + pick(4); n > 0; n--) line += PIECES[pick(PIECES.length)]!;
  if (pick(6) === 0) line += '/';
  if (pick(10) === 0) line += ' '.repeat(1 + pick(2));
  return line;
}

function growTree(pick: (below: number) => number, ruleFiles: boolean): void {
  const directories = [''];
  for (let n = 6 + pick(10); n > 0; n--) {
    const parent = directories[pick(directories.length)]!;
    directories.push(`${parent}${NAMES[pick(NAMES.length)]}/`);
  }
  for (const directory of directories) mkdirSync(path.join(root, directory), { recursive: true });
  for (const directory of directories) {
    for (let n = pick(7); n > 0; n--) {
      const file = path.join(root, directory, NAMES[pick(NAMES.length)]!);
      try {
        writeFileSync(file, 'x\n');
      } catch {
        // a directory of this name is there
      }
    }
  }
  if (!ruleFiles) return;
  const kinds = ['.gitignore', '.gitignore', '.ignore', '.rgignore'];
  const above = [path.join(top, 'up'), top].map((each) => path.relative(root, each) + '/');
  for (let n = 1 + pick(4); n > 0; n--) {
    const where = n === 1 ? '' : pick(4) === 0 ? above[pick(2)]! : directories[pick(directories.length)]!;
    const lines = Array.from({ length: 1 + pick(5) }, () => randomLine(pick));
    writeFileSync(path.join(root, where, kinds[pick(4)]!), lines.join(pick(5) === 0 ? '\r\n' : '\n'));
  }
  if (pick(4) > 0) mkdirSync(path.join(pick(3) === 0 ? top : root, '.git', 'info'), { recursive: true });
  if (pick(5) === 0) mkdirSync(path.join(root, directories[pick(directories.length)]!, '.jj'), { recursive: true });
  if (pick(3) === 0) {
    mkdirSync(path.join(root, '.git', 'info'), { recursive: true });
    writeFileSync(path.join(root, '.git', 'info', 'exclude'), randomLine(pick));
  }
}

/** A repository's own folder is never entered, whatever brings it back. */
const outsideGit = (files: string[]): string[] => files.filter((each) => !/(?:^|\/)\.git\//.test(each));

describe('rules', () => {
  /** Files that the cases below are asked about. */
  const NAMED = [
    'a.log',
    'b.log',
    'keep.log',
    'build/f.txt',
    'sub/build/f.txt',
    'sub/sub.log',
    'sub/t.tmp',
    '.hidden',
    '.shown',
    '.hid/f.txt',
    'deep/1/2/x.txt',
    'deep/y.txt',
    'deep/1/y',
    'plain.txt',
    'blank ',
    '#x',
    '!x',
    'é',
    'foo.',
    'a,b',
    'Case',
  ];

  test.each<[string, Record<string, string | Buffer>]>([
    [
      'kinds and their precedence',
      {
        '.gitignore': '*.log\n/build\n!keep.log\n!.shown\n',
        '.ignore': '!a.log\nplain.txt\n',
        '.rgignore': '!plain.txt\na.log\n',
        'sub/.gitignore': '!sub.log\n*.tmp\n',
        '.git/info/exclude': 'deep\n!keep.log\n',
      },
    ],
    ["no repository: only ripgrep's own", { '.gitignore': '*.log\n', '.ignore': '*.txt\n' }],
    ['jujutsu makes a repository too', { '.gitignore': '*.log\n', '.jj/x': '' }],
    [
      'an inner repository ends the outer rules',
      { '.git/x': '', '.gitignore': '*.txt\n*.log\n', '.ignore': 'y\n', 'sub/.git/x': '', 'sub/.gitignore': '*.tmp\n' },
    ],
    [
      'rules above',
      {
        '.git/x': '',
        '../.gitignore': '*.log\n',
        '../.ignore': '/root/deep/1\n/deep\n',
        '../../.rgignore': 'up/root/build\n!a.log\n',
      },
    ],
    ['a repository above', { '../.git/x': '', '../.gitignore': '/root/*.log\n', '../../.gitignore': '*.txt\n' }],
    ['line ends, marks and blanks', { '.ignore': '\ufeff*.log\r\nblank\\ \r\n  \r\nplain.txt  \t\r\n' }],
    ['comments and escapes', { '.ignore': '#x\n\\#x\n\\!x\n\\é\n' }],
    ['a line that is not UTF-8 is the last', { '.ignore': Buffer.from('*.log\n\xff\n*.txt\n', 'latin1') }],
    ['lines that cannot be read', { '.ignore': '{a\n[b-a]\nx\\\n*.log\n' }],
    ['rules that are nearly empty', { '.ignore': '*\n!\n/\n//\n' }],
    ['directories only', { '.ignore': 'build/\na.log/\ndeep/1/\n' }],
    ['double stars', { '.ignore': 'deep/**/x.txt\n**/build\nsub/**\n' }],
    ['everything but', { '.ignore': '*\n!*/\n!*.txt\n' }],
    ['bytes, not characters', { '.ignore': '?\n[é]\n' }],
    ['names that end with a dot', { '.ignore': 'foo.\n' }],
    ['extensions that are empty', { '.ignore': '*.\n' }],
    ['case counts', { '.ignore': 'case\nCASE\n' }],
    ['braces', { '.ignore': '*.{log,tmp}\na,b\n' }],
    ['many stars', { '.ignore': '*a*.*l*o*g*\n' }],
  ])('%s', (_, rules) => {
    for (const name of NAMED) put(name);
    for (const [name, text] of Object.entries(rules)) put(name, text);
    expect(ours()).toEqual(outsideGit(rg()!));
  });

  test("the user's own rules: a file of the configuration, else the usual one", () => {
    mkdirSync(path.join(root, '.git'));
    for (const name of NAMED) put(name);
    mkdirSync(path.join(home, '.config', 'git'), { recursive: true });
    writeFileSync(path.join(home, '.config', 'git', 'ignore'), '*.log\n/build\n');
    expect(ours()).toEqual(rg());
    expect(ours()).not.toContain('a.log');
    writeFileSync(path.join(home, 'mine'), '*.txt\n');
    writeFileSync(path.join(home, '.config', 'git', 'config'), '[core]\n\texcludesFile = "~/mine"\n');
    expect(ours()).toEqual(rg());
    expect(ours()).not.toContain('plain.txt');
    writeFileSync(path.join(home, 'other'), 'deep\n');
    writeFileSync(path.join(home, '.gitconfig'), `[core]\nexcludesfile=${home}/other\n`);
    expect(ours()).toEqual(rg());
    expect(ours()).not.toContain('deep/y.txt');
  });

  test('a worktree has the exclude file of its repository', () => {
    for (const name of NAMED) put(name);
    const git = path.join(top, 'main', '.git');
    mkdirSync(path.join(git, 'info'), { recursive: true });
    mkdirSync(path.join(git, 'worktrees', 'w'), { recursive: true });
    writeFileSync(path.join(git, 'info', 'exclude'), '*.log\n');
    writeFileSync(path.join(git, 'worktrees', 'w', 'commondir'), '../..\n');
    put('.git', `gitdir: ${git}/worktrees/w\n`);
    expect(ours()).toEqual(rg());
    expect(ours()).not.toContain('a.log');
  });

  test('rule files that are links, directories or pipes', () => {
    for (const name of NAMED) put(name);
    writeFileSync(path.join(top, 'rules'), '*.log\n');
    symlinkSync(path.join(top, 'rules'), path.join(root, '.ignore'));
    mkdirSync(path.join(root, '.rgignore'));
    expect(ours()).toEqual(rg());
    spawnSync('mkfifo', [path.join(root, 'sub', '.ignore')]);
    expect(ours()).toContain('sub/t.tmp');
  });

  test('random rule files over random trees', () => {
    for (let seed = 1; seed <= 25; seed++) {
      const pick = random(seed);
      growTree(pick, true);
      expect(ours(), `seed ${seed}`).toEqual(outsideGit(rg()!));
      rmSync(top, { recursive: true });
      mkdirSync(root, { recursive: true });
      mkdirSync(home);
    }
  });
});

describe('what is walked', () => {
  test('links are not followed, and only regular files are files', () => {
    put('d/f');
    symlinkSync('d', path.join(root, 'link'));
    symlinkSync('..', path.join(root, 'd', 'loop'));
    symlinkSync('d/f', path.join(root, 'file'));
    spawnSync('mkfifo', [path.join(root, 'pipe')]);
    expect(ours()).toEqual(['d/f']);
    symlinkSync(root, path.join(top, 'alias'));
    expect(walk(path.join(top, 'alias'), { places: places() }).files).toEqual(['d/f']);
  });

  test("a repository's own folder is never entered, whatever brings it back", () => {
    put('.git/config');
    put('a/.git/config');
    put('.ignore', '!.*\n');
    expect(ours()).toEqual(['.ignore']);
    expect(ours(['*'])).toEqual(['.ignore']);
    expect(oursByPaths(['*'])).toEqual(['.ignore']);
  });

  test('names that are not UTF-8 are said, not searched; the sign they are shown with may be a name', () => {
    put('\ufffd');
    put('plain');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]), '');
    mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xc3])]));
    const { files, unnamed } = walk(root, { places: places() });
    expect(files).toEqual(['plain', '\ufffd']);
    expect(unnamed).toEqual(['x\ufffd', '\ufffd']);
  });

  test('a directory that cannot be read is passed over', () => {
    put('d/f');
    put('e');
    chmodSync(path.join(root, 'd'), 0);
    try {
      expect(ours()).toEqual(rg());
    } finally {
      chmodSync(path.join(root, 'd'), 0o755);
    }
    expect(walk(path.join(root, 'nowhere')).files).toEqual([]);
    expect(walk(path.join(root, 'e')).files).toEqual([]);
  });

  test('what lies deeper than a path can be long is passed over', () => {
    // built from the inside, because no path leads there
    const name = 'd'.repeat(100);
    let inner = path.join(top, 'inner');
    mkdirSync(inner);
    for (let i = 0; i < 60; i++) {
      const outer = path.join(top, `outer${i}`);
      mkdirSync(outer);
      renameSync(inner, path.join(outer, name));
      writeFileSync(path.join(outer, 'f'), '');
      inner = outer;
    }
    renameSync(inner, path.join(root, name));
    const files = ours();
    expect(files).toEqual(rg()!.slice(0, files.length));
    expect(files.length).toBeGreaterThan(30);
    spawnSync('rm', ['-rf', path.join(root, name)]);
  });

  test('the facts: stamps of directories, what was left out, rule files that are there and that are not', () => {
    put('.gitignore', '*.log\nout\n');
    put('.git/x');
    put('d/a.log');
    put('d/.h');
    put('out/deep/x');
    put('b');
    const { facts } = walk(root, { places: places() });
    expect(facts.directories.map((each) => each.path)).toEqual(['', 'd']);
    expect(facts.excluded).toEqual([
      { path: '.gitignore', directory: false },
      { path: 'd/.h', directory: false },
      { path: 'd/a.log', directory: false },
      { path: 'out', directory: true },
    ]);
    const rules = new Map(facts.rules.map((each) => [each.path, each.ctime]));
    expect(rules.get(path.join(root, '.gitignore'))).toBeGreaterThan(1);
    expect(rules.get(path.join(root, '.git'))).toBe(1);
    for (const absent of [
      path.join(root, '.git/info/exclude'),
      path.join(top, '.ignore'),
      '/.gitignore',
      path.join(home, '.gitconfig'),
    ]) {
      expect(rules.get(absent), absent).toBe(0);
    }
  });

  test('each directory is told as soon as it is read, and the walk can be ended', () => {
    put('a/b/c');
    put('d/e');
    const seen: string[] = [];
    walk(root, { places: places(), onDirectory: ({ directory }) => seen.push(directory) < 2 });
    expect(seen).toEqual(['', 'a']);
  });

  test('packages as they are installed', () => {
    root = path.join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', 'zod');
    const files = ours();
    expect(files.length).toBeGreaterThan(50);
    expect(files).toEqual(rg());
  });
});

describe('globs', () => {
  test.each([
    [['*.ts']],
    [['d/*.ts']],
    [['**/e/*']],
    [['d/**']],
    [['*.{ts,md}']],
    [['!*.ts']],
    [['!d']],
    [['*.ts', '!b.ts']],
    [['!b.ts', '*.ts']],
    [['!d', 'd/e/c.ts']],
    [['[ab].ts']],
    [['out']],
    [['out', '*.ts']],
    [['.h*']],
    [['*']],
    [['/a.ts']],
    [['d/']],
    [['']],
    [['#x']],
    [['node_modules/**', 'node_modules']],
    [['{a']],
    [['[a']],
    [['a\\']],
  ])('%j', (globs) => {
    for (const name of [
      'a.ts',
      'd/b.ts',
      'd/e/c.ts',
      'd/n.md',
      'out/x.ts',
      'out/.y',
      '.h',
      '.hd/z.ts',
      'node_modules/p/i.js',
    ])
      put(name);
    put('.ignore', 'out\nnode_modules/\n');
    const theirs = rg(globs);
    if (theirs === undefined)
      return expect(() => compileGlobs(globs)).toThrow(expect.objectContaining({ code: 'GLOB' }));
    expect(ours(globs)).toEqual(theirs);
    expect(oursByPaths(globs)).toEqual(theirs);
  });

  test('random globs over random trees', () => {
    for (let seed = 1; seed <= 25; seed++) {
      const pick = random(seed * 7919);
      growTree(pick, seed % 2 === 0);
      const globs = Array.from({ length: 1 + pick(2) }, () => randomLine(pick));
      const theirs = rg(globs);
      if (theirs === undefined) {
        expect(() => compileGlobs(globs), `seed ${seed}: ${JSON.stringify(globs)}`).toThrow(
          expect.objectContaining({ code: 'GLOB' }),
        );
      } else {
        expect(ours(globs), `seed ${seed}: ${JSON.stringify(globs)}`).toEqual(outsideGit(theirs));
        expect(oursByPaths(globs), `seed ${seed}: ${JSON.stringify(globs)}`).toEqual(outsideGit(theirs));
      }
      rmSync(top, { recursive: true });
      mkdirSync(root, { recursive: true });
      mkdirSync(home);
    }
  });
});
