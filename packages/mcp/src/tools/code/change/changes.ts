// What one call changes: files as they were read, what is to replace which places, and the one way to write or to show it.
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import path from 'node:path';
import { type ActionResult, ToolError, utf8Length } from '@hanzo/tool';
import { readCursor } from '../../../lib/cursor.ts';
import { hashOf } from '../../../lib/edits/disk/hash.ts';
import { lockKeys, locked } from '../../../lib/edits/disk/lock.ts';
import { Changed } from '../../../lib/edits/disk/replace.ts';
import { type Snapshot, snapshot } from '../../../lib/edits/disk/snapshot.ts';
import { asText, encodeFor, type Text } from '../../../lib/edits/edit.ts';
import { commit } from '../../../lib/edits/patch/commit.ts';
import type { Step } from '../../../lib/edits/patch/plan.ts';
import { applySpans, hunksOf, ordered, type Replacement } from '../../../lib/edits/spans.ts';
import { toUri } from '../../../lib/path.ts';
import { languageOf, MAX_TEXT, type LanguageId, type Parsed, parseSource } from '../../../lib/syntax/index.ts';
import type { Ctx } from '../../../local.ts';

/** A file as it is changed: its decoded text, whose units all places count. */
export interface Origin {
  readonly file: string;
  readonly snapshot: Snapshot;
  readonly text: Text;
  readonly language: LanguageId | undefined;
}

/** Files one call may change. */
const FILES = 5000;
/** Bytes of an answer for the list of files. */
const LISTED = 8000;

interface Written {
  readonly file: string;
  readonly count: number;
  readonly hash: string;
  readonly base: string | undefined;
}

export class Changes {
  readonly #ctx: Ctx;
  readonly #origins = new Map<string, Origin>();
  readonly #spans = new Map<string, Replacement[]>();
  readonly #created = new Map<string, string>();

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /** A file as text, read once. `file` is a real path that may be read. */
  async origin(file: string, language?: LanguageId): Promise<Origin> {
    const known = this.#origins.get(file);
    if (known) return known;
    const before = await snapshot(file);
    this.#ctx.env.access.refuseKey(file, before.bytes.subarray(0, 512));
    const text = asText(before.bytes);
    const origin = { file, snapshot: before, text, language: language ?? languageOf(file, text.text) };
    this.#origins.set(file, origin);
    return origin;
  }

