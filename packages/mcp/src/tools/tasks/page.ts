// Pages of items: a checklist as a body, or with `--json-only` a list of them; always in the room of the answer.
import { type ActionResult, jsonLength, utf8Length } from '@hanzo/tool';
import { readCursor } from '../../lib/cursor.ts';
import type { Tx } from '../../lib/store/index.ts';
import type { Ctx } from '../../local.ts';
import type { Item } from './items.ts';
import type { Placed } from './tree.ts';
import { checkbox, toData } from './view.ts';

export interface Asked {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The page of these items from the cursor on: at most `limit`, fewer where the room ends, one at least. `under`: the item they are all below. */
export function page(
  ctx: Ctx,
  tx: Tx,
  placed: readonly Placed[],
  { cursor, limit }: Asked,
  under?: number,
): ActionResult {
  const { jsonOnly } = ctx.env.config;
  const now = Date.now();
  const total = placed.length;
  const start = readCursor(cursor, total);
  const items: Record<string, unknown>[] = [];
  const lines: string[] = [];
  let left = ctx.maxOutput;
  for (const { id, depth } of placed.slice(start, start + limit)) {
    const item = tx.get<Item>('SELECT * FROM tasks_item WHERE id = ?', id) as Item; // the same transaction has found it
    const line = checkbox(item, depth, now, depth > 0 || item.parent === under ? null : item.parent);
    const data = toData(item, now);
    left -= jsonOnly ? jsonLength(JSON.stringify(data)) : utf8Length(line);
    if (left < 0 && items.length > 0) break;
    items.push(data);
    lines.push(line);
  }
  const next = start + items.length;
  const more = next < total;
  return {
    data: { total, count: items.length, ...(jsonOnly ? { items } : {}) },
    ...(jsonOnly || items.length === 0
      ? {}
      : { bodies: [{ kind: 'text' as const, key: 'text', text: lines.join('') }] }),
    paging: { cursor: more ? String(next) : null, more, total },
  };
}
