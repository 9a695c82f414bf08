// The net below every tool: an envelope whose data or error is too large is cut until it fits, and says what was cut.
// Tools page by themselves; what arrives here too large is what nobody thought of.
import { clip, jsonLength, shorten, utf8Length } from './clip.ts';

/** What an envelope may take beyond the room its text bodies have. */
export const ENVELOPE_ALLOWANCE = 4096;

/** An envelope before it is written. */
export interface Envelope {
  readonly ok: boolean;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly error: Readonly<Record<string, unknown>> | null;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** JSON of any shape; a plain copy, so that nothing of the caller's is changed. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** What was left out, by place; the places of one list's items are one (`commits[].subject`). */
type Cuts = Map<string, { left: number; of: number; what: string }>;

/** Most bytes of the sentence that says what was cut. */
const MOST_NOTE = 384;
const MOST_PLACES = 4;
/** Rather than cut the items of a list shorter than this, the list itself is cut. */
const LEAST_ITEM = 256;
/** Below this depth a part that does not fit is emptied. */
const MOST_DEPTH = 48;

/**
 * The envelope as JSON of at most `limit` bytes (1024 or more). Texts and lists in `data` and `error` are cut, the longest
 * first, texts at a code point, lists from their end, objects by their largest entries; `more` beside them says what was
 * left out. `ok`, `meta`, `error.code` and the entries of `data` named in `kept` (paging, bodies) stay as they are, however
 * large.
 */
export function bounded(envelope: Envelope, limit: number, kept: ReadonlySet<string> = new Set()): string {
  const text = JSON.stringify(envelope);
  // Three bytes are the most one UTF-16 unit takes.
  if (text.length * 3 <= limit || utf8Length(text) <= limit) return text;
  const { ok, data, error, meta } = JSON.parse(text) as {
    ok: boolean;
    data: JsonObject | null;
    error: JsonObject | null;
    meta: JsonObject;
  };
  const fixed = data === null ? 0 : sizeOf(only(data, (key) => kept.has(key)));
  const room = limit - sizeOf({ ok, data: null, error: null, meta }) - fixed;
  const most = share([sizeOf(data) - fixed, sizeOf(error)], room);
  return JSON.stringify({
    ok,
    data: data && part(data, kept, fixed + most),
    error: error && part(error, new Set(['code']), most),
    meta,
  });
}

/** `data` or `error` in `room` bytes, with a word on what is missing. */
function part(whole: JsonObject, kept: ReadonlySet<string>, room: number): JsonObject {
  if (sizeOf(whole) <= room) return whole;
  const { more, ...rest } = whole;
  const fixed = only(rest, (key) => kept.has(key));
  const open = only(rest, (key) => !kept.has(key));
  const cuts: Cuts = new Map();
  const note = Math.min(MOST_NOTE, Math.floor(room / 3));
  const earlier = typeof more === 'string' ? clip(more, Math.floor(note / 2), 'json').text : '';
  let left = room - sizeOf(fixed) - note - ',"more":"",'.length;
  const first: JsonObject = Object.create(null) as JsonObject;
  if (typeof open['message'] === 'string' && kept.has('code')) {
    // The sentence of an error goes before its facts.
    const message = fitText(open['message'], Math.floor(left / 2), 'message', cuts);
    first['message'] = message;
    left -= sizeOf(message) + '"message":,'.length;
    delete open['message'];
  }
  const cut = { ...first, ...(fit(open, left, '', 0, cuts) as JsonObject) };
  const result: JsonObject = Object.create(null) as JsonObject;
  for (const key of Object.keys(rest)) {
    const from = kept.has(key) ? fixed : cut;
    if (Object.hasOwn(from, key)) result[key] = from[key] as Json;
  }
  result['more'] = clip([earlier, sentence(cuts)].filter((each) => each !== '').join('; '), note, 'json').text;
  return result;
}

/** The entries whose keys `wanted` accepts. */
function only(object: JsonObject, wanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => wanted(key)));
}

