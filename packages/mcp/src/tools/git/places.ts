// Repositories named by a path, as clone, fetch, pull and push take them: where they really lie, and whether they may be used.
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';

/** The local path a url means, if it means one. */
export function localPlace(place: string, base: string): string | undefined {
  if (/^file:\/\//i.test(place)) {
    try {
      return fileURLToPath(new URL(place));
    } catch (error) {
      throw new ToolError('INVALID_PARAMS', `'${place}' is not a usable file:// URL (${(error as Error).message})`, {});
    }
  }
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(place)) return undefined;
  // `host:path` is ssh, unless a slash comes before the colon (git-fetch(1), "GIT URLS").
  if (/^[^/]*:/.test(place)) return undefined;
  if (place === '~' || place.startsWith('~/')) return path.join(homedir(), place.slice(1));
  if (place.startsWith('~')) {
    throw new ToolError('PERMISSION_DENIED', `'${place}' is in another user's home; name it by its absolute path`, {});
  }
  return path.resolve(base, place);
}

/** What git tries behind the name of a repository (path.c `enter_repo`, builtin/clone.c `get_repo_path`). */
const ENDINGS = ['', '/.git', '.git', '.git/.git', '.bundle'];

/** Bytes; git reads no larger one (setup.c `read_gitfile_gently`). */
const LARGEST_POINTER = 1024 * 1024;

/** Most steps from a pointer file to a git directory; git itself takes one. */
const MOST_STEPS = 4;

/**
 * Asks whether the repository at `local` may be read, or written: for every place git could take the name for, and for
 * the git directory behind each. A folder whose content is key material is none to be copied from.
 */
export async function allowPlace(ctx: Ctx, local: string, effect: 'read' | 'write'): Promise<void> {
  await allowFolder(ctx, local, effect, MOST_STEPS);
  for (const ending of ENDINGS.slice(1)) {
    if (await stat(local + ending).catch(() => undefined)) await allowFolder(ctx, local + ending, effect, MOST_STEPS);
  }
}

async function allowFolder(ctx: Ctx, named: string, effect: 'read' | 'write', steps: number): Promise<void> {
  const { access } = ctx.env;
  const real = await access.read(named);
  const found = await stat(real).catch(() => undefined);
  if (found?.isFile()) {
    const to = found.size > LARGEST_POINTER ? undefined : await pointer(real);
    if (to !== undefined && steps > 0) return allowFolder(ctx, to, effect, steps - 1);
    return;
  }
  const inside = path.join(real, 'HEAD');
  if (effect === 'write') await access.write(inside, 'keep');
  // A secret folder may be named but nothing in it may be read, so what git would find there is asked for.
  else if (access.isSecret(inside)) await access.read(inside);
  const shared = await readFile(path.join(real, 'commondir'), 'utf8').catch(() => undefined);
  if (shared !== undefined && steps > 0)
    await allowFolder(ctx, path.resolve(real, shared.trimEnd()), effect, steps - 1);
}

/** The folder a file in place of a git directory names (gitrepository-layout(5)), whatever it is called; undefined where it names none. */
async function pointer(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const to = /^gitdir: ([^\n]+?)[\r\n]*$/.exec(text)?.[1];
  return to === undefined ? undefined : path.resolve(path.dirname(file), to);
}
