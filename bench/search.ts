// Search beside ripgrep, in one run on the same warm page cache: `npm run bench -- search [--tree PATH] [--only large|medium] [--rounds N] [--sources]`. Measures and compares; what is asked stands in search/queries.ts.
import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Query } from '@hanzo/search';
import { mb, median, ms, type Row } from './lib/table.ts';
import { type Fixed, fixedQueries, MEAN_BARS, PUBLISHED } from './search/queries.ts';
import { randomQueries } from '../packages/search/test/random.ts';
import { countArguments, countsIn, type Ripgrep, ripgreps, Sink } from './search/ripgrep.ts';
import type { Ask, Told } from './search/serve.ts';
import { largeTree, mediumTree, type Tree } from './search/trees.ts';

const HERE = path.dirname(fileURLToPath(import.meta.url));
/** What is shipped is measured; `--sources` measures what is being worked on. */
const BUILT =
  !process.argv.includes('--sources') && existsSync(path.join(HERE, '..', 'packages', 'search', 'dist', 'index.js'));
const CONDITIONS = BUILT ? [] : ['--conditions=hanzo-source', '--no-warnings'];
const RANDOM = 60;
const BUILD_ROUNDS = 3;
/** lists that the engine keeps, and a few */
const KEPT_LISTS = 40;

const [OURS, RATIO, TGREP] = ['hanzo search', 'ripgrep / ours', 'tgrep (published)'];
const RIPGREPS = ripgreps();
export const COLUMNS: readonly string[] = [OURS, ...RIPGREPS.map(({ name }) => name), RATIO, TGREP];

export async function bench(flags: readonly string[]): Promise<Row[]> {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      tree: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      sources: { type: 'boolean' },
    },
  });
  const rounds = Number(values.rounds);
  const rows: Row[] = [];
  if (!BUILT)
    process.stderr.write('bench: the engine runs from its sources; `npm run build` first measures what is shipped\n');
  if (values.only !== 'medium') {
    const large = largeTree(values.tree);
    if (large) rows.push(...(await benchTree(large, rounds)));
    else
      rows.push({
        measure: 'the large tree',
        bar: '-',
        cells: { [OURS]: 'left out: no linux-source package, no --tree' },
      });
  }
  if (values.only !== 'large') rows.push(...(await benchTree(mediumTree(), rounds)));
  return rows;
}

async function benchTree(given: Tree, rounds: number): Promise<Row[]> {
  const tree = { ...given, root: realpathSync(given.root) };
  const cache = mkdtempSync(path.join(tmpdir(), 'bench-search-'));
  const sink = new Sink();
  const run = new Measurement(tree, cache, sink, rounds);
  try {
    return await run.all();
  } finally {
    sink.close();
    rmSync(cache, { recursive: true, force: true });
  }
}

/** What one way of asking took, by round. */
interface Times {
  readonly ours: number[];
  readonly theirs: number[][];
}

class Measurement {
  readonly #tree: Tree;
  readonly #cache: string;
  readonly #sink: Sink;
  readonly #rounds: number;
  readonly #rows: Row[] = [];
  /** what a spawn and the start of each ripgrep take, which is not charged to it */
  readonly #spawn: number[];
  #mismatches = 0;
  #compared = 0;

  constructor(tree: Tree, cache: string, sink: Sink, rounds: number) {
    this.#tree = tree;
    this.#cache = cache;
    this.#sink = sink;
    this.#rounds = rounds;
    this.#spawn = RIPGREPS.map((rg) => median(Array.from({ length: 15 }, () => sink.run(rg, ['--version']))));
  }

