// The folder a call is about.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { toPath } from '../../lib/path.ts';
import type { Ctx } from '../../local.ts';
import { noFolder } from './detect.ts';

/** The real path of the folder named, or of the folder of the file named; default the working directory. */
export async function readFolder(ctx: Ctx, given: string | undefined): Promise<string> {
  const { cwd } = ctx.env.config;
  const named = given === undefined || given === '.' ? cwd : toPath(given, cwd, 'path');
  const real = await ctx.env.access.read(named);
  const found = await stat(real).catch(() => undefined);
  if (!found) throw await noFolder(named, real);
  return found.isDirectory() ? real : path.dirname(real);
}
