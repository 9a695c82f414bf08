// A generation is the old one or the new one, whatever is killed, damaged or foreign; what is out of use goes away.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configHash, openCurrent, publish, segmentName } from './generation.ts';
import type { Origin } from './generation.ts';
import { takeLock } from './lock.ts';
import { prune } from './prune.ts';
import { deltas } from './random.ts';
import { writeSegment } from './segment.ts';
import { ShardWriter } from './shard.ts';
import { makeFileTable } from '../tree/table.ts';
import type { TreeFacts } from '../tree/types.ts';

let folder = '';
let root = '';
let origin: Origin;
beforeEach(() => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hanzo-generation-')));
  folder = join(home, 'index');
  root = join(home, 'root');
  mkdirSync(folder);
  mkdirSync(root);
  origin = { root, config: configHash({ rules: 1, maxFileBytes: 100 }) };
});
afterEach(() => rmSync(dirname(folder), { recursive: true, force: true }));

const FACTS: TreeFacts = {
  directories: [
    { path: '', ctime: 1.5, ino: 2 },
    { path: 'naïve/日', ctime: 3.25, ino: 2 ** 52 },
  ],
  excluded: [
    { path: '.git', directory: true },
    { path: 'a.o', directory: false },
  ],
  rules: [{ path: '/home/.gitignore', ctime: 0, ino: 0 }],
  startedAt: 1_700_000_000_000.5,
};

/** One file `f` that holds the gram. */
function makeSegment(gram = 0x616263): string {
  const name = segmentName();
  mkdirSync(join(folder, name));
  const writer = new ShardWriter(join(folder, name, 's0.idx'));
  writer.put(gram, deltas([0]), false);
  writer.finish(1);
  const docs = { count: 1, file: Uint32Array.of(0), offset: Uint32Array.of(0), length: Uint32Array.of(3) };
  writeSegment(folder, name, { files: makeFileTable(['f']), docs, shards: [{ file: 's0.idx', firstDoc: 0, docs: 1 }] });
  return name;
}

const publishOne = (segments: string[] = [makeSegment()], facts = FACTS): number =>
  publish(folder, { ...origin, segments, dead: segments.map(() => Uint32Array.of(1)), facts });

function whyNot(as: Origin = origin): string {
  let reason = '';
  const generation = openCurrent(folder, as, (text) => (reason = text));
  generation?.close();
  return generation ? 'opened' : reason;
}

