// What npx and uvx have in common: a package's name, its arguments, and the run.
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { runCommand } from './answer.ts';
import type { CommandContext } from './context.ts';
import { directory } from './directory.ts';
import { joinWords, splitWords } from './words.ts';

/** Milliseconds after which a package goes on in the background (contract, local core tools 5.15). */
const FOREGROUND = 120_000;

/** A package as its runner names it; never something the runner would take for an option. */
export const packageName = z
  .string()
  .regex(
    /^[^-\s\0][^\s\0]*$/,
    'a package name such as cowsay or cowsay@1.6.0; it does not begin with - and has no blanks',
  );

/** A line of words, quoted as in a shell, or the words themselves. */
export const packageArguments = z.preprocess((value) => {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? joinWords(value) : value;
}, z.string().default('').describe('quoted as in a shell'));

/** Runs `head` and the words of `args` as one argv. */
export async function runPackage(
  ctx: CommandContext,
  head: readonly string[],
  args: string,
  cwd: string | undefined,
): Promise<ActionResult> {
  const argv = [...head, ...splitWords(args, 'args')];
  if (argv.some((word) => word.includes('\0'))) {
    throw new ToolError('INVALID_PARAMS', "'args': holds a NUL byte", { param: 'args' });
  }
  return runCommand(ctx, { argv, command: joinWords(argv), cwd: await directory(ctx, cwd), timeoutMs: FOREGROUND });
}
