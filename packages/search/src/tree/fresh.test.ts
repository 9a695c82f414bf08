// Freshness with real files: whatever was done to the tree before `sync` is in the overlay, by watchers and by sweeps.
import {
  chmodSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Generation, Segment } from '../store/types.ts';
import { lstatOf } from './disk.ts';
import { createFreshness, type FreshnessOptions } from './fresh.ts';
import { findPath, hasBit, makeBits, makeFileTable, pathOf, putBit, sortPaths } from './table.ts';
import { type Freshness, NEVER_INDEXED, type Overlay } from './types.ts';
import { walk, type Walked } from './walk.ts';
import type { WatchFunction } from './watch.ts';

let top: string;
let root: string;
let cookies: string;
let opened: Freshness[] = [];
beforeEach(() => {
  top = mkdtempSync(path.join(realpathSync(tmpdir()), 'fresh-'));
  root = path.join(top, 'root');
  cookies = path.join(top, 'cookies');
  mkdirSync(root);
  mkdirSync(cookies);
});
afterEach(() => {
  for (const each of opened) each.close();
  opened = [];
  rmSync(top, { recursive: true, force: true });
});

const at = (name: string): string => path.join(root, name);
function put(name: string, text = 'x\n'): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}
const places = (): { home: string; config: string } => ({ home: top, config: path.join(top, '.config') });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function segment(name: string, paths: readonly string[]): Segment {
  const stats = paths.map((each) => {
    const stat = lstatOf(at(each))!;
    return { ctime: stat.ctimeMs, size: stat.size, ino: stat.ino };
  });
  const docs = { count: 0, file: new Uint32Array(), offset: new Uint32Array(), length: new Uint32Array() };
  return { name, files: makeFileTable(paths, stats), docs, candidates: () => undefined, close: () => {} };
}

/** A generation that knows the tree as it is, and was begun long after its last change. */
async function generation(split: (path: string) => number = () => 0): Promise<Generation> {
  // past the tick of the file system's clock
  await pause(20);
  const walked: Walked = walk(root, { places: places() });
  const parts = [...new Set([0, ...walked.files.map(split)])].sort();
  const segments = parts.map((part) =>
    segment(
      `s${part}`,
      walked.files.filter((each) => split(each) === part),
    ),
  );
  return {
    number: 1,
    segments,
    dead: segments.map(({ files }) => makeBits(files.count)),
    facts: { ...walked.facts, startedAt: Date.now() + 10_000 },
    builtAt: new Date(),
    bytes: 0,
    close: () => {},
  };
}

async function open(known: Generation | undefined, options: Partial<FreshnessOptions> = {}): Promise<Freshness> {
  const fresh = await createFreshness({
    root,
    generation: known,
    watch: true,
    threads: 0,
    cookieFolder: cookies,
    places: places(),
    ...options,
  });
  opened.push(fresh);
  return fresh;
}

async function untilWatching(fresh: Freshness): Promise<void> {
  for (let i = 0; fresh.mode !== 'watch' && i < 500; i++) await pause(10);
  expect(fresh.mode).toBe('watch');
}

/** The files an overlay says there are, each with whether it is taken from the index as it is. */
function filesOf(known: Generation | undefined, overlay: Overlay): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const [i, { files: table }] of (known?.segments ?? []).entries()) {
    for (let file = 0; file < table.count; file++) {
      if (hasBit(overlay.gone[i]!, file)) continue;
      const name = pathOf(table, file);
      expect(found.has(name), `${name} is in one segment only`).toBe(false);
      found.set(name, !hasBit(overlay.changed[i]!, file));
    }
  }
  for (const each of overlay.added) {
    expect(found.has(each), `${each} is not added and indexed`).toBe(false);
    found.set(each, false);
  }
  return found;
}

/** The overlay is the tree of now, and the index is trusted for nothing that differs. */
function check(known: Generation | undefined, overlay: Overlay, what = ''): Map<string, boolean> {
  const found = filesOf(known, overlay);
  const { files: paths, facts } = walk(root, { places: places() });
  expect(sortPaths([...found.keys()]), what).toEqual(paths);
  expect(overlay.added, what).toEqual(sortPaths([...overlay.added]));
  expect(overlay.excluded, what).toEqual(facts.excluded);
  for (const [name, indexed] of found) {
    if (!indexed) continue;
    const { segments, dead } = known!;
    const holder = segments.findLastIndex((each, i) => {
      const file = findPath(each.files, name);
      return file !== -1 && !hasBit(dead[i]!, file);
    });
    const table = segments[holder]!.files;
    const file = findPath(table, name);
    const stat = statSync(at(name));
    expect([table.ctime[file], table.size[file], table.ino[file]], `${what} ${name}`).toEqual([
      stat.ctimeMs,
      stat.size,
      stat.ino,
    ]);
  }
  return found;
}

