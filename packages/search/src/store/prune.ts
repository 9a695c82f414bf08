// Removes generations and segments that are out of use, and what killed builds left. It touches only names that are ours.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manifestName, numberOf, readCurrent } from './current.ts';
import { TEMPORARY } from './files.ts';
import { readManifest } from './manifest.ts';

/** a process that has read CURRENT opens the files well within this */
const GRACE_MS = 10 * 60_000;
/** generations kept whatever their age */
const KEPT = 2;

/**
 * `old`: generations but the newest two and those of the last ten minutes, and the segments only they had. `left`: unfinished
 * files and segments that no generation names as well, which is for one who holds the lock and builds nothing.
 */
export function prune(folder: string, what: 'old' | 'left', now: number = Date.now()): void {
  const names = listed(folder);
  const line = readCurrent(folder);
  const current = typeof line === 'string' ? undefined : line.number;
  const numbers = names.map(numberOf).filter((number) => number !== undefined);
  numbers.sort((a, b) => b - a);
  const stays = (number: number, place: number): boolean =>
    place < KEPT || number === current || isYoung(join(folder, manifestName(number)), now);
  const kept = numbers.filter(stays);
  const dropped = numbers.filter((number) => !kept.includes(number));
  if (what === 'old' && dropped.length === 0) return;

  const segmentsOf = (of: readonly number[]): Set<string> | undefined => {
    try {
      return new Set(
        of.flatMap((number) => readManifest(join(folder, manifestName(number))).meta.segments.map(({ name }) => name)),
      );
    } catch {
      return undefined;
    }
  };
  const used = segmentsOf(kept);
  const unused = what === 'left' ? undefined : (segmentsOf(dropped) ?? new Set<string>());
  for (const number of dropped) remove(join(folder, manifestName(number)));
  for (const name of names) {
    const unfinished = name.endsWith(TEMPORARY);
    if (unfinished && what === 'left' && /^(seg-|gen-|CURRENT|LOCK-)/.test(name)) remove(join(folder, name));
    // where a manifest that counts cannot be read, nobody knows what is out of use
    if (unfinished || used === undefined || used.has(name) || !name.startsWith('seg-')) continue;
    if (unused === undefined || unused.has(name)) remove(join(folder, name));
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isYoung(file: string, now: number): boolean {
  try {
    return now - statSync(file).mtimeMs < GRACE_MS;
  } catch {
    return false;
  }
}

/** What cannot be removed now (open elsewhere, on Windows) is removed another time. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // another time
  }
}
