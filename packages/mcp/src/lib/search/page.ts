// A page of hits as text: a file's path, then its lines as `number:text`, context as `number-text`.
import path from 'node:path';
import type { Found, Hit } from '@hanzo/search';
import { utf8Length } from '@hanzo/tool';
import { toUri } from '../path.ts';

/** Characters shown of a line. */
const LINE_CHARACTERS = 500;
/** Characters shown before a match that lies behind those. */
const LEAD = 100;
/** Hits asked of the engine at a time: a page often ends by its bytes, and lines can be long. */
const BATCH = 100;

interface Match {
  readonly uri: string;
  readonly line: number;
  /** trimmed */
  readonly text: string;
  readonly type?: 'definition' | 'reference';
  /** in a document: the member of an archive it lies in, and the page, slide, sheet or paragraph */
  readonly entry?: string;
  readonly place?: string;
}

export interface Rendered {
  readonly text: string;
  readonly matches: readonly Match[];
  /** where the next page starts */
  readonly next: number;
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

/** Renders hits `offset` to `offset + limit` of the list, fewer where `room` ends first, at least one. */
export async function render(found: Found, options: RenderOptions): Promise<Rendered> {
  const out: string[] = [];
  const matches: Match[] = [];
  const end = Math.min(found.total, options.offset + options.limit);
  let left = options.room;
  let changed = false;
  let group = '';
  let last = 0;
  for (let at = options.offset; at < end; at += BATCH) {
    const limit = Math.min(BATCH, end - at);
    const page = await found.page({ offset: at, limit, context: options.context });
    changed ||= page.changed;
    for (const [i, hit] of page.hits.entries()) {
      const name = (path.relative(options.base, hit.file) || path.basename(hit.file)) + inside(hit.part);
      const first = name !== group;
      const piece = (first ? heading(name, out.length > 0) : '') + block(hit, first ? 0 : last, options.context);
      const match = matchOf(hit);
      const bytes = utf8Length(options.json ? `${JSON.stringify(match)},` : piece);
      if (bytes > left && matches.length > 0) return { text: out.join(''), matches, next: at + i, changed };
      out.push(piece);
      matches.push(match);
      left -= bytes;
      group = name;
      last = hit.line + hit.after.length;
    }
  }
  return { text: out.join(''), matches, next: end, changed };
}

const heading = (name: string, further: boolean): string => (further ? `\n${name}\n` : `${name}\n`);

/** ` [a.docx, para 5]`: where in a document a group of hits lies. */
function inside(part: Hit['part']): string {
  const where = [part?.entry, part?.place].filter((each) => each);
  return where.length > 0 ? ` [${where.join(', ')}]` : '';
}

function matchOf(hit: Hit): Match {
  return {
    uri: toUri(hit.file),
    line: hit.line,
    text: around(hit).trim(),
    ...(hit.type ? { type: hit.type } : {}),
    ...(hit.part?.entry ? { entry: hit.part.entry } : {}),
    ...(hit.part?.place ? { place: hit.part.place } : {}),
  };
}

/** One hit with its context; `last` is the last line shown of the same file, 0 if there is none. */
function block(hit: Hit, last: number, context: number): string {
  const from = hit.line - hit.before.length;
  let text = context > 0 && last > 0 && from > last + 1 ? '--\n' : '';
  for (const [i, each] of hit.before.entries()) text += `${from + i}-${start(bare(each))}\n`;
  text += `${hit.line}${hit.type === 'definition' ? ' (definition)' : ''}:${around(hit)}\n`;
  for (const [i, each] of hit.after.entries()) text += `${hit.line + 1 + i}-${start(bare(each))}\n`;
  return text;
}

const bare = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The start of a line. */
function start(line: string): string {
  if (line.length <= LINE_CHARACTERS) return line;
  const kept = whole(line.slice(0, LINE_CHARACTERS));
  return `${kept}… [${line.length - kept.length} more characters]`;
}

/** The start of a hit's line, or the part around its first match where that lies further in. */
function around({ text, spans }: Hit): string {
  const line = bare(text);
  const [from = 0, to = from] = spans;
  if (line.length <= LINE_CHARACTERS || Math.min(to, from + LEAD) <= LINE_CHARACTERS) return start(line);
  const cut = from - LEAD;
  const kept = whole(line.slice(cut, cut + LINE_CHARACTERS));
  const rest = line.length - cut - LINE_CHARACTERS;
  return `[${cut} characters] …${kept}${rest > 0 ? `… [${rest} more characters]` : ''}`;
}

/** Without halves of characters at its ends. */
function whole(text: string): string {
  return text.toWellFormed().replace(/^\uFFFD|\uFFFD$/g, '');
}
