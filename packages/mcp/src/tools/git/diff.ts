// diff and show: which files changed and by how much as data, the patch as text.
import path from 'node:path';
import type { ActionResult } from '@hanzo/tool';
import { ToolError, utf8Length } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { filePath, revision } from './names.ts';
import { allowObject } from './objects.ts';
import { cutTo, fitting, jsonSize, listPage, textPage } from './page.ts';
import {
  allInTree,
  checkRange,
  cursor,
  files,
  flag,
  limit,
  needKnown,
  ref,
  repository,
  resolve,
  specs,
} from './params.ts';
import { open, type Repo } from './repo.ts';
import type { GitOutput } from './run.ts';

/** `status` is git's letter; counts are lines, absent for binary files. */
export interface ChangedFile {
  readonly path: string;
  readonly from?: string;
  readonly status: string;
  readonly added?: number;
  readonly deleted?: number;
  readonly binary?: true;
}

/**
 * The same patch everywhere, whatever the user's config: applicable, without colours, and made without the programs
 * (diff.external, textconv) a repository could name.
 */
export const PATCH: readonly string[] = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--find-renames',
  '--submodule=short',
];

/** Parses `--raw --numstat -z` (git-diff(1), "Raw output format" and "Other diff formats"). */
export function parseFiles(output: string): ChangedFile[] {
  const found = new Map<string, ChangedFile>();
  const words = output.split('\0');
  for (let i = 0; i < words.length - 1; i++) {
    const word = (words[i] as string).replace(/^\n+/, '');
    const letter = /^:.* ([A-Z])\d*$/.exec(word)?.[1];
    if (letter !== undefined) {
      const first = words[++i] as string;
      const second = /[RC]/.test(letter) ? words[++i] : undefined;
      const name = second ?? first;
      // An unmerged path comes twice; what happened to it (U) says more than that it differs (M).
      if (found.get(name)?.status === 'U') continue;
      found.set(name, { path: name, ...(second === undefined ? {} : { from: first }), status: letter });
      continue;
    }
    const [, added, deleted, name] = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(word) ?? [];
    if (added === undefined) continue;
    if (name === '') i += 2;
    const key = name === '' ? (words[i] as string) : (name as string);
    const counts = added === '-' ? { binary: true as const } : { added: Number(added), deleted: Number(deleted) };
    found.set(key, { ...(found.get(key) ?? { path: key, status: 'M' }), ...counts });
  }
  // A file that was only touched is listed as modified until the index is refreshed, which a read does not do; it has no
  // counts, which every real modification has, binary ones and those of the mode included.
  return [...found.values()].filter((each) => each.status !== 'M' || each.added !== undefined || each.binary);
}

/** Most files a first page of a patch lists; the patch itself names all of them, and `stat` pages through them. */
const LISTED = 200;

/**
 * The result of an action that shows a patch: `list` makes the file list, `patch` the text, for all paths of the call or
 * only for those given. Both run at once; the patch is made anew only where it holds key material. `folders` are those of
 * the repository the listed paths may be relative to.
 */
export async function patchResult(
  ctx: Ctx,
  repo: Repo,
  key: string,
  input: { stat?: boolean | undefined; limit?: number | undefined; cursor?: string | undefined },
  data: Record<string, unknown>,
  list: Promise<GitOutput>,
  patch: (paths?: readonly string[]) => Promise<GitOutput>,
  folders: readonly string[] = [''],
): Promise<ActionResult> {
  const [listed, everything] = await Promise.all([list, input.stat ? undefined : patch()]);
  const changed = parseFiles(listed.text);
  const sum = (of: 'added' | 'deleted'): number => changed.reduce((total, each) => total + (each[of] ?? 0), 0);
  const totals = { files_changed: changed.length, added: sum('added'), deleted: sum('deleted') };
  if (everything === undefined) {
    const page = listPage(ctx, changed, input.cursor, input.limit ?? 1000, ctx.maxOutput - jsonSize(data));
    return {
      data: { ...data, ...totals, files: page.items },
      ...(page.paging ? { paging: page.paging } : {}),
    };
  }
  const secret = (each: ChangedFile): boolean =>
    [each.path, each.from].some(
      (name) =>
        name !== undefined &&
        folders.some((folder) => ctx.env.access.isSecret(path.join(repo.top ?? '/', folder, name))),
    );
  const withheld = changed.filter(secret).map((each) => each.path);
  const shown = changed
    .filter((each) => !secret(each))
    .flatMap((each) => [each.path, ...(each.from ? [each.from] : [])]);
  const text =
    withheld.length > 0 && shown.length === 0
      ? { text: '', truncated: false }
      : withheld.length > 0
        ? await patch(shown)
        : everything;
  const first = input.cursor === undefined;
  // List and patch share the answer: a short patch leaves its room to the list, a long one half of all.
  const half = Math.max(Math.floor(ctx.maxOutput / 2), ctx.maxOutput - utf8Length(text.text));
  const names = fitting(ctx, withheld, Math.floor(half / 4));
  const listing = first ? fitting(ctx, changed.slice(0, LISTED), half - (names.length > 0 ? jsonSize(names) : 0)) : [];
  const taken = (first ? jsonSize(listing) : 0) + (names.length > 0 ? jsonSize(names) : 0);
  return textPage(
    ctx,
    key,
    text,
    input.cursor,
    {
      ...data,
      ...totals,
      ...(first ? { files: listing } : {}),
      ...(first && changed.length > listing.length ? { files_listed: listing.length } : {}),
      ...(names.length > 0 ? { withheld: names } : {}),
      ...(withheld.length > names.length ? { withheld_total: withheld.length } : {}),
    },
    Math.max(1, ctx.maxOutput - taken),
  );
}

