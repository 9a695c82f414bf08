// fetch, pull, push: the verbs that talk to another repository.
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Ctx } from '../../local.ts';
import { serverProgram } from './guard.ts';
import { moving } from './integrate.ts';
import { badUrl, refName, remoteName } from './names.ts';
import { fitting } from './page.ts';
import { confirm, flag, lookUp, needConfirm, repository, resolve } from './params.ts';
import { allowPlace, localPlace } from './places.ts';
import { knownRemote, remotes } from './remote.ts';
import { open, openTree, type Repo } from './repo.ts';
import { failed, type GitOptions, LONG_LIMIT, redact, tidy } from './run.ts';

const NETWORK: GitOptions = { mode: 'write', timeoutMs: LONG_LIMIT };

/** A remote on this machine is a folder like any other: it is read, or written, under the same rules. */
async function allow(ctx: Ctx, repo: Repo, name: string, effect: 'read' | 'write'): Promise<void> {
  const { text } = await repo.git([
    'remote',
    'get-url',
    ...(effect === 'write' ? ['--push'] : []),
    '--all',
    '--end-of-options',
    name,
  ]);
  for (const place of text.split('\n').filter(Boolean)) {
    const local = localPlace(place, repo.top ?? repo.gitDir);
    if (local === undefined) {
      const why = badUrl(place);
      if (why)
        throw new ToolError('PERMISSION_DENIED', `remote '${name}' is not used: its url ${redact(why)}`, {
          param: 'name',
        });
    } else await allowPlace(ctx, local, effect);
  }
}

/** What the remotes had when last asked: refs and tags with their hashes. */
async function snapshot(repo: Repo): Promise<Map<string, string>> {
  const format = '--format=%(refname)%00%(objectname)%00%(symref)';
  const { text } = await repo.git(['for-each-ref', format, 'refs/remotes/', 'refs/tags/']);
  const found = new Map<string, string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [name, hash, symbolic] = line.split('\0') as [string, string, string];
    // origin/HEAD only says where another one is.
    if (symbolic === '') found.set(name, hash);
  }
  return found;
}

export const fetch = act({
  summary: 'downloads from remote name (default: all), only branch target; force: also drops branches gone there',
  effect: 'network',
  destructive: false,
  input: z.object({ ...repository, name: remoteName.optional(), target: refName.optional(), force: flag }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'write');
    const names =
      input.name === undefined ? remotes(repo).map((each) => each.name) : [knownRemote(repo, input.name).name];
    if (names.length === 0) {
      throw new ToolError('NOT_FOUND', 'this repository has no remote; remote add makes one', {});
    }
    for (const name of names) await allow(ctx, repo, name, 'read');
    if (input.target !== undefined && names.length > 1) {
      throw new ToolError('INVALID_PARAMS', `'target' needs 'name', one of ${names.join(', ')}`, { param: 'name' });
    }
    const before = await snapshot(repo);
    const what = input.target === undefined ? [] : [`refs/heads/${input.target}`];
    for (const name of names) {
      const options = [...(input.force ? ['--prune'] : []), ...serverProgram(repo.config, name, 'upload-pack')];
      await repo.git(
        ['fetch', '--quiet', '--no-recurse-submodules', ...options, '--end-of-options', name, ...what],
        NETWORK,
      );
    }
    const after = await snapshot(repo);
    const updated = [...after]
      .filter(([name, hash]) => before.get(name) !== hash)
      .map(([name, hash]) => ({ ref: name, from: before.get(name) ?? null, to: hash }));
    const gone = [...before.keys()].filter((name) => !after.has(name));
    return {
      data: {
        remotes: names,
        updated: fitting(ctx, updated.slice(0, 200), Math.floor(ctx.maxOutput / 2)),
        updated_total: updated.length,
        ...(gone.length > 0
          ? { pruned: fitting(ctx, gone.slice(0, 200), Math.floor(ctx.maxOutput / 2)), pruned_total: gone.length }
          : {}),
      },
    };
  },
});

