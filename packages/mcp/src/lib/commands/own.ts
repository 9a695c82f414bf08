// A command of the caller that another program starts: judged like one that exec starts, and confined like it.
import type { CommandContext } from './context.ts';
import { judge, refusal } from './verdict.ts';
import { joinWords } from './words.ts';

/** The argv to hand to the program that starts it in `cwd`. PERMISSION_DENIED where it is denied. */
export async function ownCommand(
  ctx: CommandContext,
  cwd: string,
  argv: readonly string[],
): Promise<readonly string[]> {
  const { access, classify, sandbox } = ctx.env;
  const command = joinWords(argv);
  const refused = refusal(await judge(classify, { command, cwd, roots: access.roots() }), command);
  if (refused) throw refused;
  const wrap = (await sandbox?.confine(cwd))?.wrap;
  return wrap ? wrap(argv) : argv;
}
