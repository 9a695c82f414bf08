// Pages of what git said: a text cut at line ends, a list cut at items. Pages concatenate to the whole.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type ActionResult, clip, type Paging, ToolError, utf8Length } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { type GitOutput, MAX_BYTES } from './run.ts';

/**
 * One page of `output` as the body `key`, beside `data`. A cursor is `<offset>.<digest>`: the offset in UTF-16 units and
 * the first digits of the whole text's SHA-256, so that a page of a text that has changed since is refused (CONFLICT).
 */
export function textPage(
  ctx: Ctx,
  key: string,
  output: Pick<GitOutput, 'text' | 'truncated'> & { readonly bytes?: Buffer },
  cursor: string | undefined,
  data: Record<string, unknown>,
): ActionResult {
  const { text, truncated } = output;
  const start = cursor === undefined ? 0 : startOf(cursor, text);
  const page = clip(start === 0 ? text : text.slice(start), ctx.maxOutput);
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
    `'cursor': '${cursor.slice(0, 40)}' is none; pass data.paging.cursor of the page before, or leave it out`,
    { param: 'cursor' },
  );
}

/** Items of one page, at most `limit` of them and `ctx.maxOutput` bytes of JSON, and the paging that goes with it. */
export function listPage<T>(
  ctx: Ctx,
  items: readonly T[],
  cursor: string | undefined,
  limit: number,
): { items: readonly T[]; paging?: Paging } {
  const start = offsetOf(cursor);
  if (start > 0 && start >= items.length) {
    throw new ToolError('INVALID_PARAMS', `'cursor': ${start} is past the end; there are ${items.length} in all`, {
      param: 'cursor',
    });
  }
  const shown = fitting(ctx, items.slice(start, start + limit));
  const end = start + shown.length;
  const more = end < items.length;
  if (!more && cursor === undefined) return { items: shown };
  return { items: shown, paging: { cursor: more ? String(end) : null, more, total: items.length } };
}

/** The longest head of `items` that fits into one answer as JSON; at least one. */
export function fitting<T>(ctx: Ctx, items: readonly T[]): readonly T[] {
  let left = ctx.maxOutput;
  let count = 0;
  for (const item of items) {
    left -= utf8Length(JSON.stringify(item)) + 1;
    if (left < 0 && count > 0) break;
    count += 1;
  }
  return items.slice(0, count);
}