/** What git may take for the ends of a comparison: the word itself, and the two sides of its first dots. */
function ends(given: string): string[] {
  const [, left, right] = /^(.*?)\.{2,3}(.*)$/.exec(given) ?? [];
  return [given, left, right].filter((each) => each !== undefined && each !== '') as string[];
}

export const diff = act({
  summary:
    'changes of the work tree; staged: of the index; target (or ref): against a commit or a range a..b, both: ref against target; stat: counts only',
  effect: 'read',
  input: z.object({
    ...repository,
    ref: revision.optional(),
    target: revision.optional(),
    staged: flag,
    stat: flag,
    file: filePath.optional(),
    files,
    limit,
    cursor,
  }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    const refs: string[] = [];
    if (input.ref !== undefined) refs.push(await checkRange(repo, input.ref, 'ref'));
    if (input.target !== undefined) refs.push(await checkRange(repo, input.target, 'target'));
    if (input.staged && (refs.length > 1 || refs.some((each) => each.includes('..')))) {
      throw new ToolError(
        'INVALID_PARAMS',
        "'staged' compares the index with one commit; leave out 'staged' or one ref",
        {
          param: 'staged',
        },
      );
    }
    if (repo.top === null && refs.length === 0) {
      throw new ToolError('INVALID_PARAMS', `${repo.cwd} has no work tree; give 'target' as a range a..b`, {
        param: 'target',
      });
    }
    const named = await allInTree(ctx, repo, [
      ...(input.file === undefined ? [] : [input.file]),
      ...(input.files ?? []),
    ]);
    const folders = new Set(['']);
    for (const each of refs.flatMap(ends)) folders.add(await allowObject(ctx, repo, each));
    const args = (form: readonly string[], paths: readonly string[]): string[] => [
      'diff',
      ...PATCH,
      ...form,
      ...(input.staged ? ['--cached'] : []),
      '--end-of-options',
      ...refs,
      '--',
      ...specs(paths),
    ];
    const listed = repo.gitAtTop(args(['--raw', '--numstat', '-z', '--no-abbrev'], named));
    const result = await patchResult(
      ctx,
      repo,
      'diff',
      input,
      {},
      listed,
      (paths) => repo.gitAtTop(args(['--patch'], paths ?? named)),
      [...folders],
    );
    if (result.data['files_changed'] === 0) await needKnown(repo, named, 'file');
    return result;
  },
});

export const show = act({
  summary: 'a commit with its patch, a tag, or a file as it was (ref: "HEAD:src/a.ts"); stat: counts only',
  effect: 'read',
  input: z.object({ ...repository, ref, stat: flag, file: filePath.optional(), limit, cursor }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    const given = input.ref ?? 'HEAD';
    const id = await resolve(repo, given, 'ref', 'object');
    await allowObject(ctx, repo, given);
    const type = (await repo.git(['cat-file', '-t', id])).text.trim();
    const data = { ref: given, hash: id, type };
    if (type === 'blob' || type === 'tree') {
      const output = await repo.git(['show', '--no-textconv', '--no-color', '--end-of-options', given, '--']);
      if (type === 'blob' && output.bytes.subarray(0, 8192).includes(0)) {
        return { data: { ...data, binary: true, size: output.bytes.length } };
      }
      return textPage(ctx, 'output', output, input.cursor, data);
    }
    const named = input.file === undefined ? [] : await allInTree(ctx, repo, [input.file], 'file');
    const list = ['--raw', '--numstat', '-z', '--no-abbrev', '--format=', '-m', '--first-parent'];
    const commitId = `${id}^{commit}`;
    const format = '--format=%an%x00%ae%x00%aI%x00%P%x00%B';
    const about = input.stat
      ? await repo.git(['show', '-s', '--no-color', '--encoding=UTF-8', format, '--end-of-options', commitId, '--'], {
          accept: [128],
        })
      : undefined;
    // A tag may also point at a tree or a file, which has no commit to list.
    const listed = repo.gitAtTop(['show', ...PATCH, ...list, '--end-of-options', commitId, '--', ...specs(named)], {
      accept: [128],
    });
    const [author, email, timestamp, parents, message] = about?.text.split('\0') ?? [];
    const commit =
      message === undefined
        ? {}
        : cutTo(
            { author, email, timestamp, parents: parents ? parents.split(' ') : [], message: message.trimEnd() },
            Math.floor(ctx.maxOutput / 2),
          );
    return patchResult(ctx, repo, 'output', input, { ...data, ...commit }, listed, (paths) =>
      repo.gitAtTop(['show', ...PATCH, '--encoding=UTF-8', '--end-of-options', id, '--', ...specs(paths ?? named)]),
    );
  },
});
