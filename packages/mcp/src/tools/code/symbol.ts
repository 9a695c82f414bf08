// search_symbol: every line that holds an identifier, files that define it first.
import path from 'node:path';
import type { Found, SymbolQuery } from '@hanzo/search';
import type { ActionResult } from '@hanzo/tool';
import { z } from 'zod';
import { readCursor } from '../../lib/cursor.ts';
import { toUri } from '../../lib/path.ts';
import { paging, remarks } from '../../lib/search/answer.ts';
import { listOf } from '../../lib/search/ask.ts';
import { render } from '../../lib/search/page.ts';
import { act } from '../../local.ts';
import { cursor, limit, pattern, uri } from './params.ts';
import { nameOf, placeOf } from './source.ts';

/** The weight of a file is its definitions times this, and its other uses. */
const DEFINITION = 2 ** 32;

export const searchSymbol = act({
  summary: 'uses of an identifier, files that define it first',
  effect: 'read',
  input: z.strictObject({
    query: z.string(),
    uri,
    pattern,
    max_results: limit(20),
    cursor,
  }),
  async run(ctx, input): Promise<ActionResult> {
    const { file: root, directory } = await placeOf(ctx, input.uri);
    const name = nameOf(ctx, input.query);
    const symbol: SymbolQuery = {
      name,
      path: root,
      ...(directory ? (input.pattern === undefined ? {} : { globs: [input.pattern] }) : { globs: [] }),
    };
    return ctx.env.indexes.use(root, directory, async (index) => {
      const listed = await listOf(ctx, index, { symbol }, input.cursor !== undefined);
      const { found } = listed;
      const page = await render(found, {
        base: directory ? root : path.dirname(root),
        offset: readCursor(input.cursor, found.total),
        limit: input.max_results,
        context: 0,
        room: ctx.maxOutput,
        json: ctx.env.config.jsonOnly,
      });
      return {
        data: {
          query: name,
          uri: toUri(root),
          count: page.matches.length,
          total: found.total,
          definitions: definitionsOf(found),
          ...remarks(listed, page, 'uri or pattern'),
          ...(ctx.env.config.jsonOnly ? { results: page.matches } : {}),
        },
        paging: paging(found, page),
        ...(ctx.env.config.jsonOnly ? {} : { bodies: [{ kind: 'text' as const, key: 'results', text: page.text }] }),
      };
    });
  },
});

/** Files that define the name lead the list. */
function definitionsOf({ files }: Found): number {
  let sum = 0;
  for (const [i, { file, weight }] of files.entries()) {
    if (weight < DEFINITION) break;
    // the parts of a document all carry the weight of the whole
    if (files[i - 1]?.file !== file) sum += Math.floor(weight / DEFINITION);
  }
  return sum;
}
