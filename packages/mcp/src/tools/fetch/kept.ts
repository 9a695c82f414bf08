// Copies of texts that are being paged through, so that pages of one answer join exactly.
import { createHash } from 'node:crypto';
import { clip, type Paging, ToolError } from '@hanzo/tool';

/** A text an answer is cut from. */
export interface Copy {
  readonly text: string;
  /** `sha256:` and 64 hex digits of the bytes the text comes from */
  readonly hash: string;
  /** facts that go with every page */
  readonly data: Readonly<Record<string, unknown>>;
  /** said with the last page: what of the whole is not in this text, and how to get it */
  readonly note?: string;
}

export interface Kept {
  get(key: string): Copy | undefined;
  put(key: string, copy: Copy): void;
}

const MOST_COPIES = 8;
const MOST_UNITS = 16_000_000;
const LIFETIME_MS = 10 * 60_000;

/** A small store of copies, the oldest dropped first. */
export function createKept(): Kept {
  const copies = new Map<string, Copy & { until: number }>();
  const units = (): number => [...copies.values()].reduce((sum, { text }) => sum + text.length, 0);
  return {
    get(key) {
      const copy = copies.get(key);
      return copy && copy.until > Date.now() ? copy : undefined;
    },
    put(key, copy) {
      copies.delete(key);
      copies.set(key, { ...copy, until: Date.now() + LIFETIME_MS });
      while (copies.size > 1 && (copies.size > MOST_COPIES || units() > MOST_UNITS)) {
        copies.delete(copies.keys().next().value as string);
      }
    },
  };
}

/** `sha256:` and the hex digest. */
export function hashOf(bytes: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Where a page begins: an offset in UTF-16 units into the copy with this hash. */
export interface Cursor {
  readonly offset: number;
  readonly mark: string;
}

const MARK = 12;

/** Reads a cursor an earlier answer gave; undefined for the first page. */
export function readCursor(cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const found = /^(\d{1,9})\.([0-9a-f]{12})$/.exec(cursor);
  if (!found) {
    throw new ToolError('INVALID_PARAMS', `'cursor' is not one this tool gave; leave it out for the first page`, {
      param: 'cursor',
    });
  }
  return { offset: Number(found[1]), mark: found[2] ?? '' };
}

/** True if `copy` is what `cursor` points into. */
export function isOf(copy: Copy, cursor: Cursor): boolean {
  return copy.hash.startsWith(cursor.mark, 'sha256:'.length);
}

/** One page of a copy: as much as fits into `maxBytes`, and where the rest is. */
export function pageOf(
  copy: Copy,
  cursor: Cursor | undefined,
  maxBytes: number,
): { text: string; paging?: Paging; more?: string } {
  const offset = cursor?.offset ?? 0;
  const total = copy.text.length;
  if (offset > total || (offset === total && offset > 0)) {
    throw new ToolError('INVALID_PARAMS', `the cursor is past the end; there are ${total} characters in all`, {
      param: 'cursor',
      total,
    });
  }
  // Four bytes hold any code point, so every page moves on.
  const { text, rest } = clip(copy.text.slice(offset), Math.max(4, maxBytes));
  if (rest === 0) {
    const end = copy.note === undefined ? {} : { more: copy.note };
    return cursor ? { text, paging: { cursor: null, more: false, total }, ...end } : { text, ...end };
  }
  const next = `${total - rest}.${copy.hash.slice('sha256:'.length, 'sha256:'.length + MARK)}`;
  return {
    text,
    paging: { cursor: next, more: true, total },
    more: `${rest} of ${total} characters follow; ask again with this cursor`,
  };
}
