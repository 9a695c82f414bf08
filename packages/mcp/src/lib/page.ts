// Lists as an answer has them: one page of an ordered list as text, each item a line about it and what it holds.
import { type ActionResult, clip, jsonLength, shorten, ToolError, utf8Length } from '@hanzo/tool';
import type { Config } from '../config.ts';

/** What of an action's context is needed here. */
interface Context {
  readonly maxOutput: number;
  readonly env: { readonly config: Config };
}

/** One item of a list: in the envelope of `--json-only`, and as text otherwise. */
export interface Item {
  readonly json: Record<string, unknown>;
  /** which entry of `json` may be cut, and is what `text` ends with */
  readonly long: string;
  readonly head: string;
}

/** Where a page begins: an item, and a character in its long text. */
interface Place {
  readonly item: number;
  readonly at: number;
}

/** Least bytes of a long text that are worth beginning in what a page has left. */
const WORTHWHILE = 200;

/**
 * The page of `total` items from `cursor` on: at most `limit`, fewer where the answer's room ends. An item whose long text does
 * not fit is cut, and its rest begins the next page; pages join to the whole. `item` gives the n-th.
 */
export function page(
  ctx: Context,
  total: number,
  paging: { readonly cursor?: string | undefined; readonly limit: number },
  key: string,
  item: (index: number) => Item,
): ActionResult {
  const { jsonOnly } = ctx.env.config;
  const start = placeOf(paging.cursor, total);
  const end = Math.min(total, start.item + paging.limit);
  const list: Record<string, unknown>[] = [];
  const out: string[] = [];
  let left = ctx.maxOutput;
  let at = start.at;
  let index = start.item;
  for (; index < end; index++) {
    const { json, long, head } = item(index);
    const text = String(json[long]).slice(at);
    const shown = at > 0 ? { ...json, from: at } : json;
    const gap = out.length > 0 ? '\n' : '';
    const intro = at > 0 ? '' : `${gap}${head}\n`;
    const fixed = jsonOnly ? jsonLength(JSON.stringify({ ...shown, [long]: '' })) / 1.1 : utf8Length(intro) + 2;
    const first = list.length === 0;
    const room = Math.floor(left - fixed);
    const cut = clip(text, Math.max(room, first ? WORTHWHILE : 0), jsonOnly ? 'json' : 'plain');
    if (cut.rest > 0 && !first && room < WORTHWHILE) break;
    list.push({ ...shown, [long]: cut.text });
    out.push(`${intro}${cut.text}${cut.rest > 0 || cut.text.endsWith('\n') ? '' : '\n'}`);
    left -= fixed + (jsonOnly ? jsonLength(cut.text) : utf8Length(cut.text));
    if (cut.rest > 0) {
      at += cut.text.length;
      break;
    }
    at = 0;
  }
  const more = index < total;
  const cursor = more ? `${index}${at > 0 ? `:${at}` : ''}` : null;
  return {
    data: { total, count: list.length, ...(jsonOnly ? { [key]: list } : {}) },
    ...(jsonOnly || total === 0 ? {} : { bodies: [{ kind: 'text' as const, key: 'text', text: out.join('') }] }),
    paging: { cursor, more, total },
  };
}

/** INVALID_PARAMS for anything that is no cursor of this tool. */
export function placeOf(given: string | undefined, total: number): Place {
  if (given === undefined) return { item: 0, at: 0 };
  const [, item = '', at = '0'] = /^(\d{1,9})(?::(\d{1,9}))?$/.exec(given) ?? [];
  if (item !== '' && Number(item) <= total) return { item: Number(item), at: Number(at) };
  const why = item === '' ? 'is not a cursor' : `is past the end; ${total} in all`;
  throw new ToolError(
    'INVALID_PARAMS',
    `'cursor' ${JSON.stringify(shorten(given, 40))} ${why}; pass paging.cursor as it was given`,
    { param: 'cursor', total },
  );
}
