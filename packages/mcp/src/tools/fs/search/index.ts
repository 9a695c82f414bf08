// search_text: every matching line in one order, in pages that are offsets into it.
import path from 'node:path';
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../../lib/path.ts';
import type { Local } from '../../../local.ts';
import { act, type Ctx } from '../../../local.ts';
import { cursor, readCursor, uri } from '../params.ts';
import { readable } from '../target.ts';
import { type Found, type Query, scanEngine } from './engine.ts';
import { render } from './render.ts';

/** How long a search may take before it answers with what it has. */
const DEADLINE_MS = 25_000;
/** Longest pattern; checked by hand, because a bound in the published schema would be paid for every turn. */
const PATTERN_CHARACTERS = 10_000;
/** Lists kept so that a cursor goes on in the list its page came from. */
const KEPT = 8;

export const searchText = act({
  summary: 'regex search over files, as ripgrep',
  effect: 'read',
  input: z.strictObject({
    pattern: z.string().refine((text) => text.length <= PATTERN_CHARACTERS, `at most ${PATTERN_CHARACTERS} characters`),
    uri: uri.optional(),
    glob: z.string().optional(),
    ignore_case: z.boolean().default(false),
    word: z.boolean().default(false),
    literal: z.boolean().default(false),
    multiline: z.boolean().default(false),
    context: z.int().min(0).max(20).default(0),
    cursor,
    limit: z.int().min(1).max(1000).default(50),
  }),
  async run(ctx, input): Promise<ActionResult> {
    const { file: root, stat } = await readable(ctx, input.uri ?? toPath(ctx.env.config.cwd, '/'));
    if (!stat.isDirectory() && !stat.isFile()) {
      throw new ToolError('INVALID_PARAMS', `${root} is neither a file nor a directory`, { uri: toUri(root) });
    }
    const query: Query = {
      pattern: input.pattern,
      root,
      glob: input.glob,
      ignoreCase: input.ignore_case,
      word: input.word,
      literal: input.literal,
      multiline: input.multiline,
    };
    const { found, renewed } = await list(ctx, query, input.cursor !== undefined);
    const offset = readCursor(input.cursor, found.total);
    const base = stat.isDirectory() ? root : path.dirname(root);
    const page = await render(found.hits, {
      base,
      offset,
      limit: input.limit,
      context: input.context,
      room: ctx.maxOutput,
      json: ctx.env.config.jsonOnly,
    });
    const next = offset + page.count;
    const more = next < found.total;
    const notes = [
      ...(found.partial ? ['stopped at the time limit, there may be more; narrow it by uri or glob'] : []),
      ...(found.tooLarge > 0
        ? [`${found.tooLarge} files over 16 MiB were left out; give one as uri to search it`]
        : []),
      ...(renewed ? ['the list of the page before was gone; searched anew'] : []),
      ...(page.changed ? ['a file changed since it was searched'] : []),
    ];
    return {
      data: {
        pattern: shorten(input.pattern, 200),
        uri: toUri(root),
        total: found.total,
        files: found.files,
        ...(found.partial ? { partial: true } : {}),
        ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
        ...(ctx.env.config.jsonOnly ? { matches: page.matches } : {}),
      },
      paging: { cursor: more ? String(next) : null, more, total: found.total },
      ...(ctx.env.config.jsonOnly ? {} : { bodies: [{ kind: 'text' as const, key: 'text', text: page.text }] }),
    };
  },
});

const perServer = new WeakMap<Local, Map<string, Found>>();

/** The list of a query: searched anew for a first page, the one kept for a further page. */
async function list(ctx: Ctx, query: Query, further: boolean): Promise<{ found: Found; renewed: boolean }> {
  let kept = perServer.get(ctx.env);
  if (!kept) perServer.set(ctx.env, (kept = new Map()));
  const key = JSON.stringify(query);
  const known = further ? kept.get(key) : undefined;
  if (known) return { found: known, renewed: false };
  const found = await scanEngine.search(query, {
    signal: ctx.signal,
    deadlineMs: DEADLINE_MS,
    access: ctx.env.access,
  });
  kept.delete(key);
  kept.set(key, found);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return { found, renewed: further };
}
