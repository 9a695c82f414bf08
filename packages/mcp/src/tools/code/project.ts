// Where a name stands in a tree of files: the search engine finds the files, their syntax trees say what each place is.
import type { Found } from '@hanzo/search';
import { ToolError } from '@hanzo/tool';
import {
  type Declaration,
  declarationsOf,
  type Identifier,
  identifiersOf,
  mayBeSource,
  type Parsed,
} from '../../lib/syntax/index.ts';
import { listOf } from '../../lib/search/ask.ts';
import type { Ctx } from '../../local.ts';
import { type Place, parsing, readSource, type Source } from './source.ts';

/** How long one action looks at files before it answers with what it has, in milliseconds. */
const BUDGET_MS = 15_000;

/** A deadline of one action. */
export class Budget {
  readonly #end: number;
  constructor(milliseconds: number = BUDGET_MS) {
    this.#end = performance.now() + milliseconds;
  }
  get spent(): boolean {
    return performance.now() > this.#end;
  }
}

/** A line where a name stands as code. */
export interface Mention {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly type: 'definition' | 'reference';
  /** how the place reads: declaration, reference, property, key, import, type; nothing where no tree tells */
  readonly role: Identifier['role'] | undefined;
  readonly cols: readonly number[];
}

export interface Mentions {
  readonly list: readonly Mention[];
  readonly definitions: number;
  /** lines that hold the name in files that were looked at, strings and comments included */
  readonly lines: number;
  /** files whose lines were not looked at, because the time was over */
  readonly left: number;
  /** files in languages that have no grammar here: their lines count as they read */
  readonly untold: number;
  /** files that have syntax errors, and where the first of each is */
  readonly faulty: readonly { readonly file: string; readonly line: number }[];
  readonly partial: boolean;
}

/** The engine's weight of a line that reads as a declaration. */
const DEFINITION = 2 ** 32;

/** What was found out of a list of the engine, for its further pages. */
const kept = new WeakMap<Found, Mentions>();

/** The globs a caller's pattern stands for; without one every file is looked at whose name or first line says a known language. */
export const globsOf = (place: Place, pattern: string | undefined): readonly string[] =>
  place.directory && pattern !== undefined ? [pattern] : [];

/** Every line where a name stands as code, in the engine's order: files that define it first. */
export async function mentionsOf(
  ctx: Ctx,
  place: Place,
  name: string,
  pattern: string | undefined,
  further: boolean,
): Promise<{ mentions: Mentions; renewed: boolean }> {
  const symbol = { name, path: place.file, globs: globsOf(place, pattern) };
  return ctx.env.indexes.use(place.file, place.directory, async (index) => {
    const { found, renewed } = await listOf(ctx, index, { symbol }, further);
    const known = kept.get(found);
    if (known) return { mentions: known, renewed };
    const mentions = await told(ctx, found, name, pattern === undefined && place.directory);
    if (!mentions.partial) kept.set(found, mentions);
    return { mentions, renewed };
  });
}

/** `sources` leaves out what is in no known language: nobody asked for those files. */
async function told(ctx: Ctx, found: Found, name: string, sources: boolean): Promise<Mentions> {
  const budget = new Budget();
  const list: Mention[] = [];
  const faulty: { file: string; line: number }[] = [];
  let lines = 0;
  let untold = 0;
  let offset = 0;
  let done = 0;
  for (const { file, count } of found.files) {
    if (budget.spent) break;
    ctx.signal.throwIfAborted();
    const source = !sources || mayBeSource(file) ? await sourceAt(ctx, file) : undefined;
    if (source) {
      await parsing(ctx, source, (parsed) => {
        const [error] = parsed.errors;
        if (error) faulty.push({ file, line: error.line });
        list.push(...linesOf(file, parsed, identifiersOf(parsed, name)));
      }).catch(unlessTimeout);
    } else if (!sources) {
      untold++;
      const { hits } = await found.page({ offset, limit: count });
      for (const { line, text, type = 'reference' } of hits) {
        list.push({ file, line, text: text.trim(), type, role: undefined, cols: [] });
      }
    }
    if (source || !sources) lines += count;
    offset += count;
    done++;
    ctx.progress({ progress: done, total: found.files.length, message: 'files read' });
  }
  return {
    list,
    definitions: list.filter(({ type }) => type === 'definition').length,
    lines,
    left: found.files.length - done,
    untold,
    faulty,
    partial: found.partial || done < found.files.length,
  };
}

/** A file of the engine's as source; nothing if it is gone, too large or in no language that is known. */
export async function sourceAt(ctx: Ctx, file: string): Promise<Source | undefined> {
  try {
    return await readSource(ctx, await ctx.env.access.read(file));
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function unlessTimeout(error: unknown): void {
  if (!(error instanceof ToolError && error.code === 'TIMEOUT')) throw error;
}

/** One mention for each line. */
function linesOf(file: string, parsed: Parsed, places: readonly Identifier[]): Mention[] {
  const lines = new Map<number, Identifier[]>();
  for (const each of places) {
    const there = lines.get(each.line);
    if (there) there.push(each);
    else lines.set(each.line, [each]);
  }
  return [...lines].map(([line, on]) => {
    const declared = on.find(({ declaration }) => declaration !== undefined);
    return {
      file,
      line,
      text: parsed.lines.text(line).trim(),
      type: declared ? 'definition' : 'reference',
      role: (declared ?? on[0])?.role,
      cols: on.map(({ col }) => col),
    };
  });
}

/** A declaration and the file it stands in. */
export interface Located {
  readonly file: string;
  readonly declaration: Declaration;
  /** the line of its name */
  readonly text: string;
}

/**
 * Declarations of a name in the files of a tree, locals left out, in the engine's order. `enough` stops early; the answer says
 * whether everything was looked at.
 */
export async function declarationsIn(
  ctx: Ctx,
  place: Place,
  name: string,
  options: { readonly pattern?: string | undefined; readonly budget: Budget; readonly most: number },
): Promise<{ found: Located[]; whole: boolean }> {
  const symbol = { name, path: place.file, globs: globsOf(place, options.pattern) };
  return ctx.env.indexes.use(place.file, place.directory, async (index) => {
    const { found: listed } = await listOf(ctx, index, { symbol }, true);
    const found: Located[] = [];
    for (const { file, weight } of listed.files) {
      // files with lines that read as a declaration come first
      if (weight < DEFINITION && found.length > 0) break;
      if (options.budget.spent || found.length >= options.most) return { found, whole: false };
      ctx.signal.throwIfAborted();
      const source = await sourceAt(ctx, file);
      if (!source) continue;
      await parsing(ctx, source, (parsed) => {
        for (const declaration of declarationsOf(parsed)) {
          if (declaration.name === name && !declaration.local)
            found.push({ file, declaration, text: parsed.lines.text(declaration.line) });
        }
      }).catch(unlessTimeout);
    }
    return { found, whole: !listed.partial };
  });
}
