// What every revision can be asked: the methods that reach the host, free of any revision's wire form.
import type { CallContext, Caller, CallResult, InputRequired } from '@hanzo/tool';
import type { CompletionRef, Host } from '../host.ts';
import { pageOf } from './page.ts';
import { CODES, isNamed, isObject, messageOf, type Params, RpcError, shown } from './rpc.ts';
import type { Service } from './service.ts';

/** One request on its way to the host. */
export interface Call {
  readonly caller: Caller;
  readonly params: Params;
  readonly context: CallContext;
}

/** What came of it: a list page, an object, or questions for the client. */
export type Outcome =
  | { kind: 'list'; key: string; items: readonly unknown[]; text?: string; nextCursor?: string; meta?: Params }
  | { kind: 'value'; value: Readonly<Record<string, unknown>> }
  | { kind: 'input'; required: InputRequired['inputRequired'] };

export interface Operation {
  /** the server capability it belongs to; without it the method does not exist */
  readonly capability: 'tools' | 'prompts' | 'resources' | 'completions';
  /** whether 2026-07-28 sends cache hints with its result */
  readonly cacheable: boolean;
  /** whether it may end in questions for the client (specification 2026-07-28, multi-round-trip requests) */
  readonly asks: boolean;
  run(service: Service, call: Call): Promise<Outcome>;
}

/** Most completion values of one answer (specification, completion). */
const MAX_COMPLETIONS = 100;

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['tools/list', { capability: 'tools', cacheable: true, asks: false, run: listTools }],
  ['tools/call', { capability: 'tools', cacheable: false, asks: true, run: callTool }],
  ['resources/list', { capability: 'resources', cacheable: true, asks: false, run: listResources }],
  ['resources/templates/list', { capability: 'resources', cacheable: true, asks: false, run: listTemplates }],
  ['resources/read', { capability: 'resources', cacheable: true, asks: true, run: readResource }],
  ['prompts/list', { capability: 'prompts', cacheable: true, asks: false, run: listPrompts }],
  ['prompts/get', { capability: 'prompts', cacheable: false, asks: true, run: getPrompt }],
  ['completion/complete', { capability: 'completions', cacheable: false, asks: false, run: complete }],
]);

async function listTools(service: Service, { caller, params }: Call): Promise<Outcome> {
  if (service.prepared) {
    if (params['cursor'] !== undefined)
      throw new RpcError(CODES.invalidParams, 'Invalid cursor: this list is one page');
    return { kind: 'list', key: 'tools', items: [], text: oneLine(service.prepared.tools(caller)) };
  }
  const host = await service.host();
  const tools = await host.list(caller);
  const { listMeta = {} } = host;
  return {
    kind: 'list',
    key: 'tools',
    ...(Object.keys(listMeta).length > 0 ? { meta: listMeta } : {}),
    ...pageOf('tools', tools, (tool) => tool.name, params['cursor'], service.pageSize),
  };
}

/** A raw line end would break a message in two. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? JSON.stringify(JSON.parse(json)) : json;
}

async function callTool(service: Service, { caller, params, context }: Call): Promise<Outcome> {
  const name = text(params, 'name');
  const args = params['arguments'] ?? {};
  if (!isObject(args)) throw new RpcError(CODES.invalidParams, 'arguments must be an object');
  try {
    const host = await service.host();
    const result = await host.call(caller, name, args, context);
    if ('inputRequired' in result) return { kind: 'input', required: result.inputRequired };
    if (!Array.isArray(result.content)) throw new TypeError('the tool gave no content');
    return { kind: 'value', value: { ...withText(result) } };
  } catch (error) {
    if (isNamed(error, 'InputNeeded')) return { kind: 'input', required: requiredOf(error) };
    if (error instanceof RpcError || isNamed(error, 'UnknownToolError') || isNamed(error, 'MissingCapabilityError')) {
      throw error;
    }
    return { kind: 'value', value: { ...failedCall(name, error) } };
  }
}

/** A host error as the result of a failed call (contract, local core tools 3.1). */
export function failedCall(name: string, error: unknown): CallResult {
  return { content: [{ type: 'text', text: `Error executing ${shown(name)}: ${messageOf(error)}` }], isError: true };
}

/** Structured content that is not an object is unreadable to older clients, so its text goes beside it. */
function withText(result: CallResult): CallResult {
  const { structuredContent: structured, content } = result;
  if (structured === undefined || isObject(structured) || content.some((block) => block.type === 'text')) return result;
  return { ...result, content: [...content, { type: 'text', text: JSON.stringify(structured) }] };
}

