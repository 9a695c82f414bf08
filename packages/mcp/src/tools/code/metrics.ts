// metrics: files and lines by ending; code, comment and blank lines where the language is known.
import path from 'node:path';
import type { ActionResult } from '@hanzo/tool';
import { z } from 'zod';
import { countLines, declarationsOf } from '../../lib/syntax/index.ts';
import { listOf } from '../../lib/search/ask.ts';
import { toUri } from '../../lib/path.ts';
import { act } from '../../local.ts';
import { pattern, uri } from './params.ts';
import { Budget, sourceAt } from './project.ts';
import { faults, parsing, placeOf } from './source.ts';

/** Endings that are told one by one; those with the fewest lines are told together. */
const ENDINGS = 60;

interface Sum {
  files: number;
  lines: number;
  code: number;
  comment: number;
  blank: number;
  /** files whose lines could be told apart */
  told: number;
}

export const metrics = act({
  summary: 'files and lines by ending; code, comment, blank',
  effect: 'read',
  input: z.strictObject({ uri, pattern }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const budget = new Budget();
    const sums = new Map<string, Sum>();
    let left = 0;
    const partial = await ctx.env.indexes.use(place.file, place.directory, async (index) => {
      // every line of every file that a search would read, counted by the engine
      const text = {
        pattern: '^',
        path: place.file,
        globs: place.directory && input.pattern !== undefined ? [input.pattern] : [],
      };
      const { found } = await listOf(ctx, index, { text }, false);
      for (const { file, count, part } of found.files) {
        if (part) continue;
        ctx.signal.throwIfAborted();
        const ending = path.extname(file).slice(1) || path.basename(file);
        const sum = sums.get(ending) ?? { files: 0, lines: 0, code: 0, comment: 0, blank: 0, told: 0 };
        sums.set(ending, sum);
        sum.files++;
        sum.lines += count;
        if (budget.spent) {
          left++;
          continue;
        }
        const source = await sourceAt(ctx, file);
        if (!source) continue;
        const counts = countLines(source.text, source.language);
        sum.told++;
        sum.code += counts.code;
        sum.comment += counts.comment;
        sum.blank += counts.blank;
      }
      return found.partial;
    });
    const all = [...sums.values()];
    const total = (key: keyof Sum): number => all.reduce((sum, each) => sum + each[key], 0);
    const notes = [
      ...(partial || left > 0 ? ['stopped at the time limit; narrow it by uri or pattern'] : []),
      ...(sums.size > ENDINGS
        ? [`the ${sums.size - ENDINGS} endings with the fewest lines are left out of by_extension`]
        : []),
    ];
    return {
      data: {
        uri: toUri(place.file),
        total_files: total('files'),
        total_lines: total('lines'),
        code: total('code'),
        comment: total('comment'),
        blank: total('blank'),
        by_extension: byExtension(sums),
        ...(place.directory ? {} : await declared(ctx, place.file)),
        ...(partial || left > 0 ? { partial: true } : {}),
        ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
      },
    };
  },
});

/** Most lines first. Endings come from outside: no prototype. */
function byExtension(sums: ReadonlyMap<string, Sum>): Record<string, unknown> {
  const sorted = [...sums].toSorted(([a, x], [b, y]) => y.lines - x.lines || (a < b ? -1 : 1)).slice(0, ENDINGS);
  const table = Object.create(null) as Record<string, unknown>;
  for (const [ending, { files, lines, code, comment, blank, told }] of sorted) {
    table[ending] = { files, lines, ...(told > 0 ? { code, comment, blank } : {}) };
  }
  return table;
}

/** How many declarations of each kind one file has. */
async function declared(ctx: Parameters<typeof sourceAt>[0], file: string): Promise<Record<string, unknown>> {
  const source = await sourceAt(ctx, file);
  if (!source) return {};
  return parsing(ctx, source, (parsed) => {
    const kinds: Record<string, number> = {};
    for (const { kind } of declarationsOf(parsed)) kinds[kind] = (kinds[kind] ?? 0) + 1;
    return { language: source.language, declarations: kinds, ...faults(parsed) };
  });
}