describe('a generation', () => {
  it('gives back what was published', () => {
    expect(whyNot()).toBe('there is no index yet');
    const segments = [makeSegment(), makeSegment(5)];
    expect(publishOne(segments)).toBe(1);
    const generation = openCurrent(folder, origin)!;
    expect(generation.number).toBe(1);
    expect(generation.facts).toEqual(FACTS);
    expect(generation.dead).toEqual([Uint32Array.of(1), Uint32Array.of(1)]);
    expect(generation.segments.map(({ name }) => name)).toEqual(segments);
    expect(generation.segments[1]!.candidates({ kind: 'gram', gram: 5 }, false)).toEqual(Uint32Array.of(1));
    const size = (path: string): number => readFileSync(join(folder, path)).length;
    const files = [...segments.flatMap((name) => [`${name}/segment.bin`, `${name}/s0.idx`]), 'gen-1.bin'];
    expect(generation.bytes).toBe(files.reduce((sum, file) => sum + size(file), 0));
    expect(Math.abs(Date.now() - generation.builtAt.getTime())).toBeLessThan(3_600_000);
    generation.close();
    expect(publishOne()).toBe(2);
    expect(publishOne([], { directories: [], excluded: [], rules: [], startedAt: 0 })).toBe(3);
    const none = openCurrent(folder, origin)!;
    expect(none.facts).toEqual({ directories: [], excluded: [], rules: [], startedAt: 0 });
    none.close();
  });

  it('keeps paths that are no well-formed Unicode, and empty ones', () => {
    const odd = {
      ...FACTS,
      excluded: [
        { path: 'a\ud800', directory: true },
        { path: 'b', directory: false },
      ],
    };
    publishOne([makeSegment()], odd);
    const generation = openCurrent(folder, origin)!;
    expect(generation.facts).toEqual(odd);
    generation.close();
  });

  it('is not used for another root or with other settings', () => {
    publishOne();
    expect(whyNot({ ...origin, config: configHash({ rules: 2, maxFileBytes: 100 }) })).toMatch('other settings');
    expect(whyNot({ ...origin, root: folder })).toMatch(`is of ${root}`);
    rmSync(root, { recursive: true });
    expect(whyNot()).toMatch('cannot be looked at (ENOENT)');
    // a new folder gets another inode only while the old one is held
    mkdirSync(`${root}2`);
    mkdirSync(`${root}3`);
    mkdirSync(root);
    expect(['opened', 'of another folder'].some((text) => whyNot().includes(text))).toBe(true);
    expect(configHash({ a: 1, b: undefined })).toBe(configHash({ b: undefined, a: 1 }));
    expect(configHash({ a: 1 })).not.toBe(configHash({ a: '1' }));
  });

  it('is not opened when any byte of CURRENT or of the manifest is wrong, and says so', () => {
    publishOne();
    for (const name of ['CURRENT', 'gen-1.bin']) {
      const file = join(folder, name);
      const right = readFileSync(file);
      for (let at = 0; at < right.length; at++) {
        const wrong = Uint8Array.from(right);
        wrong[at]! ^= 1 << (at % 8);
        writeFileSync(file, wrong);
        const reason = whyNot();
        if (reason === 'opened' || reason === '') expect.fail(`${name}, byte ${at}: ${reason}`);
      }
      for (const length of [0, 1, right.length - 1]) {
        writeFileSync(file, right.subarray(0, length));
        expect(whyNot()).not.toBe('opened');
      }
      for (const garbage of ['', '\0'.repeat(300), '1 0 0\n', `${'9'.repeat(40)}\n`, '{}', right.toString('hex')]) {
        writeFileSync(file, garbage);
        expect(whyNot()).not.toBe('opened');
      }
      rmSync(file);
      expect(whyNot()).not.toBe('opened');
      writeFileSync(file, right);
      expect(whyNot()).toBe('opened');
    }
  });

  it('is not opened with a segment that is missing, cut or of another build', () => {
    const name = makeSegment();
    publishOne([name]);
    const file = join(folder, name, 's0.idx');
    const right = readFileSync(file);
    writeFileSync(file, right.subarray(0, right.length - 1));
    expect(whyNot()).toMatch('not as long');
    rmSync(file);
    expect(whyNot()).toMatch('cannot be opened (ENOENT)');
    rmSync(join(folder, name), { recursive: true });
    expect(whyNot()).toMatch('cannot be opened');
    expect(() => publishOne(['seg-none'])).toThrow('cannot be opened');
    expect(() => publish(folder, { ...origin, segments: [makeSegment()], dead: [], facts: FACTS })).toThrow('1 words');
  });

  it('is not published by one who has lost the lock', () => {
    const lock = takeLock(folder)!;
    publishOne();
    writeFileSync(join(folder, 'LOCK-2'), 'someone else');
    const next = { ...origin, segments: [makeSegment()], dead: [Uint32Array.of(0)], facts: FACTS, lock };
    expect(() => publish(folder, next)).toThrow('another process has taken the lock');
    const generation = openCurrent(folder, origin)!;
    expect(generation.number).toBe(1);
    generation.close();
    lock.release();
    expect(publishOne()).toBe(3);
  });

  it('goes away when two newer ones are there and it is older than ten minutes, its segments with it', () => {
    const shared = makeSegment();
    const first = makeSegment();
    publishOne([shared, first]);
    const open = openCurrent(folder, origin)!;
    publishOne([shared, makeSegment()]);
    publishOne([shared, makeSegment()]);
    writeFileSync(join(folder, 'notes.txt'), 'not ours');
    prune(folder, 'old');
    expect(existsSync(join(folder, first))).toBe(true);
    const old = new Date(Date.now() - 11 * 60_000);
    for (const number of [1, 2, 3]) utimesSync(join(folder, `gen-${number}.bin`), old, old);
    const unnamed = makeSegment();
    prune(folder, 'old');
    expect([first, shared, unnamed].map((name) => existsSync(join(folder, name)))).toEqual([false, true, true]);
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith('gen-'))
        .sort(),
    ).toEqual(['gen-2.bin', 'gen-3.bin']);
    // what is open still answers
    if (process.platform !== 'win32') {
      expect(open.segments[1]!.candidates({ kind: 'gram', gram: 0x616263 }, false)).toEqual(Uint32Array.of(1));
    }
    open.close();
    expect(whyNot()).toBe('opened');
    expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
  });

  it('is cleared of what killed builds left, by the next who takes the lock', () => {
    const name = makeSegment();
    publishOne([name]);
    const left = ['seg-x.tmp', makeSegment(), 'gen-2.bin.77.tmp', 'CURRENT.77.tmp'];
    mkdirSync(join(folder, 'seg-x.tmp'));
    for (const file of left.slice(2)) writeFileSync(join(folder, file), 'x');
    takeLock(folder)!.release();
    expect(left.filter((file) => existsSync(join(folder, file)))).toEqual([]);
    expect(whyNot()).toBe('opened');
  });

  it('is the old one or the new one when publishing is killed, fifty times', async () => {
    publishOne();
    const script = join(dirname(folder), 'publish.mts');
    const here = dirname(fileURLToPath(import.meta.url));
    writeFileSync(
      script,
      `import { publish, openCurrent } from ${JSON.stringify(join(here, 'generation.ts'))};
       const folder = ${JSON.stringify(folder)}, origin = ${JSON.stringify(origin)}, facts = ${JSON.stringify(FACTS)};
       process.stdout.write('.');
       for (;;) {
         const { segments, close } = openCurrent(folder, origin);
         publish(folder, { ...origin, segments: segments.map(({ name }) => name), dead: [Uint32Array.of(1)], facts });
         close();
       }`,
    );
    let last = 1;
    const run = async (wait: number): Promise<void> => {
      const child = spawn(process.execPath, ['--conditions=hanzo-source', '--no-warnings', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGKILL');
      await once(child, 'close');
    };
    // two at once, so that writers also meet
    for (let round = 0; round < 25; round++) {
      await Promise.all([run(round), run((round * 7) % 20)]);
      const generation = openCurrent(folder, origin, (reason) => expect.fail(reason))!;
      expect(generation.number).toBeGreaterThanOrEqual(last);
      expect(generation.facts).toEqual(FACTS);
      last = generation.number;
      generation.close();
    }
    expect(last).toBeGreaterThan(1);
    takeLock(folder)!.release();
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  }, 300_000);
});
