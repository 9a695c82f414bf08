// remote: the names of other repositories. Everything here is answered from the config; nothing is dialled.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { remoteName, url } from './names.ts';
import { fitting } from './page.ts';
import { need, repository } from './params.ts';
import { open, type Repo } from './repo.ts';
import { redact } from './run.ts';

interface Remote {
  readonly name: string;
  readonly url: string | null;
  /** where it differs from url */
  readonly push_url?: string;
}

/** The remotes of a repository in the order of its config; passwords blotted out. */
export function remotes(repo: Repo): Remote[] {
  const found = new Map<string, { url?: string; push?: string }>();
  for (const { key, value } of repo.config) {
    const [, name, field] = /^remote\.([^]+)\.(url|pushurl|fetch)$/.exec(key) ?? [];
    if (name === undefined) continue;
    const known = found.get(name) ?? {};
    if (field === 'url') known.url ??= value;
    if (field === 'pushurl') known.push ??= value;
    found.set(name, known);
  }
  return [...found].map(([name, { url: fetchUrl, push }]) => ({
    name,
    url: fetchUrl === undefined ? null : redact(fetchUrl),
    ...(push === undefined ? {} : { push_url: redact(push) }),
  }));
}

/** The remote called `name`, or NOT_FOUND naming those there are. */
export function knownRemote(repo: Repo, name: string): Remote {
  const all = remotes(repo);
  const found = all.find((each) => each.name === name);
  if (found) return found;
  const names = all.map((each) => each.name);
  throw new ToolError(
    'NOT_FOUND',
    `'name': there is no remote '${name}' here${names.length > 0 ? `, only ${names.join(', ')}` : ' nor any other; remote add makes one'}`,
    { param: 'name', available: names },
  );
}

export const remote = act({
  summary: 'list, add name url, remove name, show name (its branches as last fetched)',
  effect: 'write',
  input: z.object({
    ...repository,
    sub_action: z.enum(['list', 'add', 'remove', 'show']).optional(),
    name: remoteName.optional(),
    url: url.optional(),
  }),
  async run(ctx, input) {
    const op = input.sub_action ?? 'list';
    const repo = await open(ctx, input.path, op === 'list' || op === 'show' ? 'read' : 'write');
    if (op === 'list') return { data: { remotes: remotes(repo) } };
    const name = need(input.name, 'name', `remote ${op}`);
    if (op === 'add') {
      const place = need(input.url, 'url', 'remote add');
      await repo.git(['remote', 'add', '--end-of-options', name, place], { mode: 'write' });
      return { data: { added: name, url: redact(place) } };
    }
    const known = knownRemote(repo, name);
    if (op === 'remove') {
      await repo.git(['remote', 'remove', '--end-of-options', name], { mode: 'write' });
      return { data: { removed: name, url: known.url } };
    }
    const prefix = `refs/remotes/${name}/`;
    const { text } = await repo.git(['for-each-ref', '--format=%(refname)%00%(objectname)%00%(symref)%00', prefix]);
    const words = text.split('\0');
    const branches: { name: string; hash: string }[] = [];
    let head: string | undefined;
    for (let i = 0; i + 2 < words.length; i += 3) {
      const short = (words[i] as string).replace(/^\n/, '').slice(prefix.length);
      if (words[i + 2]) head = (words[i + 2] as string).slice(prefix.length);
      else branches.push({ name: short, hash: words[i + 1] as string });
    }
    const shownBranches = fitting(ctx, branches);
    return {
      data: { ...known, ...(head === undefined ? {} : { head }), branches: shownBranches, total: branches.length },
    };
  },
});
