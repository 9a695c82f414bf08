// open: a web page in the desktop's browser.
import { spawn } from 'node:child_process';
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { childEnv } from '../../lib/processes/env.ts';
import { findProgram } from '../../lib/program.ts';
import { act } from '../../local.ts';
import { url } from './params.ts';

/** How long an opener may take before it is taken for the browser itself, in milliseconds. */
const PATIENCE_MS = 3000;

/** Programs that open a URL, by platform, in the order they are tried. */
const OPENERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [['open']],
  win32: [['rundll32', 'url.dll,FileProtocolHandler']],
  other: [['xdg-open'], ['wslview'], ['gio', 'open']],
};

export const open = act({
  summary: "Opens an http(s) URL in the desktop's browser.",
  input: z.object({ url }),
  effect: 'execute',
  destructive: false,
  async run(_ctx, input) {
    const target = URL.parse(input.url);
    if (!target || (target.protocol !== 'http:' && target.protocol !== 'https:')) {
      throw new ToolError(
        'INVALID_PARAMS',
        `'${shorten(input.url, 200)}' is not an http:// or https:// URL; nothing else is opened`,
        { param: 'url' },
      );
    }
    if (target.username !== '' || target.password !== '') {
      throw new ToolError('INVALID_PARAMS', 'the URL holds a user name or password; leave it out', { param: 'url' });
    }
    const env = childEnv();
    const openers = OPENERS[process.platform] ?? OPENERS['other'] ?? [];
    for (const [name = '', ...args] of openers) {
      const program = findProgram(name, env['PATH']);
      if (program === undefined) continue;
      await start(program, [...args, target.href], env);
      return { data: { url: target.href, opened: true, program: name } };
    }
    const names = openers.map(([name]) => name).join(', ');
    throw new ToolError(
      'NOT_FOUND',
      `no program here opens a browser (looked for ${names}); install xdg-utils, or read the page with fetch`,
      {
        program: openers[0]?.[0],
      },
    );
  },
});

/** Starts an opener by argv, with no shell to read the URL. It lives on by itself: it is the user's browser. */
async function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const patience = setTimeout(resolve, PATIENCE_MS);
  child.once('error', (error) =>
    reject(new ToolError('INTERNAL_ERROR', `${program} could not be started: ${error.message}`, { program })),
  );
  child.once('exit', (code) => {
    if (code === 0 || code === null) resolve();
    else
      reject(new ToolError('EXIT', `${program} ended with ${code}; is there a desktop?`, { program, exit_code: code }));
  });
  try {
    await promise;
  } finally {
    clearTimeout(patience);
    child.unref();
  }
}
