// tag: names that stay with one commit.
import { z } from 'zod';
import { act } from '../../local.ts';
import { refName, text } from './names.ts';
import { cutTo, listPage } from './page.ts';
import { confirm, cursor, flag, limit, need, needConfirm, ref, repository, resolve } from './params.ts';
import { open, type Repo } from './repo.ts';

export const tag = act({
  summary: 'list, create name (ref; message makes it annotated), delete name, show name',
  effect: 'write',
  input: z.object({
    ...repository,
    sub_action: z.enum(['list', 'create', 'delete', 'show']).optional(),
    name: refName.optional(),
    ref,
    message: text.optional(),
    force: flag,
    confirm,
    limit,
    cursor,
  }),
  async run(ctx, input) {
    const op = input.sub_action ?? (input.name === undefined ? 'list' : 'create');
    const reading = op === 'list' || op === 'show';
    const repo = await open(ctx, input.path, reading ? 'read' : 'write');
    if (reading) {
      const tags = await listTags(repo, op === 'show' ? need(input.name, 'name', 'tag show') : undefined);
      if (op === 'show')
        return {
          data: cutTo(
            tags[0] ?? (await resolve(repo, `refs/tags/${input.name}`, 'name').then(() => ({}))),
            ctx.maxOutput,
          ),
        };
      const page = listPage(ctx, tags, input.cursor, input.limit ?? 100);
      return { data: { tags: page.items, total: tags.length }, ...(page.paging ? { paging: page.paging } : {}) };
    }
    const name = need(input.name, 'name', `tag ${op}`);
    if (op === 'delete') {
      const hash = await resolve(repo, `refs/tags/${name}`, 'name', 'object');
      await repo.git(['tag', '--delete', '--end-of-options', name], { mode: 'write' });
      return { data: { deleted: name, hash } };
    }
    if (input.force) needConfirm(input.confirm, `tag ${name} would be moved, wherever it is now`);
    const at = await resolve(repo, input.ref ?? 'HEAD', 'ref', 'object');
    await repo.git(
      [
        'tag',
        ...(input.force ? ['--force'] : []),
        ...(input.message === undefined ? [] : ['--annotate', '--cleanup=whitespace', '--file=-']),
        '--end-of-options',
        name,
        at,
      ],
      { mode: 'write', ...(input.message === undefined ? {} : { input: input.message }) },
    );
    return { data: { created: name, hash: at, annotated: input.message !== undefined } };
  },
});

const TAG_FIELDS =
  '%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:iso-strict)%00%(contents:subject)%00%(contents)%00';

async function listTags(repo: Repo, name: string | undefined): Promise<Record<string, unknown>[]> {
  const { text: output } = await repo.git([
    'for-each-ref',
    '--sort=-creatordate',
    `--format=${TAG_FIELDS}`,
    name === undefined ? 'refs/tags/' : `refs/tags/${name}`,
  ]);
  const words = output.split('\0');
  const found: Record<string, unknown>[] = [];
  for (let i = 0; i + 5 < words.length; i += 6) {
    const [each = '', object, target, timestamp, subject, contents = ''] = words.slice(i, i + 6);
    const clean = each.replace(/^\n/, '');
    if (name !== undefined && clean !== name) continue;
    found.push({
      name: clean,
      hash: target || object,
      timestamp,
      annotated: Boolean(target),
      message: name === undefined ? subject : contents.trimEnd(),
    });
  }
  return found;
}
