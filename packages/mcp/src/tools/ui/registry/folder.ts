// Documents of a registry that is a folder: built items, or an index beside the sources it names. Nothing outside is read.
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { shorten, ToolError } from '@hanzo/tool';
import { within } from '../../../lib/path.ts';
import type { Ctx } from '../../../local.ts';

/** Most bytes of a document, and of a source file. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Folders below a registry's that builds put items into. */
const BUILT = ['', 'r', 'public/r'];

/** The JSON document `<document>.json`, or undefined where there is none. */
export async function readDocument(ctx: Ctx, folder: string, document: string): Promise<unknown> {
  for (const below of BUILT) {
    const name = path.join(below, `${document}.json`);
    const text = await readBelow(ctx, folder, name);
    if (text === undefined) continue;
    try {
      return JSON.parse(text.replace(/^\ufeff/, ''));
    } catch {
      throw new ToolError('INVALID_PARAMS', `${path.join(folder, name)} is not JSON`, {
        path: path.join(folder, name),
      });
    }
  }
  return undefined;
}

/** The text of a file below `folder`, or undefined where there is none. A path or a link that leads outside is refused. */
export async function readBelow(ctx: Ctx, folder: string, name: string): Promise<string | undefined> {
  const root = await realpath(folder).catch(() => {
    throw new ToolError('NOT_FOUND', `the registry folder ${folder} is not there`, { path: folder });
  });
  if (name.includes('\0') || path.isAbsolute(name)) throw outside(folder, name);
  const real = await ctx.env.access.read(path.resolve(root, name));
  if (!within(real, root)) throw outside(folder, name);
  // Not waiting for a writer, should it be a pipe.
  const handle = await open(real, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new ToolError('PERMISSION_DENIED', `${real} cannot be read (${error.code})`, { path: real });
  });
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ToolError('INVALID_PARAMS', `${real} is not a file`, { path: real });
    if (stat.size > MOST_BYTES) {
      throw new ToolError('INVALID_PARAMS', `${real} is larger than ${MOST_BYTES} bytes`, { path: real });
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function outside(folder: string, name: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `'${shorten(name, 200)}' leads out of the registry ${folder}`, {});
}
