// read: a page of a file as what it is: text with line numbers, an image, a document's text, or a word about a binary.
import { type FileHandle, open } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../../lib/path.ts';
import { act, type Ctx } from '../../../local.ts';
import { on } from '../disk/failure.ts';
import { sameState } from '../disk/snapshot.ts';
import type { DocumentText } from '../../../lib/documents/index.ts';
import { cursor, uri } from '../params.ts';
import { readable } from '../target.ts';
import { hashFile } from '../stat.ts';
import { detect, type Format, shown, Utf8Census } from '../text/encoding.ts';
import { isCrText } from '../text/lines.ts';
import { checkpoints } from './checkpoints.ts';
import { decoded } from './decoded.ts';
import { documentText } from './documents.ts';
import { binaryType, imageType } from './kinds.ts';
import { fillPage, type Page } from './page.ts';
import { readHead, type Scan, scan } from './scan.ts';

/** Up to this size a read passes over the whole file for its hash and line count; beyond, a page costs a page. */
const WHOLE_LIMIT = 64 * 1024 * 1024;
/** Largest image that is shown: what clients take after base64 (5 MB). */
const IMAGE_LIMIT = 3_932_160;

interface Asked {
  readonly offset: number;
  readonly limit: number;
  readonly column: number;
  readonly raw: boolean;
}

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
      const handle = await open(file, 'r');
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
      ? `'cursor' ${JSON.stringify(given.slice(0, 40))} is not one of a read; pass paging.cursor as it was given`
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
  return stat.size <= BigInt(WHOLE_LIMIT)
    ? readWhole(ctx, file, handle, head, first, asked)
    : readHuge(ctx, file, handle, stat, head, first, asked);
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

async function readWhole(
  ctx: Ctx,
  file: string,
  handle: FileHandle,
  head: Buffer,
  first: Format,
  asked: Asked,
): Promise<ActionResult> {
  const cr = isCrText(head.subarray(first.mark).toString(isWide(first) ? 'utf16le' : 'latin1'));
  const passed = await scan(handle, {
    encoding: first.encoding,
    cr,
    from: { byte: 0, line: 0 },
    line: asked.offset,
    whole: true,
    signal: ctx.signal,
  });
  const format = isWide(first) ? first : settled(head, passed);
  const start = passed.start === 0 ? format.mark : passed.start;
  const page =
    start === undefined
      ? nothing()
      : await fillPage(skip(decoded(handle, start, format), asked.column), pageOptions(ctx, asked, cr));
  return answer(file, page, asked, {
    hash: passed.hash,
    total_lines: passed.size <= format.mark ? 0 : passed.lines,
    ...facts(format, cr, passed),
    ...remark(passed, format),
  });
}

function settled(head: Buffer, passed: Scan): Format {
  const format = detect(head, passed.size, passed.census);
  return format.encoding === 'latin1' && passed.c1 ? { ...format, encoding: 'windows-1252' } : format;
}

function remark(passed: Scan, format: Format): { note?: string } {
  if (passed.size <= format.mark) return { note: 'empty file' };
  if (passed.start === undefined) return { note: `past the end; ${passed.lines} lines in all` };
  return {};
}

async function readHuge(
  ctx: Ctx,
  file: string,
  handle: FileHandle,
  stat: BigIntStats,
  head: Buffer,
  format: Format,
  asked: Asked,
): Promise<ActionResult> {
  const cr = isCrText(head.subarray(format.mark).toString(isWide(format) ? 'utf16le' : 'latin1'));
  const known = checkpoints(ctx.env);
  const near = known.before(stat, asked.offset, asked.column) ?? { line: 0, column: 0, byte: format.mark };
  let start: number | undefined = near.byte;
  let lines = 0;
  if (near.line < asked.offset) {
    const passed = await scan(handle, {
      encoding: format.encoding,
      cr,
      from: near,
      line: asked.offset,
      whole: false,
      signal: ctx.signal,
    });
    ({ start, lines } = passed);
  }
  if (start === undefined) {
    return answer(file, nothing(), asked, {
      hash: null,
      total_lines: lines,
      size: Number(stat.size),
      note: `past the end; ${lines} lines in all`,
    });
  }
  const skipped = near.line === asked.offset ? asked.column - near.column : asked.column;
  const page = await fillPage(skip(decoded(handle, start, format), skipped), pageOptions(ctx, asked, cr));
  if (page.next && asked.column === (near.line === asked.offset ? near.column : 0)) {
    known.keep(stat, { ...page.next, byte: start + sizeOf(page.source, format) });
  }
  return answer(file, page, asked, {
    hash: null,
    total_lines: null,
    size: Number(stat.size),
    ...facts(format, cr),
    note: `larger than ${WHOLE_LIMIT} bytes: lines are not counted; stat gives the hash`,
  });
}

/** Bytes of a piece of decoded text in the file; escapes of undecodable bytes count one. */
function sizeOf(source: string, format: Format): number {
  if (isWide(format)) return source.length * 2;
  if (format.encoding !== 'utf-8') return source.length;
  const escaped = source.isWellFormed() ? 0 : (source.match(/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/g)?.length ?? 0);
  return Buffer.byteLength(source) - 2 * escaped;
}

function isWide(format: Format): boolean {
  return format.encoding === 'utf-16le' || format.encoding === 'utf-16be';
}

function pageOptions(ctx: Ctx, asked: Asked, cr: boolean) {
  return {
    line: asked.offset,
    column: asked.column,
    limit: asked.limit,
    room: ctx.maxOutput,
    gutter: !asked.raw,
    cr,
  };
}

/** Leaves out the first `count` characters. */
async function* skip(pieces: AsyncIterable<string>, count: number): AsyncGenerator<string> {
  let left = count;
  for await (const piece of pieces) {
    if (left >= piece.length) left -= piece.length;
    else {
      yield left > 0 ? piece.slice(left) : piece;
      left = 0;
    }
  }
}

function nothing(): Page {
  return { text: '', source: '', lines: 0, next: undefined };
}

/** What about a file's bytes is not as usual: its encoding, its mark, its line ends. */
function facts(format: Format, cr: boolean, passed?: Scan): Record<string, unknown> {
  const crlf = passed && passed.crlf > 0 ? (passed.crlf === passed.ends ? 'crlf' : 'mixed') : undefined;
  const ends = cr ? 'cr' : crlf;
  return {
    ...(format.encoding === 'utf-8' ? {} : { encoding: format.encoding }),
    ...(format.mark > 0 && format.encoding === 'utf-8' ? { byte_order_mark: true } : {}),
    ...(format.invalid ? { invalid_utf8: passed?.census.invalid ?? true } : {}),
    ...(ends ? { line_ends: ends } : {}),
  };
}

function answer(file: string, page: Page, asked: Asked, rest: Record<string, unknown>): ActionResult {
  const { next } = page;
  const inside = next !== undefined && next.column > 0;
  const where =
    next &&
    (inside
      ? `inside line ${next.line + 1}: pass cursor`
      : `line ${next.line + 1}: pass cursor, or offset ${next.line}`);
  return {
    data: {
      uri: toUri(file),
      ...rest,
      offset: asked.offset,
      limit: asked.limit,
      ...(where ? { more: `goes on at ${where}` } : {}),
    },
    paging: {
      cursor: next ? (inside ? `${next.line}:${next.column}` : String(next.line)) : null,
      more: next !== undefined,
    },
    bodies: [{ kind: 'text', key: 'text', text: shown(page.text) }],
  };
}