  /** Forgets a file that is not changed after all, so that its memory is free. */
  drop(file: string): void {
    if (!this.#spans.has(file)) this.#origins.delete(file);
  }

  /** Replaces a stretch of a file that was read; `text` is taken as it stands. */
  replace(origin: Origin, start: number, end: number, text: string): void {
    if (origin.text.text.slice(start, end) === text && end > start) return;
    const spans = this.#spans.get(origin.file);
    if (spans) spans.push({ start, end, text });
    else if (this.#spans.size >= FILES) {
      throw new ToolError('INVALID_PARAMS', `over ${FILES} files would change; narrow it by uri or pattern`);
    } else this.#spans.set(origin.file, [{ start, end, text }]);
    this.#origins.set(origin.file, origin);
  }

  /** A file that is to be made; it must not be there. */
  create(file: string, text: string): void {
    this.#created.set(file, text);
  }

  /** How many places change, and in how many files. */
  get total(): number {
    return [...this.#spans].reduce((sum, [file, spans]) => sum + ordered(spans, file).length, 0);
  }
  get files(): number {
    return this.#spans.size + this.#created.size;
  }

  /**
   * Shows the changes as a patch, or writes them all or none. `data` is what the action has to say besides; a page of the
   * patch is a patch of its own.
   */
  async answer(
    asked: { readonly apply: boolean; readonly cursor?: string | undefined; readonly base: string },
    data: Record<string, unknown>,
    notes: readonly string[] = [],
  ): Promise<ActionResult> {
    const steps = await this.#steps();
    const written: Written[] = steps.map((step) => {
      const made = step.kind === 'create';
      return {
        file: step.file,
        count: made ? 1 : ordered(this.#spans.get(step.file) ?? [], step.file).length,
        hash: hashOf(step.kind === 'delete' ? Buffer.alloc(0) : step.bytes),
        base: step.kind === 'replace' ? step.before.hash : undefined,
      };
    });
    if (asked.apply) await this.#write(steps);
    const about = {
      ...data,
      applied: asked.apply,
      files_changed: steps.length,
      total_replacements: this.total,
      ...listed(written, asked.apply),
    };
    if (asked.apply || steps.length === 0) return { data: withNotes(about, notes) };
    return this.#patch(asked, about, notes);
  }

  async #steps(): Promise<Step[]> {
    const { access: rules } = this.#ctx.env;
    const steps: Step[] = [];
    for (const [file, spans] of [...this.#spans].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const origin = this.#origins.get(file) as Origin;
      if (origin.text.format.binary) throw new ToolError('INVALID_PARAMS', `${file} is not text`, { uri: toUri(file) });
      await rules.write(file, 'follow');
      const bytes = applySpans(origin.text, ordered(spans, file), file);
      if (!bytes.equals(origin.snapshot.bytes)) steps.push({ kind: 'replace', file, before: origin.snapshot, bytes });
    }
    for (const [file, text] of this.#created) {
      const real = await rules.write(file, 'keep');
      if (await lstat(real).catch(() => undefined)) {
        throw new ToolError('CONFLICT', `${real} already exists`, { uri: toUri(real) });
      }
      steps.push({ kind: 'create', file: real, bytes: encodeFor(text, 'utf-8', real, 'uri'), mode: 0o666 });
    }
    return steps;
  }

  async #write(steps: readonly Step[]): Promise<void> {
    await locked(lockKeys(steps.map(({ file }) => file)), async () => {
      for (const step of steps) if (step.kind === 'replace') await unchanged(step.before);
      try {
        await commit(steps);
      } catch (error) {
        if (error instanceof Changed) {
          throw new ToolError('CONFLICT', 'a file was changed by somebody else meanwhile; nothing was written', {});
        }
        if (error instanceof ToolError) {
          throw new ToolError(error.code, `nothing was written: ${error.message}`, error.details);
        }
        throw error;
      }
    });
  }

  #patch(
    asked: { readonly cursor?: string | undefined; readonly base: string },
    data: Record<string, unknown>,
    notes: readonly string[],
  ): ActionResult {
    const { ctx, pieces } = { ctx: this.#ctx, pieces: this.#pieces() };
    const offset = readCursor(asked.cursor, pieces.length);
    const room = ctx.maxOutput;
    const out: string[] = [];
    const also = [...notes];
    let left = room - 200;
    let file: string | undefined;
    let at = offset;
    for (; at < pieces.length; at++) {
      const piece = pieces[at] as (typeof pieces)[number];
      const head = piece.file === file ? '' : piece.head;
      const bytes = utf8Length(head + piece.text);
      if (bytes > left) {
        if (bytes <= room - 200) break;
        also.push(`a change at ${piece.file}:${piece.line} has lines too long to show; apply: true writes it too`);
        continue;
      }
      left -= bytes;
      out.push(head, piece.text);
      file = piece.file;
    }
    const more = at < pieces.length;
    const inexact = pieces.some((piece) => piece.inexact);
    if (inexact)
      also.push('some lines hold what a patch cannot say (unusual line ends or damaged bytes); apply: true keeps them');
    if (more || offset > 0)
      also.push('the patch comes in pages, each one a patch; apply: true writes all of them or none');
    const patch = `*** Begin Patch\n${out.join('')}*** End Patch\n`;
    const paging = { cursor: more ? String(at) : null, more, total: pieces.length };
    const { jsonOnly } = ctx.env.config;
    return {
      data: withNotes({ ...data, ...(jsonOnly ? { patch } : {}) }, also),
      ...(jsonOnly ? {} : { bodies: [{ kind: 'text' as const, key: 'patch', text: patch }] }),
      ...(more || offset > 0 ? { paging } : {}),
    };
  }

  #pieces(): { file: string; head: string; text: string; line: number; inexact: boolean }[] {
    const pieces = [];
    for (const [file, spans] of [...this.#spans].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const origin = this.#origins.get(file) as Origin;
      const head = `*** Update File: ${file}\n*** Base Hash: ${origin.snapshot.hash}\n`;
      for (const piece of hunksOf(origin.text, ordered(spans, file))) pieces.push({ file, head, ...piece });
    }
    for (const [file, text] of this.#created) {
      const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
      const body = lines.map((line) => `+${line}\n`).join('');
      pieces.push({ file, head: `*** Add File: ${file}\n`, text: body, line: 1, inexact: !text.endsWith('\n') });
    }
    return pieces;
  }
}

/** CONFLICT for a file that is not what was read, PERMISSION_DENIED for one that nobody may write. */
async function unchanged(before: Snapshot): Promise<void> {
  const now = await snapshot(before.file);
  if (now.hash !== before.hash) {
    throw new ToolError('CONFLICT', `${before.file} was changed by somebody else meanwhile; nothing was written`, {
      uri: toUri(before.file),
      expected: before.hash,
      actual: now.hash,
    });
  }
  const mode = Number(now.stat.mode) & 0o7777;
  const denied = await access(before.file, constants.W_OK).then(
    () => (mode & 0o222) === 0,
    () => true,
  );
  if (denied) {
    const octal = mode.toString(8).padStart(4, '0');
    throw new ToolError('PERMISSION_DENIED', `nothing was written: ${before.file} is read-only (mode ${octal})`, {
      uri: toUri(before.file),
      mode: octal,
    });
  }
}

function listed(written: readonly Written[], applied: boolean): Record<string, unknown> {
  const changed: unknown[] = [];
  let left = LISTED;
  for (const { file, count, hash, base } of written) {
    const one = {
      uri: toUri(file),
      replacements: count,
      ...(applied ? { hash } : base === undefined ? {} : { base_hash: base }),
    };
    left -= JSON.stringify(one).length;
    if (left < 0 && changed.length > 0) break;
    changed.push(one);
  }
  return { changed, ...(changed.length < written.length ? { changed_shown: changed.length } : {}) };
}

function withNotes(data: Record<string, unknown>, notes: readonly string[]): Record<string, unknown> {
  return notes.length > 0 ? { ...data, note: [...new Set(notes)].slice(0, 12).join('; ') } : data;
}

/** Parses what was read, lends the tree, and frees it. */
export async function lending<T>(ctx: Ctx, origin: Origin, body: (parsed: Parsed) => T | Promise<T>): Promise<T> {
  if (!origin.language) {
    throw new ToolError('INVALID_PARAMS', `${origin.file}: its language is not known here`, { param: 'uri' });
  }
  if (origin.text.text.length > MAX_TEXT) {
    throw new ToolError('INVALID_PARAMS', `${origin.file} is too long to parse`, { uri: toUri(origin.file) });
  }
  const parsed = await parseSource(origin.text.text, origin.language, { signal: ctx.signal });
  try {
    return await body(parsed);
  } finally {
    parsed.free();
  }
}

/** The folder that paths of an answer are told from. */
export const baseOf = (place: { readonly file: string; readonly directory: boolean }): string =>
  place.directory ? place.file : path.dirname(place.file);