function requiredOf(error: Error): InputRequired['inputRequired'] {
  // Every class of that name carries it (packages/tool, input.ts).
  return (error as Error & { required: InputRequired }).required.inputRequired;
}

async function listResources(service: Service, { caller, params }: Call): Promise<Outcome> {
  const all = await resourcesOf(await service.host()).list(caller);
  const page = pageOf('resources', all, (each) => each.uri, params['cursor'], service.pageSize);
  return { kind: 'list', key: 'resources', ...page };
}

async function listTemplates(service: Service, { caller, params }: Call): Promise<Outcome> {
  const all = (await resourcesOf(await service.host()).templates?.(caller)) ?? [];
  const page = pageOf('templates', all, (each) => each.uriTemplate, params['cursor'], service.pageSize);
  return { kind: 'list', key: 'resourceTemplates', ...page };
}

async function readResource(service: Service, { caller, params, context }: Call): Promise<Outcome> {
  const uri = text(params, 'uri');
  return asking(async () => resourcesOf(await service.host()).read(caller, uri, context));
}

async function listPrompts(service: Service, { caller, params }: Call): Promise<Outcome> {
  const all = await promptsOf(await service.host()).list(caller);
  const page = pageOf('prompts', all, (each) => each.name, params['cursor'], service.pageSize);
  return { kind: 'list', key: 'prompts', ...page };
}

async function getPrompt(service: Service, { caller, params, context }: Call): Promise<Outcome> {
  const name = text(params, 'name');
  const args = strings(params['arguments'], 'arguments');
  try {
    return await asking(async () => promptsOf(await service.host()).get(caller, name, args, context));
  } catch (error) {
    if (isNamed(error, 'UnknownPromptError')) throw new RpcError(CODES.invalidParams, error.message);
    throw error;
  }
}

async function complete(service: Service, { caller, params, context }: Call): Promise<Outcome> {
  const host = await service.host();
  const { argument } = params;
  if (!isObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string') {
    throw new RpcError(CODES.invalidParams, 'argument must be {name, value}, both strings');
  }
  const known = isObject(params['context']) ? params['context']['arguments'] : undefined;
  const found = (await host.complete?.(
    caller,
    refOf(params['ref']),
    { name: argument['name'], value: argument['value'] },
    { ...context, arguments: strings(known, 'context.arguments') },
  )) ?? { values: [] };
  const values = found.values.slice(0, MAX_COMPLETIONS);
  const cut = values.length < found.values.length;
  const total = found.total ?? (cut ? found.values.length : undefined);
  const hasMore = found.hasMore ?? (cut ? true : undefined);
  const completion = {
    values,
    ...(total === undefined ? {} : { total }),
    ...(hasMore === undefined ? {} : { hasMore }),
  };
  return { kind: 'value', value: { completion } };
}

function refOf(ref: unknown): CompletionRef {
  if (isObject(ref)) {
    if (ref['type'] === 'ref/prompt' && typeof ref['name'] === 'string')
      return { type: 'ref/prompt', name: ref['name'] };
    if (ref['type'] === 'ref/resource' && typeof ref['uri'] === 'string') {
      return { type: 'ref/resource', uri: ref['uri'] };
    }
  }
  throw new RpcError(CODES.invalidParams, 'ref must be {type: "ref/prompt", name} or {type: "ref/resource", uri}');
}

async function asking(run: () => Promise<object>): Promise<Outcome> {
  try {
    const result = await run();
    if ('inputRequired' in result) {
      return { kind: 'input', required: (result as InputRequired).inputRequired };
    }
    return { kind: 'value', value: result as Record<string, unknown> };
  } catch (error) {
    if (isNamed(error, 'InputNeeded')) return { kind: 'input', required: requiredOf(error) };
    throw error;
  }
}

function resourcesOf(host: Host): NonNullable<Host['resources']> {
  if (!host.resources) throw new RpcError(CODES.methodNotFound, 'This server has no resources');
  return host.resources;
}

function promptsOf(host: Host): NonNullable<Host['prompts']> {
  if (!host.prompts) throw new RpcError(CODES.methodNotFound, 'This server has no prompts');
  return host.prompts;
}

function text(params: Params, key: string): string {
  const value = params[key];
  if (typeof value !== 'string') throw new RpcError(CODES.invalidParams, `${key} must be a string`);
  return value;
}

function strings(value: unknown, what: string): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (!isObject(value) || Object.values(value).some((each) => typeof each !== 'string')) {
    throw new RpcError(CODES.invalidParams, `${what} must be an object of strings`);
  }
  return value as Record<string, string>;
}
