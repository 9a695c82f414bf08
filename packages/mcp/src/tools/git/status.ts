// What differs between HEAD, the index and the work tree, from `git status --porcelain=v2 -z`.
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { act } from '../../local.ts';
import { cursor, flag, limit, repository, specs } from './params.ts';
import { listPage } from './page.ts';
import { openTree, type Repo } from './repo.ts';

/** Where HEAD is. `oid` is null on an unborn branch; `head` is null when detached. */
interface Head {
  readonly head: string | null;
  readonly oid: string | null;
  readonly detached: boolean;
  readonly upstream?: string;
  /** absent when the upstream is gone */
  readonly ahead?: number;
  readonly behind?: number;
}

/** `status` is git's letter (git-status(1)): M T A D R C; `from` the old path of a rename or copy. */
interface Change {
  readonly path: string;
  readonly status: string;
  readonly from?: string;
  readonly submodule?: { readonly commit: boolean; readonly modified: boolean; readonly untracked: boolean };
}

/** `code` is one of DD AU UD UA DU AA UU: what each side did. */
export interface Conflict {
  readonly path: string;
  readonly code: string;
}

export interface Status {
  readonly branch: Head;
  readonly staged: readonly Change[];
  readonly unstaged: readonly Change[];
  readonly untracked: readonly { readonly path: string }[];
  readonly conflicts: readonly Conflict[];
  readonly stashes: number;
}

/** Parses porcelain v2 with -z (git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(output: string): Status {
  const staged: Change[] = [];
  const unstaged: Change[] = [];
  const untracked: { path: string }[] = [];
  const conflicts: Conflict[] = [];
  const headers = new Map<string, string>();
  const words = output.split('\0');
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const kind = word[0];
    if (kind === '#') {
      const [, key, value] = /^# (\S+) ?([^]*)$/.exec(word) ?? [];
      if (key !== undefined) headers.set(key, value ?? '');
    } else if (kind === '1' || kind === '2') {
      const fixed = kind === '1' ? 8 : 9;
      const [fields, name] = splitAfter(word, fixed);
      const from = kind === '2' ? words[++i] : undefined;
      const [, xy = '..', sub = 'N...'] = fields;
      const submodule = sub.startsWith('S')
        ? { submodule: { commit: sub[1] === 'C', modified: sub[2] === 'M', untracked: sub[3] === 'U' } }
        : {};
      const entry = (status: string): Change => ({
        path: name,
        status,
        ...(from !== undefined && /[RC]/.test(status) ? { from } : {}),
        ...submodule,
      });
      if (xy[0] !== '.') staged.push(entry(xy[0] as string));
      if (xy[1] !== '.') unstaged.push(entry(xy[1] as string));
    } else if (kind === 'u') {
      const [fields, name] = splitAfter(word, 10);
      conflicts.push({ path: name, code: fields[1] as string });
    } else if (kind === '?') {
      untracked.push({ path: word.slice(2) });
    }
  }
  return {
    branch: headOf(headers),
    staged,
    unstaged,
    untracked,
    conflicts,
    stashes: Number(headers.get('stash') ?? 0),
  };
}

function splitAfter(word: string, fields: number): [string[], string] {
  let at = 0;
  for (let i = 0; i < fields; i++) at = word.indexOf(' ', at) + 1;
  return [word.slice(0, at - 1).split(' '), word.slice(at)];
}

function headOf(headers: ReadonlyMap<string, string>): Head {
  const oid = headers.get('branch.oid') ?? '(initial)';
  const head = headers.get('branch.head') ?? '(detached)';
  const upstream = headers.get('branch.upstream');
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? [];
  return {
    head: head === '(detached)' ? null : head,
    oid: oid === '(initial)' ? null : oid,
    detached: head === '(detached)',
    ...(upstream === undefined ? {} : { upstream }),
    ...(ahead === undefined ? {} : { ahead: Number(ahead), behind: Number(behind) }),
  };
}

/** Reads the status of a work tree; `all` names every untracked file instead of the top-most untracked folder. */
export async function readStatus(repo: Repo, all = false, files: readonly string[] = []): Promise<Status> {
  const copies = repo.config.some(
    ({ key, value }) => /^(status|diff)\.renames$/.test(key) && /^cop(y|ies)$/.test(value),
  );
  const { text } = await repo.gitAtTop([
    'status',
    '--porcelain=v2',
    '-z',
    '--branch',
    '--show-stash',
    // Renames are always looked for; copies, which cost more, where the user's config asks for them.
    ...(copies ? [] : ['--find-renames']),
    `--untracked-files=${all ? 'all' : 'normal'}`,
    '--',
    ...specs(files),
  ]);
  return parseStatus(text);
}

const MARKS: readonly (readonly [file: string, operation: string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry_pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry_pick'],
  ['BISECT_LOG', 'bisect'],
];

/** The operation that waits to be continued or aborted (gitrepository-layout(5)); null if none. */
export async function operation(repo: Repo): Promise<string | null> {
  for (const [file, name] of MARKS) {
    const there = await access(path.join(repo.gitDir, file)).then(
      () => true,
      () => false,
    );
    if (there) return name;
  }
  return null;
}

/** The branch a rebase will come back to, which HEAD does not name while it runs. */
async function rebasing(repo: Repo): Promise<string | undefined> {
  for (const place of ['rebase-merge', 'rebase-apply']) {
    const name = await readFile(path.join(repo.gitDir, place, 'head-name'), 'utf8').catch(() => undefined);
    if (name !== undefined) return name.trim().replace(/^refs\/heads\//, '');
  }
  return undefined;
}

export const status = act({
  summary: 'branch, staged, unstaged, untracked and conflicted paths; all: every untracked file by name',
  effect: 'read',
  input: z.object({ ...repository, all: flag, limit, cursor }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'read');
    const [found, pending] = await Promise.all([readStatus(repo, input.all), operation(repo)]);
    const listed = [
      ...found.conflicts.map((entry) => ['conflicts', entry] as const),
      ...found.staged.map((entry) => ['staged', entry] as const),
      ...found.unstaged.map((entry) => ['unstaged', entry] as const),
      ...found.untracked.map((entry) => ['untracked', entry] as const),
    ];
    const page = listPage(ctx, listed, input.cursor, input.limit ?? 1000);
    const of = (kind: string): unknown[] => page.items.filter((each) => each[0] === kind).map((each) => each[1]);
    const onto = pending === 'rebase' ? await rebasing(repo) : undefined;
    return {
      data: {
        branch: found.branch,
        clean: listed.length === 0,
        staged: of('staged'),
        unstaged: of('unstaged'),
        untracked: of('untracked'),
        conflicts: of('conflicts'),
        ...(pending ? { operation: pending } : {}),
        ...(onto ? { rebasing: onto } : {}),
        ...(found.stashes ? { stashes: found.stashes } : {}),
        ...(repo.gitDir === repo.commonDir ? {} : { linked_worktree: true }),
        ...(page.paging
          ? {
              counts: {
                conflicts: found.conflicts.length,
                staged: found.staged.length,
                unstaged: found.unstaged.length,
                untracked: found.untracked.length,
              },
            }
          : {}),
      },
      ...(page.paging ? { paging: page.paging } : {}),
    };
  },
});
