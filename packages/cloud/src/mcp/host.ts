// The plane as agents see it: `describe`, one tool per app over its operations, then the caller's own activated tools.
import { CODES, type Host, RpcError } from '@hanzo/door';
import type { CallContext, Caller, CallResult, Tool } from '@hanzo/tool';
import { ToolFailed } from '../core/failed.ts';
import type { Identity } from '../core/identity.ts';
import { invoke } from '../core/invoke.ts';
import { type Offered, type Surface, surfaceOf } from '../core/names.ts';
import type { Op, OpContext } from '../core/op.ts';
import { Problem } from '../core/problem.ts';
import { flatInput, type Schema } from '../core/schema.ts';
import { WITHHELD_RULE } from '../core/withheld.ts';

/** A tool of the caller's organization that is switched on and can be called. */
export interface CallerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: Schema;
}

/** The registry, as the door sees it. */
export interface CallerTools {
  /** activated and dispatchable, in any order */
  list(identity: Identity): Promise<readonly CallerTool[]>;
  /** the way of POST /v1/tool/call; rejects with Problem or ToolFailed */
  call(context: OpContext, name: string, args: unknown): Promise<unknown>;
}

/** Who asks and how, as `caller.principal`; built anew for each request. */
export interface McpPrincipal {
  readonly context: Omit<OpContext, 'signal'>;
}

export interface HostOptions {
  readonly ops: readonly Op[];
  readonly tools: CallerTools;
  readonly version: string;
  /** apps and what they are called */
  readonly titles: ReadonlyMap<string, string>;
  /** told of errors that are no refusal */
  readonly onFault: (error: unknown, requestId: string) => void;
}

export type PlaneHost = Host & {
  /** `_meta` of every list */
  readonly listMeta: Readonly<Record<string, unknown>>;
};

/** contract, tool plane 4 */
export const NO_CREDENTIAL = -32001;
const ANY_OBJECT: Schema = { type: 'object' };

export function createHost({ ops, tools, version, titles, onFault }: HostOptions): PlaneHost {
  const surface = surfaceOf(ops);
  const fixed = staticTools(surface, titles);
  const fixedNames = new Set(fixed.map(({ name }) => name));

  async function listFor(caller: Caller): Promise<readonly Tool[]> {
    const identity = principalOf(caller).context.identity;
    if (identity === undefined || identity.publishable) return fixed;
    const own = (await tools.list(identity))
      // a tenant cannot shadow an operation of the plane
      .filter(({ name }) => !fixedNames.has(name) && surface.find(name) === undefined)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, description, inputSchema }): Tool => ({
        name,
        description,
        inputSchema: inputSchema ?? ANY_OBJECT,
      }));
    return own.length === 0 ? fixed : [...fixed, ...own];
  }

  async function callFor(
    caller: Caller,
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal }: CallContext,
  ): Promise<CallResult> {
    if (name === 'describe') return describe(surface, args);
    const { context } = principalOf(caller);
    if (context.identity === undefined) {
      throw new RpcError(NO_CREDENTIAL, 'A credential is needed: send Authorization: Bearer KEY.', { status: 401 });
    }
    // the door aborts it when the client is gone, and when the plane no longer waits
    const full: OpContext = { ...context, signal };
    try {
      const chosen = choose(surface, name, args);
      if (chosen === undefined) return asResult(await tools.call(full, name, args));
      const { op } = chosen.offered;
      const route = { ...full, method: op.method, path: op.path };
      const answer = await invoke(op, route, {
        params: chosen.input,
        query: textOf(op, chosen.input),
        body: chosen.input,
      });
      return innerResult(answer) ?? asResult(answer);
    } catch (error) {
      if (error instanceof RpcError) throw error;
      if (error instanceof ToolFailed) return { ...asResult(error.result), isError: true };
      if (error instanceof Problem) return failed(error.message, error.status, error.code);
      if (signal.aborted) throw error;
      onFault(error, context.requestId);
      return failed('The plane failed at this; its log has the cause.', 500, 'internal');
    }
  }

  return {
    info: { name: 'hanzo-cloud', title: 'hanzo-cloud', version },
    instructions:
      'One tool per part of the plane: give `op` and `input`; `describe` shows what an op takes. Tools your organization has activated follow under their own names.',
    list: listFor,
    call: callFor,
    listMeta: surface.refused === 0 ? {} : { 'hanzo.ai/refused': { count: surface.refused, rule: WITHHELD_RULE } },
  };
}

