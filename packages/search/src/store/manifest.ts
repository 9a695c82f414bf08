// What a generation is made of, as one file: segments by name and sum, dead files, where and how it was built, and the facts of
// the tree. It encodes and decodes; which generation counts is not known here.
import { bytesOf } from './checksum.ts';
import { DamagedError } from './damaged.ts';
import { asBytes, asDoubles, encodeSections, readSections } from './sections.ts';
import type { Excluded, Stamp, TreeFacts } from '../tree/types.ts';

const KIND = 2;
const SECTIONS = 8;

/** What the index is of, and how it was made. */
export interface Origin {
  /** real path */
  readonly root: string;
  /** see `configHash` */
  readonly config: string;
}

export interface Meta extends Origin {
  readonly number: number;
  readonly dev: number;
  readonly ino: number;
  /** milliseconds since the epoch */
  readonly builtAt: number;
  /** of the facts */
  readonly startedAt: number;
  /** `deadWords` are of the segment's set in the section of dead files */
  readonly segments: readonly { readonly name: string; readonly sum: number; readonly deadWords: number }[];
}

export interface Manifest {
  readonly meta: Meta;
  readonly dead: readonly Uint32Array[];
  readonly sum: number;
  readonly bytes: number;
  /** decoded when first asked for: a short search that looks at every file needs only some of them */
  facts(): TreeFacts;
}

export function encodeManifest(
  meta: Meta,
  dead: readonly Uint32Array[],
  facts: TreeFacts,
): { image: Uint8Array; sum: number } {
  const all = new Uint32Array(dead.reduce((sum, set) => sum + set.length, 0));
  let at = 0;
  for (const set of dead) {
    all.set(set, at);
    at += set.length;
  }
  return encodeSections(KIND, [
    new TextEncoder().encode(JSON.stringify(meta)),
    bytesOf(all),
    encodePaths(facts.directories),
    encodeStamps(facts.directories),
    encodePaths(facts.rules),
    encodeStamps(facts.rules),
    encodePaths(facts.excluded),
    Uint8Array.from(facts.excluded, ({ directory }) => (directory ? 1 : 0)),
  ]);
}

/** Throws a `DamagedError`. */
export function readManifest(file: string): Manifest {
  const { parts, sum, bytes } = readSections(file, KIND, SECTIONS);
  let meta: Meta;
  try {
    // the sum says that this is what `encodeManifest` was given
    meta = JSON.parse(text(parts[0])) as Meta;
  } catch {
    throw new DamagedError(file, 'says nothing of its segments');
  }
  const words = meta.segments.reduce((total, segment) => total + segment.deadWords, 0);
  const deadBytes = asBytes(parts[1], words * 4, file);
  let at = deadBytes.byteOffset;
  const dead = meta.segments.map(({ deadWords }) => {
    const set = new Uint32Array(deadBytes.buffer, at, deadWords);
    at += deadWords * 4;
    return set;
  });
  const stamps = (paths: Uint8Array | undefined, column: Uint8Array<SharedArrayBuffer> | undefined): Stamp[] => {
    const count = (column?.length ?? 0) / 16;
    const values = asDoubles(column, count * 2, file);
    return decodePaths(paths, count).map((path, i) => ({ path, ctime: values[2 * i]!, ino: values[2 * i + 1]! }));
  };
  const excluded = (): Excluded[] =>
    decodePaths(parts[6], parts[7]?.length ?? 0).map((path, i) => ({ path, directory: parts[7]?.[i] === 1 }));
  return {
    meta,
    dead,
    sum,
    bytes,
    facts: () => ({
      directories: stamps(parts[2], parts[3]),
      rules: stamps(parts[4], parts[5]),
      excluded: excluded(),
      startedAt: meta.startedAt,
    }),
  };
}

function encodeStamps(stamps: readonly Stamp[]): Uint8Array {
  const values = new Float64Array(stamps.length * 2);
  stamps.forEach(({ ctime, ino }, i) => values.set([ctime, ino], 2 * i));
  return bytesOf(values);
}

/** No path holds a NUL. Where one is not well-formed Unicode, as Windows allows, all are kept as the units they are. */
function encodePaths(items: readonly { readonly path: string }[]): Uint8Array {
  const joined = items.map(({ path }) => path).join('\0');
  const plain = joined.isWellFormed();
  return Buffer.concat([Uint8Array.of(plain ? 8 : 16), Buffer.from(joined, plain ? 'utf8' : 'utf16le')]);
}

function decodePaths(part: Uint8Array | undefined, count: number): string[] {
  if (part === undefined || count === 0) return [];
  const buffer = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  return buffer.toString(part[0] === 8 ? 'utf8' : 'utf16le', 1).split('\0');
}

function text(part: Uint8Array | undefined): string {
  return part === undefined ? '' : Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString();
}
