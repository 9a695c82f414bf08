// init and clone: repositories that were not there before.
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { headNow } from './branch.ts';
import { wasKilled } from './locks.ts';
import { filePath, refName, url } from './names.ts';
import { atLeast, repository } from './params.ts';
import { open, folder } from './repo.ts';
import { LONG_LIMIT, redact, runGit } from './run.ts';
import { allowPlace, localPlace } from './places.ts';

/** The folder `name` means: absolute, or relative to the call's `path`. */
async function place(ctx: Ctx, given: string | undefined, name: string): Promise<string> {
  if (/^(\/|~\/|file:)/i.test(name)) return toPath(name, ctx.env.config.cwd, 'name');
  return path.resolve(await folder(ctx, given), name);
}

/** Makes a folder and those above it; says what is in the way. */
async function makeFolder(named: string): Promise<void> {
  try {
    await mkdir(named, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw new ToolError('CONFLICT', `${named} cannot be a folder: a file is in the way`, { path: named });
    }
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      throw new ToolError('PERMISSION_DENIED', `${named} cannot be made (${code})`, { path: named });
    }
    throw new ToolError('INVALID_PARAMS', `${named} cannot be made: ${message}`, { path: named });
  }
}

export const init = act({
  summary: 'makes a repository in path, or in folder name',
  effect: 'write',
  destructive: false,
  input: z.object({ ...repository, name: filePath.optional() }),
  async run(ctx, input) {
    const { cwd } = ctx.env.config;
    const named =
      input.name === undefined
        ? input.path === undefined || input.path === '.'
          ? cwd
          : toPath(input.path, cwd, 'path')
        : await place(ctx, input.path, input.name);
    await ctx.env.access.write(path.join(named, '.git'), 'keep');
    await makeFolder(named);
    const real = await ctx.env.access.read(named);
    const there = await lstat(path.join(real, '.git')).catch(() => undefined);
    // What lies there may be a link or a pointer to a place elsewhere, which git would write to.
    if (there) {
      await open(ctx, real, 'write').catch((error: unknown) => {
        if (!there.isDirectory() || !(error instanceof ToolError) || error.code !== 'NOT_FOUND') throw error;
      });
    }
    await runGit(ctx, real, ['init', '--quiet', '--', real], { mode: 'write' });
    const repo = await open(ctx, real, 'read');
    const { branch } = await headNow(repo);
    return { data: { uri: toUri(real), branch, created: !there } };
  },
});

export const clone = act({
  summary: 'copies the repository at url into folder name; depth: only so many commits; target: branch or tag',
  effect: 'network',
  destructive: false,
  input: z.object({
    ...repository,
    url,
    name: filePath.optional(),
    target: refName.optional(),
    depth: atLeast(1).optional(),
  }),
  async run(ctx, input) {
    const base = await folder(ctx, input.path);
    const local = localPlace(input.url, base);
    if (local !== undefined) await allowPlace(ctx, local, 'read');
    const guess = /([^/:]+?)(\.git)?\/*$/.exec(input.url.replace(/(\/\.git)?\/*$/, ''))?.[1];
    const name = input.name ?? guess;
    if (name === undefined || /^\.{0,2}$/.test(name)) {
      throw new ToolError('INVALID_PARAMS', `no folder name follows from '${redact(input.url)}'; give 'name'`, {
        param: 'name',
      });
    }
    const target = await ctx.env.access.write(await place(ctx, input.path, name), 'keep');
    const before = await lstat(target).catch(() => undefined);
    if (before && (!before.isDirectory() || (await readdir(target)).length > 0)) {
      throw new ToolError('CONFLICT', `${target} is there already and not an empty folder`, { path: target });
    }
    await makeFolder(path.dirname(target));
    // A path is given to git as file:// where depth shall count; git ignores it for plain paths.
    const source = local !== undefined && input.depth !== undefined ? toUri(local) : input.url;
    try {
      await runGit(
        ctx,
        base,
        [
          'clone',
          '--quiet',
          '--no-recurse-submodules',
          ...(input.depth === undefined ? [] : [`--depth=${input.depth}`]),
          ...(input.target === undefined ? [] : [`--branch=${input.target}`]),
          '--',
          source,
          target,
        ],
        { mode: 'write', timeoutMs: LONG_LIMIT },
      );
    } catch (error) {
      if (wasKilled(error, ctx.signal)) await sleep(100);
      // Only what this call made goes away again.
      if (!before) await rm(target, { recursive: true, force: true });
      throw error;
    }
    const repo = await open(ctx, target, 'read');
    return { data: { uri: toUri(target), url: redact(input.url), ...(await headNow(repo)) } };
  },
});
