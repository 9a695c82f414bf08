// transform: a file, or a tree, rewritten by structure (codemod), or one file's symbol renamed.
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { type LanguageId, LANGUAGES, languageNamed, languageOf, mayBeSource } from '../../../lib/syntax/index.ts';
import { act, type Ctx } from '../../../local.ts';
import { cursor, language, pattern, uri } from '../params.ts';
import { Budget } from '../project.ts';
import { type Place, placeOf } from '../source.ts';
import { baseOf, Changes, lending } from './changes.ts';
import { eachFile } from './files.ts';
import { apply, newName, query, replacement } from './params.ts';
import { plan } from './rename.ts';
import { checkTemplate, filled, findAll, type Pattern, readPattern } from './structure.ts';

/** How long a codemod looks at files, in milliseconds. */
const BUDGET_MS = 45_000;
/** Places one call changes. */
const PLACES = 100_000;

export const transform = act({
  summary: 'codemod: code of the shape of query ($A one part, $$$B any) becomes replacement; or rename within a file',
  effect: 'write',
  input: z.strictObject({
    kind: z.string().optional(),
    query,
    replacement: replacement.optional(),
    new_name: newName.optional(),
    uri,
    pattern,
    language,
    cursor,
    apply,
  }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const kind = input.kind ?? (input.new_name === undefined ? 'codemod' : 'rename');
    if (kind !== 'rename' && kind !== 'codemod') {
      throw new ToolError('INVALID_PARAMS', "'kind' of transform is rename or codemod", { param: 'kind' });
    }
    const needs = kind === 'rename' ? 'new_name' : 'replacement';
    const given = input[needs];
    if (given === undefined)
      throw new ToolError('INVALID_PARAMS', `transform ${kind} needs '${needs}'`, { param: needs });
    const changes = new Changes(ctx);
    const asked = { apply: input.apply, cursor: input.cursor, base: baseOf(place) };
    if (kind === 'rename') {
      const done = await plan(
        ctx,
        changes,
        place,
        { query: input.query, new_name: given },
        new Budget(BUDGET_MS),
        !place.directory,
      );
      return changes.answer(
        asked,
        { kind, old_name: done.old, new_name: done.to, changes_count: changes.total },
        done.notes,
      );
    }
    const named = input.language === undefined ? undefined : languageNamed(input.language);
    const notes = await codemod(ctx, changes, place, { ...input, replacement: given }, named);
    return changes.answer(asked, { kind, changes_count: changes.total }, notes);
  },
});

async function codemod(
  ctx: Ctx,
  changes: Changes,
  place: Place,
  input: { query: string; replacement: string; pattern?: string | undefined },
  named: LanguageId | undefined,
): Promise<string[]> {
  const patterns = new Map<LanguageId, Pattern | ToolError>();
  const patternOf = async (id: LanguageId): Promise<Pattern | ToolError> => {
    let known = patterns.get(id);
    if (!known) {
      known = await readPattern(input.query, id).catch((error: unknown) => {
        if (error instanceof ToolError) return error;
        throw error;
      });
      if (!(known instanceof ToolError)) checkTemplate(input.replacement, known);
      patterns.set(id, known);
    }
    return known;
  };
  if (!place.directory) {
    const origin = await changes.origin(place.file, named);
    const id = origin.language;
    if (!id) {
      throw new ToolError('INVALID_PARAMS', `${place.file}: pass language, one of ${LANGUAGES.join(', ')}`, {
        param: 'language',
      });
    }
    const known = await patternOf(id);
    if (known instanceof ToolError) throw known;
  } else if (named) {
    const known = await patternOf(named);
    if (known instanceof ToolError) throw known;
  }
  // an .h is C++ if its text says so, and a first line says what a name does not
  const isWanted = (file: string): boolean => {
    const id = languageOf(file);
    return id === undefined ? mayBeSource(file) : !named || id === named || (id === 'c' && named === 'cpp');
  };
  let places = 0;
  let faulty = 0;
  await eachFile(ctx, place, input.pattern, new Budget(BUDGET_MS), async (file) => {
    if (place.directory && !isWanted(file)) return;
    const origin = await changes.origin(file, place.directory ? undefined : named);
    if (!origin.language || origin.text.format.binary || (named && origin.language !== named)) {
      changes.drop(file);
      return;
    }
    const found = await patternOf(origin.language);
    if (found instanceof ToolError || !mayHold(origin.text.text, input.query)) {
      changes.drop(file);
      return;
    }
    await lending(ctx, origin, (parsed) => {
      if (parsed.errorCount > 0) faulty++;
      for (const match of findAll(parsed, found)) {
        if (++places > PLACES)
          throw new ToolError('INVALID_PARAMS', `over ${PLACES} places would change; narrow it by uri or pattern`);
        changes.replace(origin, match.start, match.end, filled(input.replacement, match, parsed.text));
      }
    });
    changes.drop(file);
  });
  const read = [...patterns.values()].filter((each) => !(each instanceof ToolError));
  const [wrong] = [...patterns.values()].filter((each) => each instanceof ToolError);
  if (read.length === 0 && wrong) throw wrong;
  return faulty > 0 ? [`${faulty} files have syntax errors; around those something may be missing`] : [];
}

/** A text without the longest word of a pattern holds no match: it need not be parsed. */
function mayHold(text: string, shape: string): boolean {
  const words = shape.replaceAll(/\$+[A-Z_][A-Z0-9_]*/g, ' ').match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  const longest = words.toSorted((a, b) => b.length - a.length)[0];
  return longest === undefined || text.includes(longest);
}
