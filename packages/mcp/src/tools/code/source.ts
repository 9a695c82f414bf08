// From what a caller names to a parsed source: a file or a text, in a language that is known.
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { shorten, ToolError } from '@hanzo/tool';
import {
  type LanguageId,
  LANGUAGES,
  languageNamed,
  languageOf,
  MAX_TEXT,
  type Parsed,
  parseSource,
} from '../../lib/syntax/index.ts';
import { toPath, toUri } from '../../lib/path.ts';
import type { Ctx } from '../../local.ts';

/** A source text that was read. */
export interface Source {
  /** real path; undefined for a text that was given */
  readonly file: string | undefined;
  readonly text: string;
  readonly language: LanguageId;
  /** of the file's bytes */
  readonly hash: string | undefined;
}

export interface Place {
  readonly file: string;
  readonly directory: boolean;
}

/** The real path an action works at: the one that is named, else the working directory. */
export async function placeOf(ctx: Ctx, uri: string | undefined): Promise<Place> {
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

interface Asked {
  readonly uri?: string | undefined;
  readonly text?: string | undefined;
  readonly language?: string | undefined;
}

/** The source a call means: its `text`, else the file at `uri`. */
export async function sourceOf(ctx: Ctx, { uri, text, language }: Asked): Promise<Source> {
  const named = language === undefined ? undefined : languageNamed(language);
  if (text !== undefined) {
    const known = named ?? (uri === undefined ? languageOf('', text) : languageOf(uri, text));
    if (!known) {
      throw new ToolError('INVALID_PARAMS', `'text' needs 'language', one of ${LANGUAGES.join(', ')}`, {
        param: 'language',
      });
    }
    return { file: undefined, text, language: known, hash: undefined };
  }
  if (uri === undefined)
    throw new ToolError('INVALID_PARAMS', `code ${ctx.action} needs 'uri' or 'text'`, { param: 'uri' });
  const { file, directory } = await placeOf(ctx, uri);
  if (directory) {
    throw new ToolError(
      'INVALID_PARAMS',
      `${file} is a directory; ${ctx.action} reads one file (search_symbol, references, metrics and hierarchy read a tree)`,
      { param: 'uri' },
    );
  }
  const source = await readSource(ctx, file, named);
  if (source) return source;
  throw new ToolError(
    'INVALID_PARAMS',
    `${file}: its language is not known here; pass language, one of ${LANGUAGES.join(', ')}`,
    { param: 'language' },
  );
}

/** A file as source text; undefined if its language is not known. `file` is a real path that may be read. */
export async function readSource(ctx: Ctx, file: string, named?: LanguageId): Promise<Source | undefined> {
  if (!named && !languageOf(file) && path.extname(file) !== '') return undefined;
  const bytes = await bytesOf(ctx, file);
  const text = decoded(bytes);
  const language = named ?? languageOf(file, text);
  if (!language) return undefined;
  return { file, text, language, hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
}

async function bytesOf(ctx: Ctx, file: string): Promise<Buffer> {
  // never waits for a writer: a pipe answers at once
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new ToolError(
        error.code === 'ENOENT' ? 'NOT_FOUND' : 'INVALID_PARAMS',
        `${file} cannot be read (${error.code})`,
        {
          uri: toUri(file),
        },
      );
    },
  );
  try {
    const what = await handle.stat();
    if (!what.isFile()) throw new ToolError('INVALID_PARAMS', `${file} is not a regular file`, { uri: toUri(file) });
    if (what.size > 2 * MAX_TEXT) {
      throw new ToolError('INVALID_PARAMS', `${file} has ${what.size} bytes; up to ${MAX_TEXT} characters are parsed`, {
        uri: toUri(file),
      });
    }
    const bytes = await handle.readFile();
    ctx.env.access.refuseKey(file, bytes.subarray(0, 512));
    return bytes;
  } finally {
    await handle.close();
  }
}

/** UTF-8 and UTF-16 by their marks; what is no UTF-8 is taken for windows-1252, so that every byte is one character. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
}

/** Parses a source, lends the tree, and frees it. */
export async function parsing<T>(ctx: Ctx, source: Source, body: (parsed: Parsed) => T | Promise<T>): Promise<T> {
  const parsed = await parseSource(source.text, source.language, { signal: ctx.signal });
  try {
    return await body(parsed);
  } finally {
    parsed.free();
  }
}

/** What every answer about one source says of it: where it is, its language, and which places could not be understood. */
export function about(source: Source, parsed: Parsed): Record<string, unknown> {
  return {
    ...(source.file === undefined ? {} : { uri: toUri(source.file) }),
    language: source.language,
    ...(source.hash === undefined ? {} : { hash: source.hash }),
    lines: parsed.lines.count,
    ...faults(parsed),
  };
}

/** Syntax errors, at most 20 of them, with how many there are. */
export function faults({ errors, errorCount }: Parsed): Record<string, unknown> {
  if (errorCount === 0) return {};
  return {
    errors: errors.slice(0, 20).map(({ line, col, message }) => ({ line, col, message })),
    ...(errorCount > 20 ? { error_count: errorCount } : {}),
    note: 'the text has syntax errors; what is around them may be incomplete',
  };
}

/** INVALID_PARAMS for a line that a text does not have. */
export function checkLine({ lines }: Parsed, line: number): void {
  if (line <= Math.max(1, lines.count)) return;
  throw new ToolError('INVALID_PARAMS', `'line' ${line} is past the end; the text has ${lines.count} lines`, {
    param: 'line',
  });
}

/** A name as a caller gives it: one identifier, as `search_symbol` takes it. */
export function nameOf(ctx: Ctx, query: string | undefined): string {
  const name = query?.trim() ?? '';
  if (IDENTIFIER.test(name)) return name;
  throw new ToolError(
    'INVALID_PARAMS',
    query === undefined
      ? `code ${ctx.action} needs 'query', the name of a symbol`
      : `'query' is one identifier, not ${JSON.stringify(shorten(query, 80))}; fs search_text finds text and expressions`,
    { param: 'query' },
  );
}

/** An identifier in any of the languages: letters of every script, digits, `_`, `$`, and Ruby's and Lisp's marks at the end. */
const IDENTIFIER = /^[\p{L}\p{M}\p{N}\p{Pc}$@#-]{1,500}[?!*']?$/u;
