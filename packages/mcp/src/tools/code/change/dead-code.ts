// dead_code: what a tree declares for others and no other file names. duplicates: stretches of lines that stand twice.
import path from 'node:path';
import { z } from 'zod';
import { toUri } from '../../../lib/path.ts';
import { declarationsOf } from '../../../lib/syntax/index.ts';
import { act, type Ctx } from '../../../local.ts';
import { answer, type Item, pageOf } from '../page.ts';
import { cursor, limit, pattern, uri } from '../params.ts';
import { Budget, sourceAt } from '../project.ts';
import { parsing, placeOf } from '../source.ts';
import { placesOf } from './binding.ts';
import { overFunctions } from './complexity.ts';
import { filesBelow } from './files.ts';

/** Files that are looked at closely for one name. */
const CLOSELY = 4;
/** Lines a stretch has at least, blank ones left out, and characters. */
const LINES = 5;
const CHARACTERS = 60;
/** Lines that are compared in all. */
const MOST_LINES = 2_000_000;
const WORD = /[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Nd}\p{Pc}$]*/gu;

interface Declared {
  readonly file: string;
  readonly name: string;
  readonly kind: string;
  readonly line: number;
  readonly signature: string;
  /** it is used in its own file */
  readonly used: boolean;
}

export const deadCode = act({
  summary: 'exported names that no other file uses',
  effect: 'read',
  input: z.strictObject({ uri, pattern, cursor, max_results: limit(50) }),
  async run(ctx, input) {
    const place = await placeOf(ctx, input.uri);
    const declared: Declared[] = [];
    const looked = await overFunctions(ctx, place, input.pattern, (file, parsed) => {
      for (const each of declarationsOf(parsed)) {
        if (!each.exported || each.local || each.member || each.kind === 'key' || isEntry(file, each.name)) continue;
        if (parsed.text.startsWith('export default', each.startIndex)) continue;
        const used = placesOf(parsed, each.name).some(
          ({ declaration, parents }) => !declaration && parents[0] !== 'export_specifier',
        );
        const { name, kind, line, signature } = each;
        declared.push({ file, name, kind, line, signature, used });
      }
    });
    const users = await usersOf(ctx, place, new Set(declared.map(({ name }) => name)));
    const dead: Declared[] = [];
    for (const each of declared) {
      const others = [...(users.get(each.name) ?? [])].filter((file) => file !== each.file);
      if (others.length <= CLOSELY && !(await anyUses(ctx, others, each.name))) dead.push(each);
    }
    const base = place.directory ? place.file : path.dirname(place.file);
    const items = dead.map(({ file, name, kind, line, signature, used }): Item => ({
      group: path.relative(base, file) || path.basename(file),
      text: `${line} ${kind} ${name}${used ? ' (used in its own file)' : ''}: ${signature}`,
      json: { uri: toUri(file), line, name, kind, ...(used ? { used_here: true } : {}) },
    }));
    const page = pageOf(ctx, items, { key: 'dead', cursor: input.cursor, limit: input.max_results });
    const hint = 'what a package gives to the outside, or what is reached by its name at run time, is in the list too';
    return answer(page, {
      uri: toUri(place.file),
      total: dead.length,
      exported: declared.length,
      ...looked,
      note: typeof looked['note'] === 'string' ? `${looked['note']}; ${hint}` : hint,
    });
  },
});

/** Names that the language or a test runner calls by itself. */
function isEntry(file: string, name: string): boolean {
  if (/^(main|init|__.*__)$/.test(name)) return true;
  return /(^|[._-])(test|tests|spec)([._-]|$)/i.test(path.basename(file)) || /\.d\.[cm]?ts$/.test(file);
}

/** Which files hold each name as a word, in code or not: up to one more than are looked at closely. */
async function usersOf(
  ctx: Ctx,
  place: { file: string; directory: boolean },
  names: ReadonlySet<string>,
): Promise<Map<string, Set<string>>> {
  const users = new Map<string, Set<string>>();
  // other files of the tree count even where a pattern leaves them out
  for (const file of await filesBelow(ctx, place)) {
    ctx.signal.throwIfAborted();
    const source = await sourceAt(ctx, file);
    if (!source) continue;
    for (const [word] of source.text.matchAll(WORD)) {
      if (!names.has(word)) continue;
      const known = users.get(word) ?? new Set<string>();
      if (known.size <= CLOSELY + 1) known.add(file);
      users.set(word, known);
    }
  }
  return users;
}

