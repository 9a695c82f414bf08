// apply: a patch from the caller, all of it or nothing.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { act } from '../../local.ts';
import { parseFiles } from './diff.ts';
import { fitting } from './page.ts';
import { flag, repository } from './params.ts';
import { openTree } from './repo.ts';

export const apply = act({
  summary:
    'applies patch (paths from the top of the work tree), all or nothing; check: only tries; staged: to the index too',
  effect: 'write',
  input: z.object({ ...repository, patch: z.string(), check: flag, staged: flag }),
  async run(ctx, input) {
    const repo = await openTree(ctx, input.path, input.check ? 'read' : 'write');
    if (input.patch.trim() === '') throw new ToolError('INVALID_PARAMS', "'patch' is empty", { param: 'patch' });
    // Models drop the last line end more often than they mean to, and git calls such a patch corrupt.
    const patch = input.patch.endsWith('\n') ? input.patch : `${input.patch}\n`;
    const run = async (form: readonly string[], mode: 'read' | 'write'): Promise<string> => {
      const done = await repo.gitAtTop(['apply', '--whitespace=nowarn', ...form, '-'], {
        mode,
        input: patch,
        accept: [1, 128],
      });
      if (done.code === 0) return done.text;
      const broken =
        /no valid patches|corrupt patch|unrecognized input|malformed|invalid path|patch fragment|garbage|lacks filename|No such file or directory.*patch/i.test(
          done.said,
        );
      throw new ToolError(
        broken ? 'INVALID_PARAMS' : 'CONFLICT',
        `the patch was not applied: ${done.said.replaceAll(/^error: /gm, '')}`,
        {
          exit_code: done.code,
        },
      );
    };
    const files = parseFiles(await run(['--numstat', '-z'], 'read')).map((each) => ({
      path: each.path,
      ...(each.binary ? { binary: true } : { added: each.added, deleted: each.deleted }),
    }));
    // A file that is renamed or copied, however the patch says it, is listed under its new name; turned round, under its old.
    const sources = parseFiles(await run(['--numstat', '-z', '--reverse'], 'read'));
    for (const each of [...files, ...sources].map((file) => file.path)) {
      const file = path.join(repo.top, each);
      if (ctx.env.access.isSecret(file)) await ctx.env.access.read(file);
    }
    // Against the index git compares what it noted of each file, which a mere touch puts out of date.
    if (input.staged && !input.check)
      await repo.gitAtTop(['update-index', '-q', '--refresh'], { mode: 'write', accept: [1] });
    await run(
      [...(input.check ? ['--check'] : []), ...(input.staged ? ['--index'] : [])],
      input.check ? 'read' : 'write',
    );
    return {
      data: {
        applied: !input.check,
        clean: true,
        files: fitting(ctx, files.slice(0, 200)),
        files_changed: files.length,
      },
    };
  },
});
