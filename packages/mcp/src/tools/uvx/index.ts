// uvx: runs a Python package's program as an argv, in the table that exec shows.
import { defineTool } from '@hanzo/tool';
import { z } from 'zod';
import { act, type Local } from '../../local.ts';
import { packageArguments, packageName, runPackage } from '../../lib/commands/package.ts';

export const uvx = defineTool<Local>({
  name: 'uvx',
  title: 'Python packages',
  summary: 'Run a Python package. After two minutes it goes on in the background, under its proc_id.',
  defaultAction: 'run',
  actions: {
    run: act({
      summary: 'Run a package',
      effect: 'execute',
      input: z.strictObject({
        package: packageName,
        args: packageArguments,
        cwd: z.string().optional(),
        python: z
          .string()
          .regex(/^[^-\s\0][^\s\0]*$/, 'a version or an interpreter, such as 3.12')
          .optional()
          .describe('version'),
      }),
      run: (ctx, { package: name, args, cwd, python }) =>
        runPackage(ctx, ['uvx', ...(python ? ['--python', python] : []), '--', name], args, cwd),
    }),
  },
});
