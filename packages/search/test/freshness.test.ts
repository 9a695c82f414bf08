// An answer never misses a change made before the call: hundreds of steps of a seed, each followed by a query that ripgrep answers too.
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex, type Query, type SearchIndex } from '../src/index.ts';
import { differences } from './compare.ts';
import { between, pick, type Random, seeded } from './random.ts';
import { filesOf, linesOf } from './rg.ts';
import { repository, temporary, write } from './trees.ts';

const STEPS = 100;
const WORDS = ['needle', 'haystack', 'alpha', 'beta', 'Jürgen', 'kelvin', 'return'];
const QUERIES: readonly Query[] = [
  { pattern: 'needle' },
  { pattern: 'haystack|beta' },
  { pattern: 'NEEDLE', ignoreCase: true },
  { pattern: '^alpha' },
  { pattern: 'Jürgen' },
  { pattern: 'zz' },
  { pattern: '.' },
  { pattern: 'beta', globs: ['*.ts'] },
  { pattern: 'needle', globs: ['*.log'] },
];

interface World {
  readonly root: string;
  readonly random: Random;
}
type Step = (world: World) => Promise<string> | string;

/** What can happen to a tree; each step answers what it did. */
const STEPS_BY_NAME: Readonly<Record<string, Step>> = {
  change: (world) => onFile(world, (file) => writeFileSync(file, text(world.random))),
  append: (world) => onFile(world, (file) => writeFileSync(file, text(world.random), { flag: 'a' })),
  'change a byte, size and times as they were': (world) =>
    onFile(world, (file) => {
      const { atime, mtime } = statSync(file);
      const bytes = readFileSync(file);
      const at = bytes.indexOf('needle');
      if (at >= 0) bytes.write('beedle', at);
      else bytes.write('needle'.slice(0, bytes.length));
      writeFileSync(file, bytes);
      utimesSync(file, atime, mtime);
    }),
  'replace by rename, times as they were': (world) =>
    onFile(world, (file) => {
      const { atime, mtime } = statSync(file);
      writeFileSync(`${file}~`, readFileSync(file, 'utf8').replaceAll('alpha', 'omega'));
      utimesSync(`${file}~`, atime, mtime);
      renameSync(`${file}~`, file);
    }),
  empty: (world) => onFile(world, (file) => truncateSync(file)),
  'touch only': (world) => onFile(world, (file) => utimesSync(file, new Date(), new Date())),
  'touch back to 1970': (world) => onFile(world, (file) => utimesSync(file, 0, 0)),
  chmod: (world) => onFile(world, (file) => chmodSync(file, 0o600)),
  'make binary': (world) => onFile(world, (file) => writeFileSync(file, `needle\0${text(world.random)}`)),
  delete: (world) => onFile(world, (file) => rmSync(file)),
  rename: (world) => onFile(world, (file) => renameSync(file, fresh(world))),
  'hard link': (world) => onFile(world, (file) => linkSync(file, fresh(world))),
  'swap for a link': (world) =>
    onFile(world, (file) => {
      rmSync(file);
      symlinkSync('/etc/hostname', file);
    }),
  create: ({ root, random }) => {
    const file = fresh({ root, random });
    write(file, text(random));
    return file;
  },
  'create in a new deep folder': ({ root, random }) => {
    const file = path.join(root, `new${between(random, 0, 99)}`, 'x', `y${between(random, 0, 9)}`, 'file.ts');
    write(file, text(random));
    return file;
  },
  'create many': ({ root, random }) => {
    const folder = path.join(root, `many${between(random, 0, 3)}`);
    for (let i = 0; i < 60; i++) write(path.join(folder, `${i}.txt`), text(random));
    return folder;
  },
  'move a folder': async (world) =>
    onFolder(world, (folder) => renameSync(folder, `${folder}-${between(world.random, 0, 9999)}`)),
  'move a folder out and another in': async (world) =>
    onFolder(world, (folder) => {
      const outside = `${world.root}-outside-${between(world.random, 0, 99_999)}`;
      renameSync(folder, outside);
      writeFileSync(path.join(outside, 'while-away.txt'), 'needle while away\n');
      renameSync(outside, `${folder}-back`);
    }),
  'delete a folder': async (world) => onFolder(world, (folder) => rmSync(folder, { recursive: true })),
  'replace a folder by a file': async (world) =>
    onFolder(world, (folder) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, 'needle where a folder was\n');
    }),
  'write ignore rules': ({ root, random }) => {
    const name = pick(random, ['.gitignore', '.ignore', '.rgignore']);
    const file = path.join(root, pick(random, ['', '', 'd1', 'd2/e']), name);
    write(file, pick(random, ['*.log\n', 'd2/\n', '*.txt\n!a*.txt\n', '', 'd*/e\n', '# nothing\n', '/d1\n']));
    return `${file}: ${readFileSync(file, 'utf8')}`;
  },
  'remove ignore rules': ({ root, random }) => {
    const file = path.join(
      root,
      pick(random, ['', 'd1', 'd2/e']),
      pick(random, ['.gitignore', '.ignore', '.rgignore']),
    );
    rmSync(file, { force: true });
    return file;
  },
  'exclude for oneself': ({ root, random }) => {
    const file = path.join(root, '.git', 'info', 'exclude');
    const rules = pick(random, ['*.ts\n', '', 'd3\n']);
    if (!existsSync(path.dirname(file))) return 'no repository';
    writeFileSync(file, rules);
    return rules;
  },
  'no repository, then one': ({ root }) => {
    const [here, away] = [path.join(root, '.git'), path.join(root, '.hidden-git')];
    if (existsSync(here)) renameSync(here, away);
    else renameSync(away, here);
    return here;
  },
  nothing: () => '',
};

