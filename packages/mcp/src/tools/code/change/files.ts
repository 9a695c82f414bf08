// The source files below a place, as searches see them: ignored and hidden ones left out.
import { ToolError } from '@hanzo/tool';
import { listOf } from '../../../lib/search/ask.ts';
import type { Ctx } from '../../../local.ts';
import { mayBeSource } from '../../../lib/syntax/index.ts';
import { type Budget, globsOf } from '../project.ts';
import type { Place } from '../source.ts';

/** Runs `body` for every file, one after the other. TIMEOUT, naming how far it came, when the time is over. */
export async function eachFile(
  ctx: Ctx,
  place: Place,
  pattern: string | undefined,
  budget: Budget,
  body: (file: string) => Promise<void>,
): Promise<number> {
  const files = await filesBelow(ctx, place, pattern);
  let done = 0;
  for (const file of files) {
    ctx.signal.throwIfAborted();
    if (budget.spent) {
      throw new ToolError(
        'TIMEOUT',
        `${done} of ${files.length} files were looked at in the time there is, and nothing is changed; narrow it by uri or pattern`,
      );
    }
    await body(file);
    ctx.progress({ progress: ++done, total: files.length, message: 'files read' });
  }
  return files.length;
}

/** The real paths of the files that hold any text, in order; without a pattern those that may be source. */
export async function filesBelow(ctx: Ctx, place: Place, pattern?: string): Promise<string[]> {
  if (!place.directory) return [place.file];
  return ctx.env.indexes.use(place.file, true, async (index) => {
    const text = { pattern: '[^ ]', path: place.file, globs: globsOf(place, pattern) };
    const { found } = await listOf(ctx, index, { text }, false);
    const files = [...new Set(found.files.map(({ file }) => file))].filter(
      (file) => pattern !== undefined || mayBeSource(file),
    );
    const readable = await Promise.all(files.map((file) => ctx.env.access.read(file).catch(() => undefined)));
    return readable.filter((file) => file !== undefined).toSorted();
  });
}
