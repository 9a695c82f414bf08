// reset, clean, stash: putting changes away, for a while or for good.
import type { ActionResult } from '@hanzo/tool';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { headNow } from './branch.ts';
import { conflictError, stopped } from './conflict.ts';
import { PATCH, patchResult } from './diff.ts';
import { text } from './names.ts';
import { listPage } from './page.ts';
import {
  allInTree,
  atLeast,
  confirm,
  cursor,
  files,
  flag,
  limit,
  lookUp,
  needConfirm,
  ref,
  repository,
  resolve,
  specs,
} from './params.ts';
import { open, openTree, type Repo } from './repo.ts';
import { readStatus } from './status.ts';

export const reset = act({
  summary:
    'moves the branch to ref (default HEAD: unstages); files: unstages just these; mode hard drops local changes',
  effect: 'write',
  input: z.object({ ...repository, mode: z.enum(['soft', 'mixed', 'hard']).optional(), ref, files, confirm }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    const mode = input.mode ?? 'mixed';
    const given = input.ref ?? 'HEAD';
    if (input.files) {
      if (mode !== 'mixed') {
        throw new ToolError(
          'INVALID_PARAMS',
          `'files' can only be unstaged (mode mixed); checkout with files puts them back`,
          {
            param: 'files',
          },
        );
      }
      const named = await allInTree(ctx, repo, input.files);
      const tree = input.ref === undefined ? [] : [await resolve(repo, given, 'ref')];
      await repo.gitAtTop(['reset', '--quiet', ...tree, '--', ...specs(named)], { mode: 'write' });
      return { data: { ...(await headNow(repo)), unstaged: named } };
    }
    const from = await lookUp(repo, 'HEAD');
    // An unborn branch has nothing to go to but can still be unstaged.
    const to = from === undefined && input.ref === undefined ? undefined : await resolve(repo, given, 'ref');
    if (mode === 'hard') {
      const { staged, unstaged, conflicts } = await readStatus(repo);
      const changed = new Set([...staged, ...unstaged, ...conflicts].map((each) => each.path)).size;
      needConfirm(
        input.confirm,
        `reset --hard would drop the changes in ${changed} file${changed === 1 ? '' : 's'}${to === from ? '' : ` and move HEAD to ${to?.slice(0, 12)}`}`,
      );
    }
    await repo.gitAtTop(
      ['reset', '--quiet', `--${mode}`, ...(to === undefined ? [] : [to]), '--'].filter(
        (each) => mode === 'mixed' || each !== '--',
      ),
      {
        mode: 'write',
      },
    );
    return { data: { ...(await headNow(repo)), mode, ...(from === undefined || from === to ? {} : { from }) } };
  },
});

/** Undoes git's C-style quoting of a path (core.quotePath=false: control characters, quotes and backslashes only). */
export function unquote(word: string): string {
  if (word.length < 2 || !word.startsWith('"') || !word.endsWith('"')) return word;
  const simple: Record<string, string> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };
  return word
    .slice(1, -1)
    .replaceAll(/\\([0-7]{3}|.)/gs, (_, code: string) =>
      code.length === 3 ? String.fromCodePoint(Number.parseInt(code, 8)) : (simple[code] ?? code),
    );
}

export const clean = act({
  summary: 'shows untracked files it would delete; force deletes them; pattern: files to spare',
  effect: 'write',
  input: z.object({ ...repository, force: flag, confirm, pattern: text.optional(), files, limit, cursor }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, input.force ? 'write' : 'read');
    const named = input.files ? await allInTree(ctx, repo, input.files) : [];
    const args = (how: string): string[] => [
      'clean',
      how,
      '-d',
      ...(input.pattern === undefined ? [] : [`--exclude=${input.pattern}`]),
      '--',
      ...specs(named),
    ];
    const dry = await repo.gitAtTop(args('--dry-run'));
    const lines = dry.text.split('\n');
    const found = lines.flatMap((line) =>
      line.startsWith('Would remove ') ? [{ path: unquote(line.slice(13)) }] : [],
    );
    if (input.force && found.length > 0) {
      needConfirm(
        input.confirm,
        `${found.length} untracked path${found.length === 1 ? '' : 's'} would be deleted for good (${found
          .slice(0, 5)
          .map((each) => each.path)
          .join(', ')}${found.length > 5 ? ', …' : ''})`,
      );
      await repo.gitAtTop(args('--force'), { mode: 'write' });
    }
    const page = listPage(ctx, found, input.cursor, input.limit ?? 1000);
    return {
      data: {
        [input.force ? 'removed' : 'would_remove']: page.items,
        dry_run: !input.force,
        total: found.length,
      },
      ...(page.paging ? { paging: page.paging } : {}),
    };
  },
});

