// Lists as pages: text beside the envelope, or items within it where only JSON is wanted.
import { type ActionResult, type Body, type Paging, utf8Length } from '@hanzo/tool';
import { readCursor } from '../../lib/cursor.ts';
import type { Ctx } from '../../local.ts';

/** One entry of a list in both its forms. */
export interface Item {
  /** its lines, without the last line end; what `group` says stands before the first of its group on a page */
  readonly text: string;
  readonly json: unknown;
  readonly group?: string;
}

export interface Page {
  readonly data: Record<string, unknown>;
  readonly bodies: readonly Body[];
  readonly paging: Paging;
}

/**
 * The page of a list at a cursor: at most `limit` items and `ctx.maxOutput` bytes, at least one item. `data` has `count`, and
 * under `key` the items themselves where only JSON is wanted; else the text is a body named `key`.
 */
export function pageOf(
  ctx: Ctx,
  items: readonly Item[],
  asked: { readonly key: string; readonly cursor: string | undefined; readonly limit: number; readonly total?: number },
): Page {
  const json = ctx.env.config.jsonOnly;
  const offset = readCursor(asked.cursor, items.length);
  const pieces: string[] = [];
  const chosen: unknown[] = [];
  let left = ctx.maxOutput;
  let at = offset;
  let group: string | undefined;
  for (; at < items.length && at < offset + asked.limit; at++) {
    const item = items[at] as Item;
    const heading =
      item.group !== undefined && item.group !== group ? `${pieces.length > 0 ? '\n' : ''}${item.group}\n` : '';
    const piece = `${heading}${item.text}\n`;
    const bytes = utf8Length(json ? `${JSON.stringify(item.json)},` : piece);
    if (bytes > left && at > offset) break;
    left -= bytes;
    group = item.group;
    pieces.push(piece);
    chosen.push(item.json);
  }
  const more = at < items.length;
  return {
    data: { count: at - offset, ...(json ? { [asked.key]: chosen } : {}) },
    bodies: json ? [] : [{ kind: 'text', key: asked.key, text: pieces.join('') }],
    paging: { cursor: more ? String(at) : null, more, total: items.length },
  };
}

/** An answer that is a page and what else is to be said. */
export function answer(page: Page, data: Record<string, unknown>): ActionResult {
  return { data: { ...data, ...page.data }, bodies: page.bodies, paging: page.paging };
}
