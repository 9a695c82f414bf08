// Which repository a call means, whether it may be touched, and which programs its own config names.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { nearest, ToolError } from '@hanzo/tool';
import { toPath, toUri } from '../../lib/path.ts';
import type { Ctx } from '../../local.ts';
import { type ConfigEntry, dialing, guards, parseConfig, submoduleGuards } from './guard.ts';
import { READING } from './environment.ts';
import { unlocking } from './locks.ts';
import { type GitOptions, type GitOutput, runGit } from './run.ts';

/** An opened repository. All paths are absolute and real. */
export interface Repo {
  /** where commands run: the folder the call named */
  readonly cwd: string;
  /** top of the work tree; null in a bare repository and inside a git directory */
  readonly top: string | null;
  readonly gitDir: string;
  /** where refs and objects lie; differs from gitDir in a linked worktree */
  readonly commonDir: string;
  readonly bare: boolean;
  readonly config: readonly ConfigEntry[];
  /** runs git here; see `runGit` */
  git(args: readonly string[], options?: GitOptions): Promise<GitOutput>;
  /** the same from the top of the work tree */
  gitAtTop(args: readonly string[], options?: GitOptions): Promise<GitOutput>;
}

/** The folder a call's `path` names: the working directory without one. NOT_FOUND with the nearest name if there is none. */
export async function folder(ctx: Ctx, given: string | undefined): Promise<string> {
  const { cwd } = ctx.env.config;
  const named = given === undefined || given === '.' ? cwd : toPath(given, cwd, 'path');
  const real = await ctx.env.access.read(named);
  const found = await stat(real).catch(() => undefined);
  if (!found) {
    const meant = nearest(path.basename(real), await readdir(path.dirname(real)).catch(() => []));
    const place = meant === undefined ? undefined : path.join(path.dirname(real), meant);
    throw new ToolError('NOT_FOUND', `there is no folder ${named}${place ? `; did you mean ${place}?` : ''}`, {
      path: named,
      ...(place ? { nearest: toUri(place) } : {}),
    });
  }
  if (!found.isDirectory()) {
    throw new ToolError(
      'INVALID_PARAMS',
      `'path': ${named} is a file; 'path' is the repository folder (${path.dirname(real)}), a file goes into 'file' or 'files'`,
      { param: 'path' },
    );
  }
  return real;
}

/**
 * Opens the repository that holds `given`. `write` asks for the right to change it. NOT_FOUND where there is none;
 * PERMISSION_DENIED where it may not be read or changed, or belongs to another user (git's safe.directory).
 */
export async function open(ctx: Ctx, given: string | undefined, effect: 'read' | 'write'): Promise<Repo> {
  const cwd = await folder(ctx, given);
  const [where, listed] = await Promise.all([
    runGit(
      ctx,
      cwd,
      ['rev-parse', '--is-bare-repository', '--is-inside-work-tree', '--show-cdup', '--absolute-git-dir'],
      {
        accept: [128],
      },
    ),
    runGit(ctx, cwd, ['config', '--list', '-z', '--show-scope'], { accept: [128, 129] }),
  ]);
  if (where.code !== 0) throw noRepository(cwd, where.said);
  const [, bare, inside] = /^(true|false)\n(true|false)\n/.exec(where.text) ?? [];
  // Inside a work tree the way up comes next, dots and slashes only; whatever follows is the path, newlines and all.
  // Elsewhere that line may be missing or be a path itself, so there the path is asked for alone.
  const [, up, named] = /^true\n((?:\.\.\/)*)\n([^]*)\n$/.exec(where.text.slice(`${bare}\n`.length)) ?? [];
  const directory = named ?? (await runGit(ctx, cwd, ['rev-parse', '--absolute-git-dir'])).text.replace(/\n$/, '');
  const gitDir = await realpath(directory);
  const commonDir = await common(gitDir);
  const workTree = inside === 'true' && up !== undefined ? await realpath(path.resolve(cwd, up)) : null;
  if (workTree !== null) await ctx.env.access.read(workTree);
  await ctx.env.access.read(gitDir);
  if (effect === 'write') await allowWrite(ctx, workTree, gitDir, commonDir);

  const everything = parseConfig(listed.text);
  needOverrides(everything);
  const config = everything.filter((each) => !isOverride(each));
  const overrides = { read: guards(config), sub: undefined as Awaited<ReturnType<typeof submoduleGuards>> | undefined };
  const dial = dialing(config);
  const at = async (directoryOf: string, args: readonly string[], options: GitOptions = {}): Promise<GitOutput> => {
    if (options.mode === 'write') {
      return unlocking([...new Set([gitDir, commonDir])], ctx.signal, () =>
        runGit(ctx, directoryOf, args, { ...options, env: { ...dial, ...options.env } }),
      );
    }
    if (workTree !== null) overrides.sub ??= await submoduleGuards(ctx, workTree, config);
    return runGit(ctx, directoryOf, args, options, [...overrides.read, ...(overrides.sub ?? [])]);
  };
  return {
    cwd,
    top: workTree,
    gitDir,
    commonDir,
    bare: bare === 'true',
    config,
    git: (args, options) => at(cwd, args, options),
    gitAtTop: (args, options) => at(workTree ?? cwd, args, options),
  };
}

