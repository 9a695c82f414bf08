// A page of a text file: found by a whole pass where the file is small enough, else by the page alone.
import type { FileHandle } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';
import type { ActionResult } from '@hanzo/tool';
import { toUri } from '../../../lib/path.ts';
import type { Ctx } from '../../../local.ts';
import { byteSpan, detect, type Format, shown } from '../../../lib/edits/text/encoding.ts';
import { isCrText } from '../../../lib/edits/text/lines.ts';
import { checkpoints } from './checkpoints.ts';
import { decoded } from './decoded.ts';
import { fillPage, type Page, type PageOptions } from './page.ts';
import { type Scan, scan } from './scan.ts';

/** Up to this size a read passes over the whole file for its hash and line count; beyond, a page costs a page. */
const WHOLE_LIMIT = 64 * 1024 * 1024;

/** What a call asks of a text. */
export interface Asked {
  readonly offset: number;
  readonly limit: number;
  readonly column: number;
  readonly raw: boolean;
}

/** A page of an open text file; `head` is its first bytes, `first` the format they tell. */
export function readText(
  ctx: Ctx,
  file: string,
  handle: FileHandle,
  stat: BigIntStats,
  head: Buffer,
  first: Format,
  asked: Asked,
): Promise<ActionResult> {
  return stat.size <= BigInt(WHOLE_LIMIT)
    ? readWhole(ctx, file, handle, head, first, asked)
    : readHuge(ctx, file, handle, stat, head, first, asked);
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
    known.keep(stat, {
      ...page.next,
      byte: start + byteSpan(page.source, 0, page.source.length, { ...format, invalid: true }),
    });
  }
  return answer(file, page, asked, {
    hash: null,
    total_lines: null,
    size: Number(stat.size),
    ...facts(format, cr),
    note: `larger than ${WHOLE_LIMIT} bytes: lines are not counted; stat gives the hash`,
  });
}

function isWide(format: Format): boolean {
  return format.encoding === 'utf-16le' || format.encoding === 'utf-16be';
}

/** How a page of this call is filled. */
export function pageOptions(ctx: Ctx, asked: Asked, cr: boolean): PageOptions {
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

/** The answer that carries a page; `rest` is what else is known of the file. */
export function answer(file: string, page: Page, asked: Asked, rest: Record<string, unknown>): ActionResult {
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
