// definition: where a name is declared, by name or at a place; the nearest scope first, then imports, then the project.
import path from 'node:path';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { declarationsOf, type Identifier, identifiersOf, type Parsed, resolveIn } from '../../lib/syntax/index.ts';
import { toUri } from '../../lib/path.ts';
import { rootOf } from '../../lib/search/roots.ts';
import { act, type Ctx } from '../../local.ts';
import { follow, type Target } from './follow.ts';
import { answer, type Item, pageOf } from './page.ts';
import { col, cursor, limit, line, uri } from './params.ts';
import { Budget, declarationsIn } from './project.ts';
import { checkLine, faults, nameOf, parsing, type Place, placeOf, readSource, type Source } from './source.ts';

/** Declarations of one name that are looked for. */
const MOST = 200;

export const definition = act({
  summary: 'where a name is declared: by query, or at line and col of uri',
  effect: 'read',
  input: z.strictObject({ query: z.string().optional(), uri, line, col, cursor, max_results: limit(20) }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const budget = new Budget();
    const source = place.directory ? undefined : await readSource(ctx, place.file);
    if (!source)
      return answered(
        ctx,
        nameOf(ctx, input.query),
        await byName(ctx, place, nameOf(ctx, input.query), budget),
        place,
        {},
        input,
      );
    return parsing(ctx, source, async (parsed) => {
      const at = input.line === undefined ? undefined : identifierAt(ctx, parsed, input);
      const name = at?.name ?? nameOf(ctx, input.query);
      const found = await fromSource(ctx, source, parsed, name, at?.places ?? [], budget);
      return answered(ctx, name, found, place, faults(parsed), input);
    });
  },
});

interface Found {
  readonly targets: readonly Target[];
  /** how the place was found: scope, import, project, or name where nothing told which of them is meant */
  readonly by: string;
  readonly note?: string;
}

interface At {
  readonly name: string;
  readonly places: readonly Identifier[];
}