function plant(): void {
  for (const name of [
    'a.txt',
    'b.txt',
    'd/a',
    'd/b',
    'd/e/f/g',
    'd/e/h',
    'd-x',
    'd.x/y',
    'k/l',
    'z',
    '.hidden',
    'o/.h/x',
    'é/ü',
    '😀/\uffee',
    '\uffee',
  ])
    put(name);
  mkdirSync(at('.git/info'), { recursive: true });
  put('.gitignore', '*.log\nout/\n');
  put('x.log');
  put('out/x');
  put('d/.ignore', '*.no\n');
  put('d/e/x.no');
}

/** What may happen to a tree; each is followed by a `sync`. */
const STEPS: readonly [string, () => void, ('same' | 'other')?][] = [
  ['nothing', () => {}, 'same'],
  ['a file is made', () => put('d/new')],
  ['a file is written', () => put('d/a', 'other\n')],
  ['a file is written again', () => put('d/a', 'third\n')],
  [
    'the same size and time as before',
    () => {
      const { atime, mtime, size } = statSync(at('b.txt'));
      put('b.txt', 'y'.repeat(size));
      utimesSync(at('b.txt'), atime, mtime);
    },
  ],
  ['an added file is written', () => put('d/new', 'more\n')],
  ['a file is renamed', () => renameSync(at('d/b'), at('k/moved'))],
  ['and back', () => renameSync(at('k/moved'), at('d/b'))],
  ['one takes the place of another', () => renameSync(at('d/e/h'), at('z'))],
  ['a file is removed', () => unlinkSync(at('a.txt'))],
  ['a directory is made, and one in it, with files', () => put('n/m/o/p')],
  ['a directory moves', () => renameSync(at('d/e'), at('k/e'))],
  ['something in it changes', () => put('k/e/f/g', 'changed\n')],
  ['and it moves back', () => renameSync(at('k/e'), at('d/e'))],
  ['something in it changes there', () => put('d/e/f/g', 'changed again\n')],
  ['a directory goes and a file comes', () => (rmSync(at('n'), { recursive: true }), put('n'))],
  ['and the reverse', () => (unlinkSync(at('n')), put('n/again'))],
  ['a directory is removed and made again', () => (rmSync(at('k'), { recursive: true }), put('k/l', 'new\n'))],
  ['which is then written to', () => put('k/l', 'newer\n')],
  ['a link takes the place of a file', () => (unlinkSync(at('d-x')), symlinkSync('z', at('d-x')))],
  ['and a file that of the link', () => (unlinkSync(at('d-x')), put('d-x'))],
  ['an ignored file is made', () => put('d/y.log')],
  ['an ignored directory is made', () => put('d/out/q')],
  ['a hidden one', () => put('d/.h/q')],
  ['an ignore file changes', () => put('.gitignore', '*.txt\n')],
  ['one comes in a directory', () => put('d/.rgignore', 'b\n')],
  ['it goes', () => unlinkSync(at('d/.rgignore'))],
  ['the exclude file comes', () => put('.git/info/exclude', 'z\n')],
  ['it goes again', () => unlinkSync(at('.git/info/exclude'))],
  ['an ignore file above', () => writeFileSync(path.join(top, '.ignore'), 'é\n')],
  ['another text in it', () => writeFileSync(path.join(top, '.ignore'), '/root/d.x\n')],
  ['no more', () => unlinkSync(path.join(top, '.ignore'))],
  [
    'the user has rules',
    () => (
      mkdirSync(path.join(top, '.config/git'), { recursive: true }),
      writeFileSync(path.join(top, '.config/git/ignore'), 'l\n')
    ),
  ],
  ['a repository inside', () => mkdirSync(at('d/.git'))],
  ['no repository', () => rmSync(at('.git'), { recursive: true })],
  ['many at once', () => Array.from({ length: 300 }, (_, i) => put(`many/${i % 7}/${i}`))],
  ['and all away', () => rmSync(at('many'), { recursive: true })],
  ['permissions of a file', () => chmodSync(at('z'), 0o600)],
  ['none on a directory', () => chmodSync(at('d/e'), 0)],
  ['and again some', () => chmodSync(at('d/e'), 0o755)],
  ['all but the root', () => (rmSync(root, { recursive: true }), mkdirSync(root))],
  ['a new tree in its place', () => plant()],
];

