// rev_parse and describe: what a revision is called.
import { z } from 'zod';
import { act } from '../../local.ts';
import { ref, repository, resolve } from './params.ts';
import { open } from './repo.ts';

export const revParse = act({
  summary: 'the full hash a revision names, its type, and the ref behind it',
  effect: 'read',
  input: z.object({ ...repository, ref }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    const given = input.ref ?? 'HEAD';
    const sha = await resolve(repo, given, 'ref', 'object');
    const [type, name] = await Promise.all([
      repo.git(['cat-file', '-t', sha]),
      repo.git(['rev-parse', '--verify', '--quiet', '--symbolic-full-name', '--end-of-options', given], {
        accept: [1, 128],
      }),
    ]);
    const full = name.text.trim();
    return { data: { ref: given, sha, type: type.text.trim(), ...(full.startsWith('refs/') ? { name: full } : {}) } };
  },
});

export const describe = act({
  summary: 'the nearest tag and the distance to it; the short hash where there is no tag',
  effect: 'read',
  input: z.object({ ...repository, ref }),
  async run(ctx, input) {
    const repo = await open(ctx, input.path, 'read');
    const sha = await resolve(repo, input.ref ?? 'HEAD', 'ref');
    const { text } = await repo.git(['describe', '--tags', '--always', sha]);
    return { data: { ref: input.ref ?? 'HEAD', description: text.trimEnd(), sha } };
  },
});
