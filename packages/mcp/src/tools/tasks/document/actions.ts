// export and import: JSON as documented, or Markdown checklists.
import path from 'node:path';
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { parseJson, readText } from '../../../lib/document/read.ts';
import { writeWhole } from '../../../lib/document/write.ts';
import { toPath, toUri } from '../../../lib/path.ts';
import { act, type Ctx } from '../../../local.ts';
import { withTasks } from '../open.ts';
import * as p from '../params.ts';
import { eachOf } from '../select.ts';
import { absorb } from './absorb.ts';
import { type Parsed, parseDocument, toDocument } from './json.ts';
import { parseMarkdown, toMarkdown } from './markdown.ts';

/** Problems that an answer names. */
const NAMED = 20;
/** Characters of a document in a call. */
const MOST_TEXT = 1_000_000;

export const exportAll = act({
  summary:
    'to file, JSON (~/.hanzo/todos-export.json) or, named .md, a Markdown checklist; all, a project, the archive or the rest',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    file: z.string().optional(),
    project: p.project.optional(),
    archived: p.archived.optional(),
  }),
  run: async (ctx, { file, ...filter }) => {
    const target = await targetOf(ctx, file);
    return withTasks(ctx, async (db) => {
      const { items, lastId } = await db.read((tx) => ({
        items: [...eachOf(tx, filter)],
        lastId: tx.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'tasks_item'")?.seq ?? 0,
      }));
      const format = isMarkdown(target) ? 'markdown' : 'json';
      const text =
        format === 'markdown'
          ? toMarkdown(items)
          : toDocument(
              items.toSorted((a, b) => a.id - b.id),
              lastId,
            );
      await writeWhole(target, text, file === undefined);
      return { data: { file: toUri(target), format, tasks: items.length } };
    });
  },
});

const isMarkdown = (file: string): boolean => /\.(?:md|markdown)$/i.test(file);

/** The default lies in the data folder, which is ours to write; a file that is named is asked for as any other. */
async function targetOf(ctx: Ctx, file: string | undefined): Promise<string> {
  const { access, config } = ctx.env;
  if (file !== undefined) return access.write(toPath(file, config.cwd, 'file'), 'keep');
  if (access.level !== 'read-only') return path.join(config.dataDir, 'todos-export.json');
  throw new ToolError('PERMISSION_DENIED', 'this server is read-only (--access read-only); nothing was exported', {});
}

export const importAll = act({
  summary: 'from file or text, JSON or a Markdown checklist; renumbered, nothing twice, all or nothing',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    file: z.string().optional(),
    text: z
      .string()
      .refine((given) => given.length <= MOST_TEXT, `at most ${MOST_TEXT} characters`)
      .optional(),
  }),
  run: async (ctx, { file, text }) => {
    if ((file === undefined) === (text === undefined)) {
      throw new ToolError('INVALID_PARAMS', "import needs 'file' or 'text', one of them", { param: 'file' });
    }
    const parsed = file === undefined ? fromText(text ?? '') : await fromFile(ctx, file);
    return withTasks(ctx, (db) =>
      db.write((tx) => {
        const { problems, ...counts } = absorb(tx, parsed.items, false);
        return { data: { ...counts, ...(problems.length > 0 ? { problems: problems.slice(0, NAMED) } : {}) } };
      }),
    );
  },
});

function fromText(text: string): Parsed {
  try {
    return parse(text, '');
  } catch (error) {
    throw new ToolError('INVALID_PARAMS', `nothing was imported: ${(error as Error).message}`, { param: 'text' });
  }
}

async function fromFile(ctx: Ctx, given: string): Promise<Parsed> {
  const file = await ctx.env.access.read(toPath(given, ctx.env.config.cwd, 'file'));
  try {
    return parse(await readText(file), file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const details = { uri: toUri(file) };
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new ToolError('NOT_FOUND', `${file} is not there`, details);
    if (code === 'EACCES' || code === 'EPERM') {
      throw new ToolError('PERMISSION_DENIED', `${file} cannot be read (${code})`, details);
    }
    throw new ToolError('INVALID_PARAMS', `${file} was not imported and not touched: ${message}`, {
      ...details,
      param: 'file',
    });
  }
}

/** By the file's name; without one that says it, by how the text begins. Throws a sentence with the first place that is wrong. */
function parse(text: string, file: string): Parsed {
  const json = /\.json$/i.test(file) || (!isMarkdown(file) && /^\s*[[{]/.test(text));
  return json ? parseDocument(parseJson(text), refuse) : parseMarkdown(text, refuse);
}

function refuse(problem: string): never {
  throw new Error(shorten(problem, 300));
}
