// A list as pages: a line for each entry beside the envelope, or the entries within it where only JSON is wanted.
import { type Body, type Paging, utf8Length } from '@hanzo/tool';
import { readCursor } from './cursor.ts';

/** One entry in both its forms. */
export interface Entry {
  /** without a line end at its end */
  readonly text: string;
  readonly json: unknown;
  /** stands before the first of its group on a page */
  readonly group?: string;
}

export interface Asked {
  /** the key of the list in the answer */
  readonly key: string;
  readonly cursor: string | undefined;
  /** most entries of a page */
  readonly limit: number;
  /** most bytes of a page */
  readonly room: number;
  readonly json: boolean;
}

export interface Lines {
  readonly data: Readonly<Record<string, unknown>>;
  readonly bodies: readonly Body[];
  readonly paging: Paging;
}

/** The page at a cursor: at most `limit` entries and `room` bytes, at least one entry where there is one. */
export function pageOfLines(entries: readonly Entry[], { key, cursor, limit, room, json }: Asked): Lines {
  const from = readCursor(cursor, entries.length);
  let to = from;
  let left = room;
  let group: string | undefined;
  const lines: string[] = [];
  for (; to < entries.length && to < from + limit; to++) {
    const entry = entries[to] as Entry;
    const heading = entry.group === undefined || entry.group === group ? '' : `${entry.group}\n`;
    const line = `${heading}${entry.text}\n`;
    left -= utf8Length(json ? `${JSON.stringify(entry.json)},` : line);
    if (left < 0 && to > from) break;
    group = entry.group;
    lines.push(line);
  }
  const page = entries.slice(from, to);
  const more = to < entries.length;
  return {
    data: { count: page.length, ...(json ? { [key]: page.map((each) => each.json) } : {}) },
    bodies: json ? [] : [{ kind: 'text', key, text: lines.join('') }],
    paging: { cursor: more ? String(to) : null, more, total: entries.length },
  };
}
