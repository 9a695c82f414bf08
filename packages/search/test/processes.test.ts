// Several processes on one index, processes that are killed while they write it, and an index that is not what it was.
import {
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
  cpSync,
  chmodSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIndex, type Query } from '../src/index.ts';
import { differences } from './compare.ts';
import { type Program, start } from './program.ts';
import { pick, type Random, seeded } from './random.ts';
import { type Answer, linesOf } from './rg.ts';
import { realTrees, repository, temporary, write } from './trees.ts';

const KILLS = 50;
const FLIPS = 60;
const TIMEOUT = { timeout: 900_000 };
const QUERIES: readonly Query[] = [
  { pattern: 'ZodError' },
  { pattern: 'needle' },
  { pattern: 'return (null|undefined)' },
  { pattern: '[A-Z]+_[A-Z]+' },
  { pattern: '日本', ignoreCase: true },
];

let place: ReturnType<typeof temporary>;
let original: string;

beforeAll(() => {
  place = temporary('processes');
  chmodSync(place.folder, 0o755);
  const [zod, , sdk] = realTrees(path.join(place.folder, 'from'));
  original = path.join(place.folder, 'original');
  repository(original);
  for (const tree of [zod, sdk])
    cpSync(tree?.root as string, path.join(original, tree?.name as string), { recursive: true });
});
afterAll(() => place.remove());

/** A tree of its own, and the folder for its index. */
function ground(name: string): { root: string; cache: string } {
  const folder = path.join(place.folder, name);
  cpSync(original, path.join(folder, 'tree'), { recursive: true });
  return { root: path.join(folder, 'tree'), cache: path.join(folder, 'cache') };
}

const asked = async (root: string, query: Query): Promise<Answer> => linesOf([root], query);

/** Lines by file. */
const countsIn = (answer: Answer): Record<string, number> =>
  'lines' in answer ? Object.fromEntries([...answer.lines].map(([file, lines]) => [file, lines.length])) : {};

/** A new process's view, without building: what it answers is compared with ripgrep. */
async function wrongAfterStart(
  root: string,
  cache: string,
  queries: readonly Query[],
  by?: 'index',
): Promise<string[]> {
  const index = await openIndex(root, { cache, watch: false, build: 'never', threads: 1 });
  const wrong: string[] = [];
  for (const query of queries) wrong.push(...(await differences(index, query, await asked(root, query), { by })));
  await index.close();
  return wrong;
}

/** Runs `act` of a process and kills it at the `part`th of what it does, by the writes it has done or by the time it takes. */
async function killDuring(
  program: Program,
  cache: string,
  act: () => Promise<unknown>,
  { events, ms }: { events: number; ms: number },
  part: number,
  byEvents: boolean,
): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const done = act().catch(() => undefined);
  if (byEvents) {
    const reached = countEvents(cache, Math.ceil(events * part));
    await Promise.race([reached.reached, done]);
    reached.watcher.close();
  } else {
    await Promise.race([sleep(ms * part), done]);
  }
  await program.kill();
  await done;
}

function countEvents(folder: string, until: number): { reached: Promise<void>; watcher: FSWatcher; count(): number } {
  let count = 0;
  let tell = (): void => {};
  const reached = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const watcher = watch(folder, { recursive: true }, () => {
    count++;
    if (count >= until) tell();
  });
  watcher.on('error', () => tell());
  return { reached, watcher, count: () => count };
}

/** What an undisturbed run of `act` takes. */
async function measure(cache: string, act: () => Promise<unknown>): Promise<{ events: number; ms: number }> {
  mkdirSync(cache, { recursive: true });
  const counter = countEvents(cache, Infinity);
  const started = performance.now();
  await act();
  const ms = performance.now() - started;
  counter.watcher.close();
  return { events: Math.max(1, counter.count()), ms };
}

describe('kill -9', () => {
  it(
    `in the middle of a build, ${KILLS} times: the next start answers right, and in the end an index stands`,
    TIMEOUT,
    async () => {
      const { root, cache } = ground('kill-build');
      const measured = await (async () => {
        const program = await start(root, { cache: `${cache}-measured`, threads: 2 });
        const result = await measure(`${cache}-measured`, () => program.ask({ build: true }));
        await program.kill();
        return result;
      })();
      for (let i = 0; i < KILLS; i++) {
        const program = await start(root, { cache, threads: 2, watch: false });
        await killDuring(program, cache, () => program.ask({ build: true }), measured, (i + 1) / KILLS, i % 2 === 0);
        const queries = [QUERIES[i % QUERIES.length] as Query];
        expect(await wrongAfterStart(root, cache, queries)).toEqual([]);
      }
      const last = await start(root, { cache, threads: 2 });
      expect(await last.ask({ build: true })).toMatchObject({ index: 'ready' });
      await last.ask({ close: true });
      expect(await wrongAfterStart(root, cache, QUERIES, 'index')).toEqual([]);
    },
  );

  it(`in the middle of writing what changed, ${KILLS} times: the same`, TIMEOUT, async () => {
    const { root, cache } = ground('kill-flush');
    const random = seeded(31);
    const first = await start(root, { cache, threads: 2 });
    await first.ask({ build: true });
    change(root, random);
    const measured = await measure(cache, async () => {
      await first.ask({ search: { pattern: 'needle' } });
      await first.ask({ settle: true });
    });
    await first.kill();
    for (let i = 0; i < KILLS; i++) {
      const program = await start(root, { cache, threads: 2, watch: i % 4 > 1 });
      change(root, random);
      const flush = async (): Promise<void> => {
        await program.ask({ search: { pattern: 'needle' } });
        await program.ask({ settle: true });
      };
      await killDuring(program, cache, flush, measured, (i + 1) / KILLS, i % 2 === 0);
      expect(await wrongAfterStart(root, cache, [{ pattern: 'needle' }, QUERIES[i % QUERIES.length] as Query])).toEqual(
        [],
      );
    }
    const last = await start(root, { cache, threads: 2 });
    await last.ask({ build: true });
    await last.ask({ close: true });
    expect(await wrongAfterStart(root, cache, QUERIES, 'index')).toEqual([]);
  });
});

