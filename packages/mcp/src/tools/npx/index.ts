// npx: runs an npm package's program as an argv, in the table that exec shows.
import { defineTool } from '@hanzo/tool';
import { z } from 'zod';
import { packageArguments, packageName, runPackage } from '../../lib/commands/package.ts';
import { act, type Local } from '../../local.ts';

export const npx = defineTool<Local>({
  name: 'npx',
  title: 'npm packages',
  summary: 'Run an npm package. After two minutes it goes on in the background, under its proc_id.',
  defaultAction: 'run',
  actions: {
    run: act({
      summary: 'Run a package',
      effect: 'execute',
      input: z.strictObject({
        package: packageName,
        args: packageArguments,
        cwd: z.string().optional(),
        yes: z.boolean().default(true).describe('install without asking, default true'),
      }),
      run: (ctx, { package: name, args, cwd, yes }) =>
        runPackage(ctx, ['npx', yes ? '--yes' : '--no', '--', name], args, cwd),
    }),
  },
});