function sentence(cuts: Cuts): string {
  const places = [...cuts]
    .slice(0, MOST_PLACES)
    .map(([place, { left, of, what }]) => `${place === '' ? '' : `${place}: `}${left} of ${of} ${what}`);
  const others = cuts.size > MOST_PLACES ? `; and in ${cuts.size - MOST_PLACES} other places` : '';
  return `left out at the output limit: ${places.join('; ')}${others}`;
}

/** `value` in at most `room` bytes of JSON, as far as it can be cut: numbers and the empty forms stay. */
function fit(value: Json, room: number, place: string, depth: number, cuts: Cuts): Json {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? fitText(value, room, place, cuts) : value;
  if (sizeOf(value) <= room) return value;
  if (depth > MOST_DEPTH) return emptied(value, place, cuts);
  return Array.isArray(value) ? fitList(value, room, place, depth, cuts) : fitObject(value, room, place, depth, cuts);
}

function fitText(text: string, room: number, place: string, cuts: Cuts): string {
  if (text.length * 6 + 2 <= room) return text;
  const { text: kept, rest } = clip(text, Math.max(0, room - 2), 'json');
  if (rest > 0) count(cuts, place, rest, text.length, 'characters');
  return kept;
}

function fitList(list: Json[], room: number, place: string, depth: number, cuts: Cuts): Json[] {
  const sizes = list.map((each) => sizeOf(each) + 1);
  const most = Math.max(LEAST_ITEM, share(sizes, room - 2));
  const kept: Json[] = [];
  let left = room - 2;
  for (const [i, each] of list.entries()) {
    const size = Math.min(sizes[i] as number, most);
    if (size > left) break;
    const item = fit(each, size - 1, `${place}[]`, depth + 1, cuts);
    left -= sizeOf(item) + 1;
    kept.push(item);
  }
  if (kept.length < list.length) count(cuts, place, list.length - kept.length, list.length, 'items');
  return kept;
}

function fitObject(object: JsonObject, room: number, place: string, depth: number, cuts: Cuts): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => {
    const name = jsonLength(key) + 4;
    return { key, value, name, size: sizeOf(value) + name };
  });
  const sizes = entries.map(({ size }) => size);
  const most = Math.max(LEAST_ITEM, share(sizes, room - 2));
  const kept = new Map<string, Json>();
  let left = room - 2;
  // What is small is kept before what is large; among equals, what comes first.
  for (const { key, value, name, size } of entries.toSorted((a, b) => a.size - b.size)) {
    const least = Math.min(size, most);
    if (least > left || name >= least) continue;
    const item = fit(
      value,
      least - name,
      place === '' ? shorten(key, 40) : `${place}.${shorten(key, 40)}`,
      depth + 1,
      cuts,
    );
    const taken = sizeOf(item) + name;
    if (taken > left) continue;
    left -= taken;
    kept.set(key, item);
  }
  if (kept.size < entries.length) count(cuts, place, entries.length - kept.size, entries.length, 'entries');
  // A key called __proto__ is a key like any other.
  const result = Object.create(null) as JsonObject;
  for (const { key } of entries) if (kept.has(key)) result[key] = kept.get(key) as Json;
  return result;
}

function emptied(value: Json[] | JsonObject, place: string, cuts: Cuts): Json {
  const list = Array.isArray(value);
  const length = Object.keys(value).length;
  count(cuts, place, length, length, list ? 'items' : 'entries');
  return list ? [] : {};
}

function count(cuts: Cuts, place: string, left: number, of: number, what: string): void {
  const known = cuts.get(place);
  if (known?.what === what) cuts.set(place, { left: known.left + left, of: known.of + of, what });
  else if (!known) cuts.set(place, { left, of, what });
}

/** The most each of several may take so that all together take `room`, where those who need less leave it to the others. */
function share(sizes: readonly number[], room: number): number {
  const rising = sizes.toSorted((a, b) => a - b);
  let left = Math.max(0, room);
  for (const [i, size] of rising.entries()) {
    const level = Math.floor(left / (rising.length - i));
    if (size > level) return level;
    left -= size;
  }
  return Number.MAX_SAFE_INTEGER;
}

/** Bytes of a value as JSON. */
function sizeOf(value: Json): number {
  return utf8Length(JSON.stringify(value));
}
