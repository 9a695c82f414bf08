// The actions that do something to a process: exec, write, kill.
import { constants } from 'node:os';
import { shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { judged, runCommand, state } from '../../lib/commands/answer.ts';
import { directory } from '../../lib/commands/directory.ts';
import { judge, refusal } from '../../lib/commands/verdict.ts';
import { joinWords } from '../../lib/commands/words.ts';
import type { Proc } from '../../lib/processes/proc.ts';
import { lookSoon } from '../../lib/processes/scan.ts';
import { findProgram } from '../../lib/program.ts';
import { act, type Ctx } from '../../local.ts';
import { whole } from './params.ts';

/** Longest wait of one call, in milliseconds. */
export const MAX_WAIT = 3_600_000;
/** Longest single argument of a new process (Linux, MAX_ARG_STRLEN, less the final NUL). */
const MAX_COMMAND = 131_071;

/** Any text names a process or none; only a new name has to be a good one. */
export const procId = z.string();

function checkName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  const message = "'proc_id': a new name is 1 to 64 letters, digits, dots, dashes or underscores";
  throw new ToolError('INVALID_PARAMS', message, { param: 'proc_id' });
}

function checkEnvironment(env: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(env)) {
    const wrong = /^[^=\0]+$/.test(name)
      ? value.includes('\0')
        ? 'a value holds a NUL byte'
        : ''
      : 'a name is empty, or holds = or a NUL byte';
    if (wrong !== '')
      throw new ToolError('INVALID_PARAMS', `'env': ${wrong} (${JSON.stringify(shorten(name))})`, { param: 'env' });
  }
  return env;
}

/** A text, or an argv, which becomes the text that runs exactly these words. */
const commandText = z.preprocess(
  (value) => (Array.isArray(value) && value.every((each) => typeof each === 'string') ? joinWords(value) : value),
  z.string(),
);

export const exec = act({
  summary: 'Run a shell command; after timeout it goes on in the background',
  effect: 'execute',
  input: z.strictObject({
    command: commandText,
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    timeout: whole(0, MAX_WAIT).default(30_000).describe('ms, default 30000'),
    background: z.boolean().optional(),
    proc_id: procId.optional(),
    stdin: z.boolean().optional().describe('keep open for write'),
    input: z.string().optional(),
  }),
  async run(ctx, { command, cwd, env, timeout, background, proc_id, stdin, input }) {
    if (command.trim() === '') throw new ToolError('INVALID_PARAMS', "'command': is empty", { param: 'command' });
    if (command.includes('\0'))
      throw new ToolError('INVALID_PARAMS', "'command': holds a NUL byte", { param: 'command' });
    if (Buffer.byteLength(command) > MAX_COMMAND) {
      const message = `'command': longer than the ${MAX_COMMAND} bytes the system takes; write a script file and run that`;
      throw new ToolError('INVALID_PARAMS', message, { param: 'command' });
    }
    const shell = findProgram('bash') ?? '/bin/sh';
    return runCommand(ctx, {
      argv: [shell, '-c', '--', command],
      command,
      cwd: await directory(ctx, cwd),
      timeoutMs: background ? 0 : timeout,
      ...(env ? { env: checkEnvironment(env) } : {}),
      ...(proc_id === undefined ? {} : { id: checkName(proc_id) }),
      ...(stdin ? { stdin } : {}),
      ...(input === undefined ? {} : { input }),
    });
  },
});

/** What was written to each process, as far as a shell that reads it could still run it. */
const written = new WeakMap<Proc, string>();
const MOST_WRITTEN = 50_000;

/** A shell that waits for its input is no way around the verdict: what it is sent is judged as what it reads. */
async function judgeInput(ctx: Ctx, proc: Proc, input: string): Promise<void> {
  const { access, classify } = ctx.env;
  const text = `${written.get(proc) ?? ''}${input}`.slice(-MOST_WRITTEN);
  const { command, cwd } = proc;
  const verdict = await judge(classify, { command, cwd, roots: access.roots(), stdin: { text } });
  const refused = refusal(verdict);
  if (refused) throw refused;
  written.set(proc, text);
}

export const write = act({
  summary: 'Send text to the standard input of a process',
  effect: 'execute',
  input: z.strictObject({
    proc_id: procId,
    input: z.string(),
    eof: z.boolean().optional(),
  }),
  async run(ctx, { proc_id, input, eof }) {
    const proc = ctx.env.processes.get(proc_id);
    await judgeInput(ctx, proc, input);
    await proc.write(input, eof ?? false);
    return { data: { ...state(proc), written: Buffer.byteLength(input), ...(eof ? { eof } : {}), ...judged(proc) } };
  },
});

export const kill = act({
  summary: 'End a process and all it started, or send it a signal',
  effect: 'execute',
  input: z.strictObject({
    proc_id: procId,
    signal: z.string().optional(),
  }),
  async run(ctx, { proc_id, signal }) {
    const proc = ctx.env.processes.get(proc_id);
    const name = signalName(signal ?? 'SIGTERM');
    const killed = proc.alive(await lookSoon()) > 0;
    const survivors = await ctx.env.processes.kill(proc_id, name);
    return {
      data: {
        ...state(proc),
        killed,
        signal: name,
        ...(killed ? {} : { message: 'it had ended already' }),
        ...(survivors.length > 0 ? { survivors } : {}),
        ...judged(proc),
      },
    };
  },
});

/** A signal by name, with or without SIG, or by number. */
function signalName(given: string): NodeJS.Signals {
  const wanted = given.toUpperCase();
  const entries = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  const found = entries.find(
    ([name, number]) => name === wanted || name === `SIG${wanted}` || String(number) === wanted,
  );
  if (found) return found[0];
  throw new ToolError('INVALID_PARAMS', `'signal': '${shorten(given)}' is none; for example SIGTERM, SIGINT, SIGKILL`, {
    param: 'signal',
  });
}
