// Asks a segment that was just built for what the tree holds: a build gone wrong is noticed before it is used.
import { setImmediate } from 'node:timers/promises';
import type { Segment } from '../store/types.ts';
import { pathOf } from '../tree/table.ts';
import { Inverted } from './inverted.ts';
import { FileReader } from './read.ts';

/** most grams asked for per document: each costs a list */
const GRAMS = 64;

/**
 * Reads up to `sample` random documents of the segment from the tree below `root`, and asks the segment for grams of theirs.
 * The first file whose grams are not all found, or undefined if all is well. Files that have changed since are passed over.
 */
export async function verifySegment(segment: Segment, root: string, sample: number): Promise<string | undefined> {
  const { docs, files } = segment;
  const inverted = new Inverted();
  const reader = new FileReader(inverted, Number.MAX_SAFE_INTEGER, undefined);
  const { reading } = reader;
  for (let i = 0; i < Math.min(sample, docs.count); i++) {
    const doc = docs.count <= sample ? i : Math.floor(Math.random() * docs.count);
    const file = docs.file[doc]!;
    const length = docs.length[doc]!;
    if (length === 0 || files.ctime[file]! <= 0) continue;
    const path = pathOf(files, file);
    reader.read(`${root === '/' ? '' : root}/${path}`);
    if (reading.ctime !== files.ctime[file] || reading.size !== files.size[file] || reading.ino !== files.ino[file])
      continue;
    const from = reading.from + docs.offset[doc]!;
    if (from + length > reading.from + reading.length) return path;
    const text = inverted.room(from + length).subarray(from);
    const parts = [...someGrams(text)].map((gram) => ({ kind: 'gram', gram }) as const);
    if (parts.length === 0) continue;
    const found = segment.candidates({ kind: 'and', parts }, false);
    if (found && ((found[doc >> 5]! >> (doc & 31)) & 1) === 0) return path;
    // a query that waits goes first
    await setImmediate();
  }
  return undefined;
}

/** Grams at random places of a text, and at both of its ends. */
function someGrams(text: Uint8Array): Set<number> {
  const grams = new Set<number>();
  const byte = (at: number): number => text[at] ?? 10;
  const take = (at: number): void => {
    const [a, b, c] = [byte(at - 1), byte(at), byte(at + 1)];
    if (b !== 10 && (a !== 10 || c !== 10)) grams.add((a << 16) | (b << 8) | c);
  };
  take(0);
  take(text.length - 1);
  for (let i = 0; i < GRAMS - 2; i++) take(Math.floor(Math.random() * text.length));
  return grams;
}
