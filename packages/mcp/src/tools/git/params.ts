// Parameters that several actions share, and what they mean in a repository.
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { nearest, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, within } from '../../lib/path.ts';
import type { Ctx } from '../../local.ts';
import { filePath, revision } from './names.ts';
import type { Repo } from './repo.ts';

export const repository = { path: z.string().optional().describe('repository') };
export const cursor = z.string().optional();
/** The range is not published: only a mistake meets it. */
export const limit = z
  .int()
  .refine((value) => value >= 1 && value <= 1000, 'is from 1 to 1000')
  .optional();
export const confirm = z.boolean().optional();
/** Most paths of one call; their bound is checked but not published, which would be paid for every turn. */
const MOST_FILES = 1000;
export const files = z
  .array(filePath)
  .refine((each) => each.length > 0 && each.length <= MOST_FILES, `holds 1 to ${MOST_FILES} paths`)
  .optional();
/** A whole number of `least` or more. Checked here and not published: the schema is paid for every turn. */
export const atLeast = (least: number): z.ZodInt =>
  z.int().refine((value) => value >= least, `must be ${least} or more`);
export const flag = z.boolean().optional();
export const ref = revision.optional();

/** A path of the work tree relative to its top, or relative to `repo.cwd` where there is no work tree. */
export async function inTree(ctx: Ctx, repo: Repo, given: string, param: string): Promise<string> {
  if (repo.top === null) {
    if (!path.isAbsolute(given)) return path.normalize(given);
    throw new ToolError('INVALID_PARAMS', `'${param}': a bare repository has no absolute paths; give it relative`, {
      param,
    });
  }
  const top = repo.top;
  const absolute = /^(\/|~\/|file:)/i.test(given)
    ? await realParent(ctx, toPath(given, repo.cwd, param))
    : path.resolve(repo.cwd, given);
  if (!within(absolute, top)) {
    throw new ToolError('INVALID_PARAMS', `'${param}': ${absolute} is outside the repository ${top}`, { param });
  }
  if (ctx.env.access.isSecret(absolute)) await ctx.env.access.read(absolute);
  return path.relative(top, absolute) || '.';
}

export async function allInTree(ctx: Ctx, repo: Repo, given: readonly string[], param = 'files'): Promise<string[]> {
  const relative: string[] = [];
  for (const each of given) relative.push(await inTree(ctx, repo, each, param));
  return [...new Set(relative)];
}

/** Pathspecs that mean exactly these paths from the top: no wildcard, no magic (gitglossary(7), "pathspec"). */
export function specs(relative: readonly string[]): string[] {
  return relative.map((each) => (each === '.' ? ':(top)' : `:(top,literal)${each}`));
}

/**
 * NOT_FOUND with the nearest name for a path that is neither in the work tree nor in any commit; for answers that came out
 * empty, which git gives for a misspelt path too.
 */
export async function needKnown(repo: Repo, relative: readonly string[], param: string): Promise<void> {
  for (const each of relative) {
    if (repo.top !== null && (await lstat(path.join(repo.top, each)).catch(() => undefined))) continue;
    const [ever, staged] = await Promise.all([
      repo.gitAtTop(['log', '--all', '--max-count=1', '--format=%H', '--', ...specs([each])], { accept: [128] }),
      repo.gitAtTop(['ls-files', '-z', '--', ...specs([each])], { accept: [128] }),
    ]);
    if (ever.text !== '' || staged.text !== '') continue;
    const folder = path.join(repo.top ?? '/', path.dirname(each));
    const meant = nearest(path.basename(each), await readdir(folder).catch(() => []));
    const hint = meant ? `; did you mean '${path.join(path.dirname(each), meant)}'?` : '';
    throw new ToolError('NOT_FOUND', `'${param}': ${each} is in no commit and not in the work tree${hint}`, {
      param,
      ...(meant ? { nearest: meant } : {}),
    });
  }
}

/** The last component is meant itself, even where it is a link. */
async function realParent(ctx: Ctx, file: string): Promise<string> {
  if (path.dirname(file) === file) return file;
  return path.join(await ctx.env.access.read(path.dirname(file)), path.basename(file));
}

/** The object id that `given` names, peeled to `type`; undefined if it names none. */
export async function lookUp(
  repo: Repo,
  given: string,
  type: 'commit' | 'object' = 'commit',
): Promise<string | undefined> {
  // After `rev:` everything is a path, so nothing may be appended there.
  const name = type === 'object' && given.includes(':') ? given : `${given}^{${type}}`;
  const found = await repo.git(['rev-parse', '--verify', '--quiet', '--end-of-options', name], { accept: [1, 128] });
  return found.code === 0 && /^[0-9a-f]{40,64}\n$/.test(found.text) ? found.text.trim() : undefined;
}

/** `lookUp`, or NOT_FOUND with the nearest branch or tag. */
export async function resolve(
  repo: Repo,
  given: string,
  param: string,
  type: 'commit' | 'object' = 'commit',
): Promise<string> {
  return (await lookUp(repo, given, type)) ?? Promise.reject(await unknownRevision(repo, given, param));
}

/** The refusal for a revision that names nothing. */
async function unknownRevision(repo: Repo, given: string, param: string): Promise<ToolError> {
  const refs = await repo.git(['for-each-ref', '--format=%(refname:short)', '--count=2000'], { accept: [128] });
  const names = refs.text.split('\n').filter(Boolean);
  if (names.length === 0 && (await lookUp(repo, 'HEAD')) === undefined) {
    return new ToolError('NOT_FOUND', `'${param}': '${given}' names no commit: this repository has none yet`, {
      param,
    });
  }
  const meant = nearest(given, [...names, 'HEAD']);
  return new ToolError(
    'NOT_FOUND',
    `'${param}': '${given}' names no commit here${meant ? `; did you mean '${meant}'?` : '; action branch lists the branches, tag the tags, log the commits'}`,
    { param, ref: given, ...(meant ? { nearest: meant } : {}) },
  );
}

/** Checks a revision or a range of two (`a..b`, `a...b`); NOT_FOUND names the end that is missing. Gives it back. */
export async function checkRange(repo: Repo, given: string, param: string): Promise<string> {
  // `..` may also stand inside `HEAD:../file`; only what has no colon is taken for a range.
  const [, left, right] = given.includes(':') ? [] : (/^(.*?)\.{2,3}(.*)$/.exec(given) ?? []);
  for (const end of left === undefined ? [given] : [left, right]) {
    if (end !== undefined && end !== '') {
      if (end.startsWith('-')) throw await unknownRevision(repo, end, param);
      await resolve(repo, end.replace(/^\^/, ''), param, 'object');
    }
  }
  return given;
}

/** Refuses what cannot be undone unless the call says `confirm: true`. */
export function needConfirm(confirmed: boolean | undefined, what: string): void {
  if (confirmed) return;
  throw new ToolError('INVALID_PARAMS', `${what}; call again with confirm: true if that is meant`, {
    param: 'confirm',
    expected: true,
  });
}

/** A required parameter of one sub-action. */
export function need<T>(value: T | undefined, param: string, why: string): T {
  if (value !== undefined) return value;
  throw new ToolError('INVALID_PARAMS', `${why} needs '${param}'`, { param });
}
