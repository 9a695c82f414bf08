// mv, mkdir, rm: whole files and directories, never over something else and never what the server stands on.
import { lstat, mkdir as makeDirectory, rm as remove, stat } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri, within } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { missing, on } from './disk/failure.ts';
import { locked } from './disk/lock.ts';
import { moveExclusive } from './disk/move.ts';
import { uri } from './params.ts';
import { entry } from './target.ts';
import { removeEmpty } from './write.ts';

export const mv = act({
  summary: 'move or rename, never over anything',
  effect: 'write',
  input: z.strictObject({ uri, destination: z.string() }),
  async run(ctx, input) {
    const source = await entry(ctx, input.uri);
    const destination = await entry(ctx, input.destination, 'destination');
    guard(ctx, source, 'moved');
    await locked([source, destination], async () => {
      const what = await lstat(source).catch(() => undefined);
      if (!what) throw await missing(source);
      if (source !== destination && within(destination, source)) {
        throw new ToolError(
          'INVALID_PARAMS',
          `${destination} lies inside ${source}, which cannot be moved into itself`,
          {
            param: 'destination',
          },
        );
      }
      await refuseExisting(destination);
      const parent = path.dirname(destination);
      const made = await on(parent, () => makeDirectory(parent, { recursive: true }));
      try {
        await moveExclusive(source, destination, what);
      } catch (error) {
        if (made !== undefined) await removeEmpty(parent, made);
        throw error;
      }
    });
    return { data: { source: toUri(source), destination: toUri(destination), moved: true } };
  },
});

async function refuseExisting(destination: string): Promise<void> {
  const there = await lstat(destination).catch(() => undefined);
  if (!there) return;
  const hint = there.isDirectory()
    ? '; give the full new path, inside the directory if that is meant'
    : '; remove it first or choose another name';
  throw new ToolError('CONFLICT', `${destination} already exists${hint}`, { uri: toUri(destination) });
}

export const mkdir = act({
  summary: 'make a directory and its parents',
  effect: 'write',
  destructive: false,
  input: z.strictObject({ uri }),
  async run(ctx, input) {
    const directory = await entry(ctx, input.uri);
    const made = await makeDirectory(directory, { recursive: true }).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST' && (await stat(directory).catch(() => undefined))?.isDirectory()) return undefined;
      if (error.code === 'EEXIST' || error.code === 'ENOTDIR') throw await inTheWay(directory);
      return on(directory, () => Promise.reject(error));
    });
    return { data: { uri: toUri(directory), created: made !== undefined } };
  },
});

/** CONFLICT naming the file that stands where a directory was to be. */
async function inTheWay(directory: string): Promise<ToolError> {
  let at = directory;
  while (at !== path.dirname(at) && !(await lstat(at).catch(() => undefined))) at = path.dirname(at);
  return new ToolError('CONFLICT', `${at} exists and is not a directory`, { uri: toUri(at) });
}

export const rm = act({
  summary: 'delete a file or a whole directory',
  effect: 'write',
  input: z.strictObject({ uri, confirm: z.boolean().default(false).describe('true for rm') }),
  async run(ctx, input) {
    const file = await entry(ctx, input.uri);
    const what = await lstat(file).catch(() => undefined);
    if (!what) throw await missing(file);
    guard(ctx, file, 'deleted');
    if (!input.confirm) {
      const how = what.isDirectory() ? `${file} and all that is in it` : file;
      throw new ToolError('INVALID_PARAMS', `rm deletes ${how} for good; pass confirm: true if that is meant`, {
        param: 'confirm',
        expected: true,
      });
    }
    await locked([file], () => on(file, () => remove(file, { recursive: what.isDirectory() })));
    return { data: { uri: toUri(file), removed: true } };
  },
});

function real(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

/** Refuses what the server and its user stand on: a root, the home and working directory, and whatever holds one of them. */
function guard(ctx: Ctx, file: string, verb: string): void {
  const { access, config } = ctx.env;
  const kept: readonly (readonly [string, string])[] = [
    ['the root of the file system', path.parse(file).root],
    ['the home directory', homedir()],
    ['the home directory', real(homedir())],
    ['the working directory', real(config.cwd)],
    ...access.roots().map((root) => ['a root of this server', root] as const),
  ];
  const held = kept.find(([, directory]) => within(directory, file));
  if (!held) return;
  const [name, directory] = held;
  const relation = directory === file ? 'is' : 'holds';
  throw new ToolError(
    'PERMISSION_DENIED',
    `${file} ${relation} ${name}${relation === 'is' ? '' : ` (${directory})`} and is not ${verb} here`,
    {
      uri: toUri(file),
    },
  );
}
