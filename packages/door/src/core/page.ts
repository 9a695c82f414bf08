// Long lists in pages. A cursor names the last entry seen, so a list that changed in between is noticed, not mis-read.
import { CODES, RpcError } from './rpc.ts';

/** One page; `items` is the very array the host gave where it fits on one page, so that its text can be kept. */
export interface Page {
  items: readonly unknown[];
  nextCursor?: string;
}

const slices = new WeakMap<readonly unknown[], Map<number, readonly unknown[]>>();

/** The page after `cursor`. Throws -32602 on a cursor that is not ours or whose entry is gone. */
export function pageOf<T>(
  list: string,
  all: readonly T[],
  key: (item: T) => string,
  cursor: unknown,
  size: number,
): Page {
  if (cursor === undefined && all.length <= size) return { items: all };
  const start = cursor === undefined ? 0 : after(list, all, key, cursor);
  const items = start === 0 && all.length <= size ? all : slice(all, start, size);
  const last = all[start + size - 1];
  if (last === undefined || start + size >= all.length) return { items };
  return { items, nextCursor: encode([list, start + size, key(last)]) };
}

function slice(all: readonly unknown[], start: number, size: number): readonly unknown[] {
  let known = slices.get(all);
  if (!known) slices.set(all, (known = new Map()));
  let part = known.get(start);
  if (!part) known.set(start, (part = all.slice(start, start + size)));
  return part;
}

function after<T>(list: string, all: readonly T[], key: (item: T) => string, cursor: unknown): number {
  const parts = typeof cursor === 'string' ? decode(cursor) : undefined;
  if (!parts || parts[0] !== list) throw bad('is not one this list gave out');
  const [, offset, name] = parts;
  const before = all[offset - 1];
  if (before !== undefined && key(before) === name) return offset;
  const moved = all.findIndex((item) => key(item) === name);
  if (moved < 0) throw bad('is out of date; list again from the start');
  return moved + 1;
}

function bad(why: string): RpcError {
  return new RpcError(CODES.invalidParams, `Invalid cursor: it ${why}`);
}

function encode(parts: [string, number, string]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function decode(cursor: string): [string, number, string] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    const [list, offset, name] = parts as unknown[];
    if (typeof list !== 'string' || typeof name !== 'string' || !Number.isSafeInteger(offset)) return undefined;
    return [list, offset as number, name];
  } catch {
    return undefined;
  }
}
