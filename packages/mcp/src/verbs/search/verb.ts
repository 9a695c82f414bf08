// `hanzo-mcp search PATTERN [PATH ...]`: the engine for people. Answers first; an index is made afterwards, if at all.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { FileHits, Found, Hit, SearchIndex } from '@hanzo/search';
import { KEY_START } from '../../lib/access.ts';
import { within } from '../../lib/path.ts';
import { rootOf, tooWide } from '../../lib/search/roots.ts';
import { type Asked, readAsked } from './flags.ts';
import { jsonTeller } from './json.ts';
import { tellLines } from './lines.ts';
import { Out } from './out.ts';
import { type Look, paint, plainTeller } from './plain.ts';
import { ProgressLine } from './progress.ts';

/** The longest a timer can wait: a person ends a search by Ctrl-C. */
const NO_DEADLINE = 2 ** 31 - 1;
/** Fewer files than this are searched faster than an index is opened. */
const WORTH_AN_INDEX = 1000;
/** A file's path in the default colour of ripgrep. */
const PATH = '35';

/** A place that is searched. */
interface Place {
  /** as it was given; undefined for the working directory, whose files are named without it */
  readonly given: string | undefined;
  readonly real: string;
  readonly directory: boolean;
}

/** Runs one command line; resolves to the exit code: 0 a match, 1 none, 2 an error. */
export async function searchVerb(args: readonly string[]): Promise<number> {
  const asked = readAsked(args);
  if (!asked) {
    process.stdout.write((await import('./help.ts')).SEARCH_HELP);
    return 0;
  }
  process.stdout.on('error', leaveQuietly);
  try {
    return await run(asked);
  } finally {
    process.stdout.off('error', leaveQuietly);
  }
}

async function run(asked: Asked): Promise<number> {
  const started = performance.now();
  const { places, errors } = placesOf(asked.paths);
  const out = new Out();
  const look = lookOf(asked, places);
  let matched = false;
  let failed = errors > 0;
  let searched = 0;
  const json = asked.mode === 'json' ? jsonTeller(out, nameIn(places)) : undefined;
  for (const place of places) {
    const index = await open(asked, place);
    try {
      const found = await ask(asked, place, index);
      searched += found.searched;
      matched ||= found.total > 0;
      complain(found);
      if (asked.mode === 'quiet') {
        if (matched) return 0;
        continue;
      }
      await print(asked, found, out, look, json);
      await out.flush(true);
      await renew(asked, place, index, found);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'SearchError') throw error;
      process.stderr.write(`hanzo-mcp: ${error.message}${pointer(asked.pattern, error)}\n`);
      failed = true;
      // what is wrong with the pattern is wrong everywhere
      break;
    } finally {
      await index.close();
    }
  }
  json?.summary(searched, performance.now() - started);
  await out.flush(true);
  return failed ? 2 : matched ? 0 : 1;
}

/** A reader that has seen enough (`| head`) ends the search. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

function placesOf(given: readonly string[]): { places: Place[]; errors: number } {
  const places: Place[] = [];
  let errors = 0;
  for (const each of given.length > 0 ? given : [undefined]) {
    try {
      const real = realpathSync(each ?? process.cwd());
      places.push({ given: each, real, directory: statSync(real).isDirectory() });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      process.stderr.write(`hanzo-mcp: ${each}: ${code === 'ENOENT' ? 'there is no such file or directory' : code}\n`);
      errors++;
    }
  }
  return { places, errors };
}

async function open(asked: Asked, place: Place): Promise<SearchIndex> {
  const { openIndex } = await import('@hanzo/search');
  const root = rootFor(place);
  const none = asked.index === 'off' || !place.directory || tooWide().has(root);
  return openIndex(root, {
    // the server's setting, so that both use the same index; what it withholds from agents its user may see
    withhold: KEY_START.source,
    watch: false,
    build: 'never',
    ...(none ? { cache: false } : {}),
  });
}

/** The same root as a server that works there chooses: the repository, else the working directory, else the place itself. */
function rootFor({ real, directory }: Place): string {
  const folder = directory ? real : path.dirname(real);
  const root = rootOf(folder, []);
  const cwd = realpathSync(process.cwd());
  return root === folder && within(folder, cwd) && !tooWide().has(cwd) ? cwd : root;
}

async function ask(asked: Asked, place: Place, index: SearchIndex): Promise<Found> {
  const line = new ProgressLine();
  const options = { deadlineMs: NO_DEADLINE, accept: () => true, onProgress: line.tell };
  const globs = place.directory ? asked.globs : [];
  try {
    if (asked.symbol) {
      const named = globs.length > 0 || !place.directory ? { globs } : {};
      return await index.symbol({ name: asked.pattern, path: place.real, ...named }, options);
    }
    const { pattern, literal, ignoreCase, word, multiline } = asked;
    return await index.search({ pattern, literal, ignoreCase, word, multiline, globs, path: place.real }, options);
  } finally {
    line.clear();
  }
}

async function print(
  asked: Asked,
  found: Found,
  out: Out,
  look: Look,
  json: ReturnType<typeof jsonTeller> | undefined,
): Promise<void> {
  if (asked.mode === 'count' || asked.mode === 'files') {
    for (const each of filesOf(asked, found)) {
      const named = paint(look.name(each.file, each.part), PATH, look.color);
      out.add(asked.mode === 'files' ? `${named}\n` : `${look.fileNames ? `${named}:` : ''}${each.count}\n`);
      await out.flush();
    }
    return;
  }
  const list = asked.sort === 'path' ? byPath(found) : found;
  if (await tellLines(list, asked, json ?? plainTeller(out, look))) {
    process.stderr.write('hanzo-mcp: a file changed while it was searched\n');
  }
}

