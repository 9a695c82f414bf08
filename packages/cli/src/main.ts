// From a command line to an exit code, by the routes of the program.
import process from 'node:process';
import { type CommandContext, proposeCompletions, run } from '@stricli/core';
import { type Outcome, program } from './program.ts';

const COMMON = /^(?:--json|--profile(?:=.*)?)$/;

export async function main(first: string | undefined, rest: readonly string[]): Promise<number> {
  const outcome: Outcome = {};
  // a copy, because the library sets an exit code of its own there
  const own: CommandContext['process'] & { exitCode?: number | string | null } = {
    stdout: process.stdout,
    // what the library finds wrong with a command line is said as everything else is
    stderr: { write: (text) => void process.stderr.write(`hanzo: ${text.trimEnd()}\n`) },
  };
  if (first === '__complete') {
    const found = await proposeCompletions(program(outcome), rest, { process: own });
    process.stdout.write(found.map(({ completion }) => `${completion}\n`).join(''));
    return 0;
  }
  await run(program(outcome), first === undefined ? ['--help'] : moved([first, ...rest]), { process: own });
  // the library's own codes all say that the command line is to be mended
  return outcome.code ?? (own.exitCode === 0 ? 0 : 2);
}

/** Common flags may stand before the words too; the routes want them behind. */
function moved(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (at < argv.length && COMMON.test(argv[at] as string)) at += argv[at] === '--profile' ? 2 : 1;
  const end = argv.indexOf('--', at);
  const cut = end < 0 ? argv.length : end;
  return [...argv.slice(at, cut), ...argv.slice(0, at), ...argv.slice(cut)];
}
