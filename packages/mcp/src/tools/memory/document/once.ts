// The JSON file of earlier versions, imported when memory is opened for the first time. It is read and never touched.
import type { Db } from '../../../lib/store/index.ts';
import type { Ctx } from '../../../local.ts';
import { absorb, isDone } from './absorb.ts';
import { parseDocument } from './parse.ts';
import { readJson } from './read-file.ts';

/** Imports the file unless that was done; returns what the next answer has to say about it. */
export async function importOnce(ctx: Ctx, db: Db, file: string): Promise<string[]> {
  const what = `import ${file}`;
  if (await db.read((tx) => isDone(tx, what))) return [];
  let document: unknown;
  try {
    document = await readJson(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : [unread(file, error)];
  }
  if (ctx.env.store.readOnly) return [`${file} is not imported yet, as this server is read-only`];
  try {
    const parsed = parseDocument(document);
    const done = await absorb(db, parsed, what);
    // Another process has done it meanwhile.
    if (!done) return [];
    const left = parsed.problems.length === 0 ? '' : ` (${parsed.problems.slice(0, 5).join('; ')})`;
    return [`imported ${done.imported} entries and ${done.facts} facts from ${file}, which stays as it is${left}`];
  } catch (error) {
    return [unread(file, error)];
  }
}

function unread(file: string, error: unknown): string {
  return `${file} was not imported and not touched: ${(error as Error).message}; mend it and call import with file`;
}