export const pull = act({
  summary:
    'fetches and brings the upstream (or target of remote name) into the current branch; rebase: true or false says how',
  effect: 'network',
  destructive: false,
  input: z.object({ ...repository, name: remoteName.optional(), target: refName.optional(), rebase: flag }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, 'write');
    const current = await repo.git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1, 128] });
    const branch = current.code === 0 ? current.text.trimEnd() : undefined;
    const followed = repo.config.findLast((each) => each.key === `branch.${branch}.remote`)?.value;
    const name = input.name ?? (followed && followed !== '.' ? followed : 'origin');
    if (followed !== '.' || input.name !== undefined) await allow(ctx, repo, knownRemote(repo, name).name, 'read');
    const target = input.target ?? (input.name === undefined && followed !== undefined ? undefined : branch);
    if (target === undefined && followed === undefined) {
      throw new ToolError(
        'INVALID_PARAMS',
        "HEAD is detached, so it has no upstream; give 'target', the branch to pull",
        {
          param: 'target',
        },
      );
    }
    const how = [
      ...(input.rebase === undefined ? [] : [input.rebase ? '--rebase' : '--no-rebase']),
      ...serverProgram(repo.config, name, 'upload-pack'),
    ];
    const what = target === undefined ? [] : ['--end-of-options', name, `refs/heads/${target}`];
    try {
      return {
        data: await moving(repo, 'pull', ['pull', '--quiet', '--no-edit', '--no-recurse-submodules', ...how, ...what]),
      };
    } catch (error) {
      if (error instanceof ToolError && /reconcile divergent/.test(error.message)) {
        throw new ToolError(
          'CONFLICT',
          'both sides have commits the other lacks; say rebase: true, or rebase: false for a merge',
          {
            param: 'rebase',
          },
        );
      }
      throw error;
    }
  },
});

const FLAGS: ReadonlyMap<string, string> = new Map([
  [' ', 'updated'],
  ['+', 'forced'],
  ['-', 'deleted'],
  ['*', 'new'],
  ['!', 'rejected'],
  ['=', 'up_to_date'],
]);

export const push = act({
  summary:
    'uploads the current branch, or branch or tag target, or all, to remote name (default origin); force: with lease',
  effect: 'network',
  input: z.object({
    ...repository,
    name: remoteName.optional(),
    target: refName.optional(),
    all: flag,
    force: flag,
    confirm,
  }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'write');
    const current = await repo.git(['symbolic-ref', '--quiet', '--short', 'HEAD'], { accept: [1, 128] });
    const branch = current.code === 0 ? current.text.trimEnd() : undefined;
    const set = (key: string): string | undefined => repo.config.findLast((each) => each.key === key)?.value;
    const followed = branch === undefined ? undefined : set(`branch.${branch}.remote`);
    const name = knownRemote(repo, input.name ?? (followed && followed !== '.' ? followed : 'origin')).name;
    await allow(ctx, repo, name, 'write');
    const target = input.target ?? branch;
    if (!input.all && target === undefined) {
      throw new ToolError('INVALID_PARAMS', "HEAD is detached; give 'target', the branch or tag to push", {
        param: 'target',
      });
    }
    if (input.force) needConfirm(input.confirm, `push --force would replace what ${name} has`);
    const what = input.all ? ['--all'] : [];
    const spec: string[] = [];
    let upstream = false;
    if (!input.all && target !== undefined) {
      const isBranch = (await lookUp(repo, `refs/heads/${target}`)) !== undefined;
      const full = isBranch ? `refs/heads/${target}` : `refs/tags/${target}`;
      if (!isBranch && (await lookUp(repo, full, 'object')) === undefined)
        await resolve(repo, target === branch ? 'HEAD' : target, 'target').then(() => {
          throw new ToolError('INVALID_PARAMS', `'target': '${target}' is neither a branch nor a tag`, {
            param: 'target',
          });
        });
      upstream = isBranch && set(`branch.${target}.remote`) === undefined;
      spec.push(`${full}:${full}`);
    }
    const done = await repo.git(
      [
        'push',
        '--porcelain',
        '--no-recurse-submodules',
        ...what,
        ...(upstream ? ['--set-upstream'] : []),
        ...(input.force ? ['--force-with-lease'] : []),
        ...serverProgram(repo.config, name, 'receive-pack'),
        '--end-of-options',
        name,
        ...spec,
      ],
      { ...NETWORK, accept: [1] },
    );
    const refs = done.text.split('\n').flatMap((line) => {
      const [, mark, from, to, summary] = /^([ +\-*!=])\t([^\t]*?):([^\t]*)\t(.*)$/.exec(line) ?? [];
      return mark === undefined
        ? []
        : [{ ref: to, from, status: FLAGS.get(mark) ?? mark, summary: tidy(summary as string) }];
    });
    const rejected = refs.filter((each) => each.status === 'rejected');
    if (done.code !== 0) {
      if (rejected.length === 0) throw failed('push', done.code, done.said, done.text);
      const why = rejected.map((each) => `${each.ref} ${each.summary}`).join('; ');
      const mend = /fetch first|non-fast-forward|stale info/.test(why)
        ? '; pull first, or force with confirm if what is there may go'
        : '';
      throw new ToolError('CONFLICT', `${name} refused: ${why}${mend}`, {
        rejected,
        ...(done.said ? { git: shorten(done.said, 2000) } : {}),
      });
    }
    return {
      data: {
        remote: name,
        pushed: fitting(ctx, refs.slice(0, 200)),
        pushed_total: refs.length,
        ...(upstream ? { upstream_set: true } : {}),
      },
    };
  },
});
