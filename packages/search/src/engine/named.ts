// A search in one file that the query names: whatever rules say of it and whatever its size; documents as documents.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { FoundList } from './found.ts';
import type { Extra } from './found.ts';
import { SearchError, type SearchOptions, type Skipped } from '../types.ts';
import { answer } from './answer.ts';
import type { Tools } from './tools.ts';
import type { Prepared } from './query.ts';
import { DEFINITION } from './rank.ts';
import { type NamedJob, type NamedResult, searchPieces } from './pieces.ts';
import { Run } from './run.ts';
import type { SearchedDocument } from './documents.ts';
import { toolsFor } from './work.ts';

/** Above this a file is searched on a thread. */
const SMALL = 1024 * 1024;
const START_BYTES = 200;

export async function searchNamed(
  prepared: Prepared,
  file: string,
  options: SearchOptions,
  tools: Tools,
): Promise<FoundList> {
  const { how } = prepared;
  const start = startOf(file);
  const held = how.withhold !== undefined && start !== undefined && new RegExp(how.withhold).test(start.text);
  const skipped: Skipped[] = [];
  const extras: Extra[] = [];
  const run = new Run(tools.pool, options);
  try {
    if (!start) skipped.push({ file, reason: 'cannot be read' });
    else if (!held || options.accept?.(file, true) === true) {
      if (!(await document(prepared, file, start.text, run, tools, extras, skipped))) {
        await plain(prepared, file, start.size, run, tools, extras, skipped);
      }
    }
  } finally {
    run.end();
  }
  if (options.signal?.aborted) throw new SearchError('ABORTED', 'the search was ended');
  return answer(
    {
      how,
      key: prepared.key,
      parts: [],
      extras,
      skipped,
      partial: run.partial,
      by: 'scan',
      searched: start ? 1 : 0,
    },
    options.accept,
    tools.read,
  );
}

async function plain(
  { how }: Prepared,
  file: string,
  size: number,
  within: Run,
  tools: Tools,
  extras: Extra[],
  skipped: Skipped[],
): Promise<void> {
  const run = (job: NamedJob): Promise<NamedResult> => (size <= SMALL ? here(job) : tools.pool.named(job));
  const found = await run({ how, file, wanted: undefined, stamp: undefined, control: within.control(0) });
  if (found.reason !== undefined) skipped.push({ file, reason: found.reason });
  const { count, definitions, stamp } = found;
  if (count === 0) return;
  const weight = how.symbol === undefined ? count : definitions * DEFINITION + count - definitions;
  extras.push({
    hits: { file, weight, count },
    order: 0,
    name: stamp,
    read: (wanted) => run({ how, file, wanted, stamp }),
  });
}

async function here(job: NamedJob): Promise<NamedResult> {
  const steps = searchPieces(job, await toolsFor(job.how));
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Searches the file as a document; false if it is none. */
async function document(
  prepared: Prepared,
  file: string,
  start: string,
  run: Run,
  tools: Tools,
  extras: Extra[],
  skipped: Skipped[],
): Promise<boolean> {
  // documents are told by their first bytes: what is text is none
  if (!start.includes('\0') && !['%PDF-', 'PK', '\u001f\u008b'].some((each) => start.startsWith(each))) return false;
  const { searchDocument } = await import('./documents.ts');
  const late = new AbortController();
  run.onStop(() => late.abort());
  let found: SearchedDocument | undefined;
  try {
    found = await searchDocument(prepared.how, file, late.signal, tools.documents);
  } catch (error) {
    // a signal that came is told by the caller
    if (!late.signal.aborted) throw error;
    skipped.push({ file, reason: 'takes longer to read than the search may' });
    return true;
  }
  if (!found) return false;
  extras.push(...found.extras);
  skipped.push(...found.skipped);
  return true;
}

/** The first bytes of a regular file, as Latin-1, and its size. */
function startOf(file: string): { text: string; size: number } | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.alloc(START_BYTES);
    const length = readSync(fd, bytes, 0, START_BYTES, 0);
    return { text: bytes.toString('latin1', 0, length), size: stat.size };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