interface Entry {
  readonly index: number;
  readonly hash: string;
  readonly timestamp: string;
  readonly message: string;
}

async function stashes(repo: Repo): Promise<Entry[]> {
  if ((await lookUp(repo, 'refs/stash')) === undefined) return [];
  const { text: output } = await repo.git(['stash', 'list', '-z', '--encoding=UTF-8', '--format=%H%x00%aI%x00%gs']);
  const words = output.split('\0');
  return Array.from({ length: Math.floor(words.length / 3) }, (_, i) => ({
    index: i,
    hash: words[3 * i] as string,
    timestamp: words[3 * i + 1] as string,
    message: words[3 * i + 2] as string,
  }));
}

export const stash = act({
  summary: 'push (message; files; all: untracked too), list, show, pop, apply, drop; index: which one',
  effect: 'write',
  input: z.object({
    ...repository,
    sub_action: z.enum(['push', 'list', 'show', 'pop', 'apply', 'drop']).optional(),
    index: atLeast(0).optional(),
    message: text.optional(),
    files,
    all: flag,
    stat: flag,
    confirm,
    limit,
    cursor,
  }),
  async run(ctx, input) {
    const op = input.sub_action ?? 'push';
    const reading = op === 'list' || op === 'show';
    const repo = await (op === 'list'
      ? open(ctx, input.path, 'read')
      : openTree(ctx, input.path, reading ? 'read' : 'write'));
    if (op === 'push') return push(ctx, repo, input);
    const all = await stashes(repo);
    if (op === 'list') {
      const page = listPage(ctx, all, input.cursor, input.limit ?? 100);
      return { data: { stashes: page.items, total: all.length }, ...(page.paging ? { paging: page.paging } : {}) };
    }
    const index = input.index ?? 0;
    const entry = all[index];
    if (!entry) {
      throw new ToolError(
        'NOT_FOUND',
        all.length === 0 ? 'there is no stash' : `there is no stash ${index}; the last is ${all.length - 1}`,
        {
          param: 'index',
        },
      );
    }
    const name = `stash@{${index}}`;
    if (op === 'show') {
      const between = (form: string[], paths: readonly string[] = []): string[] => [
        'diff',
        ...PATCH,
        ...form,
        `${entry.hash}^1`,
        entry.hash,
        '--',
        ...specs(paths),
      ];
      const listed = repo.gitAtTop(between(['--raw', '--numstat', '-z', '--no-abbrev']));
      return patchResult(ctx, repo, 'diff', input, { ...entry }, listed, (paths) =>
        repo.gitAtTop(between(['--patch'], paths)),
      );
    }
    if (op === 'drop') {
      needConfirm(input.confirm, `stash ${index} (${entry.message}) would be dropped for good`);
      await repo.gitAtTop(['stash', 'drop', '--quiet', name], { mode: 'write' });
      return { data: { dropped: entry } };
    }
    try {
      await repo.gitAtTop(['stash', op, '--quiet', name], { mode: 'write' });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      throw stopped('stash', await readStatus(repo), error);
    }
    const { conflicts } = await readStatus(repo);
    if (conflicts.length > 0) throw conflictError('stash', conflicts);
    return { data: { [op === 'pop' ? 'popped' : 'applied']: entry } };
  },
});

async function push(
  ctx: Ctx,
  repo: Repo,
  input: { message?: string | undefined; files?: readonly string[] | undefined; all?: boolean | undefined },
): Promise<ActionResult> {
  const before = (await stashes(repo))[0]?.hash;
  const named = input.files ? await allInTree(ctx, repo, input.files) : [];
  await repo.gitAtTop(
    [
      'stash',
      'push',
      '--quiet',
      ...(input.all ? ['--include-untracked'] : []),
      ...(input.message === undefined ? [] : [`--message=${input.message}`]),
      '--',
      ...specs(named),
    ],
    { mode: 'write' },
  );
  const now = (await stashes(repo))[0];
  return { data: now === undefined || now.hash === before ? { stashed: null } : { stashed: now } };
}
