// Documents in an answer: their text is extracted, searched on the calling thread, and told apart by parts.
import { isAscii } from 'node:buffer';
import { documentParts } from '../documents/search.ts';
import type { DocumentPart, DocumentParts } from '../documents/types.ts';
import { FOLDS_TO_ASCII, NON_ASCII } from '../match/types.ts';
import type { Skipped } from '../types.ts';
import type { Excerpt, Tools } from './excerpt.ts';
import type { Extra } from './found.ts';
import type { How } from './job.ts';
import { showLines, spanner, type Wanted } from './lines.ts';
import { DEFINITION } from './rank.ts';
import type { Run } from './run.ts';
import { sortPaths } from '../tree/table.ts';
import { scannerFor, toolsFor } from './work.ts';

export interface SearchedDocument {
  readonly extras: readonly Extra[];
  readonly skipped: readonly Skipped[];
}

/** Matching lines of one part, as bytes of its text. */
interface PartHits {
  readonly part: DocumentPart;
  readonly order: number;
  readonly hits: Uint32Array;
  readonly definitions: number;
}

/** What of a document matches; undefined if the file is none. */
export async function searchDocument(
  how: How,
  file: string,
  signal: AbortSignal | undefined,
  cache: string | undefined,
): Promise<SearchedDocument | undefined> {
  const document = await documentParts(file, signal, cache);
  if (!document) return undefined;
  const tools = await toolsFor(how);
  const found = partsOf(document, how, file, tools);
  const lines = found.reduce((sum, each) => sum + each.hits.length / 2, 0);
  const definitions = found.reduce((sum, each) => sum + each.definitions, 0);
  const weight = how.symbol === undefined ? lines : definitions * DEFINITION + lines - definitions;
  const extras = found.map(({ part, order, hits }): Extra => {
    const { entry, place } = part;
    const where = { ...(entry === undefined ? {} : { entry }), ...(place === undefined ? {} : { place }) };
    return {
      hits: {
        file,
        weight,
        count: hits.length / 2,
        ...(entry === undefined && place === undefined ? {} : { part: where }),
      },
      order,
      read: (wanted) => readPart(how, file, order, cache, wanted),
    };
  });
  return { extras, skipped: document.skipped };
}

function partsOf(document: DocumentParts, how: How, file: string, tools: Tools): PartHits[] {
  const found: PartHits[] = [];
  for (const [order, part] of document.parts.entries()) {
    const bytes = Buffer.from(document.text.buffer, document.text.byteOffset + part.start, part.end - part.start);
    const hits = hitsIn(bytes, how);
    if (hits.length === 0) continue;
    let definitions = 0;
    for (let k = 0; k < hits.length && tools.defines; k += 2) {
      if (tools.defines(bytes.toString('utf8', hits[k], hits[k + 1]), file)) definitions++;
    }
    found.push({ part, order, hits, definitions });
  }
  return found;
}

function hitsIn(bytes: Buffer, how: How): Uint32Array {
  const scanner = scannerFor(how);
  scanner.room(bytes.length).set(bytes);
  // that a text folds is assumed, which only costs time
  return scanner.lines(bytes.length, isAscii(bytes) ? 0 : NON_ASCII | FOLDS_TO_ASCII, 0x7fffffff).spans;
}

async function readPart(
  how: How,
  file: string,
  order: number,
  cache: string | undefined,
  wanted: Wanted,
): Promise<Excerpt> {
  const document = await documentParts(file, undefined, cache);
  const part = document?.parts[order];
  if (!document || !part) return { lines: [], changed: true };
  const tools = await toolsFor(how);
  const bytes = Buffer.from(document.text.buffer, document.text.byteOffset + part.start, part.end - part.start);
  const hits = hitsIn(bytes, how);
  const spansOf = spanner(bytes, tools.matcher, how.spec.multiline);
  const lines = showLines({ bytes, hits, firstLine: 1, spansOf }, wanted).map((line) => ({
    ...line,
    ...(tools.defines
      ? { type: tools.defines(line.text, file) ? ('definition' as const) : ('reference' as const) }
      : {}),
  }));
  return { lines, changed: lines.length < wanted.take };
}

/** Documents read at the same time. */
const AT_ONCE = 2;

export interface Documents extends SearchedDocument {
  /** names that turned out to be no documents */
  readonly plain: readonly string[];
  readonly searched: number;
}

/** Searches the documents among the names, relative to the root, as long as the run goes on. */
export async function searchDocuments(
  run: Run,
  how: How,
  names: readonly string[],
  signal: AbortSignal | undefined,
  cache: string | undefined,
): Promise<Documents> {
  const found: { readonly at: number; readonly document: SearchedDocument }[] = [];
  const plain: string[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < names.length && !run.partial) {
      const at = next++;
      const document = await searchDocument(how, `${how.root}/${names[at]!}`, signal, cache).catch((error: unknown) => {
        if (signal?.aborted) return { extras: [], skipped: [] };
        throw error;
      });
      if (document) found.push({ at, document });
      else plain.push(names[at]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  found.sort((a, b) => a.at - b.at);
  return {
    extras: found.flatMap((each) => each.document.extras),
    skipped: found.flatMap((each) => each.document.skipped),
    plain: sortPaths(plain),
    searched: found.length,
  };
}
