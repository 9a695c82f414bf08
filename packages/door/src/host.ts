// What a door serves: the tool host of the contract, with the optional parts of MCP where a host has them.
import type { CallContext, Caller, InputRequired, ResourceContents, Tool, ToolHost } from '@hanzo/tool';

/** How a server names itself to its clients; display only. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
}

/** A resource as a listing shows it. */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A family of resources, as an RFC 6570 template. */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** What reading a resource gives. */
export interface ResourceResult {
  contents: ResourceContents[];
  _meta?: Record<string, unknown>;
}

/** A prompt as a listing shows it. */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; title?: string; description?: string; required?: boolean }[];
  _meta?: Record<string, unknown>;
}

/** A prompt filled in. `content` is one MCP content block. */
export interface PromptResult {
  description?: string;
  messages: { role: 'user' | 'assistant'; content: Record<string, unknown> }[];
  _meta?: Record<string, unknown>;
}

/** What `completion/complete` completes. */
export type CompletionRef = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };

/** Candidates for one argument; at most the first 100 values are sent. */
export interface Completion {
  values: string[];
  total?: number;
  hasMore?: boolean;
}

/** A change that clients may want to hear of. */
export type Change =
  | {
      kind: 'tools' | 'prompts' | 'resources';
      /** the only connection whose list has changed (`Caller.connection`); absent: everybody's */
      connection?: string;
    }
  | { kind: 'resource'; uri: string };

/** Does a change concern this caller? */
export function concerns(change: Change, caller: Caller): boolean {
  return change.kind === 'resource' || change.connection === undefined || change.connection === caller.connection;
}

/**
 * What a door serves. `list` may return the same array again while nothing has changed (its text is then made once), and
 * must return a new one when something has. An error thrown by a tool is answered as a failed call, never as a crash.
 */
export interface Host extends ToolHost {
  readonly info: Implementation;
  /** how to use this server, for the model; sent at `initialize` and `server/discover` */
  readonly instructions?: string;
  /** `_meta` of every `tools/list`: what a client should know of the list as a whole */
  readonly listMeta?: Readonly<Record<string, unknown>>;
  /** one tool by name, as `list` would show it; where it is missing the door looks through `list` */
  find?(caller: Caller, name: string): Promise<Tool | undefined>;
  readonly resources?: {
    list(caller: Caller): Promise<readonly Resource[]>;
    templates?(caller: Caller): Promise<readonly ResourceTemplate[]>;
    /** an unknown uri rejects with UnknownResourceError */
    read(caller: Caller, uri: string, context: CallContext): Promise<ResourceResult | InputRequired>;
    /** present where `onChange` reports single resources */
    readonly subscribe?: true;
  };
  readonly prompts?: {
    list(caller: Caller): Promise<readonly Prompt[]>;
    /** an unknown name rejects with UnknownPromptError */
    get(
      caller: Caller,
      name: string,
      args: Readonly<Record<string, string>>,
      context: CallContext,
    ): Promise<PromptResult | InputRequired>;
  };
  complete?(
    caller: Caller,
    ref: CompletionRef,
    argument: { name: string; value: string },
    context: CallContext & { readonly arguments: Readonly<Record<string, string>> },
  ): Promise<Completion>;
  /** true where calls use `context.log` */
  readonly logging?: boolean;
  /** reports changes until the returned function is called */
  onChange?(listener: (change: Change) => void): () => void;
}

/** What initialize and discover say of a server. */
export interface Face {
  readonly info: Implementation;
  readonly instructions?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

/** A server's face and its tool list, known before the host is loaded; with it a start loads nothing heavy. */
export interface Prepared extends Face {
  /** JSON text of the whole `tools` array as this caller sees it now, in wire form; asked for at every `tools/list` */
  tools(caller: Caller): string;
}

/** A uri the host does not have. */
export class UnknownResourceError extends Error {
  override readonly name = 'UnknownResourceError';
  readonly uri: string;

  constructor(uri: string) {
    super(`Resource not found: ${uri}`);
    this.uri = uri;
  }
}

/** A prompt the host does not have. */
export class UnknownPromptError extends Error {
  override readonly name = 'UnknownPromptError';

  constructor(prompt: string) {
    super(`Unknown prompt: ${prompt}`);
  }
}

/**
 * The client cannot do what a call needs. Reaching the door it becomes -32021 on 2026-07-28 and a failed call before.
 * `required` has the form of client capabilities: `{ sampling: {} }`.
 */
export class MissingCapabilityError extends Error {
  override readonly name = 'MissingCapabilityError';
  readonly required: Readonly<Record<string, object>>;

  constructor(required: Readonly<Record<string, object>>) {
    super(`The client has to support: ${Object.keys(required).join(', ')}`);
    this.required = required;
  }
}

/**
 * The contract's error of that name, told by its name (packages/tool, input.ts). It is not imported, because that package
 * brings its validator along and a start must not wait for it.
 */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';
  readonly required: InputRequired;

  constructor(required: InputRequired) {
    super('the client has to answer first');
    this.required = required;
  }
}

/** The server capabilities that follow from what a host has. */
export function capabilitiesOf(host: Host): Record<string, unknown> {
  const listChanged = host.onChange ? { listChanged: true } : {};
  return {
    tools: { ...listChanged },
    ...(host.resources
      ? { resources: { ...(host.resources.subscribe && host.onChange ? { subscribe: true } : {}), ...listChanged } }
      : {}),
    ...(host.prompts ? { prompts: { ...listChanged } } : {}),
    ...(host.complete ? { completions: {} } : {}),
    ...(host.logging ? { logging: {} } : {}),
  };
}
