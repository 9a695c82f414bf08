// mv, mkdir, rm: whole files and directories, never over something else and never what the server stands on.
import { lstat, realpath, rm as remove, stat } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri, within } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { makeDirectories, missing, on } from '../../lib/edits/disk/failure.ts';
import { locked } from '../../lib/edits/disk/lock.ts';
import { moveExclusive } from '../../lib/edits/disk/move.ts';
import { uri } from './params.ts';
import { entry } from '../../lib/edits/target.ts';
import { removeEmpty } from '../../lib/edits/disk/create.ts';

export const mv = act({
  summary: 'move or rename, never over anything',
  effect: 'write',
  input: z.strictObject({ uri, destination: z.string() }),
  async run(ctx, input) {
    await guardGiven(ctx, input.uri, 'moved');
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
      const made = await makeDirectories(parent);
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
    const there = (await stat(directory).catch(() => undefined))?.isDirectory();
    const made = there ? undefined : await makeDirectories(directory);
    return { data: { uri: toUri(directory), created: made !== undefined } };
  },
});

export const rm = act({
  summary: 'delete a file or a whole directory',
  effect: 'write',
  input: z.strictObject({ uri, confirm: z.boolean().default(false).describe('true for rm') }),
  async run(ctx, input) {
    await guardGiven(ctx, input.uri, 'deleted');
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

/**
 * Asks `guard` before anything is said of access: what no option allows is not to be refused with the name of an option.
 * The path that access gives is asked about again.
 */
async function guardGiven(ctx: Ctx, named: string, verb: string): Promise<void> {
  const given = toPath(named, ctx.env.config.cwd);
  const parent = await realpath(path.dirname(given)).catch(() => path.dirname(given));
  guard(ctx, path.join(parent, path.basename(given)), verb);
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
