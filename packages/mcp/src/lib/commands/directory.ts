// The directory a command runs in.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { nearest, ToolError } from '@hanzo/tool';
import { toPath, toUri } from '../path.ts';
import type { CommandContext } from './context.ts';

/** The real path of `cwd`, default the server's own: an existing one that may be read. NOT_FOUND with the nearest name beside it otherwise. */
export async function directory(ctx: CommandContext, cwd: string | undefined): Promise<string> {
  const wanted = cwd === undefined ? ctx.env.config.cwd : toPath(cwd, ctx.env.config.cwd, 'cwd');
  const real = await ctx.env.access.read(wanted);
  const found = await stat(real).catch(() => undefined);
  if (found?.isDirectory()) return real;
  const around = await readdir(path.dirname(real), { withFileTypes: true }).catch(() => []);
  const name = nearest(
    path.basename(real),
    around.filter((each) => each.isDirectory()).map((each) => each.name),
  );
  const meant = name === undefined ? undefined : path.join(path.dirname(real), name);
  const what = found ? 'is a file, not a directory' : 'does not exist';
  throw new ToolError('NOT_FOUND', `'cwd': ${real} ${what}${meant ? `; did you mean ${meant}?` : ''}`, {
    param: 'cwd',
    ...(meant ? { nearest: toUri(meant) } : {}),
  });
}