/** More files than are kept without a segment of their own. */
function change(root: string, random: Random): void {
  const folder = path.join(root, 'changing');
  for (let i = 0; i < 300; i++) {
    write(
      path.join(folder, `${i}.txt`),
      `${pick(random, ['needle', 'haystack'])} ${Math.floor(random() * 1e6)} ZodError\n`,
    );
  }
}

it('two processes search and write one tree and one index: both answer as ripgrep does', TIMEOUT, async () => {
  const { root, cache } = ground('two');
  const random = seeded(77);
  const two = await Promise.all([start(root, { cache, threads: 1 }), start(root, { cache, threads: 1, watch: false })]);
  for (let round = 0; round < 40; round++) {
    if (round % 10 === 0) await Promise.all(two.map((program) => program.ask({ build: true })));
    const building = round % 10 === 5 ? two.map((program) => program.ask({ build: true })) : [];
    if (round % 4 === 0) change(root, random);
    else write(path.join(root, 'zod', `new-${round % 3}.ts`), `needle ${round} ZodError\n`.repeat(round));
    const query = pick(random, QUERIES);
    const answers = await Promise.all(two.map((program) => program.ask({ search: query })));
    const wanted = await asked(root, query);
    const counts = countsIn(wanted);
    for (const answer of answers)
      expect({ round, files: answer.files, error: answer.error }).toEqual({ round, files: counts, error: undefined });
    for (const status of await Promise.all(building)) expect(status.error).toBeUndefined();
  }
  await Promise.all(two.map((program) => program.ask({ close: true })));
  expect(await wrongAfterStart(root, cache, QUERIES)).toEqual([]);
});

// What is opened hundreds of times over is opened in a plain process, which is faster than under the test runner.
describe('an index that is not what was written', () => {
  it(
    'a flipped byte anywhere leaves the answers right, and does not go unnoticed where it counts',
    TIMEOUT,
    async () => {
      const { root, cache } = ground('flip');
      const program = await start(root, { cache, threads: 1, watch: false });
      await program.ask({ build: true });
      change(root, seeded(1));
      await program.ask({ search: { pattern: 'needle' } });
      await program.ask({ settle: true });
      await program.ask({ close: true });
      const files = filesBelow(cache);
      expect(files.length).toBeGreaterThan(3);
      const wanted = await Promise.all(QUERIES.map((query) => asked(root, query)));
      const random = seeded(4242);
      const reader = await start(root, { cache, threads: 1, watch: false, build: 'never' });
      const wrong: string[] = [];
      let noticed = 0;
      for (const file of files) {
        const bytes = readFileSync(file);
        for (const at of positions(bytes.length, random)) {
          const flipped = Buffer.from(bytes);
          flipped[at] = (flipped[at] as number) ^ (1 << Math.floor(random() * 8));
          writeFileSync(file, flipped);
          const which = at % QUERIES.length;
          const told = await reader.ask({ once: QUERIES[which] as Query });
          if (told.error !== undefined || !isDeepStrictEqual(told.files, countsIn(wanted[which] as Answer))) {
            wrong.push(`${path.relative(cache, file)} byte ${at}: ${told.error ?? JSON.stringify(QUERIES[which])}`);
          }
          if (told.index !== 'ready' || told.reason !== undefined) noticed++;
          // a reader may clean up what it found damaged; the next byte is flipped in the whole index again
          writeFileSync(file, bytes);
        }
      }
      await reader.ask({ close: true });
      expect(wrong.slice(0, 20)).toEqual([]);
      expect(noticed).toBeGreaterThan(0);
      expect(await wrongAfterStart(root, cache, QUERIES, 'index')).toEqual([]);
    },
  );

  it.each(['cut short', 'empty', 'gone', 'longer', 'another file of the index'])(
    'a file that is %s',
    TIMEOUT,
    async (kind) => {
      const { root, cache } = ground(`not-${kind.replaceAll(' ', '-')}`);
      const program = await start(root, { cache, threads: 1, watch: false });
      await program.ask({ build: true });
      await program.ask({ close: true });
      const files = filesBelow(cache);
      const wanted = await Promise.all(QUERIES.map((query) => asked(root, query)));
      const reader = await start(root, { cache, threads: 1, watch: false, build: 'never' });
      for (const file of files) {
        const bytes = readFileSync(file);
        const other = readFileSync(files[(files.indexOf(file) + 1) % files.length] as string);
        const kinds: Record<string, Uint8Array> = {
          'cut short': bytes.subarray(0, bytes.length >> 1),
          empty: new Uint8Array(),
          longer: Buffer.concat([bytes, Buffer.from('more')]),
          'another file of the index': other,
        };
        if (kind === 'gone') rmSync(file);
        else writeFileSync(file, kinds[kind] as Uint8Array);
        for (const [which, query] of QUERIES.entries()) {
          const told = await reader.ask({ once: query });
          expect({ file, ...told }).toMatchObject({ file, files: countsIn(wanted[which] as Answer) });
        }
        writeFileSync(file, bytes);
      }
      await reader.ask({ close: true });
    },
  );

  it('is built anew where building is allowed', TIMEOUT, async () => {
    const { root, cache } = ground('anew');
    const program = await start(root, { cache, threads: 1, watch: false });
    await program.ask({ build: true });
    await program.ask({ close: true });
    // a lock that cannot be read is waited for until it is old
    for (const file of filesBelow(cache).filter((each) => !path.basename(each).startsWith('LOCK'))) {
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 255;
      writeFileSync(file, bytes);
    }
    const again = await start(root, { cache, threads: 1, watch: false });
    expect((await again.ask({ search: { pattern: 'ZodError' } })).error).toBeUndefined();
    expect(await again.ask({ build: true })).toMatchObject({ index: 'ready' });
    await again.ask({ close: true });
    expect(await wrongAfterStart(root, cache, QUERIES, 'index')).toEqual([]);
  });
});

