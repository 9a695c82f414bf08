// export and import: the documented JSON file, written and read.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { readJson } from '../../../lib/document/read.ts';
import { writeWhole } from '../../../lib/document/write.ts';
import { toPath, toUri } from '../../../lib/path.ts';
import { act, type Ctx } from '../../../local.ts';
import { type Entry, select, tagsOf } from '../entries.ts';
import type { Fact } from '../knowledge.ts';
import { withMemory } from '../open.ts';
import { namespace, within } from '../params.ts';
import { absorb } from './absorb.ts';
import { parseDocument, type Parsed, parseMap } from './parse.ts';

/** Problems that an answer names. */
const NAMED = 20;

export const exportAll = act({
  summary: 'everything, or namespace, as JSON to file (~/.hanzo/memory-export.json)',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ file: z.string().optional(), namespace: within }),
  run: async (ctx, input) => {
    const target = await targetOf(ctx, input.file);
    return withMemory(ctx, async (db) => {
      const document = await db.read((tx) => ({
        entries: select(tx, input, Date.now()).map(plain),
        lastId: lastOf(tx.get<Sequence>(LAST, 'memory_entry')),
        // Facts belong to no namespace.
        facts:
          input.namespace === undefined ? tx.all<Fact>('SELECT * FROM memory_fact ORDER BY id').map(plainFact) : [],
        lastFactId: lastOf(tx.get<Sequence>(LAST, 'memory_fact')),
        knowledgeBases: tx
          .all<{ name: string }>('SELECT name FROM memory_kb ORDER BY name')
          .map(({ name }) => ({ name })),
      }));
      await writeWhole(target, `${JSON.stringify(document, null, 2)}\n`, input.file === undefined);
      return { data: { file: toUri(target), entries: document.entries.length, facts: document.facts.length } };
    });
  },
});

/** The default lies in the data folder, which is ours to write; a file that is named is asked for as any other. */
async function targetOf(ctx: Ctx, file: string | undefined): Promise<string> {
  const { access, config } = ctx.env;
  if (file !== undefined) return access.write(toPath(file, config.cwd, 'file'), 'keep');
  if (access.level !== 'read-only') return path.join(config.dataDir, 'memory-export.json');
  throw new ToolError('PERMISSION_DENIED', 'this server is read-only (--access read-only); nothing was exported', {});
}

const LAST = 'SELECT seq FROM sqlite_sequence WHERE name = ?';
type Sequence = { readonly seq: number };
const lastOf = (row: Sequence | undefined): number => row?.seq ?? 0;

function plain(entry: Entry): Record<string, unknown> {
  return {
    id: String(entry.id),
    key: entry.key,
    value: entry.value,
    tags: tagsOf(entry),
    namespace: entry.namespace,
    created: entry.created,
    updated: entry.updated,
    ...(entry.metadata === null ? {} : { metadata: JSON.parse(entry.metadata) as unknown }),
    ...(entry.ttl === null ? {} : { ttl: entry.ttl }),
  };
}

/** Both shapes at once: `kb` and `kb_name` (contract, local core tools 8, question 10). */
function plainFact(fact: Fact): Record<string, unknown> {
  const { id, kb, content, created } = fact;
  return { id: String(id), content, kb, kb_name: kb, tags: tagsOf(fact), created };
}

export const importAll = act({
  summary: 'from a JSON file, or data (key to value); nothing twice, the newer value stays, the other is a version',
  effect: 'write',
  destructive: false,
  input: z.strictObject({
    file: z.string().optional(),
    data: z.record(z.string(), z.unknown()).optional(),
    namespace,
  }),
  run: async (ctx, input) => {
    if ((input.file === undefined) === (input.data === undefined)) {
      throw new ToolError('INVALID_PARAMS', "import needs 'file' (a JSON file) or 'data' (key to value), one of them", {
        param: 'file',
      });
    }
    const parsed = input.data ? parseMap(input.data, input.namespace) : await fromFile(ctx, input.file as string);
    return withMemory(ctx, async (db) => ({
      data: {
        ...(await absorb(db, parsed)),
        skipped: parsed.problems.length,
        ...(parsed.problems.length > 0 ? { problems: parsed.problems.slice(0, NAMED) } : {}),
      },
    }));
  },
});

async function fromFile(ctx: Ctx, given: string): Promise<Parsed> {
  const file = await ctx.env.access.read(toPath(given, ctx.env.config.cwd, 'file'));
  try {
    return parseDocument(await readJson(file));
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
