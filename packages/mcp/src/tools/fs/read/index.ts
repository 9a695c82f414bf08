// read: a page of a file as what it is: text with line numbers, an image, a document's text, or a word about a binary.
import type { FileHandle } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { type ActionResult, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../../lib/path.ts';
import { act, type Ctx } from '../../../local.ts';
import { on } from '../../../lib/edits/disk/failure.ts';
import { openToRead } from '../../../lib/edits/disk/open.ts';
import { sameState } from '../../../lib/edits/disk/snapshot.ts';
import type { DocumentText } from '@hanzo/search/documents';
import { cursor, uri } from '../params.ts';
import { readable } from '../../../lib/edits/target.ts';
import { hashFile } from '../stat.ts';
import { detect, Utf8Census } from '../../../lib/edits/text/encoding.ts';
import { documentText } from './documents.ts';
import { binaryType, imageType } from './kinds.ts';
import { fillPage } from './page.ts';
import { readHead } from './scan.ts';
import { answer, type Asked, pageOptions, readText } from './text.ts';

/** Largest image that is shown: what clients take after base64 (5 MB). */
const IMAGE_LIMIT = 3_932_160;

export const read = act({
  summary: 'text with line numbers, an image, a document',
  effect: 'read',
  input: z.strictObject({
    uri,
    offset: z.int().min(0).optional().describe('read: line from 0'),
    limit: z.int().min(1).max(100_000).default(2000),
    cursor,
    raw: z.boolean().default(false).describe('no line numbers'),
  }),
  async run(ctx, input) {
    const { file, stat } = await readable(ctx, input.uri);
    if (stat.isDirectory()) {
      throw new ToolError('INVALID_PARAMS', `${file} is a directory; list shows what is in it`, { uri: toUri(file) });
    }
    if (!stat.isFile()) {
      throw new ToolError('INVALID_PARAMS', `${file} is not a regular file`, { uri: toUri(file) });
    }
    const asked = { ...place(input.offset, input.cursor), limit: input.limit, raw: input.raw };
    return on(file, async () => {
      const handle = await openToRead(file);
      try {
        for (let attempt = 1; ; attempt++) {
          const before = await handle.stat({ bigint: true });
          const result = await readOpen(ctx, file, handle, before, asked);
          if (attempt === 3 || sameState(before, await handle.stat({ bigint: true }))) return result;
        }
      } finally {
        await handle.close();
      }
    });
  },
});

/** Where a page starts: a line, or with a cursor `LINE` or `LINE:CHARACTER` maybe inside one. All count from 0. */
function place(offset: number | undefined, given: string | undefined): { offset: number; column: number } {
  if (given === undefined) return { offset: offset ?? 0, column: 0 };
  const [, line, column = '0'] = /^(\d{1,15})(?::(\d{1,15}))?$/.exec(given) ?? [];
  if (line !== undefined && (offset === undefined || offset === Number(line)))
    return { offset: Number(line), column: Number(column) };
  throw new ToolError(
    'INVALID_PARAMS',
    line === undefined
      ? `'cursor' ${JSON.stringify(shorten(given, 40))} is not one of a read; pass paging.cursor as it was given`
      : "'cursor' and 'offset' name different places; give one of them",
    { param: 'cursor' },
  );
}

async function readOpen(
  ctx: Ctx,
  file: string,
  handle: FileHandle,
  stat: BigIntStats,
  asked: Asked,
): Promise<ActionResult> {
  const head = await readHead(handle);
  ctx.env.access.refuseKey(file, head);
  const mime = imageType(head);
  if (mime !== undefined) return image(ctx, file, handle, Number(stat.size), mime);
  const census = new Utf8Census();
  census.add(head);
  // The head alone tells UTF-16 and binary; which eight-bit encoding it is may take the whole file.
  const first = detect(head, Number(stat.size), census);
  const document = await documentText(ctx, file, head, stat, first.binary);
  if (document && document.kind !== 'unknown') return documentPage(ctx, file, document, asked);
  if (first.binary) {
    return {
      data: {
        uri: toUri(file),
        hash: await hashFile(ctx, file),
        size: Number(stat.size),
        binary: true,
        mime: binaryType(head),
        note: 'not text; nothing of it is shown',
      },
    };
  }
  return readText(ctx, file, handle, stat, head, first, asked);
}

async function image(ctx: Ctx, file: string, handle: FileHandle, size: number, mime: string): Promise<ActionResult> {
  const data = { uri: toUri(file), hash: await hashFile(ctx, file), mime, size };
  if (size > IMAGE_LIMIT) {
    return { data: { ...data, note: `too large to be shown: images up to ${IMAGE_LIMIT} bytes are` } };
  }
  const bytes = await handle.readFile();
  return { data, bodies: [{ kind: 'image', key: 'image', data: bytes.toString('base64'), mimeType: mime }] };
}

async function documentPage(ctx: Ctx, file: string, document: DocumentText, asked: Asked): Promise<ActionResult> {
  const lines = document.text.split('\n');
  const total = lines.length - (lines.at(-1) === '' ? 1 : 0);
  const rest = lines.slice(asked.offset).join('\n').slice(asked.column);
  const page = await fillPage([rest], pageOptions(ctx, asked, false));
  const notes = [
    ...(document.skipped === undefined ? [] : [document.skipped]),
    ...(total === 0 ? ['no text in it'] : asked.offset >= total ? [`past the end; ${total} lines in all`] : []),
  ];
  return answer(file, page, asked, {
    hash: await hashFile(ctx, file),
    total_lines: total,
    document: document.kind,
    parts: document.parts.length,
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  });
}
