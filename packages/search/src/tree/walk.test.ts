// The walk lists what `rg --files` lists: hand-made hostile rules, random rules over random trees, real packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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
  test('random rule files over random trees', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const pick = random(seed);
      growTree(pick, true);
      expect(ours(), `seed ${seed}`).toEqual(outsideGit(rg()!));
      rmSync(top, { recursive: true });
      mkdirSync(root, { recursive: true });
      mkdirSync(home);
    }
  });
});

describe('globs', () => {
  test('random globs over random trees', () => {
    for (let seed = 1; seed <= 40; seed++) {
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
