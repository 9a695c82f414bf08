// Pages of what git said: a text cut at line ends, a list cut at items. Pages concatenate to the whole.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type ActionResult, clip, type Paging, shorten, ToolError, utf8Length } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { type GitOutput, MAX_BYTES } from './run.ts';

/**
 * One page of `output` as the body `key`, beside `data`. A cursor is `<offset>.<digest>`: the offset in UTF-16 units and
 * the first digits of the whole text's SHA-256, so that a page of a text that has changed since is refused (CONFLICT).
 * `room` is the most bytes of the page, default all that an answer has.
 */
export function textPage(
  ctx: Ctx,
  key: string,
  output: Pick<GitOutput, 'text' | 'truncated'> & { readonly bytes?: Buffer },
  cursor: string | undefined,
  data: Record<string, unknown>,
  room = ctx.maxOutput,
): ActionResult {
  const { text, truncated } = output;
  const start = cursor === undefined ? 0 : startOf(cursor, text);
  const page = clip(start === 0 ? text : text.slice(start), room);
  // A page smaller than one code point would never get anywhere.
  const shown = page.text === '' && page.rest > 0 ? firstCodePoint(text, start) : page.text;
  const end = start + shown.length;
  const more = end < text.length;
  const result: Record<string, unknown> = { ...data };
  if (output.bytes && text.includes('\ufffd') && !isUtf8(output.bytes)) {
    result['lossy'] = 'not all of it is UTF-8; other bytes are shown as U+FFFD';
  }
  if (more) {
    result['more'] = `${key}: characters ${start} to ${end} of ${text.length}; the rest follows with this cursor`;
  } else if (truncated) {
    result['more'] =
      `${key}: git's answer went past ${MAX_BYTES / 1024 / 1024} MiB and was cut there; narrow it (file, ref, limit)`;
  }
  return {
    data: result,
    bodies: [{ kind: 'text', key, text: shown }],
    ...(more || cursor !== undefined
      ? { paging: { cursor: more ? `${end}.${digest(text)}` : null, more, total: text.length } }
      : {}),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function startOf(cursor: string, text: string): number {
  const [, offset, seen] = /^(\d{1,12})\.([0-9a-f]{8})$/.exec(cursor) ?? [];
  if (offset === undefined) throw badCursor(cursor);
  if (seen !== digest(text)) {
    throw new ToolError(
      'CONFLICT',
      "what git answers has changed since this cursor's page; start again without cursor",
      {
        param: 'cursor',
      },
    );
  }
  const start = Number(offset);
  if (start > text.length) throw badCursor(cursor);
  const unit = text.charCodeAt(start);
  if (unit >= 0xdc00 && unit < 0xe000) throw badCursor(cursor);
  return start;
}

function firstCodePoint(text: string, start: number): string {
  return String.fromCodePoint(text.codePointAt(start) as number);
}

/** The offset a decimal cursor names; 0 without one. */
export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor)) throw badCursor(cursor);
  return Number(cursor);
}

function badCursor(cursor: string): ToolError {
  return new ToolError(
    'INVALID_PARAMS',
    `'cursor': '${shorten(cursor, 40)}' is none; pass data.paging.cursor of the page before, or leave it out`,
    { param: 'cursor' },
  );
}

/** INVALID_PARAMS where a page begins past the last of `total` items. */
export function needItem(start: number, total: number): void {
  if (start === 0 || start < total) return;
  throw new ToolError('INVALID_PARAMS', `'cursor': ${start} is past the end; there are ${total} in all`, {
    param: 'cursor',
  });
}

/** Items of one page, at most `limit` of them and `room` bytes of JSON (default: what one answer has), and the paging that goes with it. */
export function listPage<T>(
  ctx: Ctx,
  items: readonly T[],
  cursor: string | undefined,
  limit: number,
  room = ctx.maxOutput,
): { items: readonly T[]; paging?: Paging } {
  const start = offsetOf(cursor);
  needItem(start, items.length);
  const shown = fitting(ctx, items.slice(start, start + limit), room);
  const end = start + shown.length;
  const more = end < items.length;
  if (!more && cursor === undefined) return { items: shown };
  return { items: shown, paging: { cursor: more ? String(end) : null, more, total: items.length } };
}

/**
 * The longest head of `items` that fits into `room` bytes of JSON (default: what one answer has); at least one. Texts and
 * lists of an item too large for all of it are cut, and the item says so in `cut`.
 */
export function fitting<T>(ctx: Ctx, items: readonly T[], room = ctx.maxOutput): readonly T[] {
  let left = room;
  const kept: T[] = [];
  for (const item of items) {
    const size = jsonSize(item) + 1;
    if (size > left && kept.length > 0) break;
    kept.push(size > room ? cutTo(item, room) : item);
    left -= size;
    if (left < 0) break;
  }
  return kept;
}

/** Characters of a subject where it only tells one commit from another. */
export const LONGEST_SUBJECT = 300;

/** Bytes of a value as JSON. */
export function jsonSize(value: unknown): number {
  return utf8Length(JSON.stringify(value));
}

/** Bytes; what takes no more than twice as many is not cut further. */
const LEAST = 16;

/**
 * `item` with its longest texts and lists cut until its JSON takes at most `room` bytes, as far as they can be; their names
 * and whole lengths stand in `cut`. Anything but an object stays as it is.
 */
export function cutTo<T>(item: T, room: number): T {
  if (typeof item !== 'object' || item === null || jsonSize(item) <= room) return item;
  const shown = { ...item } as Record<string, unknown>;
  const cut = new Map<string, string>();
  for (let over = jsonSize(shown) - room; over > 0; over = jsonSize({ ...shown, cut: sayCut(cut) }) - room) {
    const [key, value, size] = Object.entries(shown)
      .filter(([, each]) => typeof each === 'string' || Array.isArray(each))
      .map(([name, each]) => [name, each as string | readonly unknown[], jsonSize(each)] as const)
      .reduce((one, other) => (other[2] > one[2] ? other : one), ['', '', 0] as const);
    if (size <= LEAST * 2) break;
    const units = Array.isArray(value) ? 'items' : 'characters';
    if (!cut.has(key)) cut.set(key, `${(item as Record<string, string>)[key]?.length} ${units}`);
    // Escapes make JSON longer than the text, so what is too much is taken from both in the same proportion.
    const keep = Math.max(0, size - over - LEAST) / size;
    shown[key] =
      typeof value === 'string'
        ? clip(value, Math.floor(utf8Length(value) * keep)).text
        : value.slice(0, Math.floor(value.length * keep));
  }
  return { ...shown, cut: sayCut(cut) } as T;
}

function sayCut(cut: ReadonlyMap<string, string>): string {
  return [...cut].map(([key, whole]) => `${key} has ${whole}`).join(', ');
}
