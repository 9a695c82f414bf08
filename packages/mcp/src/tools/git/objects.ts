// Which objects may be shown: git gives a file's content under many names, and what is refused by its path is so by each.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { lookUp } from './params.ts';
import type { Repo } from './repo.ts';

/** Most commits that are looked through for the paths of one object. */
const MOST_COMMITS = 50;

/** The path in a revision such as `HEAD:a`, `:0:a` or `@{2026-01-01 10:00}:a`; undefined where it names none (object-name.c). */
export function pathOf(revision: string): string | undefined {
  if (revision.startsWith(':/')) return undefined;
  if (revision.startsWith(':')) return revision.replace(/^:([0-3]:)?/, '');
  let depth = 0;
  for (let i = 0; i < revision.length; i++) {
    const each = revision[i];
    if (each === '{') depth += 1;
    else if (each === '}' && depth > 0) depth -= 1;
    else if (each === ':' && depth === 0) return revision.slice(i + 1);
  }
  return undefined;
}

/** The same relative to the top of the work tree, from which git counts unless the path begins with a dot. */
function fromTop(repo: Repo, named: string): string {
  const top = repo.top ?? '/';
  return path.relative(top, path.resolve(/^\.{1,2}(\/|$)/.test(named) ? repo.cwd : top, named));
}

/**
 * Asks whether what `revision` names may be shown. Of a file PERMISSION_DENIED if it is key material by its path or,
 * where a hash or a tag names it, by every path it has. Gives the folder of the repository the object is, '' for a whole
 * one, for what is listed relative to it.
 */
export async function allowObject(ctx: Ctx, repo: Repo, revision: string): Promise<string> {
  const given = revision.replace(/^\^/, '');
  // What follows a colon is a path to its end, so only without one does this mean a commit.
  if (!given.includes(':') && (await lookUp(repo, given)) !== undefined) return '';
  const id = await lookUp(repo, given, 'object');
  const peeled = id === undefined ? undefined : await peel(repo, id);
  if (peeled === undefined) return '';
  const type = (await repo.git(['cat-file', '-t', peeled])).text.trim();
  if (type !== 'blob' && type !== 'tree') return '';
  const named = pathOf(given);
  if (named !== undefined) {
    const file = fromTop(repo, named);
    const real = path.join(repo.top ?? '/', file);
    if (type === 'blob' && ctx.env.access.isSecret(real)) await ctx.env.access.read(real);
    return type === 'tree' ? file : '';
  }
  if (type === 'tree') {
    if (await isWhole(repo, given, peeled)) return '';
    throw new ToolError('PERMISSION_DENIED', `'${given}' does not say which folder it is; write commit:folder`, {
      ref: given,
    });
  }
  const paths = await pathsOf(repo, peeled);
  const open = paths.find((each) => !ctx.env.access.isSecret(path.join(repo.top ?? '/', each)));
  if (open !== undefined) return '';
  const first = paths[0];
  if (first !== undefined) await ctx.env.access.read(path.join(repo.top ?? '/', first));
  throw new ToolError(
    'PERMISSION_DENIED',
    `'${given}' is a file of no commit, and without its path it cannot be told whether it holds key material; write commit:path`,
    { ref: given },
  );
}

/** What an annotated tag finally points at; any other object itself. */
async function peel(repo: Repo, id: string): Promise<string> {
  return (await repo.git(['rev-parse', '--verify', '--end-of-options', `${id}^{}`])).text.trim();
}

/** True for the tree of a whole commit and for the empty one. */
async function isWhole(repo: Repo, given: string, tree: string): Promise<boolean> {
  const [, commit] = /^(.*)\^\{tree\}$/.exec(given) ?? [];
  if (commit !== undefined && (await lookUp(repo, commit)) !== undefined) return true;
  return (await repo.git(['ls-tree', '--name-only', tree])).text === '';
}

/** The paths an object has in the index and in the history of all refs. */
async function pathsOf(repo: Repo, id: string): Promise<string[]> {
  const [staged, history] = await Promise.all([
    repo.gitAtTop(['ls-files', '--stage', '-z'], { accept: [128] }),
    repo.gitAtTop([
      'log',
      '--all',
      '--reflog',
      '-m',
      '--root',
      '--no-renames',
      '--raw',
      '--no-abbrev',
      '-z',
      '--format=',
      `--max-count=${MOST_COMMITS}`,
      `--find-object=${id}`,
      '--',
    ]),
  ]);
  const found = new Set<string>();
  for (const entry of staged.text.split('\0')) {
    const [, object, name] = /^\d+ ([0-9a-f]+) \d\t([^]*)$/.exec(entry) ?? [];
    if (object === id) found.add(name as string);
  }
  const words = history.text.split('\0');
  for (let i = 0; i + 1 < words.length; i++) {
    const [, before, after] = /^\n*:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*$/.exec(words[i] as string) ?? [];
    if (before === undefined) continue;
    const name = words[++i] as string;
    if (before === id || after === id) found.add(name);
  }
  return [...found];
}
