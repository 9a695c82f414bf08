// dependencies: what a project wants of others, and what its lock files settle on.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ActionResult } from '@hanzo/tool';
import { z } from 'zod';
import { type Entry, pageOfLines } from '../../lib/lines.ts';
import { toPath, toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { ancestry, noFolder } from './detect.ts';
import type { Wanted } from './ecosystems/types.ts';
import { ecosystemOf } from './ecosystems/index.ts';
import { cursor, filter, inFolder, limit } from './params.ts';
import { findManifests, type FoundManifest, Reader } from './project.ts';

/** Most problems and members named. */
const NAMED = 50;

interface Place {
  readonly root: string;
  readonly manifests: readonly FoundManifest[];
  readonly partial: boolean;
}

/** The manifest that is named; else those in and below a folder; where there is none, the nearest ones above. */
export async function placeOf(ctx: Ctx, given: string | undefined): Promise<Place> {
  const { cwd } = ctx.env.config;
  const named = given === undefined || given === '.' ? cwd : toPath(given, cwd, 'path');
  const real = await ctx.env.access.read(named);
  const found = await stat(real).catch(() => undefined);
  if (!found) throw await noFolder(named, real);
  const start = found.isDirectory() ? real : path.dirname(real);
  const { root, folders } = await ancestry(start);
  const ecosystem = found.isDirectory() ? undefined : ecosystemOf(path.basename(real));
  if (ecosystem) return { root, manifests: [{ folder: start, file: path.basename(real), ecosystem }], partial: false };
  const below = await findManifests(start, ctx.signal);
  if (below.manifests.length > 0 || folders[0] === undefined) return { root, ...below };
  const above = await findManifests(folders[0], ctx.signal);
  return { root, manifests: above.manifests.filter((each) => each.folder === folders[0]), partial: false };
}

export const dependencies = act({
  summary:
    'name, wanted range, locked version and kind (runtime, dev, optional, peer) from manifests and lock files, members too',
  effect: 'read',
  input: z.strictObject({ path: inFolder, filter, cursor, limit }),
  async run(ctx, input): Promise<ActionResult> {
    const { root, manifests, partial } = await placeOf(ctx, input.path);
    const reader = new Reader(ctx, root);
    const entries: Entry[] = [];
    const members = new Set<string>();
    const part = input.filter?.toLowerCase();
    for (const each of manifests) {
      const read = await reader.read(each);
      for (const member of read.members) members.add(member);
      for (const one of read.dependencies) {
        if (part === undefined || one.name.toLowerCase().includes(part)) entries.push(entry(read.file, one));
      }
    }
    const page = pageOfLines(entries, {
      key: 'dependencies',
      cursor: input.cursor,
      limit: input.limit,
      room: ctx.maxOutput,
      json: ctx.env.config.jsonOnly,
    });
    const { problems } = reader;
    const left = problems.length - NAMED;
    return {
      data: {
        root: toUri(root),
        manifests: manifests.length,
        ...page.data,
        ...(members.size > 0 ? { workspaces: [...members].slice(0, NAMED) } : {}),
        ...(problems.length > 0 ? { problems: problems.slice(0, NAMED) } : {}),
        ...(left > 0 ? { more_problems: left } : {}),
        ...(partial ? { partial: 'the tree is too large to look through; give the path of a part' } : {}),
      },
      bodies: page.bodies,
      paging: page.paging,
    };
  },
});

/** `name range = locked (kind)`, under its file. */
function entry(file: string, { name, wanted, locked, kind, indirect }: Wanted): Entry {
  const told = { wanted: shown(wanted), locked: shown(locked) };
  const marks = [kind === 'runtime' ? '' : kind, indirect ? 'indirect' : ''].filter((each) => each !== '');
  return {
    group: file,
    text: `  ${shown(name)}${told.wanted === null ? '' : ` ${told.wanted}`}${told.locked === null ? '' : ` = ${told.locked}`}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`,
    json: { name: shown(name), ...told, kind, ...(indirect ? { indirect } : {}), file },
  };
}

/** On one line and bounded, without the user name and password that a URL may carry. */
function shown<T extends string | null>(value: T): T | string {
  if (value === null) return value;
  const line = value.replaceAll(/\s+/g, ' ').slice(0, 300);
  return line.replaceAll(/(:\/\/)[^/@\s]{1,200}@/g, '$1');
}