describe('where no index can be written, answers come from a scan and the status says why', () => {
  const isRight = async (program: Program, root: string): Promise<void> => {
    for (const query of QUERIES.slice(0, 3)) {
      const { by, files } = await program.ask({ search: query });
      const wanted = await asked(root, query);
      const counts = countsIn(wanted);
      expect({ by, files }).toEqual({ by: 'scan', files: counts });
    }
    await program.ask({ build: true });
    const status = await program.ask({ build: true });
    expect(status.error).toBeDefined();
    const { index, reason } = await program.ask({ search: { pattern: 'x' } });
    expect(index).toBe('off');
    expect(reason).toMatch(/./);
    await program.ask({ close: true });
  };

  it('the cache folder is a file', TIMEOUT, async () => {
    const { root, cache } = ground('is-file');
    writeFileSync(cache, 'a file');
    await isRight(await start(root, { cache, threads: 1 }), root);
  });

  it('the cache folder is read-only', TIMEOUT, async () => {
    const { root, cache } = ground('read-only');
    mkdirSync(cache, { mode: 0o555 });
    await isRight(await start(root, { cache, threads: 1 }, { unprivileged: true }), root);
  });

  it('the disk is full: no file can grow beyond 64 KB', TIMEOUT, async () => {
    const { root, cache } = ground('full');
    await isRight(await start(root, { cache, threads: 1 }, { fileBlocks: 64 }), root);
  });
});

it('the cache folder keeps to its bound: the index used longest ago goes', TIMEOUT, async () => {
  const [one, two] = [ground('bound-one'), ground('bound-two')];
  const cache = path.join(place.folder, 'bound-cache');
  for (const { root } of [one, two]) {
    const index = await openIndex(root, { cache, threads: 1, cacheBytes: 3_000_000 });
    await index.build();
    expect(index.status().index).toBe('ready');
    await index.close();
  }
  const bytes = filesBelow(cache).reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeLessThanOrEqual(3_000_000);
  expect(await wrongAfterStart(two.root, cache, QUERIES, 'index')).toEqual([]);
  expect(await wrongAfterStart(one.root, cache, QUERIES)).toEqual([]);
});

it('what is written is for its user alone', TIMEOUT, async () => {
  const { root, cache } = ground('modes');
  const index = await openIndex(root, { cache, threads: 1 });
  await index.build();
  await index.close();
  for (const file of filesBelow(cache)) {
    expect(`${(statSync(file).mode & 0o777).toString(8)} ${file}`).toBe(`600 ${file}`);
    expect(`${(statSync(path.dirname(file)).mode & 0o777).toString(8)} ${file}`).toBe(`700 ${file}`);
  }
});

/** Spread over the file, with both of its ends. */
function positions(length: number, random: Random): number[] {
  if (length <= FLIPS) return Array.from({ length }, (_, i) => i);
  const out = new Set([0, 1, 7, length - 1, length - 5]);
  while (out.size < FLIPS) out.add(Math.floor(random() * length));
  return [...out];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
