// One operation called from a command line: what is sent, what is printed, and the exit code.
import process from 'node:process';
import { ApiError, HanzoError, type Problem, send } from 'hanzoai';
import type { Command } from './command.ts';
import { FailedError, UsageError } from './exit.ts';
import { type Given, inputOf, terminalWidth } from './flags.ts';
import { cleaned, rendered, renderedResult } from './print.ts';
import { configured } from './profiles.ts';

/** Calls the one of the operations that takes as many names. Resolves with the exit code. */
export async function runCommand(commands: readonly Command[], given: Given, args: readonly string[]): Promise<number> {
  const json = given['json'] === true;
  return reported(json, async () => {
    const command = commands.find(({ positionals }) => positionals.length === args.length);
    if (command === undefined) {
      const ways = commands.map(({ words, positionals }) =>
        [words.join(' '), ...positionals.map((each) => each.toUpperCase())].join(' '),
      );
      throw new UsageError(`it is: hanzo ${ways.join(', or: hanzo ')}`);
    }
    const input = await inputOf(command, given, args, process.env);
    const configuration = configured(given['profile'] as string | undefined, process.env);
    const { data } = await send(configuration, command, input);
    if (json) process.stdout.write(data === undefined ? '' : `${JSON.stringify(data, undefined, 2)}\n`);
    else if (command.id === 'post_tool_call')
      process.stdout.write(renderedResult((data as { result?: unknown }).result));
    else process.stdout.write(rendered(data, terminalWidth()));
  });
}

/** Does the work and says on standard error what went wrong: 0 done, 1 refused, 2 to be mended. */
export async function reported(json: boolean, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    const known =
      error instanceof HanzoError ||
      error instanceof UsageError ||
      error instanceof FailedError ||
      error instanceof TypeError;
    if (!known) throw error;
    if (json && error instanceof ApiError) process.stderr.write(`${JSON.stringify(error.problem)}\n`);
    else
      process.stderr.write(
        `hanzo: ${error instanceof ApiError ? sentenceOf(error.problem) : cleaned(error.message)}\n`,
      );
    return error instanceof UsageError ? 2 : 1;
  }
}

/** A problem document as one sentence, with what mends it where that is known. */
function sentenceOf({ status, detail, code, requestId }: Problem): string {
  const sentence = cleaned(detail).replaceAll(/\s+/g, ' ').trim() || `It was refused (${code}).`;
  if (status === 401) return `${sentence} (hanzo login stores a key; HANZO_API_KEY names one)`;
  return status >= 500 && requestId !== undefined ? `${sentence} (request ${cleaned(requestId)})` : sentence;
}
