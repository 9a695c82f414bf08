// rename: a symbol gets another name wherever it is meant, and nothing else does. rename_batch: several at once.
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../../lib/path.ts';
import { act, type Ctx } from '../../../local.ts';
import { cursor, col, line, pattern, uri } from '../params.ts';
import { Budget } from '../project.ts';
import { nameOf, type Place, placeOf } from '../source.ts';
import { baseOf, Changes } from './changes.ts';
import { checkName, isBuiltInType } from './names.ts';
import { apply, newName } from './params.ts';
import { type Doubt, planRename, type Renaming } from './places.ts';
import { symbolOf } from './target.ts';

/** How long a rename looks at files, in milliseconds. */
const BUDGET_MS = 45_000;
/** Renames of one batch. */
const BATCH = 50;
/** Bytes of an answer for places that were left alone. */
const DOUBTS = 6000;

export const rename = act({
  summary: 'rename a symbol everywhere it is meant; query, or line and col of uri, say which; apply writes',
  effect: 'write',
  input: z.strictObject({ query: z.string(), new_name: newName, uri, line, col, pattern, cursor, apply }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const changes = new Changes(ctx);
    const done = await plan(ctx, changes, place, input, new Budget(BUDGET_MS), false);
    return changes.answer({ apply: input.apply, cursor: input.cursor, base: baseOf(place) }, told([done]), done.notes);
  },
});

export const renameBatch = act({
  summary: 'several renames at once, all or none; text has a line `old new` for each',
  effect: 'write',
  input: z.strictObject({ text: z.string(), uri, pattern, cursor, apply }),
  async run(ctx, input): Promise<ActionResult> {
    const pairs = pairsOf(input.text);
    const news = pairs.map(([, to]) => to);
    const twice = news.find((to, i) => news.indexOf(to) !== i);
    if (twice !== undefined) {
      throw new ToolError('INVALID_PARAMS', `'text' gives the name '${twice}' twice`, { param: 'text' });
    }
    const place = await placeOf(ctx, input.uri);
    const changes = new Changes(ctx);
    const budget = new Budget(BUDGET_MS);
    const done: Done[] = [];
    for (const [query, to] of pairs) {
      done.push(await plan(ctx, changes, place, { query, new_name: to, pattern: input.pattern }, budget, false));
    }
    return changes.answer(
      { apply: input.apply, cursor: input.cursor, base: baseOf(place) },
      told(done),
      done.flatMap(({ notes }) => notes),
    );
  },
});

/** Lines of an old and a new name, with blanks, `=`, `->` or a comma between. */
function pairsOf(text: string): [string, string][] {
  const lines = text
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (lines.length === 0 || lines.length > BATCH) {
    throw new ToolError(
      'INVALID_PARAMS',
      `'text' holds ${lines.length} lines; give 1 to ${BATCH}, each an old and a new name`,
      {
        param: 'text',
      },
    );
  }
  return lines.map((each) => {
    const [old, to, rest] = each.split(/\s*(?:->|[=,\s])\s*/);
    if (old !== undefined && to !== undefined && to !== '' && rest === undefined) return [old, to];
    throw new ToolError('INVALID_PARAMS', `'text': ${JSON.stringify(each.slice(0, 80))} is not an old and a new name`, {
      param: 'text',
    });
  });
}

interface Done {
  readonly old: string;
  readonly to: string;
  readonly uri: string;
  readonly line: number;
  readonly kind: string;
  readonly doubts: readonly Doubt[];
  readonly notes: readonly string[];
}

interface Asked {
  readonly query: string;
  readonly new_name: string;
  readonly line?: number | undefined;
  readonly col?: number | undefined;
  readonly pattern?: string | undefined;
}

/** Plans one rename into `changes`. */
export async function plan(
  ctx: Ctx,
  changes: Changes,
  place: Place,
  asked: Asked,
  budget: Budget,
  oneFile: boolean,
): Promise<Done> {
  const name = nameOf(ctx, asked.query);
  const symbol = await symbolOf(ctx, changes, place, { ...asked, name }, budget);
  const { declaration, file } = symbol;
  const { language } = await changes.origin(file);
  if (language) {
    checkName(asked.new_name, name, language);
    if (
      /^(class|interface|type|enum|type_parameter)$/.test(declaration.kind) &&
      isBuiltInType(asked.new_name, language)
    )
      throw new ToolError('INVALID_PARAMS', `'new_name' ${asked.new_name} is a built-in type of ${language}`, {
        param: 'new_name',
      });
  }
  const renaming: Renaming = {
    ctx,
    changes,
    symbol,
    to: asked.new_name,
    budget,
    doubts: [],
    notes: [],
    verdicts: new Map(),
    kept: new Set(),
  };
  await planRename(renaming, oneFile);
  if (language === 'java' && declaration.depth === 0 && file.endsWith(`/${name}.java`))
    renaming.notes.push(`${file} is named after the class: move it to ${asked.new_name}.java`);
  return {
    old: name,
    to: asked.new_name,
    uri: toUri(file),
    line: declaration.line,
    kind: declaration.kind,
    doubts: renaming.doubts,
    notes: renaming.notes,
  };
}

function told(done: readonly Done[]): Record<string, unknown> {
  const [first] = done;
  const doubts = done.flatMap((each) => each.doubts);
  const shown: unknown[] = [];
  let left = DOUBTS;
  for (const { file, line: at, text, why } of doubts) {
    const one = { uri: toUri(file), line: at, text, why };
    left -= JSON.stringify(one).length;
    if (left < 0 && shown.length > 0) break;
    shown.push(one);
  }
  return {
    ...(done.length === 1 && first
      ? { old_name: first.old, new_name: first.to, uri: first.uri, line: first.line, kind: first.kind }
      : { renames: done.map((each) => ({ old_name: each.old, new_name: each.to, uri: each.uri, line: each.line })) }),
    ...(doubts.length > 0 ? { uncertain: shown, uncertain_total: doubts.length } : {}),
  };
}
