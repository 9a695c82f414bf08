// Running a command for a caller: judged, started, waited for up to the foreground limit, answered. Shared by exec, npx and uvx.
import { type ActionResult, ToolError } from '@hanzo/tool';
import type { Proc, StartRequest } from '../processes/proc.ts';
import type { Snapshot } from '../processes/scan.ts';
import { waitFor } from '../processes/wait.ts';
import type { CommandContext } from './context.ts';
import { showBoth } from './output.ts';
import { brief, judge, refusal } from './verdict.ts';

/** Milliseconds between two signs of life to the client, so that nothing on the way takes a long call for a dead one. */
const SIGN_OF_LIFE = 5000;

/** What is run, in the words a person would type. */
export interface Order extends StartRequest {
  readonly command: string;
  /** foreground limit in milliseconds; 0: in the background at once */
  readonly timeoutMs: number;
}

/**
 * Runs a command. Resolves with its output when it ends well, or with `status: running` when it goes on in the background. Throws EXIT,
 * with the same data, for an exit code other than 0; PERMISSION_DENIED for a denied command.
 */
export async function runCommand(ctx: CommandContext, order: Order): Promise<ActionResult> {
  const { access, classify, processes, sandbox } = ctx.env;
  const { command, cwd, env, input } = order;
  const stdin = order.stdin ? 'unknown' : input === undefined ? undefined : { text: input };
  const verdict = await judge(classify, {
    command,
    cwd,
    roots: access.roots(),
    ...(env ? { env } : {}),
    ...(stdin ? { stdin } : {}),
  });
  const refused = refusal(verdict, command);
  if (refused) throw refused;
  const confined = await sandbox?.confine(cwd);
  const proc = await processes.start({
    ...order,
    verdict: verdict && brief(verdict, command),
    ...(confined ? { sandbox: confined.name } : {}),
    ...(confined?.wrap ? { wrap: confined.wrap } : {}),
  });
  if (order.timeoutMs > 0) await foreground(ctx, proc, order.timeoutMs);
  const shown = answer(ctx, proc);
  const result =
    confined?.note === undefined ? shown : { ...shown, data: { ...shown.data, sandbox_note: confined.note } };
  if (proc.ended && proc.ended.exitCode !== 0) throw exitError(proc, result);
  return result;
}

async function foreground(ctx: CommandContext, proc: Proc, timeoutMs: number): Promise<void> {
  const sign = setInterval(
    () => ctx.progress({ progress: Math.round(proc.runningFor / 1000), message: `${proc.id} is running` }),
    SIGN_OF_LIFE,
  );
  try {
    await waitFor(proc, { timeoutMs, signal: ctx.signal });
  } catch (error) {
    if (!ctx.signal.aborted) throw error;
    await ctx.env.processes.kill(proc.id, 'SIGTERM');
    throw new ToolError('EXIT', `${proc.id} was cancelled by the client and ended`, { proc_id: proc.id });
  } finally {
    clearInterval(sign);
  }
}

/** A non-zero end as the failure it is, with everything the command had to say. */
function exitError(proc: Proc, result: ActionResult): ToolError {
  const { exitCode = 0, signal } = proc.ended ?? {};
  const how = signal ? `ended by ${signal}` : `exited with ${exitCode}`;
  return new ToolError('EXIT', `${how}`, { exit_code: exitCode }, result);
}

/** A command and its output as an answer. */
export function answer(ctx: CommandContext, proc: Proc): ActionResult {
  const shown = showBoth(proc, room(ctx));
  return {
    data: { ...state(proc), ...left(proc), ...message(proc), ...shown.data, ...judged(proc) },
    bodies: shown.bodies,
  };
}

/** Bytes for the output: what the answer may have less what its envelope takes. */
export function room(ctx: CommandContext): number {
  return Math.max(ctx.maxOutput - 1024, Math.floor(ctx.maxOutput / 2));
}

/** The facts every answer about a command has. */
export function state(proc: Proc): Record<string, unknown> {
  const { ended } = proc;
  if (!ended) return { proc_id: proc.id, pid: proc.pid, status: 'running', exit_code: null };
  return {
    proc_id: proc.id,
    status: ended.exitCode === 0 ? 'success' : 'failed',
    exit_code: ended.exitCode,
    ...(ended.signal ? { signal: ended.signal } : {}),
    duration_ms: proc.runningFor,
  };
}

/** The verdict a command was started under, if there was a classifier, and what confines it, if it was to be confined. */
export function judged({ verdict, sandbox }: Proc): Record<string, unknown> {
  return { ...(verdict === undefined ? {} : { verdict }), ...(sandbox === undefined ? {} : { sandbox }) };
}

/** What a finished command left behind. */
export function left(proc: Proc, now?: Snapshot): Record<string, unknown> {
  const count = proc.ended ? proc.alive(now) : 0;
  return count > 0 ? { left_running: count } : {};
}

function message(proc: Proc): Record<string, unknown> {
  if (proc.ended) return {};
  return {
    background: true,
    ...(proc.waitsForInput ? { waits_for_input: true } : {}),
    message: `still running after ${proc.runningFor} ms; exec, where served, has wait, logs, write and kill for proc_id ${proc.id}`,
  };
}
