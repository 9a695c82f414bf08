// The engine gives ripgrep's lines: every pattern on every tree, by an index and by a scan, and its spans and texts.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIndex, type Query, type SearchIndex } from '../src/index.ts';
import { differences } from './compare.ts';
import { DIFFERENCES, FILE_DIFFERENCES, isIntended } from './differences.ts';
import { DOUBTFUL, HAND_WRITTEN, type PatternClass } from './patterns.ts';
import { randomQueries } from './random.ts';
import { type Answer, countsOf, filesOf, linesOf, type Lines, type Match, matchesOf } from './rg.ts';
import { hostileTree, realTrees, repository, temporary, type Tree, write } from './trees.ts';

const SEED = 20_251;
const RANDOM = 120;

const place = temporary('differential');
const hostile = hostileTree(place.folder);
const trees: readonly Tree[] = [...realTrees(place.folder), hostile];
const cache = `${place.folder}/cache`;

const texts = (await Promise.all(trees.slice(0, -1).map(({ root }) => filesOf(root)))).flat();
const CLASSES: readonly PatternClass[] = [
  ...HAND_WRITTEN,
  { name: 'cut from the text at random', queries: randomQueries(SEED, texts, RANDOM) },
  { name: 'patterns that both take or both refuse', queries: DOUBTFUL },
];

let indexed: ReadonlyMap<string, SearchIndex>;
let scanned: ReadonlyMap<string, SearchIndex>;

beforeAll(async () => {
  const open = async (options: object): Promise<Map<string, SearchIndex>> =>
    new Map(await Promise.all(trees.map(async ({ name, root }) => [name, await openIndex(root, options)] as const)));
  indexed = await open({ cache, threads: 1 });
  scanned = await open({ cache: false, threads: 1 });
  for (const index of indexed.values()) await index.build();
});

afterAll(async () => {
  for (const index of [...(indexed?.values() ?? []), ...(scanned?.values() ?? [])]) await index.close();
  hostile.close();
  place.remove();
});

/** ripgrep's answers on all trees from one process. */
async function ask(query: Query, within: readonly Tree[]): Promise<(tree: Tree) => Answer> {
  const answer = await linesOf(
    within.map(({ root }) => root),
    query,
  );
  return ({ root }) => ('refused' in answer ? answer : { lines: below(root, answer.lines) });
}

const below = (root: string, lines: Lines): Lines =>
  new Map([...lines].filter(([file]) => file.startsWith(`${root}/`)));

/** Files of the hostile tree that are known to differ for this query. */
function mayDiffer(query: Query): (file: string) => boolean {
  const files = FILE_DIFFERENCES.filter(({ where }) => where(query)).map(({ file }) => `${hostile.root}/${file}`);
  return (file) => files.includes(file);
}

describe('the same lines as ripgrep, by index and by scan', () => {
  it('there are at least 500 patterns, three real trees and one that is made to be hard', () => {
    expect(CLASSES.reduce((sum, { queries }) => sum + queries.length, 0)).toBeGreaterThan(500);
    expect(trees.length).toBeGreaterThan(3);
  });

  it.each(CLASSES)('$name', { timeout: 1_200_000 }, async ({ queries, hostileOnly }) => {
    const within = hostileOnly ? [hostile] : trees;
    const wrong: string[] = [];
    let ahead = ask(queries[0] as Query, within);
    for (const [i, query] of queries.entries()) {
      const wanted = await ahead;
      // ripgrep looks for the next one while the engine looks for this one
      if (i + 1 < queries.length) ahead = ask(queries[i + 1] as Query, within);
      if (isIntended(query)) continue;
      const except = mayDiffer(query);
      const asked = within.flatMap((tree) => [
        differences(indexed.get(tree.name) as SearchIndex, query, wanted(tree), { by: 'index', except }),
        // a scan reads every file for every pattern: the hard tree always, the large ones for each fourth
        ...(tree === hostile || i % 4 === 0 || process.env['HANZO_TEST_ALL'] !== undefined
          ? [differences(scanned.get(tree.name) as SearchIndex, query, wanted(tree), { by: 'scan', except })]
          : []),
      ]);
      wrong.push(...(await Promise.all(asked)).flat());
    }
    expect(wrong).toEqual([]);
  });

  it('counts are those of rg -c', async () => {
    for (const query of [
      { pattern: 'needle' },
      { pattern: '.' },
      { pattern: '^$' },
      { pattern: 'k', ignoreCase: true },
    ]) {
      const found = await (scanned.get('hostile') as SearchIndex).search(query);
      const counts = new Map(found.files.map(({ file, count }) => [file, count]));
      expect(counts).toEqual(await countsOf(hostile.root, query));
    }
  });
});

