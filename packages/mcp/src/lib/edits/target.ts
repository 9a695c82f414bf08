// From a caller's `uri` to the real path an action works on.
import { lstat, stat } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { ToolError } from '@hanzo/tool';
import { toPath, toUri } from '../path.ts';
import type { EditContext } from './context.ts';
import { explain, missing } from './disk/failure.ts';

/** An existing file or directory that may be read: its real path and what it is. */
export async function readable(ctx: EditContext, uri: string): Promise<{ file: string; stat: Stats }> {
  const given = toPath(uri, ctx.env.config.cwd);
  const file = await ctx.env.access.read(given);
  return { file, stat: await stat(file).catch(async (error: unknown) => Promise.reject(await explain(error, file))) };
}

/** An existing regular file that may be edited; links are followed to it. */
export async function editable(ctx: EditContext, uri: string): Promise<string> {
  const given = toPath(uri, ctx.env.config.cwd);
  const file = await ctx.env.access.write(given, 'follow');
  const what = await lstat(file).catch(() => undefined);
  if (!what) throw await missing(file);
  if (!what.isFile()) {
    const kind = what.isDirectory() ? 'a directory' : 'not a regular file';
    throw new ToolError('INVALID_PARAMS', `${file} is ${kind}; only files are edited`, { uri: toUri(file) });
  }
  return file;
}

/** A path that is to be made, moved or removed; its last component itself is meant, be it a link. */
export function entry(ctx: EditContext, uri: string, param = 'uri'): Promise<string> {
  return ctx.env.access.write(toPath(uri, ctx.env.config.cwd, param), 'keep');
}
