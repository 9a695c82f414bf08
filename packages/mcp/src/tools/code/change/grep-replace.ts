// grep_replace: what an expression finds, line by line, becomes a text; in time that grows with the text alone.
import { RE2JS } from 're2js';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { listOf } from '../../../lib/search/ask.ts';
import { act } from '../../../local.ts';
import { cursor, pattern, uri } from '../params.ts';
import { placeOf } from '../source.ts';
import { baseOf, Changes } from './changes.ts';
import { apply, query, replacement } from './params.ts';

/** Places one call changes. */
const PLACES = 100_000;

export const grepReplace = act({
  summary:
    'replace what an expression finds within lines; ${1} and ${name} are its groups, all else is taken as it stands',
  effect: 'write',
  input: z.strictObject({ query, replacement, uri, pattern, cursor, apply }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const expression = compiled(input.query);
    const pieces = template(input.replacement, expression);
    const globs = place.directory && input.pattern !== undefined ? [input.pattern] : [];
    const changes = new Changes(ctx);
    let places = 0;
    const partial = await ctx.env.indexes.use(place.file, place.directory, async (index) => {
      const text = { pattern: input.query, path: place.file, globs };
      const { found } = await listOf(ctx, index, { text }, false);
      let offset = 0;
      for (const { file, count, part } of found.files) {
        ctx.signal.throwIfAborted();
        const { hits } = await found.page({ offset, limit: count });
        offset += count;
        // a document is not text that could be written
        if (part) continue;
        const real = await ctx.env.access.read(file);
        const origin = await changes.origin(real);
        if (origin.text.format.binary) {
          changes.drop(real);
          continue;
        }
        const starts = startsOf(origin.text.text);
        for (const line of new Set(hits.map((hit) => hit.line))) {
          const start = starts[line - 1];
          if (start === undefined) continue;
          const stop = endOf(origin.text.text, start, starts[line]);
          const matcher = expression.matcher(origin.text.text.slice(start, stop));
          while (matcher.find()) {
            if (++places > PLACES) {
              throw new ToolError('INVALID_PARAMS', `over ${PLACES} places would change; narrow it by uri or pattern`);
            }
            const written = pieces
              .map((each) => (typeof each === 'string' ? each : (matcher.group(each.group) ?? '')))
              .join('');
            changes.replace(origin, start + matcher.start(), start + matcher.end(), written);
          }
        }
        changes.drop(real);
      }
      return found.partial;
    });
    if (partial) {
      throw new ToolError(
        'TIMEOUT',
        'the search stopped at its time limit, so nothing is changed; narrow it by uri or pattern',
      );
    }
    return changes.answer(
      { apply: input.apply, cursor: input.cursor, base: baseOf(place) },
      { pattern: input.query, replacement: input.replacement },
    );
  },
});

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.MULTILINE);
  } catch (error) {
    throw new ToolError('INVALID_PARAMS', `'query': ${(error as Error).message}`, { param: 'query' });
  }
}

/** The replacement as texts and groups. `${1}` and `${name}` are groups that the expression has; no other `$` means anything. */
function template(text: string, expression: RE2JS): (string | { group: number })[] {
  const names = new Map(Object.entries(expression.namedGroups()).map(([name, group]) => [name, Number(group)]));
  const pieces: (string | { group: number })[] = [];
  let at = 0;
  for (let open = text.indexOf('${'); open >= 0; open = text.indexOf('${', open + 2)) {
    const close = text.indexOf('}', open);
    if (close < 0 || close - open > 200) continue;
    const inner = text.slice(open + 2, close);
    if (!/^\w+$/.test(inner)) continue;
    const group = /^\d{1,4}$/.test(inner) ? Number(inner) : names.get(inner);
    if (group === undefined || group > expression.groupCount()) {
      throw new ToolError(
        'INVALID_PARAMS',
        `'replacement' names the group ${text.slice(open, close + 1)}, and 'query' has ${expression.groupCount()}${names.size > 0 ? ` (${[...names.keys()].join(', ')})` : ''}; write \${0} for the whole match`,
        { param: 'replacement' },
      );
    }
    pieces.push(text.slice(at, open), { group });
    at = close + 1;
  }
  return [...pieces, text.slice(at)];
}

function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Where a line ends, before its line end. */
function endOf(text: string, start: number, next: number | undefined): number {
  const end = next === undefined ? text.length : next - 1;
  return end > start && text[end - 1] === '\r' ? end - 1 : end;
}