  async all(): Promise<Row[]> {
    const { kind, root } = this.#tree;
    const files = this.#files();
    const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
    this.#rows.push({
      measure: `${kind}: ${root.split('/').slice(-1)[0]}, ${files.length} files, ${mb(bytes)}`,
      bar: kind === 'large' ? '>= 70,000, 1 GB' : '~10,000, 50 MB',
      cells: Object.fromEntries(
        RIPGREPS.map(({ name }, i) => [name, `start ${ms(this.#spawn[i] as number)}, subtracted`]),
      ),
    });
    await this.#first();
    await this.#build(bytes);
    const server = new Server();
    await server.ask({ open: root, options: { cache: this.#cache, build: 'never' } });
    await this.#fixed(server);
    await this.#random(server, files);
    await this.#edit(server);
    const serving = server.memory('VmRSS');
    this.#row(
      'memory while serving',
      '<= 300 MB',
      { [OURS]: mb(serving), [RATIO]: held(serving <= 300 * 1024 * 1024) },
      {},
    );
    await server.end();
    await this.#cold();
    await this.#sweep();
    this.#row(
      'lines per file equal to ripgrep',
      'all',
      {
        [OURS]: `${this.#compared - this.#mismatches} of ${this.#compared} queries`,
        [RATIO]: held(this.#mismatches === 0),
      },
      {},
    );
    if (this.#mismatches > 0) process.exitCode = 1;
    return this.#rows;
  }

  /** What ripgrep would search, but for what is over the engine's limit. */
  #files(): string[] {
    this.#sink.run(RIPGREPS[0] as Ripgrep, ['--files', '-0', '--', this.#tree.root]);
    return this.#sink.text().split('\0').slice(0, -1).sort();
  }

  #theirs(i: number, args: readonly string[]): number {
    return Math.max(0.1, this.#sink.run(RIPGREPS[i] as Ripgrep, args) - (this.#spawn[i] as number));
  }

  async #fixed(server: Server): Promise<void> {
    const queries = fixedQueries(this.#tree.kind);
    const times = await this.#interleaved(
      server,
      queries.map(({ query }) => query),
      this.#rounds,
    );
    const ratios: number[] = [];
    for (const [k, { name, query, bar, mean }] of queries.entries()) {
      const { ours, theirs } = times[k] as Times;
      const ratio = median(theirs[0] as number[]) / median(ours);
      if (mean) ratios.push(ratio);
      this.#timesRow(`${name} ${shown(query)}`, `>= ${bar}`, times[k] as Times, ratio >= bar);
    }
    const geometric = Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
    const bar = MEAN_BARS[this.#tree.kind];
    this.#row(
      `geometric mean of the ${ratios.length}`,
      `>= ${bar}`,
      { [RATIO]: `${geometric.toFixed(1)} x ${held(geometric >= bar)}`, [TGREP]: PUBLISHED[this.#tree.kind].search },
      {},
    );
  }

  async #random(server: Server, files: readonly string[]): Promise<void> {
    const queries = randomQueries(this.#tree.kind === 'large' ? 60 : 61, files, RANDOM);
    const times = await this.#interleaved(server, queries, 3);
    const ratios = times.map(({ ours, theirs }) => median(theirs[0] as number[]) / median(ours));
    const worst = ratios.indexOf(Math.min(...ratios));
    this.#timesRow(
      `worst of ${RANDOM} random: ${shown(queries[worst] as Query)}`,
      '>= 1.0',
      times[worst] as Times,
      (ratios[worst] as number) >= 1,
    );
    this.#row(`median of ${RANDOM} random`, '-', { [RATIO]: `${median(ratios).toFixed(1)} x` }, {});
  }

  /** Every query once a round, ripgrep and ours in turn; the first round is only looked at for its counts. */
  async #interleaved(server: Server, queries: readonly Query[], rounds: number): Promise<Times[]> {
    const times: Times[] = queries.map(() => ({ ours: [], theirs: RIPGREPS.map(() => []) }));
    for (let round = 0; round <= rounds; round++) {
      for (const [k, query] of queries.entries()) {
        const { ours, theirs } = times[k] as Times;
        for (const [i] of RIPGREPS.entries()) {
          const took = this.#theirs(i, countArguments(query, this.#tree.root));
          if (round > 0) theirs[i]?.push(took);
          else if (i === 0) await this.#compare(server, query, countsIn(this.#sink.text()));
        }
        const told = await server.ask({ search: query });
        if (round > 0) ours.push(told.took);
      }
      // lists of the last queries are kept: they are pushed out, so that no round is answered from the one before
      await server.ask({ fill: KEPT_LISTS });
    }
    return times;
  }

  async #compare(server: Server, query: Query, wanted: ReadonlyMap<string, number>): Promise<void> {
    const { counts, partial, by, error } = await server.ask({ search: query, counts: true });
    const got = new Map(counts);
    const wrong = [...new Set([...wanted.keys(), ...got.keys()])]
      .filter((file) => wanted.get(file) !== got.get(file))
      .filter((file) => !isTooLarge(file))
      .map((file) => `${file}: ${got.get(file) ?? 0}, ripgrep ${wanted.get(file) ?? 0}`);
    if (partial) wrong.push('the answer is partial');
    if (by !== 'index') wrong.push(`answered by ${by ?? error}`);
    this.#compared++;
    if (wrong.length === 0) return;
    this.#mismatches++;
    process.stderr.write(`bench: ${shown(query)} differs: ${wrong.slice(0, 5).join('; ')} (${wrong.length})\n`);
  }

  /** A question to a process that has just started, where there is no index. */
  async #first(): Promise<void> {
    const query = (fixedQueries(this.#tree.kind)[2] as Fixed).query;
    const times: Times = { ours: [], theirs: RIPGREPS.map(() => []) };
    for (let round = 0; round <= this.#rounds; round++) {
      for (const [i] of RIPGREPS.entries()) {
        const took = this.#theirs(i, countArguments(query, this.#tree.root));
        if (round > 0) times.theirs[i]?.push(took);
      }
      const server = new Server();
      await server.ready();
      const opened = await server.ask({ open: this.#tree.root, options: { cache: this.#cache, build: 'never' } });
      const told = await server.ask({ search: query });
      if (told.by !== 'scan') throw new Error(`answered by ${told.by}, where there is no index`);
      if (round > 0) times.ours.push(opened.took + told.took);
      await server.end();
    }
    this.#partRow(`first query, no index: ${shown(query)}`, 1.6, times);
  }

  async #build(treeBytes: number): Promise<void> {
    const query = (fixedQueries(this.#tree.kind)[0] as Fixed).query;
    const times: Times = { ours: [], theirs: RIPGREPS.map(() => []) };
    let peak = 0;
    let bytes = 0;
    for (let round = 0; round < BUILD_ROUNDS; round++) {
      for (const [i] of RIPGREPS.entries())
        times.theirs[i]?.push(this.#theirs(i, countArguments(query, this.#tree.root)));
      rmSync(this.#cache, { recursive: true, force: true });
      const server = new Server();
      await server.ready();
      await server.ask({ open: this.#tree.root, options: { cache: this.#cache, build: 'never' } });
      const told = await server.ask({ build: true });
      if (told.error !== undefined) throw new Error(told.error);
      times.ours.push(told.took);
      peak = Math.max(peak, server.memory('VmHWM'));
      bytes = told.bytes ?? 0;
      await server.end();
    }
    this.#partRow('build, against one scan', 10, times, PUBLISHED[this.#tree.kind].build);
    const part = bytes / treeBytes;
    const most = this.#tree.kind === 'large' ? 0.15 : 0.2;
    this.#row(
      'index on disk, part of the tree',
      `<= ${most}`,
      {
        [OURS]: mb(bytes),
        [RATIO]: `${part.toFixed(3)} ${held(part <= most)}`,
        [TGREP]: PUBLISHED[this.#tree.kind].bytes,
      },
      {},
    );
    this.#row('memory while building', '<= 512 MB', { [OURS]: mb(peak), [RATIO]: held(peak <= 512 * 1024 * 1024) }, {});
  }

  /** A whole process on an index that is there; ripgrep keeps its own start here. */
  async #cold(): Promise<void> {
    const query = (fixedQueries(this.#tree.kind)[0] as Fixed).query;
    const times: Times = { ours: [], theirs: RIPGREPS.map(() => []) };
    for (let round = 0; round <= this.#rounds; round++) {
      for (const [i, rg] of RIPGREPS.entries()) {
        const took = this.#sink.run(rg, countArguments(query, this.#tree.root));
        if (round > 0) times.theirs[i]?.push(took);
      }
      const started = performance.now();
      const { status, stdout } = spawnSync(
        process.execPath,
        [...CONDITIONS, path.join(HERE, 'search', 'cold.mjs'), this.#tree.root, this.#cache, query.pattern],
        { encoding: 'utf8', env: plainEnvironment() },
      );
      if (status !== 0 || !stdout.startsWith('index')) throw new Error(`cold: ${stdout}`);
      if (round > 0) times.ours.push(performance.now() - started);
    }
    this.#partRow(`cold process: ${shown(query)}`, this.#tree.kind === 'large' ? 0.4 : 1, times);
  }

  /** Looking at every file, as is done before each search where there are no watchers. */
  async #sweep(): Promise<void> {
    const server = new Server();
    await server.ask({ open: this.#tree.root, options: { cache: this.#cache, watch: false, build: 'never' } });
    const times: Times = { ours: [], theirs: RIPGREPS.map(() => []) };
    for (let round = 0; round <= this.#rounds; round++) {
      for (const [i] of RIPGREPS.entries()) {
        const took = this.#theirs(i, ['--files', '--', this.#tree.root]);
        if (round > 0) times.theirs[i]?.push(took);
      }
      const told = await server.ask({ search: { pattern: `zzqq${round}sweep` } });
      if (round > 0) times.ours.push(told.took);
    }
    await server.end();
    this.#partRow('sweep (and a query), against rg --files', 0.7, times);
  }

  /** From a write that is done to an answer that has it. */
  async #edit(server: Server): Promise<void> {
    const file = path.join(this.#tree.root, 'bench-edit.txt');
    const times: number[] = [];
    try {
      for (let round = 0; round <= this.#rounds; round++) {
        const word = `zzedit${round}yx`;
        writeFileSync(file, `${word}\n`);
        const told = await server.ask({ search: { pattern: word } });
        if (told.total !== 1) throw new Error('an edit was not seen');
        if (round > 0) times.push(told.took);
      }
      utimesSync(file, 0, 0);
    } finally {
      rmSync(file, { force: true });
    }
    const { freshness } = await server.ask({ status: true });
    const took = median(times);
    this.#row(`edit to answer (${freshness})`, '<= 50 ms', { [OURS]: ms(took), [RATIO]: held(took <= 50) }, {});
  }

  #timesRow(measure: string, bar: string, { ours, theirs }: Times, reached: boolean): void {
    const ratio = median(theirs[0] as number[]) / median(ours);
    this.#row(
      measure,
      bar,
      { [OURS]: ms(median(ours)), [RATIO]: `${ratio.toFixed(ratio < 10 ? 2 : 1)} x ${held(reached)}` },
      theirs,
    );
  }

  /** Where the bar is a part of ripgrep's time, or a multiple, that is not to be passed. */
  #partRow(measure: string, most: number, { ours, theirs }: Times, published?: string): void {
    const part = median(ours) / median(theirs[0] as number[]);
    this.#row(
      measure,
      `<= ${most} of ripgrep`,
      {
        [OURS]: ms(median(ours)),
        [RATIO]: `${part.toFixed(2)} of it ${held(part <= most)}`,
        ...(published ? { [TGREP]: published } : {}),
      },
      theirs,
    );
  }

  #row(measure: string, bar: string, cells: Readonly<Record<string, string>>, theirs: Times['theirs'] | object): void {
    const rg = Array.isArray(theirs)
      ? Object.fromEntries(RIPGREPS.map(({ name }, i) => [name, ms(median(theirs[i] as number[]))]))
      : {};
    this.#rows.push({ measure: `${this.#tree.kind}: ${measure}`, bar, cells: { ...rg, ...cells } });
    process.stderr.write(
      `bench: ${this.#tree.kind}: ${measure} | ${bar} | ${Object.values({ ...cells, ...rg }).join(' | ')}\n`,
    );
  }
}

/** serve.ts in a process of its own. */
class Server {
  readonly #child: ChildProcess;
  constructor() {
    this.#child = fork(path.join(HERE, 'search', 'serve.ts'), {
      execArgv: CONDITIONS,
      env: plainEnvironment(),
      serialization: 'advanced',
    });
  }

  /** Until its modules are loaded. */
  async ready(): Promise<void> {
    await this.ask({ status: true });
  }

  ask(ask: Ask): Promise<Told> {
    return new Promise((resolve, reject) => {
      const gone = (): void => reject(new Error('the engine process ended'));
      this.#child.once('exit', gone);
      this.#child.once('message', (told: Told) => {
        this.#child.off('exit', gone);
        resolve(told);
      });
      this.#child.send(ask);
    });
  }

  memory(key: 'VmRSS' | 'VmHWM'): number {
    const line = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  }

  async end(): Promise<void> {
    const gone = new Promise((resolve) => {
      this.#child.once('exit', resolve);
    });
    this.#child.kill('SIGKILL');
    await gone;
  }
}

const held = (reached: boolean): string => (reached ? 'ok' : 'MISSED');

const shown = ({ pattern, ignoreCase, word, literal }: Query): string =>
  `${pattern.replaceAll('|', '¦').slice(0, 40)}${ignoreCase ? ' -i' : ''}${word ? ' -w' : ''}${literal ? ' -F' : ''}`;

const isTooLarge = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 16 * 1024 * 1024;

/** NODE_EXTRA_CA_CERTS costs the start of a process tens of milliseconds; neither side is charged for it. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...rest } = process.env;
  return rest;
}
