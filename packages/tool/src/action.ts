// One action of a tool, as a value: what it takes, what it touches, what it does.
import type { z } from 'zod';
import type { ActionResult } from './content.ts';
import type { CallContext } from './host.ts';

/** What an action touches. The strongest effect of a tool's actions decides its annotations. */
export type Effect = 'read' | 'write' | 'execute' | 'network';

/** What a running action sees: the call, the services of its host, and the room its answer has. */
export type ActionContext<Env> = CallContext & {
  readonly env: Env;
  readonly tool: string;
  readonly action: string;
  /** most UTF-8 bytes of body text this answer may hold; an action pages by it */
  readonly maxOutput: number;
};

/** An action with its input type erased, as a tool holds it. */
export interface Action<Env> {
  readonly summary: string;
  /** parameters in published order; unknown keys are refused, so this must not be a loose object */
  readonly input: z.ZodObject;
  readonly effect: Effect;
  /** true if it can destroy what it cannot bring back; default: true for write and execute, false otherwise */
  readonly destructive?: boolean;
  run(ctx: ActionContext<Env>, input: never): Promise<ActionResult> | ActionResult;
}

/** What `action` takes: `run` gets exactly what `input` parses to. */
export interface ActionSpec<Env, S extends z.ZodObject> extends Omit<Action<Env>, 'input' | 'run'> {
  readonly input: S;
  run(ctx: ActionContext<Env>, input: z.output<S>): Promise<ActionResult> | ActionResult;
}

/** Checks an action's types and erases them. */
export function action<Env, S extends z.ZodObject>(spec: ActionSpec<Env, S>): Action<Env> {
  // The erased `run` is only ever called with the output of this very `input` (see define.ts).
  return spec as unknown as Action<Env>;
}
