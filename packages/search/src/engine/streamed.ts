// A search without an index: one thread walks, all of them search what it finds while it still walks.
import { makeFileTable, pathOf, sortPaths } from '../tree/table.ts';
import type { FileTable } from '../tree/types.ts';
import { isSized } from '../tree/mounts.ts';
import type { UserPlaces } from '../tree/sources.ts';
import type { SearchOptions } from '../types.ts';
import { answer, tooLarge } from './answer.ts';
import { looseLot } from './candidates.ts';
import type { Documents } from './documents.ts';
import { NOT_UTF8, type Tools } from './tools.ts';
import type { FoundList } from './found.ts';
import type { QueryGlobs } from './globs.ts';
import type { How, Lot } from './job.ts';
import type { Pool } from './pool.ts';
import type { Prepared } from './query.ts';
import type { Part } from './rank.ts';
import { Run } from './run.ts';
import type { WalkChunk, WalkJob } from './walks.ts';

/** Files beyond which a walk ends; what is found up to there is right. */
const MOST_FILES = 50_000_000;

/** The answer by a scan of everything below `directory`. */
export async function searchStreamed(
  prepared: Prepared,
  directory: string,
  root: string,
  places: UserPlaces,
  options: SearchOptions,
  tools: Tools,
): Promise<FoundList> {
  const how = { ...prepared.how, sized: isSized(root) };
  const globs = prepared.globs.length > 0 ? (await import('./globs.ts')).globsOf(prepared.globs) : undefined;
  const run = new Run(tools.pool, options);
  const names: string[] = [];
  try {
    // the walk has seen to the globs: only documents are to be told from other files
    const sieve = (table: FileTable): Lot =>
      globs?.documents ? withoutDocuments(table, globs, names) : looseLot(table);
    const stream = await walkAndSearch(tools.pool, run, how, { root, places, directory, globs: prepared.globs }, sieve);
    const parts = [...stream.parts];
    let documents: Documents | undefined;
    if (names.length > 0) {
      const { searchDocuments } = await import('./documents.ts');
      documents = await searchDocuments(run, how, sortPaths(names), options.signal, tools.documents);
      if (documents.plain.length > 0) {
        parts.push(await run.search(how, [looseLot(makeFileTable(documents.plain))], Infinity));
      }
    }
    const unnamed = stream.unnamed.map((name) => ({ file: `${how.root}/${name}`, reason: NOT_UTF8 }));
    return await answer(
      {
        how,
        key: prepared.key,
        parts,
        extras: documents?.extras ?? [],
        skipped: [...(documents?.skipped ?? []), ...tooLarge(how, parts), ...unnamed],
        partial: run.partial,
        by: 'scan',
        searched: documents?.searched ?? 0,
      },
      options.accept,
      tools.read,
    );
  } finally {
    run.end();
  }
}

function withoutDocuments(table: FileTable, globs: QueryGlobs, names: string[]): Lot {
  const files: number[] = [];
  for (let index = 0; index < table.count; index++) {
    const name = pathOf(table, index);
    if (globs.isDocument(name)) names.push(name);
    else files.push(index);
  }
  return looseLot(table, files);
}

interface Stream {
  readonly parts: readonly Part[];
  /** names that cannot be written in UTF-8 */
  readonly unnamed: readonly string[];
}

type Where = Pick<WalkJob, 'root' | 'places' | 'directory'> & { readonly globs: readonly string[] };

async function walkAndSearch(
  pool: Pool,
  run: Run,
  how: How,
  where: Where,
  sieve: (table: FileTable) => Lot,
): Promise<Stream> {
  const parts: Promise<Part>[] = [];
  let files = 0;
  let last: WalkChunk['last'];
  run.walking = true;
  const globs = where.globs.length > 0 ? where.globs : undefined;
  await pool.walk({ ...where, globs, facts: false, most: MOST_FILES, control: run.control(0) }, (chunk) => {
    files += chunk.table.count;
    if (chunk.last) last = chunk.last;
    if (chunk.table.count === 0) return;
    const part = run.search(how, [sieve(chunk.table)], Infinity);
    part.catch(() => undefined);
    parts.push(part);
  });
  run.walking = false;
  run.total = files;
  if (last?.more) run.partial = true;
  return { parts: await Promise.all(parts), unnamed: last?.unnamed ?? [] };
}