function staticTools(surface: Surface, titles: ReadonlyMap<string, string>): readonly Tool[] {
  const describeTool: Tool = {
    name: 'describe',
    title: 'Describe',
    description: 'Shows one operation: what it does and the input it takes.',
    inputSchema: {
      type: 'object',
      properties: { op: { type: 'string', description: 'a name from the `op` list of another tool' } },
      required: ['op'],
    },
    annotations: { readOnlyHint: true },
  };
  return [
    describeTool,
    ...[...surface.apps].map(([app, list]): Tool => {
      const reads = list.every(({ op }) => op.method === 'GET');
      return {
        name: app,
        title: titles.get(app) ?? app,
        description: `${titles.get(app) ?? app}: ${list.length} operations. Use \`describe\` for the input of one.`,
        inputSchema: {
          type: 'object',
          properties: { op: { type: 'string', enum: list.map(({ name }) => name) }, input: { type: 'object' } },
          required: ['op'],
        },
        ...(reads ? { annotations: { readOnlyHint: true } } : {}),
      };
    }),
  ];
}

function describe(surface: Surface, { op }: Readonly<Record<string, unknown>>): CallResult {
  const found = typeof op === 'string' ? surface.find(op.trim()) : undefined;
  if (found === undefined) throw unknownName(op);
  const { summary, description } = found.op;
  return asResult({
    name: found.name,
    description: description === undefined ? summary : `${summary} ${description}`,
    inputSchema: flatInput(found.op),
  });
}

interface Chosen {
  readonly offered: Offered;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The operation a call means: through its app's tool, or by its own name. Undefined: not one of ours. */
function choose(surface: Surface, name: string, args: Readonly<Record<string, unknown>>): Chosen | undefined {
  const group = surface.apps.get(name);
  if (group === undefined) {
    const offered = surface.find(name);
    return offered && { offered, input: args };
  }
  const { op, input = {} } = args;
  if (typeof op !== 'string' || op.trim() === '') {
    throw new RpcError(
      CODES.invalidParams,
      `'op' is missing; it is one of: ${group.map((each) => each.name).join(', ')}`,
    );
  }
  const offered = surface.find(op.trim());
  // what another tool offers and what is withheld are equally unknown here
  if (offered === undefined || !group.includes(offered)) throw unknownName(op);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Problem(400, "'input' must be an object.", { code: 'invalid_input' });
  }
  return { offered, input: input as Record<string, unknown> };
}

function unknownName(name: unknown): RpcError {
  return new RpcError(CODES.invalidParams, `unknown tool: ${typeof name === 'string' ? name.slice(0, 128) : ''}`);
}

/** A query holds texts; numbers and booleans of an agent's JSON are written as a URL would have them. */
function textOf({ input }: Op, given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const query = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(input.query?.shape ?? {})) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    query[name] = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  }
  return query;
}

/** The answer to a tool call through an operation is the inner tool's result, whole: wrapped, its `isError` would be lost. */
function innerResult(answer: unknown): CallResult | undefined {
  const inner = typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined;
  return isCallResult(inner) ? inner : undefined;
}

function isCallResult(value: unknown): value is CallResult {
  return (
    typeof value === 'object' &&
    value !== null &&
    'content' in value &&
    Array.isArray(value.content) &&
    value.content.every((block: unknown) => typeof block === 'object' && block !== null && 'type' in block)
  );
}

/** A value as a result: one that is a result already passes through. */
function asResult(value: unknown): CallResult {
  if (isCallResult(value)) return value;
  return { content: [{ type: 'text', text: JSON.stringify(value ?? null) }] };
}

function failed(sentence: string, status: number, code: string): CallResult {
  return {
    content: [{ type: 'text', text: sentence }],
    isError: true,
    _meta: { 'hanzo.ai/problem': { status, code } },
  };
}

function principalOf({ principal }: Caller): McpPrincipal {
  // only mcp/door.ts makes callers for this host
  return principal as McpPrincipal;
}
