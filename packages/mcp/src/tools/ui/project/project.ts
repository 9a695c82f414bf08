// The project that components go into: its root, its aliases as folders, and the registries it names.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { shorten, ToolError } from '@hanzo/tool';
import { parseJsonc } from '../../../lib/jsonc.ts';
import { toPath } from '../../../lib/path.ts';
import type { Ctx } from '../../../local.ts';
import { readAliases } from './aliases.ts';

/** What an alias of components.json is for. */
export type Kind = 'components' | 'ui' | 'lib' | 'hooks' | 'utils';

export interface Project {
  /** real path; nothing is written outside it */
  readonly root: string;
  readonly style: string;
  /** the configured registries, unread */
  readonly registries: ReadonlyMap<string, unknown>;
  /** what an import of that kind begins with: `@/components/ui` */
  readonly aliases: Readonly<Record<Kind, string>>;
  /** where the project's own style sheet is, as components.json says it */
  readonly css: string | undefined;
  /** absolute folder (for `utils` the file without its ending) an alias stands for */
  folder(kind: Kind): string;
  /** what a reader should know of how the above came about */
  readonly notes: readonly string[];
}

const FILE = 'components.json';
/** Most bytes of a settings file. */
const MOST_BYTES = 1024 * 1024;

/** The nearest folder with a components.json at or above `given` (default the working directory), up to the top of its repository. */
export async function readProject(ctx: Ctx, given: string | undefined): Promise<Project> {
  const { cwd } = ctx.env.config;
  const start = await ctx.env.access.read(given === undefined || given === '.' ? cwd : toPath(given, cwd, 'path'));
  const found = await stat(start).catch(() => undefined);
  if (!found) throw new ToolError('NOT_FOUND', `there is no folder ${given ?? cwd}`, { param: 'path' });
  const folder = found.isDirectory() ? start : path.dirname(start);
  const root = await rootOf(folder);
  if (root === undefined) return make(folder, {}, [`${folder} has no ${FILE}; the usual places are taken`]);
  const settings = await readSettings(ctx, path.join(root, FILE));
  if (settings === undefined) throw new ToolError('INVALID_PARAMS', `${path.join(root, FILE)} cannot be read`, {});
  return make(root, settings, []);
}

async function rootOf(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (await isFile(path.join(folder, FILE))) return folder;
    const top = await stat(path.join(folder, '.git')).catch(() => undefined);
    if (top || folder === path.dirname(folder)) return undefined;
  }
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}

/** An object of a JSON file with comments; undefined where there is no such file. INVALID_PARAMS where it is broken. */
async function readSettings(ctx: Ctx, file: string): Promise<Record<string, unknown> | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > MOST_BYTES) return undefined;
  const text = await readFile(await ctx.env.access.read(file), 'utf8');
  try {
    return record(parseJsonc(text));
  } catch (error) {
    throw new ToolError('INVALID_PARAMS', `${file} is not JSON: ${shorten((error as Error).message, 200)}`, {
      path: file,
    });
  }
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 300 ? value : undefined;

async function make(root: string, settings: Record<string, unknown>, notes: readonly string[]): Promise<Project> {
  const given = record(settings['aliases']);
  const components = word(given['components']) ?? '@/components';
  const utils = word(given['utils']) ?? '@/lib/utils';
  const aliases = {
    components,
    ui: word(given['ui']) ?? `${components}/ui`,
    lib: word(given['lib']) ?? path.posix.dirname(utils),
    hooks: word(given['hooks']) ?? path.posix.join(path.posix.dirname(components), 'hooks'),
    utils,
  };
  const resolve = await readAliases(root);
  return {
    root,
    style: word(settings['style']) ?? 'new-york-v4',
    registries: new Map(
      Object.entries(record(settings['registries']))
        .filter(([name]) => /^@?[\w.-]{1,60}$/.test(name))
        .slice(0, 100),
    ),
    aliases,
    css: word(record(settings['tailwind'])['css']),
    folder(kind) {
      const folder = resolve.folder(aliases[kind]);
      if (folder !== undefined) return folder;
      throw new ToolError(
        'INVALID_PARAMS',
        `the alias ${kind} of ${FILE}, '${shorten(aliases[kind])}', is no folder of ${root}; give it in \`aliases\` as tsconfig.json's \`paths\` have it, or relative`,
        { alias: kind },
      );
    },
    notes: [...notes, ...resolve.notes],
  };
}
