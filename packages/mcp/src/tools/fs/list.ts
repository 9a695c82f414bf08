// list: what is in a directory, to a depth, in one order, in pages.
import { lstat, readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { readCursor } from '../../lib/cursor.ts';
import { toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { on } from '../../lib/edits/disk/failure.ts';
import { compileRule } from './glob.ts';
import { cursor, uri } from './params.ts';
import { readable } from '../../lib/edits/target.ts';

interface Entry {
  readonly name: string;
  readonly is_dir: boolean;
  readonly link: boolean;
}

/** Most entries one listing holds; the total is exact, so all of them are looked at. */
const MOST_ENTRIES = 500_000;

/** Room an answer leaves for what is around its entries. */
const ENVELOPE_BYTES = 600;

export const list = act({
  summary: 'directory entries',
  effect: 'read',
  input: z.strictObject({
    uri,
    depth: z.int().min(1).default(1),
    pattern: z.string().optional().describe('list: name glob; search: regex'),
    cursor,
    limit: z.int().min(1).max(1000).default(100),
  }),
  async run(ctx, input) {
    const { file: directory, stat } = await readable(ctx, input.uri);
    if (!stat.isDirectory()) {
      throw new ToolError('INVALID_PARAMS', `${directory} is not a directory; read shows a file`, {
        uri: toUri(directory),
      });
    }
    const wanted = nameFilter(input.pattern);
    const entries: Entry[] = [];
    await walk(ctx, directory, '', input.depth, wanted, entries);
    const offset = readCursor(input.cursor, entries.length);
    const shown = await page(directory, entries.slice(offset, offset + input.limit), ctx.maxOutput - ENVELOPE_BYTES);
    const next = offset + shown.length;
    const more = next < entries.length;
    return {
      data: { uri: toUri(directory), entries: shown },
      paging: { cursor: more ? String(next) : null, more, total: entries.length },
    };
  },
});

/** The filter a name glob stands for. A leading `**\/` says what is so anyway: it counts at every depth. */
function nameFilter(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const negated = pattern.startsWith('!');
  const bare = pattern.slice(negated ? 1 : 0).replace(/^(\*\*\/)+/, '');
  if (bare === '') throw refuse('is empty');
  if (bare.includes('\0')) throw refuse('contains NUL');
  if (bare.includes('/')) throw refuse('is matched against names, which hold no /');
  try {
    const rule = compileRule(bare, negated);
    return (name) => rule.matches(name, name) !== negated;
  } catch (error) {
    throw refuse(`is not a glob: ${(error as Error).message}`);
  }
}

function refuse(why: string): ToolError {
  return new ToolError('INVALID_PARAMS', `'pattern' ${why}; give a name glob such as *.ts`, { param: 'pattern' });
}

/** Entries in order: by name in byte order, each directly before what is in it. An unreadable subdirectory is left closed. */
async function walk(
  ctx: Ctx,
  directory: string,
  prefix: string,
  depth: number,
  wanted: (name: string) => boolean,
  into: Entry[],
): Promise<void> {
  ctx.signal.throwIfAborted();
  const here = path.join(directory, prefix);
  const open = (): Promise<Dirent[]> => readdir(here, { withFileTypes: true });
  const found = prefix === '' ? await on(here, open) : await open().catch(() => []);
  const sorted = found.filter((each) => wanted(each.name)).sort((a, b) => compareBytes(a.name, b.name));
  for (const each of sorted) {
    if (into.length >= MOST_ENTRIES) {
      throw new ToolError(
        'INVALID_PARAMS',
        `${directory} has more than ${MOST_ENTRIES} entries to that depth; give a smaller depth or list a subdirectory`,
        { param: 'depth' },
      );
    }
    const name = prefix === '' ? each.name : `${prefix}/${each.name}`;
    into.push({ name, is_dir: each.isDirectory(), link: each.isSymbolicLink() });
    if (each.isDirectory() && depth > 1) await walk(ctx, directory, name, depth - 1, wanted, into);
  }
}

/** Order of the UTF-8 bytes of two names. */
function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 order is code point order but for surrogates, which stand for what lies above U+FFFF
    if (isSurrogate(x) !== isSurrogate(y)) return isSurrogate(x) ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

/** The entries of a page with their sizes, as many as fit into `room` bytes, at least one. */
async function page(directory: string, entries: readonly Entry[], room: number): Promise<Record<string, unknown>[]> {
  const shown: Record<string, unknown>[] = [];
  const stats = await Promise.all(entries.map((each) => lstat(path.join(directory, each.name)).catch(() => undefined)));
  let used = 0;
  for (const [i, each] of entries.entries()) {
    const item = {
      name: each.name,
      uri: toUri(path.join(directory, each.name)),
      is_dir: each.is_dir,
      size: each.is_dir ? null : (stats[i]?.size ?? null),
      ...(each.link ? { link: true } : {}),
    };
    used += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (used > room && shown.length > 0) break;
    shown.push(item);
  }
  return shown;
}
