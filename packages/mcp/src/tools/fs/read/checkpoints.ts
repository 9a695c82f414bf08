// Where the last pages of huge files ended, so that reading on does not start at the beginning.
import type { BigIntStats } from 'node:fs';
import type { Local } from '../../../local.ts';

/** A place in a file: 0-based line and character, and the byte they are at. */
interface Checkpoint {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

export interface Checkpoints {
  /** the last known place at or before a line, and on that line at or before the character */
  before(stat: BigIntStats, line: number, column: number): Checkpoint | undefined;
  keep(stat: BigIntStats, place: Checkpoint): void;
}

const FILES = 16;
const PLACES = 32;

const perServer = new WeakMap<Local, Checkpoints>();

/** The checkpoints of a server; they are kept in memory, a few per file. */
export function checkpoints(local: Local): Checkpoints {
  let known = perServer.get(local);
  if (!known) perServer.set(local, (known = create()));
  return known;
}

/** A file that changed in any way has other bytes at its places. */
function key(stat: BigIntStats): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(':');
}

function create(): Checkpoints {
  const files = new Map<string, Checkpoint[]>();
  return {
    before(stat, line, column) {
      const places = files.get(key(stat)) ?? [];
      return places.findLast((each) =>
        each.line < line ? each.column === 0 : each.line === line && each.column <= column,
      );
    },
    keep(stat, place) {
      const name = key(stat);
      const places = (files.get(name) ?? []).filter((each) => each.byte !== place.byte);
      places.push(place);
      places.sort((a, b) => a.byte - b.byte);
      if (places.length > PLACES) places.shift();
      files.delete(name);
      files.set(name, places);
      const [oldest] = files.keys();
      if (files.size > FILES && oldest !== undefined) files.delete(oldest);
    },
  };
}
