// A file's bytes with the identity they were read under, so that a later write can tell whether it is still the same.
import type { FileHandle } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { ToolError } from '@hanzo/tool';
import { toUri } from '../../path.ts';
import { hashOf } from './hash.ts';
import { on } from './failure.ts';
import { openToRead } from './open.ts';

/** Files above this are not edited: an edit holds the whole file. */
const EDIT_LIMIT = 256 * 1024 * 1024;

export interface Snapshot {
  readonly file: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly stat: BigIntStats;
}

/** Reads a regular file of at most EDIT_LIMIT bytes, all of it and of one moment. `file` is a real path. */
export function snapshot(file: string): Promise<Snapshot> {
  return on(file, async () => {
    const handle = await openToRead(file);
    try {
      for (let attempt = 0; ; attempt++) {
        const stat = await handle.stat({ bigint: true });
        if (!stat.isFile()) throw notRegular(file);
        if (stat.size > BigInt(EDIT_LIMIT)) {
          throw new ToolError(
            'INVALID_PARAMS',
            `${file} has ${stat.size} bytes; files above ${EDIT_LIMIT} bytes are not edited here, use a stream editor`,
            { uri: toUri(file), size: Number(stat.size), limit: EDIT_LIMIT },
          );
        }
        const bytes = await readAll(handle, Number(stat.size));
        const after = await handle.stat({ bigint: true });
        if ((sameState(stat, after) && BigInt(bytes.length) === stat.size) || attempt === 4) {
          return { file, bytes, hash: hashOf(bytes), stat: after };
        }
      }
    } finally {
      await handle.close();
    }
  });
}

/** The first `size` bytes of an open file, fewer where it ends. */
export async function readAll(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await handle.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

function notRegular(file: string): ToolError {
  return new ToolError('INVALID_PARAMS', `${file} is not a regular file`, { uri: toUri(file) });
}

/** True if a file is, by all the system tells, what it was. */
export function sameState(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
