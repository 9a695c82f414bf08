// branch and checkout: where commits go next, and what the work tree shows.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toUri } from '../../lib/path.ts';
import { act } from '../../local.ts';
import { filePath, refName, revision } from './names.ts';
import { listPage } from './page.ts';
import {
  allInTree,
  confirm,
  cursor,
  files,
  flag,
  limit,
  lookUp,
  need,
  needConfirm,
  ref,
  repository,
  resolve,
  specs,
} from './params.ts';
import { open, openTree, type Repo } from './repo.ts';
import { LONG_LIMIT } from './run.ts';
import { readStatus } from './status.ts';

const BRANCH_FIELDS =
  '%(refname)%00%(objectname)%00%(upstream:short)%00%(upstream:track,nobracket)%00%(worktreepath)%00%(committerdate:iso-strict)%00%(contents:subject)%00%(symref)%00';

/** Lists branches, local ones first; `all` adds those of the remotes. */
async function branches(repo: Repo, all: boolean): Promise<Record<string, unknown>[]> {
  const { text: output } = await repo.git([
    'for-each-ref',
    '--sort=refname',
    `--format=${BRANCH_FIELDS}`,
    'refs/heads/',
    ...(all ? ['refs/remotes/'] : []),
  ]);
  const words = output.split('\0');
  const found: Record<string, unknown>[] = [];
  for (let i = 0; i + 7 < words.length; i += 8) {
    const [name = '', hash, upstream, track = '', tree, timestamp, message, symref] = words.slice(i, i + 8);
    if (symref) continue;
    const full = name.replace(/^\n/, '');
    const remote = full.startsWith('refs/remotes/');
    const ahead = /ahead (\d+)/.exec(track)?.[1];
    const behind = /behind (\d+)/.exec(track)?.[1];
    found.push({
      name: full.replace(/^refs\/(heads|remotes)\//, ''),
      hash,
      timestamp,
      message,
      ...(remote ? { remote: true } : {}),
      ...(upstream ? { upstream } : {}),
      ...(track === 'gone' ? { gone: true } : {}),
      ...(ahead ? { ahead: Number(ahead) } : {}),
      ...(behind ? { behind: Number(behind) } : {}),
      ...(tree && tree !== repo.top ? { worktree: toUri(tree) } : {}),
    });
  }
  return found;
}

async function currentBranch(repo: Repo): Promise<string | null> {
  const head = await repo.git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1, 128] });
  return head.code === 0 ? head.text.trimEnd() : null;
}

/** Where HEAD is now. */
export async function headNow(repo: Repo): Promise<Record<string, unknown>> {
  const [branch, hash] = await Promise.all([currentBranch(repo), lookUp(repo, 'HEAD')]);
  return { branch, hash: hash ?? null, ...(branch === null ? { detached: true } : {}) };
}

export const branch = act({
  summary:
    'list (all: of the remotes too), create name (target: where), checkout name, rename name to target, delete name (force: unmerged)',
  effect: 'write',
  input: z.object({
    ...repository,
    sub_action: z
      .enum(['list', 'create', 'checkout', 'rename', 'delete'])
      .optional()
      .describe('list, create, delete, continue, ...'),
    name: refName.optional(),
    target: revision.optional(),
    all: flag,
    force: flag,
    confirm,
    limit,
    cursor,
  }),
  async run(ctx, input) {
    const op = input.sub_action ?? (input.name === undefined ? 'list' : 'create');
    const repo = await open(ctx, input.path, op === 'list' ? 'read' : 'write');
    if (op === 'list') {
      const [found, current] = await Promise.all([branches(repo, input.all ?? false), currentBranch(repo)]);
      const page = listPage(ctx, found, input.cursor, input.limit ?? 100);
      return {
        data: { branches: page.items, current, total: found.length },
        ...(page.paging ? { paging: page.paging } : {}),
      };
    }
    const name = need(input.name, 'name', `branch ${op}`);
    if (op === 'checkout') {
      await switchTo(await openTree(ctx, input.path, 'write'), name, false);
      return { data: await headNow(repo) };
    }
    if (op === 'delete') {
      const hash = await resolve(repo, `refs/heads/${name}`, 'name').catch(async () => resolve(repo, name, 'name'));
      if (input.force)
        needConfirm(input.confirm, `branch ${name} (${hash.slice(0, 12)}) would be deleted, merged or not`);
      await repo.git(['branch', '--quiet', input.force ? '-D' : '-d', '--end-of-options', name], { mode: 'write' });
      return { data: { deleted: name, hash } };
    }
    if (op === 'rename') {
      const target = need(input.target, 'target', 'branch rename');
      const bad = refName.safeParse(target).error?.issues[0]?.message;
      if (bad) throw new ToolError('INVALID_PARAMS', `'target': ${bad}`, { param: 'target' });
      await repo.git(['branch', '-m', '--end-of-options', name, target], { mode: 'write' });
      return { data: { renamed: name, name: target } };
    }
    if (input.force) needConfirm(input.confirm, `branch ${name} would be moved, wherever it is now`);
    const at = await resolve(repo, input.target ?? 'HEAD', 'target');
    const start = input.target !== undefined && (await isRemoteBranch(repo, input.target)) ? input.target : at;
    await repo.git(['branch', '--quiet', ...(input.force ? ['--force'] : []), '--end-of-options', name, start], {
      mode: 'write',
    });
    return { data: { created: name, hash: at } };
  },
});

