// One query put to the engine and compared with what ripgrep says: order undone, then counts and lines. Answers differences as sentences.
import { type Found, type Query, SearchError, type SearchIndex } from '../src/index.ts';
import type { Answer, Lines } from './rg.ts';

/** Lines that are fetched of one answer; of a longer one three stretches stand for the rest, and counts for all of it. */
const ALL = 1500;
const STRETCH = 300;

export interface Rules {
  /** how the answer has to be found */
  readonly by?: Found['by'] | undefined;
  /** files that may differ */
  readonly except?: (file: string) => boolean;
}

/** What differs between the engine's answer and ripgrep's; nothing if they agree. */
export async function differences(
  index: SearchIndex,
  query: Query,
  wanted: Answer,
  { by, except = () => false }: Rules = {},
): Promise<string[]> {
  const name = `${JSON.stringify(query)} in ${index.root}`;
  let found: Found;
  try {
    found = await index.search(query, { deadlineMs: 120_000 });
  } catch (error) {
    if (!(error instanceof SearchError) || error.code !== 'PATTERN') return [`${name}: ${String(error)}`];
    return 'refused' in wanted ? [] : [`${name}: refused (${error.message}), ripgrep takes it`];
  }
  if ('refused' in wanted)
    return [`${name}: taken, ripgrep refuses it: ${wanted.refused.split('\n').slice(-2).join(' ')}`];
  const out: string[] = [];
  if (by !== undefined && found.by !== by) out.push(`answered by ${found.by}`);
  if (found.partial) out.push('partial');
  out.push(...countDifferences(found, wanted.lines, except), ...orderDifferences(found));
  if (out.length === 0) out.push(...(await lineDifferences(found, wanted.lines, except)));
  return out.slice(0, 5).map((each) => `${name}: ${each}`);
}

function countDifferences(found: Found, wanted: Lines, except: (file: string) => boolean): string[] {
  const out: string[] = [];
  const left = new Map(wanted);
  for (const { file, count } of found.files) {
    const lines = left.get(file);
    left.delete(file);
    if (lines?.length !== count && !except(file))
      out.push(`${file}: ${count} lines, ripgrep has ${lines?.length ?? 0}`);
  }
  for (const [file, lines] of left) if (!except(file)) out.push(`${file}: missing, ripgrep has ${lines.length}`);
  const total = found.files.reduce((sum, { count }) => sum + count, 0);
  if (total !== found.total) out.push(`total ${found.total}, files have ${total}`);
  return out;
}

/** Weight descending, then path by bytes. */
function orderDifferences({ files }: Found): string[] {
  for (let i = 1; i < files.length; i++) {
    const [a, b] = [files[i - 1], files[i]] as [Found['files'][0], Found['files'][0]];
    if (a.weight > b.weight) continue;
    if (a.weight < b.weight || Buffer.compare(Buffer.from(a.file), Buffer.from(b.file)) >= 0) {
      return [`order: ${a.file} (${a.weight}) before ${b.file} (${b.weight})`];
    }
  }
  return [];
}

async function lineDifferences(found: Found, wanted: Lines, except: (file: string) => boolean): Promise<string[]> {
  // what ripgrep has, put into our order
  const expected = found.files.flatMap(({ file, count }) =>
    except(file) ? Array.from({ length: count }, () => '') : (wanted.get(file) ?? []).map((line) => `${line} ${file}`),
  );
  const stretches =
    found.total <= ALL
      ? [[0, found.total]]
      : [0, Math.floor((found.total - STRETCH) / 2), found.total - STRETCH].map((offset) => [offset, STRETCH]);
  for (const [offset, limit] of stretches as [number, number][]) {
    const { hits, next, changed } = await found.page({ offset, limit });
    if (changed) return ['the page says that a file changed'];
    if ((next ?? found.total) !== offset + hits.length) return [`next is ${next} after ${hits.length} from ${offset}`];
    const got = hits.map(({ line, file }) => `${line} ${file}`);
    if (got.length !== limit) return [`${got.length} hits of ${limit}`];
    const at = got.findIndex((each, i) => expected[offset + i] !== '' && each !== expected[offset + i]);
    if (at >= 0) return [`hit ${offset + at} is line ${got[at]}, ripgrep has ${expected[offset + at]}`];
  }
  return [];
}
