// commit: exactly the named files, or what is staged, with the caller's message as it is.
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { parseFiles } from './diff.ts';
import { conflictError, isPaused } from './conflict.ts';
import { text } from './names.ts';
import { fitting, LONGEST_SUBJECT } from './page.ts';
import { allInTree, files, flag, repository, specs } from './params.ts';
import { openTree, type Repo } from './repo.ts';
import { LONG_LIMIT } from './run.ts';
import { operation, readStatus, type Status } from './status.ts';

type Tree = Repo & { readonly top: string };

/** Stages the named paths, deletions too. A path that is neither in the work tree nor in the index is NOT_FOUND. */
export async function stage(repo: Tree, named: readonly string[]): Promise<void> {
  await repo.gitAtTop(['add', '--all', '--', ...specs(named)], { mode: 'write' });
}

export const commit = act({
  summary: 'commits files (exactly these, new and deleted ones too), all tracked changes, or what is staged',
  effect: 'write',
  destructive: false,
  input: z.object({ ...repository, message: text, files, all: flag }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    if (input.message.trim() === '') {
      throw new ToolError('INVALID_PARAMS', "'message' is blank; say what the commit does", { param: 'message' });
    }
    if (input.files && input.all) {
      throw new ToolError('INVALID_PARAMS', "give 'files' or 'all', not both", { param: 'all' });
    }
    const pending = await operation(repo);
    const named = input.files ? await allInTree(ctx, repo, input.files) : [];
    // A merge commit is always the whole index, so there the named files are the ones that have been resolved.
    const whole = isPaused(pending);
    if (whole && named.length > 0) await stage(repo, named);
    if (whole && input.all) await repo.gitAtTop(['add', '--update'], { mode: 'write' });
    const only = whole ? [] : named;

    const before = await readStatus(repo, only.length > 0, only);
    if (before.conflicts.length > 0) throw conflictError(pending ?? 'commit', before.conflicts);
    if (!whole) await needChange(repo, before, only, input.all ?? false);
    const fresh = only.length > 0 ? await announce(repo, before, only) : [];
    try {
      const done = await repo.gitAtTop(
        [
          'commit',
          '--quiet',
          '--cleanup=whitespace',
          '--file=-',
          ...(input.all && !whole ? ['--all'] : []),
          ...(only.length > 0 ? ['--only', '--', ...specs(only)] : []),
        ],
        { mode: 'write', input: input.message, timeoutMs: LONG_LIMIT },
      );
      return { data: await describeCommit(ctx, repo), ...hookOutput(done.said, done.text) };
    } catch (error) {
      if (fresh.length > 0) {
        // The call's own signal may be what ended the commit; this runs all the same.
        await repo
          .gitAtTop(['rm', '--cached', '--quiet', '--force', '--', ...specs(fresh)], { mode: 'write', unbound: true })
          .catch(() => {});
      }
      throw explain(error);
    }
  },
});

/** CONFLICT, with the way on, where there would be nothing in the commit. */
async function needChange(repo: Tree, status: Status, named: readonly string[], all: boolean): Promise<void> {
  const { staged, unstaged, untracked } = status;
  const changed = unstaged.length + untracked.length;
  if (named.length > 0) {
    if (staged.length + changed > 0) return;
    const ignored = await repo.gitAtTop([
      'ls-files',
      '--others',
      '--ignored',
      '--exclude-standard',
      '-z',
      '--',
      ...specs(named),
    ]);
    for (const each of named) {
      const there = await lstat(path.join(repo.top, each)).catch(() => undefined);
      if (!there)
        throw new ToolError('NOT_FOUND', `'files': there is no ${each} in ${repo.top}, nor does git know it`, {
          param: 'files',
        });
    }
    if (ignored.text !== '') throw ignoredError(ignored.text.split('\0').filter(Boolean));
    throw new ToolError('CONFLICT', 'nothing to commit: the named files do not differ from the last commit', {});
  }
  if (staged.length + (all ? unstaged.length : 0) > 0) return;
  const how = all
    ? untracked.length > 0
      ? 'no tracked file has changed; name new files in files'
      : 'the work tree equals the last commit'
    : changed > 0
      ? 'nothing is staged; name the files in files, or give all: true for every tracked file'
      : 'the work tree equals the last commit';
  throw new ToolError('CONFLICT', `nothing to commit: ${how}`, { staged: staged.length, changed });
}

function ignoredError(paths: readonly string[]): ToolError {
  return new ToolError('INVALID_PARAMS', `'files': ignored by .gitignore: ${paths.slice(0, 5).join(', ')}`, {
    param: 'files',
    ignored: paths.slice(0, 50),
  });
}

/** Makes new files known to the index (`add --intent-to-add`), so that `commit --only` takes them. Gives their names. */
async function announce(repo: Tree, status: Status, named: readonly string[]): Promise<readonly string[]> {
  const ignored = await repo.gitAtTop([
    'ls-files',
    '--others',
    '--ignored',
    '--exclude-standard',
    '-z',
    '--',
    ...specs(named),
  ]);
  const meant = ignored.text.split('\0').filter((each) => named.includes(each));
  if (meant.length > 0) throw ignoredError(meant);
  const fresh = status.untracked.map((each) => each.path);
  for (let i = 0; i < fresh.length; i += 500) {
    await repo.gitAtTop(['add', '--intent-to-add', '--', ...specs(fresh.slice(i, i + 500))], { mode: 'write' });
  }
  return fresh;
}

async function describeCommit(ctx: Ctx, repo: Tree): Promise<Record<string, unknown>> {
  const [head, changed, after] = await Promise.all([
    repo.git(['log', '-1', '--no-color', '--encoding=UTF-8', '--format=%H%x00%s']),
    repo.git([
      'show',
      '--format=',
      '--raw',
      '--numstat',
      '-z',
      '--no-abbrev',
      '--find-renames',
      '-m',
      '--first-parent',
      'HEAD',
      '--',
    ]),
    readStatus(repo),
  ]);
  const [hash = '', message = ''] = head.text.trimEnd().split('\0');
  const list = parseFiles(changed.text);
  const untracked = after.untracked.map((each) => each.path);
  return {
    hash,
    message: shorten(message, LONGEST_SUBJECT),
    branch: after.branch.head,
    files: fitting(ctx, list.slice(0, 100), Math.floor(ctx.maxOutput / 2)),
    files_changed: list.length,
    clean: after.staged.length + after.unstaged.length + untracked.length === 0,
    ...(untracked.length > 0
      ? {
          untracked: fitting(ctx, untracked.slice(0, 20), Math.floor(ctx.maxOutput / 4)),
          untracked_total: untracked.length,
        }
      : {}),
  };
}

/** With --quiet git itself is silent, so whatever was said comes from hooks. */
function hookOutput(
  said: string,
  printed: string,
): { bodies?: readonly { kind: 'text'; key: string; text: string }[] } {
  const output = [printed.trim(), said].filter(Boolean).join('\n');
  return output === '' ? {} : { bodies: [{ kind: 'text', key: 'output', text: `${output}\n` }] };
}

function explain(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.code === 'TIMEOUT') return error;
  if (/Please tell me who you are|unable to auto-detect email|empty ident|no email was given/.test(error.message)) {
    return new ToolError(
      'CONFLICT',
      'git does not know who commits; set user.name and user.email with action config (key, value)',
      error.details,
    );
  }
  // With something to commit, exit code 1 is a hook's or git's refusal in words of its own.
  if (error.details['exit_code'] !== 1 || /did not match any/.test(error.message)) return error;
  return new ToolError('CONFLICT', `nothing was committed: ${error.message}`, error.details);
}