async function anyUses(ctx: Ctx, files: readonly string[], name: string): Promise<boolean> {
  for (const file of files) {
    const source = await sourceAt(ctx, file);
    if (!source) continue;
    if (await parsing(ctx, source, (parsed) => placesOf(parsed, name).some(({ declaration }) => !declaration)))
      return true;
  }
  return false;
}

interface Numbered {
  readonly file: string;
  readonly text: readonly string[];
  /** the line of each, from 1 */
  readonly line: readonly number[];
}

interface Twin {
  readonly a: Numbered;
  readonly b: Numbered;
  readonly i: number;
  readonly j: number;
  readonly length: number;
}

export const duplicates = act({
  summary: 'stretches of at least 5 lines that stand twice',
  effect: 'read',
  input: z.strictObject({ uri, pattern, cursor, max_results: limit(20) }),
  async run(ctx, input) {
    const place = await placeOf(ctx, input.uri);
    const twins: Twin[] = [];
    const first = new Map<string, { file: Numbered; at: number }>();
    const budget = new Budget();
    let left = MOST_LINES;
    let skipped = 0;
    for (const file of await filesBelow(ctx, place, input.pattern)) {
      ctx.signal.throwIfAborted();
      const source = budget.spent || left <= 0 ? undefined : await sourceAt(ctx, file);
      if (!source) {
        if (budget.spent || left <= 0) skipped++;
        continue;
      }
      if (source.language === 'json') continue;
      const lines = numbered(file, source.text);
      left -= lines.text.length;
      compare(lines, first, twins);
    }
    twins.sort((x, y) => y.length - x.length || (x.b.file < y.b.file ? -1 : 1));
    const base = place.directory ? place.file : path.dirname(place.file);
    const page = pageOf(
      ctx,
      twins.map((each) => twinItem(each, base)),
      { key: 'duplicates', cursor: input.cursor, limit: input.max_results },
    );
    const total = twins.reduce((sum, { length }) => sum + length, 0);
    return answer(page, {
      uri: toUri(place.file),
      total: twins.length,
      duplicated_lines: total,
      ...(skipped > 0
        ? { partial: true, note: `${skipped} files were not looked at; narrow it by uri or pattern` }
        : {}),
    });
  },
});

/** Lines without blanks around, empty ones and comments of a line left out. */
function numbered(file: string, source: string): Numbered {
  const text: string[] = [];
  const line: number[] = [];
  for (const [i, each] of source.split('\n').entries()) {
    const bare = each.trim();
    if (bare === '' || /^(\/\/|#(?!include|define|if|end)|\*|\/\*|--)/.test(bare)) continue;
    text.push(bare);
    line.push(i + 1);
  }
  return { file, text, line };
}

/** Finds what stood before, as long as it goes, and records what is new. */
function compare(lines: Numbered, first: Map<string, { file: Numbered; at: number }>, twins: Twin[]): void {
  const { text } = lines;
  for (let at = 0; at + LINES <= text.length;) {
    const key = text.slice(at, at + LINES).join('\n');
    const known = key.length >= CHARACTERS && key.length < 10_000 ? first.get(key) : undefined;
    if (!known || (known.file === lines && known.at + LINES > at)) {
      if (!known && key.length >= CHARACTERS && key.length < 10_000) first.set(key, { file: lines, at });
      at++;
      continue;
    }
    let length = LINES;
    while (
      at + length < text.length &&
      text[at + length] === known.file.text[known.at + length] &&
      !(known.file === lines && known.at + length >= at)
    )
      length++;
    // imports alone are alike everywhere
    if (!text.slice(at, at + length).every((each) => /^(import|from|use|using|#include|require|\}? from)\b/.test(each)))
      twins.push({ a: known.file, b: lines, i: known.at, j: at, length });
    at += length;
  }
}

function twinItem({ a, b, i, j, length }: Twin, base: string): Item {
  const range = ({ line }: Numbered, at: number): string => `${line[at]}-${line[at + length - 1]}`;
  const name = ({ file }: Numbered): string => path.relative(base, file) || path.basename(file);
  const place = (each: Numbered, at: number) => ({
    uri: toUri(each.file),
    line: each.line[at],
    end_line: each.line[at + length - 1],
  });
  return {
    text: `${length} lines: ${name(a)}:${range(a, i)} = ${name(b)}:${range(b, j)}: ${(b.text[j] ?? '').slice(0, 80).toWellFormed()}`,
    json: { lines: length, places: [place(a, i), place(b, j)] },
  };
}
