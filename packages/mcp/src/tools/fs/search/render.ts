// A page of hits as text: a file's path, then its lines as `number:text`, context as `number-text`.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { utf8Length } from '@hanzo/tool';
import { toUri } from '../../../lib/path.ts';
import { readRegular } from '../disk/open.ts';
import type { FileHits } from './engine.ts';
import { pickLines, WHOLE_LIMIT } from './huge.ts';
import { searchable } from './scan.ts';

/** Characters shown of a line; the place of a match in a longer one is not known, so its start is shown. */
const LINE_CHARACTERS = 500;

interface Match {
  readonly uri: string;
  readonly line: number;
  /** trimmed */
  readonly text: string;
  /** in a document: the member of an archive it lies in, and the page, slide, sheet or paragraph */
  readonly entry?: string;
  readonly place?: string;
}

export interface Rendered {
  readonly text: string;
  readonly matches: readonly Match[];
  /** hits on this page */
  readonly count: number;
  /** a file is no longer what it was when it was searched */
  readonly changed: boolean;
}

export interface RenderOptions {
  /** paths in the text are relative to this directory */
  readonly base: string;
  readonly offset: number;
  readonly limit: number;
  readonly context: number;
  /** most UTF-8 bytes */
  readonly room: number;
  /** the matches are what is sent, as JSON, so it is their bytes that count */
  readonly json: boolean;
}

/** Renders hits `offset` to `offset + limit` of the one list, fewer where `room` ends first, at least one. */
export async function render(hits: readonly FileHits[], options: RenderOptions): Promise<Rendered> {
  const out: string[] = [];
  const matches: Match[] = [];
  let left = options.room;
  let skip = options.offset;
  let changed = false;
  for (const { file, lines, part } of hits) {
    if (skip >= lines.length) {
      skip -= lines.length;
      continue;
    }
    const wanted = lines.slice(skip, skip + options.limit - matches.length);
    skip = 0;
    const textOf = await lineReader(file, part, wanted, options.context);
    const name = (path.relative(options.base, file) || path.basename(file)) + inside(part);
    const group = [out.length > 0 ? `\n${name}\n` : `${name}\n`];
    let size = options.json ? 0 : utf8Length(group[0]!);
    let shown = 0;
    for (const [i, line] of wanted.entries()) {
      if (textOf(line) === undefined) changed = true;
      const piece = block(textOf, line, wanted[i - 1] ?? 0, wanted[i + 1], options.context);
      const match: Match = {
        uri: toUri(file),
        line,
        text: cut(textOf(line) ?? '').trim(),
        ...(part?.entry ? { entry: part.entry } : {}),
        ...(part?.place ? { place: part.place } : {}),
      };
      const bytes = utf8Length(options.json ? `${JSON.stringify(match)},` : piece);
      if (size + bytes > left && (matches.length > 0 || shown > 0)) break;
      group.push(piece);
      size += bytes;
      shown++;
      matches.push(match);
    }
    if (shown === 0) break;
    out.push(...group);
    left -= size;
    if (shown < wanted.length || matches.length >= options.limit) break;
  }
  return { text: out.join(''), matches, count: matches.length, changed };
}

/** ` [a.docx, para 5]`: where in a document a group of hits lies. */
function inside(part: FileHits['part']): string {
  const where = [part?.entry, part?.place].filter((each) => each);
  return where.length > 0 ? ` [${where.join(', ')}]` : '';
}

type LineReader = (line: number) => string | undefined;

/** Gives the text of the lines that are shown; undefined for a line that is not there. */
async function lineReader(
  file: string,
  part: FileHits['part'],
  wanted: readonly number[],
  context: number,
): Promise<LineReader> {
  const size = part
    ? 0
    : await stat(file).then(
        (each) => each.size,
        () => 0,
      );
  if (size > WHOLE_LIMIT) {
    const near = new Set(
      wanted.flatMap((line) => Array.from({ length: 2 * context + 1 }, (_, i) => line - context + i)),
    );
    const picked = await pickLines(file, near);
    return (line) => picked.get(line);
  }
  const text = part
    ? part.text
    : await readRegular(file).then(
        (bytes) => searchable(bytes)?.text,
        () => undefined,
      );
  const all = text?.split('\n');
  // behind a final line end there is no line
  if (all?.at(-1) === '') all.pop();
  return (line) => all?.[line - 1];
}

/** One hit with its context, sharing what lies between it and its neighbours. */
function block(textOf: LineReader, line: number, before: number, after: number | undefined, context: number): string {
  const from = Math.max(1, line - context, Math.min(line, before + context + 1));
  const to = Math.min(line + context, (after ?? Infinity) - 1);
  let text = context > 0 && before > 0 && from > before + context + 1 ? '--\n' : '';
  for (let at = from; at <= Math.max(to, line); at++) {
    const shown = textOf(at);
    if (shown !== undefined || at === line) text += `${at}${at === line ? ':' : '-'}${cut(shown ?? '')}\n`;
  }
  return text;
}

function cut(line: string): string {
  const bare = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (bare.length <= LINE_CHARACTERS) return bare;
  const start = bare
    .slice(0, LINE_CHARACTERS)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  return `${start}… [${bare.length - start.length} more characters]`;
}
