// A search by the index: its candidates, and whatever has changed since it was built.
import type { SearchOptions, Skipped } from '../types.ts';
import { answer, tooLarge, unread } from './answer.ts';
import { candidatesOf, type Candidates, looseLot, type Scope, setsOf } from './candidates.ts';
import type { Documents } from './documents.ts';
import { NOT_UTF8, type Tools } from './tools.ts';
import type { FoundList } from './found.ts';
import type { Held } from './held.ts';
import { broughtBack, globsOf, type QueryGlobs } from './globs.ts';
import { DIFFERS, type How, type Lot } from './job.ts';
import type { Prepared } from './query.ts';
import type { Part } from './rank.ts';
import { Run } from './run.ts';
import { hasBit, makeFileTable, pathOf, rangeOf, sortPaths } from '../tree/table.ts';
import type { Overlay } from '../tree/types.ts';

/** Globs are applied here while there are not more candidates than this, else on the threads. */
const GLOBS_HERE = 4000;

/** The answer; undefined if the query's directory is not in the index, because rules leave it out. */
export async function searchIndexed(
  held: Held,
  syncing: Promise<Overlay>,
  prepared: Prepared,
  options: SearchOptions,
  tools: Tools,
): Promise<FoundList | undefined> {
  const { generation, freshness } = held;
  // what the index says is the same whatever has changed; where all is looked at for each query there is time for it
  const early = freshness.mode === 'sweep' ? setsOf(generation, prepared.plan) : undefined;
  const overlay = await syncing;
  const directory = prepared.directory ?? '';
  if (!holds(held, overlay, directory)) return undefined;
  const globs = prepared.globs.length > 0 ? globsOf(prepared.globs) : undefined;
  const back = globs?.globs ? broughtBack(globs.globs, tools.walker, overlay.excluded, directory) : [];
  // nothing tells of changes in what rules leave out: a list with such files is of this moment only
  const key =
    back.length > 0 ? undefined : JSON.stringify([prepared.key, generation.number, overlay.epoch, tools.accept]);
  const kept = key === undefined ? undefined : tools.lists.get(key);
  if (kept) return kept;
  const scope: Scope = {
    plan: prepared.plan,
    sets: early ?? setsOf(generation, prepared.plan),
    directory,
    withheld: options.accept !== undefined,
    passes: undefined,
  };
  const { candidates, how } = narrow(held, overlay, scope, prepared, globs?.passes);
  const lots = [...candidates.lots];
  const loose = back.filter((each) => globs?.passes(each) !== false);
  if (loose.length > 0) lots.push(looseLot(makeFileTable(sortPaths(loose))));
  const run = new Run(tools.pool, options);
  try {
    run.total = candidates.files;
    const part = await run.search(how, lots, candidates.bytes);
    noteChanges(held, candidates, part);
    const parts = [part];
    let documents: Documents | undefined;
    if (globs?.documents) {
      const names = [...documentNames(held, overlay, directory, globs), ...back.filter(globs.isDocument)];
      const { searchDocuments } = await import('./documents.ts');
      documents = await searchDocuments(run, prepared.how, names, options.signal, tools.documents);
      if (documents.plain.length > 0) {
        parts.push(await run.search(prepared.how, [looseLot(makeFileTable(documents.plain))], Infinity));
      }
    }
    const found = await answer(
      {
        how: prepared.how,
        key: prepared.key,
        parts,
        extras: documents?.extras ?? [],
        skipped: [
          ...(documents?.skipped ?? []),
          ...unread(how, generation, overlay, directory, globs?.passes),
          ...tooLarge(how, parts),
          ...unnamed(how, overlay, directory),
        ],
        partial: run.partial,
        by: 'index',
        searched: documents?.searched ?? 0,
      },
      options.accept,
      tools.read,
    );
    if (key !== undefined) tools.lists.put(key, found);
    return found;
  } finally {
    run.end();
  }
}

/** Documents of the tree that the globs let through. */
function documentNames(held: Held, overlay: Overlay, directory: string, globs: QueryGlobs): string[] {
  const names = overlay.added.filter((name) => directory === '' || name.startsWith(`${directory}/`));
  for (const [at, { files }] of held.generation.segments.entries()) {
    const { first, end } = rangeOf(files, directory);
    for (let index = first; index < end; index++) {
      if (hasBit(held.generation.dead[at]!, index) || hasBit(overlay.gone[at]!, index)) continue;
      names.push(pathOf(files, index));
    }
  }
  return sortPaths(names.filter(globs.isDocument));
}

/** Are the files below the directory known? If none is, it may be one that rules leave out, or be empty. */
function holds(held: Held, overlay: Overlay, directory: string): boolean {
  if (directory === '') return true;
  const { segments } = held.generation;
  if (segments.some(({ files }) => rangeOf(files, directory).end > rangeOf(files, directory).first)) return true;
  return overlay.added.some((file) => file.startsWith(`${directory}/`));
}

function narrow(
  held: Held,
  overlay: Overlay,
  scope: Scope,
  prepared: Prepared,
  passes: ((path: string) => boolean) | undefined,
): { candidates: Candidates; how: How } {
  const { generation } = held;
  const candidates = candidatesOf(generation, overlay, scope);
  if (!passes) return { candidates, how: prepared.how };
  if (candidates.files > GLOBS_HERE) return { candidates, how: { ...prepared.how, globs: prepared.globs } };
  return { candidates: candidatesOf(generation, overlay, { ...scope, passes }), how: prepared.how };
}

/** Files whose stamps were not those of the index: the next query need not find that out again. */
function noteChanges(held: Held, candidates: Candidates, part: Part): void {
  let base = 0;
  for (const [at, lot] of part.lots.entries()) {
    const segment = candidates.segments[at] ?? -1;
    if (segment >= 0 && lot.trusted) noteLot(held, segment, lot, base, part.results.state);
    base += lot.files.length;
  }
}

function noteLot(held: Held, segment: number, lot: Lot, base: number, state: Uint8Array): void {
  for (let at = 0; at < lot.files.length; at++) {
    if ((state[base + at]! & DIFFERS) !== 0) held.freshness.noteChanged(segment, lot.files[at]!);
  }
}

function unnamed(how: How, overlay: Overlay, directory: string): Skipped[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  return overlay.unnamed
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ file: `${how.root}/${name}`, reason: NOT_UTF8 }));
}
