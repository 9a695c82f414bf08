// worktree: further work trees of one repository.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../lib/path.ts';
import { act } from '../../local.ts';
import { filePath, refName, revision } from './names.ts';
import { confirm, flag, lookUp, need, needConfirm, repository, resolve } from './params.ts';
import { open, type Repo } from './repo.ts';
import { LONG_LIMIT } from './run.ts';

/** Parses `git worktree list --porcelain -z`: attributes end with NUL, a tree with an empty one. The main tree, then by path. */
async function list(repo: Repo): Promise<Record<string, unknown>[]> {
  const ask = ['worktree', 'list', '--porcelain'];
  const modern = await repo.git([...ask, '-z'], { accept: [129] });
  // git before 2.36 has no -z here and ends lines with a line feed.
  const text = modern.code === 0 ? modern.text : (await repo.git(ask)).text.replaceAll('\n', '\0');
  const [main, ...linked] = text
    .split('\0\0')
    .filter(Boolean)
    .map((block) => {
      const tree: Record<string, unknown> = {};
      for (const line of block.split('\0').filter(Boolean)) {
        const cut = line.indexOf(' ');
        const key = cut < 0 ? line : line.slice(0, cut);
        const value = cut < 0 ? true : line.slice(cut + 1);
        if (key === 'worktree') tree['uri'] = toUri(String(value));
        else if (key === 'HEAD') tree['hash'] = value;
        else if (key === 'branch') tree['branch'] = String(value).replace(/^refs\/heads\//, '');
        else if (/^(bare|detached|locked|prunable)$/.test(key)) tree[key] = value;
      }
      return tree;
    });
  linked.sort((a, c) => (String(a['uri']) < String(c['uri']) ? -1 : 1));
  return main === undefined ? [] : [main, ...linked];
}

export const worktree = act({
  summary:
    'list, add folder name showing target (create: as a new branch target), remove name (force: with its changes)',
  effect: 'write',
  input: z.object({
    ...repository,
    sub_action: z.enum(['list', 'add', 'remove']).optional(),
    name: filePath.optional(),
    target: revision.optional(),
    create: flag,
    force: flag,
    confirm,
  }),
  async run(ctx, input) {
    const op = input.sub_action ?? 'list';
    const repo = await open(ctx, input.path, op === 'list' ? 'read' : 'write');
    if (op === 'list') return { data: { worktrees: await list(repo) } };
    const name = need(input.name, 'name', `worktree ${op}`);
    const place = /^(\/|~\/|file:)/i.test(name) ? toPath(name, repo.cwd, 'name') : path.resolve(repo.cwd, name);
    // git follows a link that stands there, so where it leads is what must be writable.
    const real = path.dirname(await ctx.env.access.write(path.join(place, '.git'), 'keep'));
    await ctx.env.access.write(real, 'keep');
    if (op === 'remove') {
      if (input.force) needConfirm(input.confirm, `${real} would be removed with every change in it`);
      await repo.git(['worktree', 'remove', ...(input.force ? ['--force'] : []), '--end-of-options', real], {
        mode: 'write',
      });
      return { data: { removed: toUri(real) } };
    }
    const write = { mode: 'write', timeoutMs: LONG_LIMIT } as const;
    const target = input.target ?? path.basename(real);
    const branch = (await lookUp(repo, `refs/heads/${target}`)) !== undefined;
    if (input.create || (input.target === undefined && !branch)) {
      const bad = refName.safeParse(target).error?.issues[0]?.message;
      if (bad) throw new ToolError('INVALID_PARAMS', `'target': ${bad}`, { param: 'target' });
      await repo.git(['worktree', 'add', '--quiet', '-b', target, '--end-of-options', real], write);
      return { data: { added: toUri(real), branch: target, created: true } };
    }
    const hash = await resolve(repo, target, 'target');
    await repo.git(
      ['worktree', 'add', '--quiet', ...(branch ? [] : ['--detach']), '--end-of-options', real, branch ? target : hash],
      write,
    );
    return { data: { added: toUri(real), ...(branch ? { branch: target } : { detached: true }), hash } };
  },
});