/** `open`, and a work tree in it. */
export async function openTree(
  ctx: Ctx,
  given: string | undefined,
  effect: 'read' | 'write',
): Promise<Repo & { readonly top: string }> {
  const repo = await open(ctx, given, effect);
  if (repo.top !== null) return { ...repo, top: repo.top };
  throw new ToolError(
    'INVALID_PARAMS',
    `${repo.cwd} has no work tree (a bare repository or a git directory); git ${ctx.action} needs one: clone it or add a worktree`,
    { path: repo.cwd },
  );
}

function noRepository(cwd: string, said: string): ToolError {
  if (/dubious ownership/.test(said)) {
    return new ToolError(
      'PERMISSION_DENIED',
      `git refuses ${cwd} because another user owns it; its owner or root can allow it: git config --global --add safe.directory ${cwd}`,
      { path: cwd },
    );
  }
  // Without a path after the colon nothing was found; with one, something was that is none (a pruned worktree, say).
  if (said !== '' && !/not a git repository \(/i.test(said)) {
    return new ToolError('NOT_FOUND', `${cwd} is not a usable git repository: ${said}`, { path: cwd });
  }
  return new ToolError(
    'NOT_FOUND',
    `${cwd} is not in a git repository; name one in 'path', or make one here with action init`,
    { path: cwd },
  );
}

/** What `runGit` laid over the config of every read, as git lists it. */
const OVERRIDDEN: ReadonlyMap<string, string> = new Map(READING.map(([key, value]) => [key.toLowerCase(), value]));

const isOverride = (each: ConfigEntry): boolean => each.scope === 'command' && OVERRIDDEN.get(each.key) === each.value;

/** git before 2.31 knows no GIT_CONFIG_COUNT: there a read would run what the repository names, so there is none. */
function needOverrides(config: readonly ConfigEntry[]): void {
  if (config.some(isOverride)) return;
  throw new ToolError('NOT_FOUND', 'this tool needs git 2.31 or newer; the git on the PATH of this server is older', {
    program: 'git',
  });
}

async function common(gitDir: string): Promise<string> {
  const named = await readFile(path.join(gitDir, 'commondir'), 'utf8').catch(() => undefined);
  return named === undefined ? gitDir : realpath(path.resolve(gitDir, named.trimEnd()));
}

/**
 * The work tree and the git directory must both be writable. A git directory outside the roots is accepted only as that of
 * a linked worktree which it names itself: then whoever may write there has bound the two together.
 */
async function allowWrite(ctx: Ctx, top: string | null, gitDir: string, commonDir: string): Promise<void> {
  const { access } = ctx.env;
  if (top !== null) await access.write(path.join(top, '.git'), 'keep');
  const folders = [...new Set([gitDir, commonDir])];
  // Only what lies in the other repository itself can vouch for it, so its place is part of the proof.
  const linked =
    top !== null && path.dirname(gitDir) === path.join(commonDir, 'worktrees') && (await names(gitDir, top));
  if (access.level === 'read-only' || !linked) {
    for (const each of folders) await access.write(path.join(each, 'HEAD'), 'keep');
  }
  for (const each of folders) await followLinks(ctx, each);
}

/** git writes through links (an index, a config, a folder of refs may be one), so where they lead must be writable too. */
async function followLinks(ctx: Ctx, gitDir: string): Promise<void> {
  for (const inside of ['', 'refs', 'logs', 'objects']) {
    const entries = await readdir(path.join(gitDir, inside), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      // Hooks are only ever read.
      if (!entry.isSymbolicLink() || entry.name === 'hooks') continue;
      await ctx.env.access.write(path.join(gitDir, inside, entry.name), 'follow');
    }
  }
}

async function names(gitDir: string, top: string): Promise<boolean> {
  const back = await readFile(path.join(gitDir, 'gitdir'), 'utf8').catch(() => undefined);
  if (back === undefined) return false;
  return (await realpath(path.dirname(path.resolve(gitDir, back.trimEnd()))).catch(() => undefined)) === top;
}
