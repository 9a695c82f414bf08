// A segment on disk: a folder with the columns of its files and documents, and its shards. Written once, read by many.
import { basename, join } from 'node:path';
import { orSet, wordsFor } from './bits.ts';
import { bytesOf } from './checksum.ts';
import { DamagedError } from './damaged.ts';
import { evaluate } from './evaluate.ts';
import type { Lists } from './evaluate.ts';
import { codeOf, replaceFile } from './files.ts';
import { fileLists, shardLists } from './lists.ts';
import { asBytes, asDoubles, asWords, encodeSections, readSections } from './sections.ts';
import { SetCache } from './set-cache.ts';
import { ShardReader, shardSum } from './shard.ts';
import type { DocSet, DocTable, Segment } from './types.ts';
import type { FileTable } from '../tree/types.ts';
import type { GramQuery } from '../plan/types.ts';

const TABLE = 'segment.bin';
const KIND = 1;
const SECTIONS = 10;
/** bytes of decoded sets that a segment keeps when nobody shares a cache with it */
const CACHE_BYTES = 16 << 20;

/** A shard of a segment: documents `firstDoc` to `firstDoc + docs`. */
interface ShardEntry {
  readonly file: string;
  readonly firstDoc: number;
  readonly docs: number;
  /** of the shard's header: a shard of another build is not this one, however right it is */
  readonly sum: number;
}

export interface SegmentParts {
  readonly files: FileTable;
  readonly docs: DocTable;
  /** in the segment's folder, by ascending documents, without gaps */
  readonly shards: readonly { readonly file: string; readonly firstDoc: number; readonly docs: number }[];
}

/** Completes the folder `name` in `folder`, where the shards lie already. */
export function writeSegment(folder: string, name: string, { files, docs, shards }: SegmentParts): void {
  const home = join(folder, name);
  let next = 0;
  const entries = shards.map((shard): ShardEntry => {
    const file = basename(shard.file);
    const { sum, docs: held } = shardSum(join(home, file));
    if (shard.firstDoc !== next || held !== shard.docs) throw new Error(`${file}: documents do not follow on`);
    next += shard.docs;
    return { file, firstDoc: shard.firstDoc, docs: shard.docs, sum };
  });
  if (next !== docs.count) throw new Error(`${name}: ${next} documents in shards, ${docs.count} in the table`);
  const { image } = encodeSections(KIND, [
    bytesOf(files.pathOffsets),
    bytesOf(files.pathBytes),
    bytesOf(files.ctime),
    bytesOf(files.size),
    bytesOf(files.ino),
    bytesOf(files.flags),
    bytesOf(docs.file),
    bytesOf(docs.offset),
    bytesOf(docs.length),
    new TextEncoder().encode(JSON.stringify(entries)),
  ]);
  replaceFile(join(home, TABLE), [image]);
}

/** An open segment with what its generation keeps of it. */
export class OpenSegment implements Segment {
  readonly name: string;
  readonly files: FileTable;
  readonly docs: DocTable;
  /** names the content of the whole segment */
  readonly sum: number;
  /** on disk */
  readonly bytes: number;
  readonly #shards: { readonly reader: ShardReader; readonly lists: Lists; readonly firstDoc: number }[] = [];
  #byFile: Lists | undefined;
  #open = true;

  /** Throws a `DamagedError`. */
  constructor(folder: string, name: string, cache: SetCache = new SetCache(CACHE_BYTES)) {
    const home = join(folder, name);
    const table = join(home, TABLE);
    const { parts, sum, bytes: length } = readSections(table, KIND, SECTIONS);
    const fileCount = (parts[0]?.length ?? 0) / 4 - 1;
    const docCount = (parts[6]?.length ?? 0) / 4;
    const pathOffsets = asWords(parts[0], fileCount + 1, table);
    this.name = name;
    this.sum = sum;
    this.files = {
      count: fileCount,
      pathOffsets,
      pathBytes: asBytes(parts[1], pathOffsets[fileCount] ?? 0, table),
      ctime: asDoubles(parts[2], fileCount, table),
      size: asDoubles(parts[3], fileCount, table),
      ino: asDoubles(parts[4], fileCount, table),
      flags: asBytes(parts[5], fileCount, table),
    };
    this.docs = {
      count: docCount,
      file: asWords(parts[6], docCount, table),
      offset: asWords(parts[7], docCount, table),
      length: asWords(parts[8], docCount, table),
    };
    let total = length;
    try {
      for (const entry of readEntries(parts[9], table)) {
        const reader = openShard(join(home, entry.file));
        const lists = shardLists(reader, `${name}/${entry.file}`, cache);
        this.#shards.push({ reader, lists, firstDoc: entry.firstDoc });
        if (reader.sum !== entry.sum) throw new DamagedError(table, `${entry.file} is the shard of another build`);
        total += reader.bytes;
      }
    } catch (error) {
      this.close();
      throw error;
    }
    this.bytes = total;
  }

  candidates(query: GramQuery, perFile: boolean): DocSet | undefined {
    // a closed descriptor may be another file's by now
    if (!this.#open) throw new Error(`segment ${this.name} is closed`);
    if (perFile) {
      this.#byFile ??= fileLists(this.#shards, this.docs);
      return evaluate(query, this.#byFile);
    }
    const found = new Uint32Array(wordsFor(this.docs.count));
    for (const { lists, firstDoc } of this.#shards) {
      const set = evaluate(query, lists);
      if (set === undefined) return undefined;
      orSet(set, found, firstDoc);
    }
    return found;
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const { reader } of this.#shards) reader.close();
  }
}

/** Opens the segment `name` in `folder`. Throws a `DamagedError`; so may `candidates`, which looks at postings first. */
export function openSegment(folder: string, name: string): Segment {
  return new OpenSegment(folder, name);
}

function openShard(file: string): ShardReader {
  try {
    return new ShardReader(file);
  } catch (error) {
    if (error instanceof DamagedError) throw error;
    throw new DamagedError(file, `cannot be opened (${codeOf(error) ?? String(error)})`);
  }
}

function readEntries(part: Uint8Array | undefined, table: string): ShardEntry[] {
  try {
    // the text decoder refuses shared memory
    const entries: unknown = JSON.parse(new TextDecoder().decode(Uint8Array.from(part ?? [])));
    // what was written is an array of entries, and the sum says that this is what was written
    return entries as ShardEntry[];
  } catch {
    throw new DamagedError(table, 'has no list of shards');
  }
}
