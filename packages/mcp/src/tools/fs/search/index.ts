// search_text: every matching line in one order, in pages that are offsets into it.
import path from 'node:path';
import type { Found, Query } from '@hanzo/search';
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { readCursor } from '../../../lib/cursor.ts';
import { toPath, toUri } from '../../../lib/path.ts';
import { paging, remarks } from '../../../lib/search/answer.ts';
import { listOf } from '../../../lib/search/ask.ts';
import { render } from '../../../lib/search/page.ts';
import { act, type Ctx } from '../../../local.ts';
import { openToRead } from '../../../lib/edits/disk/open.ts';
import { cursor, uri } from '../params.ts';
import { readable } from '../../../lib/edits/target.ts';

/** Longest pattern; checked by hand, because a bound in the published schema would be paid for every turn. */
const PATTERN_CHARACTERS = 10_000;
/** Bytes of a file that tell a private key. */
const KEY_BYTES = 200;

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
    refuseEmpty(input.pattern, 'pattern', 'it would match every line');
    if (input.glob !== undefined) refuseEmpty(input.glob, 'glob', 'give a file glob such as *.ts or src/**');
    if (stat.isFile()) await refuseKeyFile(ctx, root);
    const query: Query = {
      pattern: input.pattern,
      path: root,
      literal: input.literal,
      ignoreCase: input.ignore_case,
      word: input.word,
      multiline: input.multiline,
      globs: input.glob === undefined || stat.isFile() ? [] : [input.glob],
    };
    return ctx.env.indexes.use(root, stat.isDirectory(), async (index) => {
      const listed = await listOf(ctx, index, { text: query }, input.cursor !== undefined);
      const { found } = listed;
      const page = await render(found, {
        base: stat.isDirectory() ? root : path.dirname(root),
        offset: readCursor(input.cursor, found.total),
        limit: input.limit,
        context: input.context,
        room: ctx.maxOutput,
        json: ctx.env.config.jsonOnly,
      });
      return {
        data: {
          pattern: shorten(input.pattern, 200),
          uri: toUri(root),
          total: found.total,
          files: await filesOf(found, query, stat.isFile()),
          ...remarks(listed, page, 'uri or glob'),
          ...(ctx.env.config.jsonOnly ? { matches: page.matches } : {}),
        },
        paging: paging(found, page),
        ...(ctx.env.config.jsonOnly ? {} : { bodies: [{ kind: 'text' as const, key: 'text', text: page.text }] }),
      };
    });
  },
});

function refuseEmpty(text: string, param: string, why: string): void {
  if (text !== '') return;
  throw new ToolError('INVALID_PARAMS', `'${param}' is empty; ${why}`, { param });
}

/** A tree leaves private keys out; a file that is named is refused, with the reason. */
async function refuseKeyFile(ctx: Ctx, file: string): Promise<void> {
  const handle = await openToRead(file);
  try {
    const head = Buffer.alloc(KEY_BYTES);
    const { bytesRead } = await handle.read(head, 0, KEY_BYTES, 0);
    ctx.env.access.refuseKey(file, head.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** Files that match. Where documents may be among them, several entries of the list can be of one file. */
async function filesOf(found: Found, { globs = [] }: Query, named: boolean): Promise<number> {
  const documents = named || (globs.length > 0 && (await import('@hanzo/search/documents')).isDocumentGlob(globs));
  return documents ? new Set(found.files.map(({ file }) => file)).size : found.fileCount;
}
