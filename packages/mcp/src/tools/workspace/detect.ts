// detect: what kind of project a folder belongs to and how it is built, tested and checked, from files alone.
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { nearest, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../lib/path.ts';
import { act, type Ctx } from '../../local.ts';
import { chooseCommands, type Commands, makeTargets, type Manifest, manifestText, readManifest } from './manifest.ts';
import { inFolder } from './params.ts';
import { type Marker, MARKERS, NODE_MANAGERS } from './markers.ts';

interface Found {
  readonly languages: Set<string>;
  readonly build: Set<string>;
  readonly test: Set<string>;
  readonly manifests: Manifest[];
  /** of the nearest folder */
  readonly commands: Commands;
  /** of the root, where that is another folder */
  readonly rootCommands: Commands;
  readonly problems: { file: string; message: string }[];
  manager?: string;
}

/** Names in a folder that mean something here; none where the folder cannot be listed. */
async function markers(folder: string): Promise<ReadonlyMap<string, Marker>> {
  const names = new Set(await readdir(folder).catch(() => []));
  return new Map([...MARKERS].filter(([name]) => names.has(name)));
}

/**
 * The folders that describe `start`: from the nearest one with a manifest up to the top of its repository, nearest first.
 * `root` is the repository's top; without one the nearest folder with a manifest, or `start` itself.
 */
export async function ancestry(start: string): Promise<{ root: string; vcs: string | null; folders: string[] }> {
  const described: string[] = [];
  for (let folder = start; ; folder = path.dirname(folder)) {
    const entry = await stat(path.join(folder, '.git')).catch(() => undefined);
    const known = await markers(folder);
    if ([...known.values()].some((each) => each.languages ?? each.build ?? each.type)) described.push(folder);
    // A .git that is a file belongs to a linked worktree or a submodule.
    if (entry) return { root: folder, vcs: 'git', folders: [...new Set([...described, folder])] };
    if (path.dirname(folder) === folder) break;
  }
  const root = described[0] ?? start;
  return { root, vcs: null, folders: [root] };
}

async function look(ctx: Ctx, folder: string, root: string, commands: Commands, found: Found): Promise<void> {
  const known = await markers(folder);
  const name = (file: string): string => path.relative(root, path.join(folder, file));
  const managers = [...known.values()].flatMap((each) => each.manager ?? []);
  for (const [file, marker] of known) {
    for (const each of marker.languages ?? []) found.languages.add(each);
    for (const each of marker.build ?? []) found.build.add(each);
    for (const each of marker.test ?? []) found.test.add(each);
    if (marker.type === undefined) continue;
    try {
      await ctx.env.access.read(path.join(folder, file));
      const own = managers.find((each) => NODE_MANAGERS.has(each) === (marker.type === 'npm'));
      // A member of a monorepo has its lock file at the top.
      const reading = await readManifest(
        folder,
        file,
        marker.type,
        own ?? (await managerAbove(folder, root, marker.type)),
      );
      found.manifests.push({ ...reading.manifest, file: name(file) });
      for (const each of reading.languages ?? []) found.languages.add(each);
      for (const each of reading.test ?? []) found.test.add(each);
      if (reading.manager !== undefined) {
        found.build.add(reading.manager);
        found.manager ??= reading.manager;
      }
      for (const [purpose, command] of Object.entries(reading.commands)) commands[purpose] ??= command;
    } catch (error) {
      found.problems.push({ file: name(file), message: shorten((error as Error).message, 300) });
    }
  }
  await make(folder, known, commands);
}

async function managerAbove(folder: string, root: string, type: string): Promise<string | undefined> {
  if (type !== 'npm' && type !== 'python') return undefined;
  for (let above = folder; above !== root && path.dirname(above) !== above;) {
    above = path.dirname(above);
    const managers = [...(await markers(above)).values()].flatMap((each) => each.manager ?? []);
    const fit = managers.find((each) => NODE_MANAGERS.has(each) === (type === 'npm'));
    if (fit !== undefined) return fit;
  }
  return undefined;
}

/** A makefile's targets stand in where no manifest names a command. */
async function make(folder: string, known: ReadonlyMap<string, Marker>, commands: Commands): Promise<void> {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((each) => known.has(each));
  if (file === undefined) return;
  const text = await manifestText(path.join(folder, file)).catch(() => '');
  const targets = chooseCommands(makeTargets(text), (target) => `make ${target}`);
  for (const [purpose, command] of Object.entries(targets)) commands[purpose] ??= command;
}

/** Member patterns that stand in a file of their own. */
async function pnpmMembers(root: string): Promise<string[]> {
  const text = await readFile(path.join(root, 'pnpm-workspace.yaml'), 'utf8').catch(() => '');
  const block = /^packages:\s*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(text)?.[1] ?? '';
  return [...block.matchAll(/^\s*-\s*['"]?([^'"#\n]+?)['"]?\s*(?:#.*)?$/gm)].map((match) => match[1] as string);
}

/** NOT_FOUND with the name beside it that was most likely meant. */
export async function noFolder(named: string, real: string): Promise<ToolError> {
  const meant = nearest(path.basename(real), await readdir(path.dirname(real)).catch(() => []));
  const place = meant === undefined ? undefined : path.join(path.dirname(real), meant);
  return new ToolError('NOT_FOUND', `there is no folder ${named}${place ? `; did you mean ${place}?` : ''}`, {
    path: named,
    ...(place ? { nearest: toUri(place) } : {}),
  });
}

export const detect = act({
  summary: 'languages, package manager, build and test tools, manifests, and the commands that build, test and lint',
  effect: 'read',
  input: z.strictObject({ path: inFolder }),
  async run(ctx, input) {
    const { cwd } = ctx.env.config;
    const named = input.path === undefined || input.path === '.' ? cwd : toPath(input.path, cwd, 'path');
    const real = await ctx.env.access.read(named);
    const entry = await stat(real).catch(() => undefined);
    if (!entry) throw await noFolder(named, real);
    const start = entry.isDirectory() ? real : path.dirname(real);

    const { root, vcs, folders } = await ancestry(start);
    const found: Found = {
      languages: new Set(),
      build: new Set(),
      test: new Set(),
      manifests: [],
      commands: {},
      rootCommands: {},
      problems: [],
    };
    const project = folders[0] as string;
    for (const folder of folders) {
      // A folder between the two says what its members are, but its commands would run neither here nor there.
      const commands = folder === project ? found.commands : folder === root ? found.rootCommands : {};
      await look(ctx, folder, root, commands, found);
    }
    const members = found.manifests.some((each) => each.workspaces) ? [] : await pnpmMembers(root);
    return {
      data: {
        root: toUri(root),
        // In a member of a monorepo: its commands are run in its own folder, those of the root in the root.
        ...(project === root ? {} : { project: toUri(project) }),
        languages: [...found.languages],
        build: [...found.build],
        test: [...found.test],
        vcs,
        ...(found.manager === undefined ? {} : { package_manager: found.manager }),
        commands: found.commands,
        ...(project === root ? {} : { root_commands: found.rootCommands }),
        manifests: found.manifests,
        ...(members.length > 0 ? { workspaces: members.slice(0, 100) } : {}),
        ...(found.problems.length > 0 ? { problems: found.problems } : {}),
      },
    };
  },
});