describe.each([
  ['watch', { watch: true }],
  ['sweep', { watch: false }],
  ['sweep in threads', { watch: false, threads: 2 }],
  ['sweep with the caller', { watch: false, threads: 2, shareMain: true }],
] as const)('%s', (_, options) => {
  test('every step is seen', async () => {
    plant();
    for (let i = 0; options.watch === false && i < 600; i++) put(`bulk/${i}`);
    const known = await generation((name) => (name.startsWith('d/') ? 1 : 0));
    const fresh = await open(known, options);
    check(known, await fresh.sync());
    if (options.watch) await untilWatching(fresh);
    let epoch = (await fresh.sync()).epoch;
    for (const [name, step, effect] of STEPS) {
      step();
      const overlay = await fresh.sync();
      check(known, overlay, name);
      if (effect === 'same') expect(overlay.epoch, name).toBe(epoch);
      else expect(overlay.epoch, name).toBeGreaterThan(epoch);
      ({ epoch } = overlay);
    }
  }, 60_000);

  test('without a generation all is added', async () => {
    plant();
    const fresh = await open(undefined, options);
    expect((await fresh.sync()).added).toEqual(walk(root, { places: places() }).files);
    put('d/more');
    unlinkSync(at('z'));
    check(undefined, await fresh.sync());
  });

  test('changes made at the last moment are never missed', async () => {
    plant();
    const known = await generation();
    const fresh = await open(known, options);
    if (options.watch) await untilWatching(fresh);
    for (let i = 0; i < 200; i++) {
      const before = (await fresh.sync()).epoch;
      const name = ['d/a', 'd/e/f/g', `k/n${i % 5}`, `new${i % 3}/f`][i % 4]!;
      if (i % 9 === 8) rmSync(at(name), { force: true });
      else put(name, `${i}\n`);
      const overlay = await fresh.sync();
      expect(overlay.epoch, `${i} ${name}`).toBeGreaterThan(before);
      expect(filesOf(known, overlay).get(name), `${i} ${name}`).toBe(i % 9 === 8 ? undefined : false);
    }
  }, 60_000);

  test('a root that is gone is said so, and its return is noticed', async () => {
    plant();
    const known = await generation();
    const fresh = await open(known, options);
    if (options.watch) await untilWatching(fresh);
    await fresh.sync();
    renameSync(root, path.join(top, 'elsewhere'));
    await expect(fresh.sync()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    mkdirSync(root);
    put('other');
    check(known, await fresh.sync());
    rmSync(root, { recursive: true });
    renameSync(path.join(top, 'elsewhere'), root);
    put('d/a', 'once more\n');
    check(known, await fresh.sync());
  });
});

test('a file lives in the newest segment that has it and is not dead there', async () => {
  plant();
  const known = await generation();
  const later = segment('later', ['d/a', 'z']);
  const dead = makeBits(known.segments[0]!.files.count);
  for (const each of ['d/a', 'z']) putBit(dead, findPath(known.segments[0]!.files, each), true);
  const two: Generation = { ...known, segments: [known.segments[0]!, later], dead: [dead, makeBits(2)] };
  const fresh = await open(two, { watch: false });
  check(two, await fresh.sync());
  put('d/a', 'changed\n');
  unlinkSync(at('z'));
  const overlay = await fresh.sync();
  check(two, overlay);
  expect([hasBit(overlay.changed[1]!, 0), hasBit(overlay.gone[1]!, 1)]).toEqual([true, true]);
});

test('an event queue that ran over is noticed, by the many events or by the fence that does not come', async () => {
  plant();
  const known = await generation();
  const fresh = await open(known);
  await untilWatching(fresh);
  await fresh.sync();
  for (let i = 0; i < 10_000; i++) {
    const file = at(`k/${i}`);
    writeFileSync(file, '');
    unlinkSync(file);
  }
  put('d/e/f/g', 'lost\n');
  put('d/e/f/also', 'lost\n');
  check(known, await fresh.sync());
  put('d/e/f/g', 'not lost\n');
  const { epoch } = await fresh.sync();
  put('d/e/f/g', 'nor this\n');
  const overlay = await fresh.sync();
  check(known, overlay);
  expect(overlay.epoch).toBeGreaterThan(epoch);
}, 60_000);

test('where there is no room for watchers everything is looked at', async () => {
  plant();
  const known = await generation();
  let count = 0;
  const few: WatchFunction = (...args): FSWatcher => {
    if (++count > 4) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return watch(...args);
  };
  const fresh = await open(known, { watchFunction: few });
  await fresh.sync();
  put('d/a', 'changed\n');
  check(known, await fresh.sync());
  put('n/e/w');
  check(known, await fresh.sync());
  expect(fresh.mode).toBe('sweep');
});

test('room that runs out later ends the watching', async () => {
  plant();
  const known = await generation();
  let full = false;
  const limited: WatchFunction = (...args): FSWatcher => {
    if (full) throw Object.assign(new Error('too many'), { code: 'EMFILE' });
    return watch(...args);
  };
  const fresh = await open(known, { watchFunction: limited });
  await untilWatching(fresh);
  full = true;
  put('n/e/w');
  check(known, await fresh.sync());
  put('n/e/w', 'changed\n');
  put('n/e/v/x');
  check(known, await fresh.sync());
  expect(fresh.mode).toBe('sweep');
});

test('what a verifier saw is kept', async () => {
  plant();
  const known = await generation();
  const fresh = await open(known, { watch: false });
  const { epoch } = await fresh.sync();
  const file = findPath(known.segments[0]!.files, 'd/a');
  fresh.noteChanged(0, file);
  const overlay = await fresh.sync();
  expect([overlay.epoch > epoch, hasBit(overlay.changed[0]!, file), fresh.dirty]).toEqual([true, true, 1]);
});

test('does not count what no index can say anything of as worth indexing', async () => {
  put('noise', 'x');
  put('text', 'y');
  const known = await generation();
  const { files } = known.segments[0]!;
  files.ctime[findPath(files, 'noise')] = NEVER_INDEXED;
  const fresh = await open(known, { watch: false });
  expect(filesOf(known, await fresh.sync()).get('noise')).toBe(false);
  expect(fresh.dirty).toBe(0);
  put('noise', 'now another');
  await fresh.sync();
  expect(fresh.dirty).toBe(1);
});

test('an overlay that was given out does not change, and is the same while the tree is', async () => {
  plant();
  const known = await generation();
  const fresh = await open(known, { watch: false });
  const first = await fresh.sync();
  expect(await fresh.sync()).toBe(first);
  unlinkSync(at('z'));
  await fresh.sync();
  expect(hasBit(first.gone[0]!, findPath(known.segments[0]!.files, 'z'))).toBe(false);
});

test('the facts are those of a walk', async () => {
  plant();
  const known = await generation();
  const fresh = await open(known);
  await untilWatching(fresh);
  put('q/.r/s');
  put('q/t.log');
  await fresh.sync();
  const { facts } = walk(root, { places: places() });
  const ours = fresh.facts();
  expect(ours.directories.map((each) => each.path)).toEqual(facts.directories.map((each) => each.path));
  expect(ours.excluded).toEqual(facts.excluded);
  expect(new Set(ours.rules.map((each) => each.path))).toEqual(new Set(facts.rules.map((each) => each.path)));
});

test('a signal and closing end the wait', async () => {
  plant();
  const fresh = await open(await generation(), { watch: false });
  const stop = new AbortController();
  const waiting = fresh.sync(stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(fresh.sync(stop.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  fresh.close();
  await expect(fresh.sync()).rejects.toMatchObject({ code: 'CLOSED' });
});

test('calls at the same time share the work, and each sees what came before it', async () => {
  plant();
  const known = await generation();
  const fresh = await open(known);
  await untilWatching(fresh);
  const calls = Array.from({ length: 50 }, (_, i) => {
    put(`c${i}`);
    return fresh.sync().then((overlay) => expect(overlay.added).toContain(`c${i}`));
  });
  await Promise.all(calls);
});