/** A branch started from `origin/x` follows it, so there the name is passed on and not the commit. */
async function isRemoteBranch(repo: Repo, name: string): Promise<boolean> {
  const found = await repo.git(['show-ref', '--verify', '--quiet', `refs/remotes/${name}`], { accept: [1, 128] });
  return found.code === 0;
}

async function switchTo(repo: Repo, given: string, discard: boolean): Promise<void> {
  const local = await repo.git(['show-ref', '--verify', '--quiet', `refs/heads/${given}`], { accept: [1, 128] });
  const commit = await lookUp(repo, given);
  const args = ['switch', '--quiet', ...(discard ? ['--discard-changes'] : [])];
  const write = { mode: 'write', timeoutMs: LONG_LIMIT } as const;
  const guess = local.code !== 0 && commit === undefined && refName.safeParse(given).success;
  if (local.code === 0) await repo.gitAtTop([...args, '--no-guess', '--end-of-options', given], write);
  else if (commit !== undefined) await repo.gitAtTop([...args, '--detach', commit], write);
  else if (guess && (await onOneRemote(repo, given)))
    await repo.gitAtTop([...args, '--guess', '--end-of-options', given], write);
  else await resolve(repo, given, 'name');
}

async function onOneRemote(repo: Repo, name: string): Promise<boolean> {
  const found = await repo.git(['for-each-ref', '--format=%(refname)', 'refs/remotes/']);
  return found.text.split('\n').some((each) => each.split('/').slice(3).join('/') === name);
}

export const checkout = act({
  summary:
    'switches to a branch, tag or commit (name or ref); create: a new branch name at ref; files: puts these back as in ref or the index; force: drops local changes',
  effect: 'write',
  input: z.object({
    ...repository,
    name: revision.optional(),
    ref,
    create: flag,
    file: filePath.optional(),
    files,
    force: flag,
    confirm,
  }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    const named = await allInTree(ctx, repo, [
      ...(input.file === undefined ? [] : [input.file]),
      ...(input.files ?? []),
    ]);
    if (named.length > 0) {
      const from = input.ref ?? input.name;
      const commit = from === undefined ? undefined : await resolve(repo, from, 'ref');
      const { staged, unstaged, untracked, conflicts } = await readStatus(repo, true, named);
      // From the index, what is staged or untracked stays as it is.
      const lost = [...unstaged, ...conflicts, ...(commit === undefined ? [] : [...staged, ...untracked])];
      if (lost.length > 0) {
        needConfirm(
          input.confirm,
          `local changes in ${lost
            .slice(0, 5)
            .map((each) => each.path)
            .join(', ')} would be lost`,
        );
      }
      await repo.gitAtTop(
        [
          'checkout',
          '--quiet',
          '--no-overlay',
          ...(commit === undefined ? [] : [commit]),
          '--',
          ...specs(named),
        ].filter((each) => commit !== undefined || each !== '--no-overlay'),
        { mode: 'write' },
      );
      return { data: { restored: named, ...(commit === undefined ? {} : { hash: commit }) } };
    }
    const given = need(input.name ?? input.ref, 'name', 'checkout');
    if (input.force) needConfirm(input.confirm, 'every local change to a tracked file would be lost');
    if (input.create) {
      const bad = refName.safeParse(given).error?.issues[0]?.message;
      if (bad) throw new ToolError('INVALID_PARAMS', `'name': ${bad}`, { param: 'name' });
      const base = input.name === undefined ? undefined : input.ref;
      const start = base === undefined ? undefined : await resolve(repo, base, 'ref');
      const from = base !== undefined && (await isRemoteBranch(repo, base)) ? base : start;
      await repo.gitAtTop(
        [
          'switch',
          '--quiet',
          ...(input.force ? ['--discard-changes'] : []),
          '--create',
          given,
          '--end-of-options',
          ...(from === undefined ? [] : [from]),
        ],
        { mode: 'write', timeoutMs: LONG_LIMIT },
      );
    } else await switchTo(repo, given, input.force ?? false);
    return { data: { ...(await headNow(repo)), ...(input.create ? { created: given } : {}) } };
  },
});