function plant(root: string, random: Random): void {
  repository(root);
  for (const folder of ['', 'd1', 'd2', 'd2/e', 'd3', 'd3/f/g']) {
    for (let i = 0; i < 8; i++)
      write(path.join(root, folder, `${pick(random, ['a', 'b'])}${i}${extension(random)}`), text(random));
  }
}

const extension = (random: Random): string => pick(random, ['.txt', '.ts', '.log', '']);
const fresh = ({ root, random }: World): string => {
  const folder = path.join(root, pick(random, ['', 'd1', 'd2', 'd3', 'd4']));
  // a step may have put a file where the folder was
  if (existsSync(folder) && !statSync(folder).isDirectory()) rmSync(folder);
  mkdirSync(folder, { recursive: true });
  return path.join(folder, `f${between(random, 0, 1e9)}${extension(random)}`);
};

function text(random: Random): string {
  return Array.from({ length: between(random, 1, 30) }, () =>
    Array.from({ length: between(random, 1, 4) }, () => pick(random, WORDS)).join(' '),
  ).join('\n');
}

async function onFile(world: World, act: (file: string) => void): Promise<string> {
  const files = await filesOf(world.root);
  if (files.length === 0) return 'no file left';
  const file = pick(world.random, files);
  act(file);
  return file;
}

async function onFolder(world: World, act: (folder: string) => void): Promise<string> {
  const folders = [...new Set((await filesOf(world.root)).map((file) => path.dirname(file)))].filter(
    (each) => each !== world.root,
  );
  if (folders.length === 0) return 'no folder left';
  const folder = pick(world.random, folders);
  act(folder);
  return folder;
}

/** The engine's answers against ripgrep's, which are asked for after the engine's: nothing changes in between. */
async function wrongAnswers(index: SearchIndex, { root, random }: World): Promise<string[]> {
  const query = pick(random, QUERIES);
  return differences(index, query, await linesOf([root], query));
}

