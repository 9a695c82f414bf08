// Generations: opening the one that counts, and making another one count. Nothing that is there is ever changed.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { wordsFor } from './bits.ts';
import { manifestName, numberOf, readCurrent, writeCurrent } from './current.ts';
import type { CurrentLine } from './current.ts';
import { DamagedError } from './damaged.ts';
import { codeOf, createFile, syncFolder } from './files.ts';
import { encodeManifest, readManifest } from './manifest.ts';
import type { Manifest, Origin } from './manifest.ts';
import { prune } from './prune.ts';
import { OpenSegment } from './segment.ts';
import { SetCache } from './set-cache.ts';
import type { Generation } from './types.ts';
import type { Lock } from './lock.ts';
import type { TreeFacts } from '../tree/types.ts';

export type { Origin } from './manifest.ts';

/** grows when what is on disk, or what it means, changes */
const FORMAT = 1;
/** bytes of decoded sets kept for all segments together */
const CACHE_BYTES = 16 << 20;

export interface NextGeneration extends Origin {
  /** from old to new; folders in the index's folder */
  readonly segments: readonly string[];
  /** per segment: bits of files that are gone or in a later segment */
  readonly dead: readonly Uint32Array[];
  readonly facts: TreeFacts;
  /** if it is given and has been lost meanwhile, nothing is published */
  readonly lock?: Lock;
}

/** Names what the content of an index depends on besides the tree: an index of another name is built again. */
export function configHash(parts: Readonly<Record<string, string | number | undefined>>): string {
  const said = JSON.stringify([FORMAT, Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(said).digest('hex').slice(0, 16);
}

/** A name for a new segment that no other has or had. */
export const segmentName = (): string => `seg-${Date.now().toString(36)}-${randomBytes(6).toString('hex')}`;

/**
 * Opens the generation that counts. Answers undefined, and tells `why` a sentence, when there is none or when it is damaged,
 * of another root or made with other settings; it never throws.
 */
export function openCurrent(folder: string, origin: Origin, why?: (reason: string) => void): Generation | undefined {
  let reason = '';
  let seen = -1;
  // one that was replaced while it was opened may be gone already: then the newer one is tried
  for (let attempt = 0; attempt < 3; attempt++) {
    const line = readCurrent(folder);
    if (typeof line === 'string') {
      reason = line;
      break;
    }
    if (line.number === seen) break;
    seen = line.number;
    try {
      return open(folder, line, origin);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  }
  why?.(reason);
  return undefined;
}

function open(folder: string, line: CurrentLine, origin: Origin): Generation {
  const file = join(folder, manifestName(line.number));
  const manifest = readManifest(file);
  if (manifest.sum !== line.sum) throw new DamagedError(file, 'is not the one that CURRENT names');
  checkOrigin(file, manifest, origin);
  const { meta, dead } = manifest;
  const cache = new SetCache(CACHE_BYTES);
  const segments: OpenSegment[] = [];
  const close = (): void => segments.forEach((segment) => segment.close());
  try {
    meta.segments.forEach(({ name, sum }, index) => {
      const segment = new OpenSegment(folder, name, cache);
      segments.push(segment);
      const right = segment.sum === sum && dead[index]?.length === wordsFor(segment.files.count);
      if (!right) throw new DamagedError(file, `${name} is the segment of another build`);
    });
  } catch (error) {
    close();
    throw error;
  }
  let facts: TreeFacts | undefined;
  return {
    number: meta.number,
    segments,
    dead,
    get facts() {
      return (facts ??= manifest.facts());
    },
    builtAt: new Date(meta.builtAt),
    bytes: segments.reduce((sum, segment) => sum + segment.bytes, manifest.bytes),
    close,
  };
}

function checkOrigin(file: string, { meta }: Manifest, { root, config }: Origin): void {
  if (meta.config !== config) throw new DamagedError(file, 'was made with other settings or by another version');
  if (meta.root !== root) throw new DamagedError(file, `is of ${meta.root}`);
  let now: { readonly dev: number; readonly ino: number };
  try {
    now = statSync(root);
  } catch (error) {
    throw new DamagedError(file, `its root cannot be looked at (${codeOf(error) ?? String(error)})`);
  }
  if (now.dev !== meta.dev || now.ino !== meta.ino)
    throw new DamagedError(file, 'is of another folder of the same name');
}

/**
 * Makes the segments, which must be complete, count as one generation, and removes what is long out of use. Returns its
 * number. Readers see the generation before or this one, whenever this is killed. Throws what the disk says, and an Error
 * when the lock was lost.
 */
export function publish(folder: string, next: NextGeneration): number {
  const { root, config, facts } = next;
  const opened = next.segments.map((name) => new OpenSegment(folder, name));
  const segments = opened.map(({ name, sum, files }) => ({ name, sum, deadWords: wordsFor(files.count) }));
  for (const segment of opened) segment.close();
  segments.forEach(({ name, deadWords }, index) => {
    if (next.dead[index]?.length !== deadWords) throw new Error(`${name}: dead files are ${deadWords} words`);
  });
  syncFolder(folder);
  const { dev, ino } = statSync(root);
  const meta = { root, config, dev, ino, builtAt: Date.now(), startedAt: facts.startedAt, segments };
  for (let number = lastNumber(folder) + 1; ; number++) {
    const { image, sum } = encodeManifest({ ...meta, number }, next.dead, facts);
    if (!createFile(join(folder, manifestName(number)), [image])) continue;
    if (next.lock && !next.lock.beat()) throw new Error('another process has taken the lock');
    writeCurrent(folder, { number, sum });
    prune(folder, 'old');
    return number;
  }
}

function lastNumber(folder: string): number {
  const line = readCurrent(folder);
  const numbers = readdirSync(folder).map((name) => numberOf(name) ?? 0);
  return Math.max(0, typeof line === 'string' ? 0 : line.number, ...numbers);
}
