// env: the names of variables a project reads or declares, and whether this server has them. Values are never kept or told.
import path from 'node:path';
import { readdir } from 'node:fs/promises';
import process from 'node:process';
import type { SearchIndex } from '@hanzo/search';
import type { ActionResult } from '@hanzo/tool';
import { z } from 'zod';
import { type Entry, pageOfLines } from '../../lib/lines.ts';
import { listOf } from '../../lib/search/ask.ts';
import { toUri, within } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { placeOf } from './dependencies.ts';
import { cursor, filter, inFolder, limit } from './params.ts';
import { boundedText } from './read/text.ts';
import { readFolder } from './place.ts';
import { dotenvNames, NAME, READS, SEARCHED } from './names.ts';

/** Most hits of the search that are looked at, and most places named for a variable. */
const MOST_HITS = 5000;
const BATCH = 500;
const PLACES = 3;

/** Files that declare variables by name, and most bytes of one. */
const DECLARING = /^(\.env(\..+)?|\.envrc|[\w.-]+\.env(\.(example|sample|template))?|env\.(example|sample|template))$/;
const MOST_BYTES = 1024 * 1024;

interface Variable {
  readonly declared: Set<string>;
  readonly read: Set<string>;
  places: number;
}

export const env = act({
  summary: 'names of environment variables the project reads or declares, and whether each is set here; never values',
  effect: 'read',
  input: z.strictObject({ path: inFolder, filter, cursor, limit }),
  async run(ctx, input): Promise<ActionResult> {
    const start = await readFolder(ctx, input.path);
    const found = new Map<string, Variable>();
    const variable = (name: string): Variable => {
      const known = found.get(name) ?? { declared: new Set(), read: new Set(), places: 0 };
      found.set(name, known);
      return known;
    };
    const problems = await declared(ctx, start, input.path, variable);
    const partial = await ctx.env.indexes.use(start, true, (index) => readBySources(ctx, index, start, variable));
    const part = input.filter?.toLowerCase();
    const names = [...found.keys()].filter((name) => part === undefined || name.toLowerCase().includes(part)).sort();
    const page = pageOfLines(
      names.map((name) => entry(name, found.get(name) as Variable)),
      {
        key: 'variables',
        cursor: input.cursor,
        limit: input.limit,
        room: ctx.maxOutput,
        json: ctx.env.config.jsonOnly,
      },
    );
    return {
      data: {
        root: toUri(start),
        ...page.data,
        set: names.filter(isSet).length,
        ...(problems.length > 0 ? { problems } : {}),
        ...(partial ? { partial: 'not every source was looked at; give the path of a part' } : {}),
      },
      bodies: page.bodies,
      paging: page.paging,
    };
  },
});

const isSet = (name: string): boolean => Object.hasOwn(process.env, name);

function entry(name: string, { declared: by, read, places }: Variable): Entry {
  const set = isSet(name);
  const more = places > read.size ? ` and ${places - read.size} more` : '';
  const parts = [
    ...(by.size > 0 ? [`declared in ${[...by].slice(0, PLACES).join(', ')}`] : []),
    ...(read.size > 0 ? [`read at ${[...read].join(', ')}${more}`] : []),
  ];
  return {
    text: `${name} (${set ? 'set' : 'not set'}): ${parts.join('; ')}`,
    json: { name, set, declared: [...by].slice(0, PLACES), read: [...read], places },
  };
}

/** Names in the project's files of variables, beside its manifests and in the folder itself. */
async function declared(
  ctx: Ctx,
  start: string,
  given: string | undefined,
  variable: (name: string) => Variable,
): Promise<{ file: string; message: string }[]> {
  const problems: { file: string; message: string }[] = [];
  const { manifests } = await placeOf(ctx, given);
  const folders = new Set([start, ...manifests.map((each) => each.folder).filter((each) => within(each, start))]);
  for (const at of folders) {
    const names = await readdir(at).catch(() => []);
    for (const name of names.filter((each) => DECLARING.test(each)).sort()) {
      const file = path.relative(start, path.join(at, name));
      try {
        const text = await boundedText(await ctx.env.access.read(path.join(at, name)), MOST_BYTES);
        const { names: own, unread } = dotenvNames(text);
        for (const each of own) variable(each).declared.add(file);
        if (unread > 0) problems.push({ file, message: `${unread} lines that name no variable` });
      } catch (error) {
        // Not the error's own words: they may quote the file.
        const { code } = error as { code?: string };
        problems.push({ file, message: `cannot be read${code ? ` (${code})` : ''}` });
      }
    }
  }
  return problems.slice(0, 50);
}

/** Names that the sources ask for. True where there may be more. */
async function readBySources(
  ctx: Ctx,
  index: SearchIndex,
  start: string,
  variable: (name: string) => Variable,
): Promise<boolean> {
  const { found } = await listOf(ctx, index, { text: { pattern: SEARCHED, path: start } }, false);
  const end = Math.min(found.total, MOST_HITS);
  for (let offset = 0; offset < end; offset += BATCH) {
    const { hits } = await found.page({ offset, limit: Math.min(BATCH, end - offset), context: 0 });
    for (const { file, line, text } of hits) {
      for (const name of namesRead(text)) {
        const one = variable(name);
        one.places++;
        if (one.read.size < PLACES) one.read.add(`${path.relative(start, file)}:${line}`);
      }
    }
  }
  return found.partial || found.total > MOST_HITS;
}

/** Longest line looked at: what is longer was made by a machine. */
const MOST_LINE = 4000;

function namesRead(line: string): Set<string> {
  const names = new Set<string>();
  if (line.length > MOST_LINE) return names;
  for (const pattern of READS) {
    for (const found of line.matchAll(pattern)) {
      // `const { A, B: b = 1 } = process.env` has several.
      for (const each of (found[1] ?? '').split(',')) {
        const name = each.split(/[:=]/)[0]?.trim() ?? '';
        if (NAME.test(name)) names.add(name);
      }
    }
  }
  return names;
}
