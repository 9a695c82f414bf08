// An action-routed tool as a value: one published schema, one dispatcher, every refusal with the mend in it.
import type { z } from 'zod';
import type { Action, ActionContext, Effect } from './action.ts';
import type { ActionResult, CallResult } from './content.ts';
import { DEFAULT_MAX_OUTPUT, type EnvelopeOptions, failure, success } from './envelope.ts';
import { ToolError } from './errors.ts';
import { shorten } from './clip.ts';
import { actionNames, actionSchema, flatSchema } from './flatten.ts';
import type { CallContext, Tool, ToolAnnotations } from './host.ts';
import { nearest } from './nearest.ts';

/** What makes a tool. */
export interface ToolSpec<Env> {
  readonly name: string;
  readonly title: string;
  /** the published description: one or two sentences, paid for every turn */
  readonly summary: string;
  readonly actions: Readonly<Record<string, Action<Env>>>;
  /** accepted parameter spellings, alias -> canonical */
  readonly aliases?: Readonly<Record<string, string>>;
  /** accepted action spellings, alias -> canonical */
  readonly actionAliases?: Readonly<Record<string, string>>;
  /** the action a call without `action` means; default `help` */
  readonly defaultAction?: string;
}

/** One call: its wire, its services, how its answer is written, and the version `status` reports. */
export interface CallOptions<Env> extends EnvelopeOptions {
  readonly context: CallContext;
  readonly env: Env;
  readonly version?: string;
}

/** A tool that can be listed and called. `call` never rejects but to ask the client for input. */
export interface ToolDefinition<Env> {
  readonly name: string;
  readonly spec: ToolSpec<Env>;
  describe(): Tool;
  call(args: unknown, options: CallOptions<Env>): Promise<CallResult>;
}

/** Makes a tool out of plain values. Throws on a contradictory declaration. */
export function defineTool<Env>(spec: ToolSpec<Env>): ToolDefinition<Env> {
  const actions = new Map(Object.entries(spec.actions));
  for (const name of ['help', 'schema']) {
    if (actions.has(name)) throw new TypeError(`${spec.name}: '${name}' is built in`);
  }
  for (const [name, { input }] of actions) {
    if (Object.hasOwn(input.shape, 'action')) {
      throw new TypeError(`${spec.name} ${name}: 'action' names the action and cannot be a parameter`);
    }
  }
  return {
    name: spec.name,
    spec,
    describe: () => ({
      name: spec.name,
      description: spec.summary,
      inputSchema: flatSchema(spec.name, actions as ReadonlyMap<string, Action<never>>, spec.defaultAction),
      annotations: annotations(spec.title, [...actions.values()]),
    }),
    call: (args, options) => call(spec, actions, args, options),
  };
}

async function call<Env>(
  spec: ToolSpec<Env>,
  actions: ReadonlyMap<string, Action<Env>>,
  args: unknown,
  options: CallOptions<Env>,
): Promise<CallResult> {
  const meta: { tool: string; action?: string } = { tool: spec.name };
  try {
    const given = asRecord(args);
    const name = route(spec, actions, given.get('action'));
    meta.action = name;
    given.delete('action');
    const builtIn = answerBuiltIn(spec, actions, name, given, options.version);
    if (builtIn) return success(meta, builtIn, options);
    // route() has established that the name is an own action
    const chosen = actions.get(name) as Action<Env>;
    const input = parse(spec, actions, name, chosen, given);
    const ctx: ActionContext<Env> = {
      ...options.context,
      env: options.env,
      tool: spec.name,
      action: name,
      maxOutput: roomFor(options),
    };
    return success(meta, await chosen.run(ctx, input as never), options);
  } catch (error) {
    // By name: the door throws a class of its own, so that it need not load this package to start.
    if (error instanceof Error && error.name === 'InputNeeded') throw error;
    return failure(meta, error, options);
  }
}

/** The room an action pages by: inside JSON ordinary text at worst doubles, and a page must not lose its end there. */
function roomFor({ maxOutput = DEFAULT_MAX_OUTPUT, jsonOnly }: EnvelopeOptions): number {
  return jsonOnly ? Math.floor(maxOutput / 2) : maxOutput;
}

function asRecord(args: unknown): Map<string, unknown> {
  if (args === undefined || args === null) return new Map();
  if (typeof args !== 'object' || Array.isArray(args)) {
    throw new ToolError('INVALID_PARAMS', 'arguments must be a JSON object', {
      expected: 'object',
      actual: kindOf(args),
    });
  }
  return new Map(Object.entries(args));
}

function route<Env>(spec: ToolSpec<Env>, actions: ReadonlyMap<string, Action<Env>>, asked: unknown): string {
  if (asked === undefined) return spec.defaultAction ?? 'help';
  const available = actionNames(actions);
  if (typeof asked !== 'string') {
    throw new ToolError('INVALID_PARAMS', `action must be a string, one of: ${available.join(', ')}`, {
      param: 'action',
      expected: 'string',
      actual: kindOf(asked),
      available,
    });
  }
  const aliases = new Map(Object.entries(spec.actionAliases ?? {}));
  const name = aliases.get(asked) ?? asked;
  if (available.includes(name)) return name;
  const meant = nearest(asked, [...available, ...aliases.keys()]);
  const hint = meant ? ` Did you mean '${aliases.get(meant) ?? meant}'?` : '';
  throw new ToolError(
    'UNKNOWN_ACTION',
    `Unknown action '${shorten(asked)}'. Available: ${available.join(', ')}.${hint}`,
    {
      available,
    },
  );
}