/** The identifier a call points at: on a line by its name, or by its column, at either of its ends too. */
function identifierAt(
  ctx: Ctx,
  parsed: Parsed,
  input: { line?: number | undefined; col?: number | undefined; query?: string | undefined },
): At {
  const { line: row = 1, col: column, query } = input;
  checkLine(parsed, row);
  if (column === undefined) {
    if (query === undefined) {
      throw new ToolError('INVALID_PARAMS', "code definition needs 'query' or 'col' beside 'line'", { param: 'query' });
    }
    const name = nameOf(ctx, query);
    const places = identifiersOf(parsed, name).filter((each) => each.line === row);
    if (places.length > 0) return { name, places: places.slice(0, 1) };
    throw new ToolError(
      'NOT_FOUND',
      `'${name}' does not stand as code on line ${row}: ${parsed.lines.text(row, 200).trim()}`,
    );
  }
  const index = parsed.lines.indexOf({ line: row, col: column });
  const before = /[\p{L}\p{M}\p{N}\p{Pc}$@#]*$/u.exec(parsed.text.slice(Math.max(0, index - 500), index))?.[0] ?? '';
  const after = /^[\p{L}\p{M}\p{N}\p{Pc}$@#]*[?!]?/u.exec(parsed.text.slice(index, index + 500))?.[0] ?? '';
  const word = before + after;
  const start = index - before.length;
  for (const name of new Set([word, word.replace(/[?!]$/, ''), word.replaceAll(/^[$@#]+|[?!]$/g, '')])) {
    const places = identifiersOf(parsed, name).filter(
      (each) => each.startIndex <= index && index <= each.endIndex && each.startIndex >= start,
    );
    if (places.length > 0) return { name, places };
  }
  throw new ToolError(
    'NOT_FOUND',
    `there is no name at line ${row}, col ${column} (lines count from 1, columns from 0): ${parsed.lines.text(row, 200).trim()}`,
  );
}

async function fromSource(
  ctx: Ctx,
  source: Source,
  parsed: Parsed,
  name: string,
  places: readonly Identifier[],
  budget: Budget,
): Promise<Found> {
  const file = source.file ?? '';
  const project: Place = { file: projectOf(ctx, file), directory: true };
  const [place] = places;
  const here = (declarations: readonly Target['declaration'][]): Target[] =>
    declarations.map((declaration) => ({ file, declaration, text: parsed.lines.text(declaration?.line ?? 1) }));
  if (!place) {
    const own = declarationsOf(parsed).filter((each) => each.name === name);
    const outer = own.filter(({ local }) => !local);
    if (own.length > 0) return { targets: here(outer.length > 0 ? outer : own), by: 'file' };
  } else if (!/^(property|key|import)$/.test(place.role)) {
    const own = resolveIn(parsed, name, place.startIndex);
    if (own.length > 0) return { targets: here(own), by: 'scope' };
  }
  const followed = await follow(ctx, source, parsed, name, place, budget);
  if (followed) return followed;
  const found = await byName(ctx, project, name, budget, file);
  if (!place) return found;
  // what is written behind a dot is a member, what is not is none
  const isMember = place.role === 'property' || place.role === 'key';
  const fits = ({ declaration }: Target): boolean => declaration?.member === isMember;
  return { ...found, targets: [...found.targets.filter(fits), ...found.targets.filter((each) => !fits(each))] };
}

/** Declarations in the whole project: those nearest to a file first. */
async function byName(ctx: Ctx, place: Place, name: string, budget: Budget, near?: string): Promise<Found> {
  const { found, whole } = await declarationsIn(ctx, place, name, { budget, most: MOST });
  const targets = found.map(({ file, declaration, text }): Target => ({ file, declaration, text }));
  const sorted =
    near === undefined
      ? targets.toSorted((a, b) => Number(b.declaration?.exported) - Number(a.declaration?.exported))
      : targets.toSorted((a, b) => distance(a.file, near) - distance(b.file, near));
  return {
    targets: sorted,
    by: 'name',
    ...(whole ? {} : { note: 'not every file was looked at; narrow it by uri' }),
  };
}

/** Steps between the folders of two files. */
function distance(a: string, b: string): number {
  return a === b ? -1 : path.relative(path.dirname(b), path.dirname(a)).split(path.sep).filter(Boolean).length;
}

/** The tree a file's names are looked for in: that whose index serves it. */
const projectOf = (ctx: Ctx, file: string): string => rootOf(path.dirname(file), ctx.env.access.roots());

function answered(
  ctx: Ctx,
  name: string,
  { targets, by, note }: Found,
  place: Place,
  more: Record<string, unknown>,
  input: { cursor?: string | undefined; max_results: number },
): ActionResult {
  const base = place.directory ? place.file : projectOf(ctx, place.file);
  const [first] = targets;
  if (!first) {
    throw new ToolError(
      'NOT_FOUND',
      `'${name}' is declared nowhere in ${place.directory ? place.file : base} as far as syntax tells; fs search_text finds text`,
      {
        uri: toUri(place.file),
      },
    );
  }
  const page = pageOf(
    ctx,
    targets.map((each) => targetItem(each, base)),
    {
      key: 'definitions',
      cursor: input.cursor,
      limit: input.max_results,
    },
  );
  return answer(page, {
    symbol: name,
    uri: toUri(first.file),
    line: first.declaration?.line ?? 1,
    text: first.text.trim().slice(0, 500),
    ...(first.declaration ? { kind: first.declaration.kind } : {}),
    by,
    total: targets.length,
    ...(note === undefined ? {} : { note }),
    ...more,
  });
}

function targetItem({ file, declaration, text }: Target, base: string): Item {
  const { kind, line: at, endLine, parent, signature, name } = declaration ?? {};
  return {
    group: path.relative(base, file) || path.basename(file),
    text: declaration
      ? `${at}${endLine !== undefined && endLine > (at ?? 0) ? `-${endLine}` : ''} ${kind} ${parent === undefined ? '' : `${parent}.`}${name}: ${signature}`
      : '1 module',
    json: {
      uri: toUri(file),
      line: at ?? 1,
      text: text.trim(),
      ...(declaration ? { kind, end_line: endLine, ...(parent === undefined ? {} : { parent }) } : {}),
    },
  };
}
