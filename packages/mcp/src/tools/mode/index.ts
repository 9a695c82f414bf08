// The mode tool: how this connection works, and which tools it sees meanwhile. Nothing of the process is touched.
import { type ActionResult, defineTool, nearest, shorten, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { DEFAULT_MODE, type Mode, MODE_PRESETS, MODES, modeOf } from '../../lib/modes/modes.ts';
import { act, type Ctx, type Local } from '../../local.ts';

const name = z.string();

const list = act({
  summary: 'the modes there are',
  input: z.strictObject({}),
  effect: 'read',
  async run(ctx): Promise<ActionResult> {
    const { mode, restricts } = ctx.env.modes.of(ctx.env.connection);
    return {
      data: { current: mode.name, restricts, modes: MODES.map((each) => shown(ctx, each)), count: MODES.length },
    };
  },
});

const show = act({
  summary: 'one mode',
  input: z.strictObject({ name: name.optional() }),
  effect: 'read',
  async run(ctx, input): Promise<ActionResult> {
    return {
      data: shown(ctx, input.name === undefined ? ctx.env.modes.of(ctx.env.connection).mode : find(input.name)),
    };
  },
});

const current = act({
  summary: 'the mode of this connection',
  input: z.strictObject({}),
  effect: 'read',
  async run(ctx): Promise<ActionResult> {
    return { data: stateOf(ctx) };
  },
});

const activate = act({
  summary: 'work in a mode; only its tools are listed, unless restrict is false',
  input: z.strictObject({ name, restrict: z.boolean().default(true) }),
  effect: 'write',
  destructive: false,
  async run(ctx, input): Promise<ActionResult> {
    return change(ctx, find(input.name), input.restrict);
  },
});

const listPresets = act({
  summary: 'the presets there are',
  input: z.strictObject({}),
  effect: 'read',
  async run(): Promise<ActionResult> {
    return { data: { presets: [...MODE_PRESETS].map(([preset, modes]) => ({ name: preset, modes })) } };
  },
});

const selectPreset = act({
  summary: 'work in the first mode of a preset',
  input: z.strictObject({ name, restrict: z.boolean().default(true) }),
  effect: 'write',
  destructive: false,
  async run(ctx, input): Promise<ActionResult> {
    const modes = MODE_PRESETS.get(input.name);
    if (modes === undefined) throw unknown('preset', input.name, [...MODE_PRESETS.keys()]);
    const done = change(ctx, find(modes[0] ?? DEFAULT_MODE), input.restrict);
    return { ...done, data: { preset: input.name, modes, ...(done.data as object) } };
  },
});

export const mode = defineTool<Local>({
  name: 'mode',
  title: 'Mode',
  summary: 'How this connection works, and which tools it lists meanwhile.',
  actions: { list, show, current, activate, list_presets: listPresets, select_preset: selectPreset },
  actionAliases: { switch: 'activate', set: 'activate', get: 'current' },
  aliases: { mode: 'name', preset: 'name' },
  defaultAction: 'list',
});

function change(ctx: Ctx, chosen: Mode, restrict: boolean): ActionResult {
  const { connection } = ctx.env;
  if (connection === undefined) {
    throw new ToolError(
      'CONFLICT',
      'this client keeps no connection or session that a mode could belong to: over HTTP send initialize and the Mcp-Session-Id it answers, or use stdio; --tools at the start limits the list for everybody',
      { name: chosen.name },
    );
  }
  ctx.env.modes.set(connection, { mode: chosen, restricts: restrict && chosen.tools !== undefined });
  return { data: stateOf(ctx) };
}

/** The mode, and what it does to what is listed. */
function stateOf(ctx: Ctx): Record<string, unknown> {
  const { modes, surface } = ctx.env;
  const now = modes.of(ctx.env.connection);
  const listed = surface.listed();
  const hidden = surface.served().filter((each) => surface.isEnabled(each) && !listed.includes(each));
  return {
    ...shown(ctx, now.mode),
    restricts: now.restricts,
    listed,
    ...(hidden.length > 0 ? { hidden, back: `mode activate name=${DEFAULT_MODE}` } : {}),
  };
}

function shown(ctx: Ctx, { name: called, summary, tools }: Mode): Record<string, unknown> {
  const { surface } = ctx.env;
  const served = surface.served().filter((each) => surface.isEnabled(each));
  const missing = tools?.filter((each) => !served.includes(each)) ?? [];
  return {
    name: called,
    summary,
    tools: tools ? tools.filter((each) => served.includes(each)) : 'all',
    ...(missing.length > 0 ? { not_served: missing } : {}),
  };
}

function find(wanted: string): Mode {
  const found = modeOf(wanted);
  if (found !== undefined) return found;
  throw unknown(
    'mode',
    wanted,
    MODES.map((each) => each.name),
  );
}

function unknown(kind: string, wanted: string, available: readonly string[]): ToolError {
  const meant = nearest(wanted, available);
  return new ToolError(
    'NOT_FOUND',
    `there is no ${kind} '${shorten(wanted, 60)}'${meant ? `; did you mean '${meant}'?` : ''} There are: ${available.join(', ')}`,
    { name: shorten(wanted, 60), available },
  );
}
