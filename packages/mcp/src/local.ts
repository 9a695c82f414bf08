// What every local tool may use, and the shorthand that types an action against it.
import { action, type Action, type ActionContext, type ActionSpec } from '@hanzo/tool';
import type { z } from 'zod';
import type { Config } from './config.ts';
import type { Access } from './lib/access.ts';
import type { Classify } from './lib/commands/verdict.ts';
import type { Indexes } from './lib/search/indexes.ts';
import type { ProcessTable } from './lib/processes/table.ts';
import type { Modes } from './lib/modes/current.ts';
import type { Sandbox } from './lib/sandbox/index.ts';
import type { Store } from './lib/store/index.ts';
import type { Surface } from './surface.ts';

/** The services of the local server; made once in `host.ts`, passed to every action as `ctx.env`. */
export interface Local {
  readonly config: Config;
  readonly access: Access;
  readonly processes: ProcessTable;
  /** what this connection sees: the tools that are switched on, less what its mode leaves out */
  readonly surface: Surface;
  readonly modes: Modes;
  /** the connection of the call, where the client keeps one (`Caller.connection`) */
  readonly connection?: string;
  /** the search engines, one for each root */
  readonly indexes: Indexes;
  /** the database of the tools that keep something */
  readonly store: Store;
  /** judges commands before they run; without one nothing is judged */
  readonly classify?: Classify;
  /** confines commands; without one they run as they are */
  readonly sandbox?: Sandbox;
}

/** The context of a local action. */
export type Ctx = ActionContext<Local>;

/** An action of a local tool: `run(ctx, input)` is typed from `input`. */
export function act<S extends z.ZodObject>(spec: ActionSpec<Local, S>): Action<Local> {
  return action<Local, S>(spec);
}