/** For names each file once, whatever parts it has. */
function filesOf(asked: Asked, found: Found): readonly FileHits[] {
  const files = asked.sort === 'path' ? found.files.toSorted(comparePaths) : found.files;
  return asked.mode === 'files' ? files.filter((each, i) => each.file !== files[i - 1]?.file).map(whole) : files;
}

const whole = ({ file, weight, count }: FileHits): FileHits => ({ file, weight, count });
const comparePaths = (a: FileHits, b: FileHits): number => Buffer.compare(Buffer.from(a.file), Buffer.from(b.file));

/** The list file by file in the order of paths: pages of it are put together from pages of the ranked one. */
function byPath(found: Found): Found {
  let offset = 0;
  const starts = new Map<FileHits, number>();
  for (const each of found.files) {
    starts.set(each, offset);
    offset += each.count;
  }
  const files = found.files.toSorted(comparePaths);
  return {
    ...pick(found),
    files,
    async page({ offset: from, limit, context = 0 }) {
      const hits: Hit[] = [];
      let changed = false;
      let skip = from;
      for (const each of files) {
        if (hits.length >= limit) break;
        if (skip >= each.count) {
          skip -= each.count;
          continue;
        }
        const start = (starts.get(each) ?? 0) + skip;
        const page = await found.page({
          offset: start,
          limit: Math.min(each.count - skip, limit - hits.length),
          context,
        });
        hits.push(...page.hits);
        changed ||= page.changed;
        skip = 0;
      }
      return { hits, next: from + limit < found.total ? from + limit : undefined, changed };
    },
  };
}

function pick({ id, fileCount, total, partial, skipped, by, searched }: Found): Omit<Found, 'files' | 'page'> {
  return { id, fileCount, total, partial, skipped, by, searched };
}

/** Makes the index if it is worth one; on a terminal unasked, since the answer is there and Ctrl-C does no harm. */
async function renew(asked: Asked, place: Place, index: SearchIndex, found: Found): Promise<void> {
  if (!place.directory) return;
  const { index: state, dirty, files = 0 } = index.status();
  const stale = state === 'none' || (state === 'ready' && dirty > Math.max(256, files / 20));
  const unasked = process.stdout.isTTY === true && state !== 'off' && stale && found.searched >= WORTH_AN_INDEX;
  if (asked.index !== 'build' && !(asked.index === 'auto' && unasked)) return;
  const line = new ProgressLine();
  try {
    await index.build({ onProgress: line.tell });
  } catch (error) {
    line.clear();
    process.stderr.write(`hanzo-mcp: no index was made: ${(error as Error).message}\n`);
  } finally {
    line.clear();
  }
}

function complain({ skipped }: Found): void {
  const large = skipped.filter(({ reason }) => reason.startsWith('larger than'));
  for (const { file, reason } of skipped) {
    if (!reason.startsWith('larger than')) process.stderr.write(`hanzo-mcp: ${file}: ${reason}\n`);
  }
  if (large.length > 0) {
    process.stderr.write(
      `hanzo-mcp: ${large.length} ${large.length === 1 ? 'file' : 'files'} over 16 MiB not searched; name one to search it\n`,
    );
  }
}

/** The pattern again with a mark under the place that is wrong. */
function pointer(pattern: string, error: Error): string {
  const { position } = error as { position?: number };
  if (position === undefined || pattern.includes('\n') || pattern.length > 200) return '';
  return `\n    ${pattern}\n    ${' '.repeat(position)}^`;
}

function lookOf(asked: Asked, places: readonly Place[]): Look {
  const terminal = process.stdout.isTTY === true;
  const [only] = places;
  const environment = process.env['NO_COLOR'] ? false : terminal && process.env['TERM'] !== 'dumb';
  return {
    name: nameIn(places),
    fileNames: asked.fileNames ?? !(places.length === 1 && only?.directory === false),
    lineNumbers: asked.lineNumbers,
    heading: asked.heading ?? terminal,
    color: asked.color === 'auto' ? environment : asked.color === 'always',
    gaps: asked.before + asked.after > 0,
  };
}

/** Files are named by the path that was given, as ripgrep does. */
function nameIn(places: readonly Place[]): Look['name'] {
  let last = { file: '', part: undefined as Hit['part'], name: '' };
  return (file, part) => {
    // asked for every line
    if (file !== last.file || part !== last.part) last = { file, part, name: calledIn(places, file, part) };
    return last.name;
  };
}

function calledIn(places: readonly Place[], file: string, part: Hit['part']): string {
  const place = places.find(({ real }) => within(file, real));
  const where = [part?.entry, part?.place].filter((each) => each);
  const inside = where.length > 0 ? ` [${where.join(', ')}]` : '';
  if (!place) return file + inside;
  const rest = path.relative(place.real, file);
  if (place.given === undefined) return rest + inside;
  if (rest === '') return place.given + inside;
  return `${place.given.endsWith('/') ? place.given : `${place.given}/`}${rest}${inside}`;
}
