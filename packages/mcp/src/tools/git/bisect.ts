// bisect: finding the commit that broke something, by halves.
import { ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { ownCommand } from '../../lib/commands/own.ts';
import { act } from '../../local.ts';
import { headNow } from './branch.ts';
import { revision, text } from './names.ts';
import { textPage } from './page.ts';
import { cursor, need, ref, repository, resolve } from './params.ts';
import { openTree } from './repo.ts';
import { LONG_LIMIT } from './run.ts';
import { operation } from './status.ts';

/**
 * The words of a plain command: blanks separate, quotes hold together. Nothing is expanded and no shell reads it, so
 * whatever only a shell could honour is refused.
 */
export function words(command: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let i = 0; i < command.length; i++) {
    const each = command[i] as string;
    if (quote !== undefined) {
      if (each === quote) quote = undefined;
      else if (quote === '"' && (each === '$' || each === '`')) throw needsShell(each);
      else if (quote === '"' && each === '\\' && /["\\]/.test(command[i + 1] ?? '')) word += command[++i] as string;
      else word += each;
    } else if (each === "'" || each === '"') {
      quote = each;
      word ??= '';
    } else if (/\s/.test(each)) {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else if (/[;&|<>()$`\\*?[\]{}~#!]/.test(each)) throw needsShell(each);
    else word = (word ?? '') + each;
  }
  if (quote !== undefined)
    throw new ToolError('INVALID_PARAMS', `'value': the quote ${quote} is not closed`, { param: 'value' });
  if (word !== undefined) found.push(word);
  if (found.length === 0)
    throw new ToolError('INVALID_PARAMS', "'value' is blank; give the test command", { param: 'value' });
  return found;
}

function needsShell(character: string): ToolError {
  return new ToolError(
    'INVALID_PARAMS',
    `'value' is run without a shell, so ${character} has no meaning in it; put the commands into a script and run that, or quote the character`,
    { param: 'value' },
  );
}

export const bisect = act({
  summary: 'start (ref bad, target good), good, bad, skip (ref), run (value: test command, no shell), log, reset',
  effect: 'execute',
  destructive: false,
  input: z.object({
    ...repository,
    sub_action: z.enum(['start', 'good', 'bad', 'skip', 'run', 'log', 'reset']).optional(),
    ref,
    target: revision.optional(),
    value: text.optional(),
    cursor,
  }),
  async run(ctx, input) {
    const op = input.sub_action ?? 'log';
    const repo = await openTree(ctx, input.path, op === 'log' ? 'read' : 'write');
    const running = (await operation(repo)) === 'bisect';
    if (op !== 'start' && !running) {
      throw new ToolError('CONFLICT', 'no bisect is in progress; begin with sub_action start', {});
    }
    if (op === 'log') return textPage(ctx, 'output', await repo.gitAtTop(['bisect', 'log']), input.cursor, {});
    const args: string[] = ['bisect', op];
    if (op === 'start') {
      if (running) throw new ToolError('CONFLICT', 'a bisect is in progress; end it with sub_action reset', {});
      if (input.target !== undefined && input.ref === undefined) args.push(await resolve(repo, 'HEAD', 'ref'));
      if (input.ref !== undefined) args.push(await resolve(repo, input.ref, 'ref'));
      if (input.target !== undefined) args.push(await resolve(repo, input.target, 'target'));
      args.push('--');
    } else if (op === 'run') {
      const argv = words(need(input.value, 'value', 'bisect run'));
      args.push(...(await ownCommand(ctx, repo.top ?? repo.cwd, argv)));
    } else if (op !== 'reset' && input.ref !== undefined) args.push(await resolve(repo, input.ref, 'ref'));
    const done = await repo.gitAtTop(args, { mode: 'write', timeoutMs: LONG_LIMIT });
    const first = /^([0-9a-f]{40,64}) is the first bad commit/m.exec(done.text)?.[1];
    return textPage(ctx, 'output', done, input.cursor, {
      ...(await headNow(repo)),
      ...(first === undefined ? {} : { first_bad: first }),
    });
  },
});