function parse<Env>(
  spec: ToolSpec<Env>,
  actions: ReadonlyMap<string, Action<Env>>,
  name: string,
  chosen: Action<Env>,
  given: Map<string, unknown>,
): unknown {
  const shape = new Map(Object.entries(chosen.input.shape));
  // Only a refusal pays for it.
  const parameters = (): string => signature(name, chosen.input);
  for (const [alias, canonical] of Object.entries(spec.aliases ?? {})) {
    if (!given.has(alias) || shape.has(alias) || !shape.has(canonical)) continue;
    if (given.has(canonical) && given.get(canonical) !== given.get(alias)) {
      throw new ToolError('INVALID_PARAMS', `'${alias}' is another name of '${canonical}'; give one of them`, {
        param: alias,
        parameters: parameters(),
      });
    }
    given.set(canonical, given.get(alias));
    given.delete(alias);
  }
  for (const key of given.keys()) {
    if (shape.has(key)) continue;
    const owners = [...actions].filter(([, other]) => Object.hasOwn(other.input.shape, key)).map(([owner]) => owner);
    const meant = nearest(key, shape.keys());
    const hint =
      owners.length > 0 ? ` (it belongs to: ${owners.join(', ')})` : meant ? `; did you mean '${meant}'?` : '';
    throw new ToolError('INVALID_PARAMS', `${spec.name} ${name} takes no '${shorten(key)}'${hint}`, {
      param: shorten(key),
      ...(meant ? { nearest: meant } : {}),
      parameters: parameters(),
    });
  }
  const hidden = holderOfProto(given);
  if (hidden !== undefined) {
    throw new ToolError('INVALID_PARAMS', `${spec.name} ${name}: '${hidden}': no key may be called __proto__`, {
      param: hidden,
      parameters: parameters(),
    });
  }
  const parsed = chosen.input.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw invalid(spec.name, name, parsed.error, given, parameters());
}

/** The parameter that holds, at any depth, a key called `__proto__`: the validator would drop it without a word. */
function holderOfProto(given: ReadonlyMap<string, unknown>): string | undefined {
  for (const [param, value] of given) {
    const seen = new Set<object>();
    const waiting: unknown[] = [value];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (typeof next !== 'object' || next === null || seen.has(next)) continue;
      if (Object.hasOwn(next, '__proto__')) return param;
      seen.add(next);
      for (const inner of Object.values(next)) if (inner !== undefined) waiting.push(inner);
    }
  }
  return undefined;
}

function invalid(
  tool: string,
  name: string,
  error: z.ZodError,
  given: ReadonlyMap<string, unknown>,
  parameters: string,
): ToolError {
  const issue = error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const param = path.join('.');
  if (path.length === 1 && !given.has(path[0] as string)) {
    return new ToolError('INVALID_PARAMS', `${tool} ${name} needs '${param}'`, { param, parameters });
  }
  const actual = path.length > 0 ? kindOf(given.get(path[0] as string)) : undefined;
  const expected = issue && 'expected' in issue ? String(issue.expected) : undefined;
  return new ToolError('INVALID_PARAMS', `${tool} ${name}: '${param}': ${issue?.message ?? 'invalid'}`, {
    param,
    ...(expected ? { expected } : {}),
    ...(path.length === 1 && actual ? { actual } : {}),
    parameters,
  });
}

function answerBuiltIn<Env>(
  spec: ToolSpec<Env>,
  actions: ReadonlyMap<string, Action<Env>>,
  name: string,
  given: ReadonlyMap<string, unknown>,
  version: string | undefined,
): ActionResult | undefined {
  if (actions.has(name)) return undefined;
  if (name === 'status') {
    return {
      data: {
        tool: spec.name,
        version: version ?? null,
        enabled: true,
        actions: actionNames(actions),
      },
    };
  }
  if (name === 'help') {
    const listed = [...actions].map(([key, each]) => ({
      name: key,
      description: each.summary,
      parameters: signature(key, each.input),
    }));
    return { data: { tool: spec.name, actions: listed } };
  }
  const wanted = given.get('action_name');
  if (wanted === undefined) {
    return {
      data: {
        tool: spec.name,
        schemas: Object.fromEntries([...actions].map(([key, each]) => [key, actionSchema(each.input)])),
      },
    };
  }
  const key = route(spec, actions, wanted);
  const chosen = actions.get(key);
  return { data: { tool: spec.name, action: key, schema: chosen ? actionSchema(chosen.input) : { type: 'object' } } };
}

/** `read(uri: string, offset?: integer)`: an action's parameters on one line, for refusals and help. */
function signature(name: string, input: z.ZodObject): string {
  const schema = actionSchema(input) as {
    properties?: Record<string, { type?: unknown; enum?: unknown[] }>;
    required?: string[];
  };
  const parts = Object.entries(schema.properties ?? {}).map(([key, property]) => {
    const type = property.enum ? property.enum.join('|') : String(property.type ?? 'any');
    return `${key}${schema.required?.includes(key) ? '' : '?'}: ${type}`;
  });
  return `${name}(${parts.join(', ')})`;
}

/** Hints that say what the specification assumes anyway (not read-only, destructive, open world) are left out of the listing. */
function annotations<Env>(title: string, actions: readonly Action<Env>[]): ToolAnnotations {
  const has = (effect: Effect): boolean => actions.some((each) => each.effect === effect);
  const readOnly = !has('write') && !has('execute');
  const destructive = actions.some(
    (each) => each.destructive ?? (each.effect === 'write' || each.effect === 'execute'),
  );
  const openWorld = has('network') || has('execute');
  return {
    title,
    ...(readOnly ? { readOnlyHint: true, idempotentHint: true } : {}),
    ...(destructive || readOnly ? {} : { destructiveHint: false }),
    ...(openWorld ? {} : { openWorldHint: false }),
  };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
