// search_symbol: every line that holds an identifier, files that define it first.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Found, SymbolQuery } from '@hanzo/search';
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { readCursor } from '../../lib/cursor.ts';
import { toPath, toUri } from '../../lib/path.ts';
import { paging, remarks } from '../../lib/search/answer.ts';
import { listOf } from '../../lib/search/ask.ts';
import { render } from '../../lib/search/page.ts';
import { act, type Ctx } from '../../local.ts';

/** An identifier in any of the languages: letters of every script, digits, `_`, `$`, and Ruby's and Lisp's marks at the end. */
const IDENTIFIER = /^[\p{L}\p{M}\p{N}\p{Pc}$@#-]{1,500}[?!*']?$/u;
/** The weight of a file is its definitions times this, and its other uses. */
const DEFINITION = 2 ** 32;

export const searchSymbol = act({
  summary: 'uses of an identifier, files that define it first',
  effect: 'read',
  input: z.strictObject({
    query: z.string(),
    uri: z.string().optional().describe('absolute path'),
    pattern: z.string().optional().describe('file glob'),
    max_results: z.int().min(1).max(1000).default(20),
    cursor: z.string().optional().describe('from paging'),
  }),
  async run(ctx, input): Promise<ActionResult> {
    const { file: root, directory } = await placeOf(ctx, input.uri);
    const name = input.query.trim();
    if (!IDENTIFIER.test(name)) {
      throw new ToolError(
        'INVALID_PARAMS',
        `'query' is one identifier, not ${JSON.stringify(shorten(input.query, 80))}; fs search_text finds text and expressions`,
        { param: 'query' },
      );
    }
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

/** The real path that is searched: the one that is named, else the working directory. */
async function placeOf(ctx: Ctx, uri: string | undefined): Promise<{ file: string; directory: boolean }> {
  const file = await ctx.env.access.read(toPath(uri ?? ctx.env.config.cwd, ctx.env.config.cwd));
  const what = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ToolError('NOT_FOUND', `${file} does not exist or cannot be reached (${error.code})`, {
      uri: toUri(file),
    });
  });
  if (!what.isDirectory() && !what.isFile()) {
    throw new ToolError('INVALID_PARAMS', `${file} is neither a file nor a directory`, { uri: toUri(file) });
  }
  return { file, directory: what.isDirectory() };
}