describe.each([
  { name: 'with watchers', options: { watch: true } },
  { name: 'with a sweep before each search', options: { watch: false } },
  { name: 'without an index, with watchers', options: { watch: true, cache: false as const } },
  { name: 'without an index or watchers', options: { watch: false, cache: false as const } },
])('never stale: $name', ({ options }) => {
  it.each([11])(`seed %i: every one of ${STEPS} steps is seen at once`, { timeout: 600_000 }, async (seed) => {
    const place = temporary('fresh');
    const world: World = { root: path.join(place.folder, 'tree'), random: seeded(seed) };
    plant(world.root, world.random);
    const index = await openIndex(world.root, { cache: path.join(place.folder, 'cache'), threads: 1, ...options });
    try {
      if (!('cache' in options)) await index.build();
      const log: string[] = [];
      for (let step = 0; step < STEPS; step++) {
        const name = pick(world.random, Object.keys(STEPS_BY_NAME));
        log.push(`${step}: ${name} ${await (STEPS_BY_NAME[name] as Step)(world)}`);
        if (step % 40 === 39 && !('cache' in options)) await index.build();
        const wrong = await wrongAnswers(index, world);
        expect({ wrong, after: wrong.length > 0 ? log.slice(-8) : [] }).toEqual({ wrong: [], after: [] });
      }
    } finally {
      await index.close();
      place.remove();
    }
  });

  it(
    'changes during a query: the query sees a file before or after, the next one sees it after',
    { timeout: 600_000 },
    async () => {
      const place = temporary('during');
      const root = path.join(place.folder, 'tree');
      const random = seeded(7);
      plant(root, random);
      const index = await openIndex(root, { cache: path.join(place.folder, 'cache'), threads: 1, ...options });
      try {
        if (!('cache' in options)) await index.build();
        const file = path.join(root, 'd1', 'turning.txt');
        for (let round = 0; round < 60; round++) {
          writeFileSync(file, 'needle\n'.repeat(round));
          const running = index.search({ pattern: 'needle' });
          if (round % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
          writeFileSync(file, 'needle\n'.repeat(round + 1));
          const count = (await running).files.find((each) => each.file === file)?.count ?? 0;
          // a write truncates first: nothing at all may be read in between
          expect([0, round, round + 1]).toContain(count);
          const after = await index.search({ pattern: 'needle' });
          expect(after.files.find((each) => each.file === file)?.count).toBe(round + 1);
        }
      } finally {
        await index.close();
        place.remove();
      }
    },
  );
});

it('what changed while no one looked is seen by the next process on the same index', { timeout: 600_000 }, async () => {
  const place = temporary('away');
  const world: World = { root: path.join(place.folder, 'tree'), random: seeded(99) };
  plant(world.root, world.random);
  try {
    for (let round = 0; round < 12; round++) {
      const index = await openIndex(world.root, {
        cache: path.join(place.folder, 'cache'),
        threads: 1,
        watch: round % 2 === 0,
      });
      for (let i = 0; i < 3; i++) expect(await wrongAnswers(index, world)).toEqual([]);
      if (round % 4 === 0) await index.build();
      await index.close();
      for (let i = 0; i < 10; i++) await (STEPS_BY_NAME[pick(world.random, Object.keys(STEPS_BY_NAME))] as Step)(world);
    }
  } finally {
    place.remove();
  }
});

it('a burst of changes that overflows the queue of events is seen', { timeout: 600_000 }, async () => {
  const place = temporary('burst');
  const root = path.join(place.folder, 'tree');
  plant(root, seeded(5));
  const index = await openIndex(root, { cache: path.join(place.folder, 'cache'), threads: 1 });
  try {
    await index.build();
    await index.search({ pattern: 'needle' });
    const spin = path.join(root, 'spin.txt');
    // each pair is several events, and the loop does not turn: more than the kernel keeps
    for (let i = 0; i < 9000; i++) {
      writeFileSync(spin, '');
      rmSync(spin);
    }
    write(path.join(root, 'd3', 'after-the-burst.txt'), 'needle after the burst\n');
    const found = await index.search({ pattern: 'after the burst' });
    expect(found.files.map(({ file }) => path.basename(file))).toEqual(['after-the-burst.txt']);
  } finally {
    await index.close();
    place.remove();
  }
});