describe('texts and spans are those of rg --json', () => {
  const QUERIES: readonly Query[] = HAND_WRITTEN.filter(({ name }) => !/bytes|cross lines/.test(name))
    .flatMap(({ queries }) => queries)
    .filter(({ pattern }, i) => i % 15 === 0 && !/-u|\\z/.test(pattern));
  it(`${QUERIES.length} patterns on the hostile tree`, { timeout: 1_200_000 }, async () => {
    const index = indexed.get('hostile') as SearchIndex;
    const wrong: string[] = [];
    for (const query of QUERIES) {
      const matches = await matchesOf(hostile.root, query);
      if ('refused' in matches || isIntended(query)) continue;
      const found = await index.search(query);
      const { hits } = await found.page({ offset: 0, limit: 1500 });
      const byPlace = new Map(matches.map((match) => [`${match.line} ${match.file}`, match]));
      for (const { file, line, text, spans } of hits) {
        const match = byPlace.get(`${line} ${file}`);
        const wanted = match && shown(match);
        if (wanted === undefined || wanted.text !== text || String(wanted.spans) !== String(spans)) {
          wrong.push(
            `${JSON.stringify(query)} ${file}:${line} ${String(spans)}, ripgrep ${String(wanted?.spans)}: ${text.slice(0, 80)}`,
          );
        }
      }
    }
    expect(wrong.slice(0, 30)).toEqual([]);
  });
});

/** A match as the engine shows it: UTF-16 text without the line end, at most 100 spans. */
function shown({ bytes, spans }: Match): { text: string; spans: number[] } {
  const line = bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const units = (end: number): number => decoder.decode(line.subarray(0, end)).length;
  // of empty matches ripgrep also tells those between the bytes of one character
  const whole = spans.filter(([start, end]) => end > start || ((line[start] ?? 0) & 0xc0) !== 0x80);
  return {
    text: decoder.decode(line),
    spans: whole.slice(0, 100).flatMap(([start, end]) => [units(start), units(end)]),
  };
}

describe('intended differences', () => {
  it.each(DIFFERENCES)('$reason', async ({ query }) => {
    const answer = await ask(query, trees);
    const wrong: string[] = [];
    for (const tree of trees) {
      wrong.push(...(await differences(scanned.get(tree.name) as SearchIndex, query, answer(tree))));
    }
    expect(wrong).not.toEqual([]);
  });

  it.each(FILE_DIFFERENCES)('$file: $reason', async ({ file, query }) => {
    const wanted = (await ask(query, [hostile]))(hostile);
    const wrong = await differences(scanned.get('hostile') as SearchIndex, query, wanted);
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.every((each) => each.includes(`/${file}: `))).toBe(true);
  });

  it.each([{ cache: false as const }, { cache: `${place.folder}/odd-cache` }])(
    'files that ripgrep searches and the engine leaves out, saying so: over 16 MiB, or with a name that is not UTF-8 ($cache)',
    async (options) => {
      const root = `${place.folder}/odd${options.cache ? '-indexed' : ''}`;
      repository(root);
      write(`${root}/plain.txt`, 'needle\n');
      write(`${root}/large.txt`, Buffer.from('needle in a large file\n'.repeat(760_000)));
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x6c, 0xe9, 0xff])]), 'needle\n');
      const index = await openIndex(root, { ...options, threads: 1 });
      if (options.cache) await index.build();
      const found = await index.search({ pattern: 'needle' });
      await index.close();
      expect(found.files.map(({ file }) => file)).toEqual([`${root}/plain.txt`]);
      expect(found.skipped.map(({ file }) => file).sort()).toEqual([`${root}/large.txt`, `${root}/l\ufffd\ufffd`]);
      expect((await countsOf(root, { pattern: 'needle' })).size).toBe(3);
    },
  );

  it('a file with a NUL after its first match: ripgrep prints what it found before, and does not count it', async () => {
    // in a tree of its own: what it prints depends on the size its buffer grew to with other files
    const root = `${place.folder}/late`;
    repository(root);
    write(`${root}/late.bin`, `${'needle before the end\n'.repeat(10_000)}\0\n`);
    const { stdout } = spawnSync(rgPath, ['--no-config', 'before the end', `${root}/`], { encoding: 'utf8' });
    expect(stdout).toContain('late.bin');
    expect((await countsOf(root, { pattern: 'before the end' })).size).toBe(0);
    const index = await openIndex(root, { cache: false, threads: 1 });
    const found = await index.search({ pattern: 'before the end' });
    await index.close();
    expect(found.total).toBe(0);
  });
});
