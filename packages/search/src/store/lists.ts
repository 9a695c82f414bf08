// Where the evaluation of a condition gets its lists: one shard, or all shards of a segment seen by whole files.
import { orSet, wordsFor } from './bits.ts';
import type { Leaf, Lists } from './evaluate.ts';
import type { SetCache } from './set-cache.ts';
import type { ShardReader } from './shard.ts';
import type { DocSet, DocTable } from './types.ts';

/** shorter lists are read again sooner than they are worth a set in memory */
const WORTH_KEEPING = 2048;

/** Lists of one shard; documents count from its first. */
export function shardLists(shard: ShardReader, name: string, cache: SetCache): Lists {
  const read = (leaf: Leaf, into: DocSet): void => {
    if (leaf.kind === 'gram') shard.orGram(leaf.gram, into, 0);
    else shard.orPair(leaf.pair, into, 0);
  };
  const cost = (leaf: Leaf): number => (leaf.kind === 'gram' ? shard.gramBytes(leaf.gram) : shard.pairBytes(leaf.pair));
  return {
    docs: shard.docs,
    cost,
    add(leaf, into) {
      if (cost(leaf) < WORTH_KEEPING) return read(leaf, into);
      const key = leaf.kind === 'gram' ? `${name} ${leaf.gram}` : `${name} +${leaf.pair}`;
      let set = cache.get(key);
      if (set === undefined) {
        set = new Uint32Array(wordsFor(shard.docs));
        read(leaf, set);
        cache.put(key, set);
      }
      orSet(set, into, 0);
    },
  };
}

/** Lists of a whole segment in which a gram that one document of a file has counts for all documents of the file. */
export function fileLists(
  shards: readonly { readonly lists: Lists; readonly firstDoc: number }[],
  docs: DocTable,
): Lists {
  const runs = runsOf(docs);
  return {
    docs: docs.count,
    cost: (leaf) => shards.reduce((sum, { lists }) => sum + lists.cost(leaf), 0),
    add(leaf, into) {
      for (const { lists, firstDoc } of shards) {
        const set = new Uint32Array(wordsFor(lists.docs));
        lists.add(leaf, set);
        orSet(set, into, firstDoc);
      }
      for (let run = 0; run < runs.length; run += 2) spread(into, runs[run]!, runs[run + 1]!);
    },
  };
}

/** Files of more than one document: flat [first document, end, ...]. */
function runsOf({ count, file }: DocTable): number[] {
  const runs: number[] = [];
  for (let doc = 1, first = 0; doc <= count; doc++) {
    if (doc < count && file[doc] === file[first]) continue;
    if (doc - first > 1) runs.push(first, doc);
    first = doc;
  }
  return runs;
}

function spread(set: DocSet, first: number, end: number): void {
  for (let doc = first; doc < end; doc++) {
    if (((set[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
    for (let all = first; all < end; all++) set[all >>> 5]! |= 1 << (all & 31);
    return;
  }
}
