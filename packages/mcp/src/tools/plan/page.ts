// Pages of what a plan holds: items of a list in the data, or blocks of text in a body; both in the room of the answer.
import { jsonLength, type Paging, utf8Length } from '@hanzo/tool';
import { readCursor } from '../../lib/cursor.ts';
import type { Ctx } from '../../local.ts';

export interface Asked {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Items from the cursor on, at most `limit`, fewer where the room ends, of which `used` bytes are taken; one at least. */
export function pageOfItems<T>(
  ctx: Ctx,
  total: number,
  asked: Asked,
  item: (index: number) => T,
  used = 0,
): { readonly items: T[]; readonly paging: Paging } {
  return take(ctx, total, asked, item, (each) => utf8Length(JSON.stringify(each)) + 1, used);
}

/** The same with blocks of text, joined. `head` gives what stands before the first of them. */
export function pageOfText(
  ctx: Ctx,
  blocks: readonly string[],
  asked: Asked,
  head: (start: number) => string,
): { readonly text: string; readonly paging: Paging } {
  const size = ctx.env.config.jsonOnly ? jsonLength : utf8Length;
  const before = head(readCursor(asked.cursor, blocks.length));
  const { items, paging } = take(ctx, blocks.length, asked, (i) => blocks[i] as string, size, size(before));
  return { text: `${before}${items.join('')}`, paging };
}

function take<T>(
  ctx: Ctx,
  total: number,
  { cursor, limit }: Asked,
  item: (index: number) => T,
  size: (item: T) => number,
  used = 0,
): { items: T[]; paging: Paging } {
  const start = readCursor(cursor, total);
  const end = Math.min(total, start + limit);
  const items: T[] = [];
  let left = ctx.maxOutput - used;
  for (let i = start; i < end; i++) {
    const next = item(i);
    left -= size(next);
    if (left < 0 && items.length > 0) break;
    items.push(next);
  }
  const next = start + items.length;
  const more = next < total;
  return { items, paging: { cursor: more ? String(next) : null, more, total } };
}
