// The seam between the wire and the tools: a door knows a ToolHost and nothing behind it.
import type { CallResult } from './content.ts';

/** A JSON Schema object as published in a listing. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Hints a client may show; never a promise (MCP specification, ToolAnnotations). */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A tool as a listing shows it. */
export interface Tool {
  name: string;
  title?: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
  _meta?: Record<string, unknown>;
}

/** Who asks. `id` is stable for one authenticated caller; the local server has one caller, `local`. */
export interface Caller {
  id: string;
  /** opaque to the door; a host that authenticates puts its principal here */
  principal?: unknown;
  /**
   * Names the connection or session the request came by, where the client keeps one: what it asks to be kept for it belongs
   * here. Absent for requests that stand alone (2026-07-28 over HTTP, and older clients without a session).
   */
  connection?: string;
}

/** A question a tool puts to the person or the model behind the client. */
export interface ClientRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: Record<string, unknown>;
}

/** What a call may use of the wire while it runs. */
export interface CallContext {
  /** aborted when the client cancels, vanishes, or the server ends */
  signal: AbortSignal;
  /** reports progress; a no-op where the client sent no token. `progress` must increase */
  progress(update: { progress: number; total?: number; message?: string }): void;
  /** emits a log message to the client at the level it asked for; below that level, or unasked, a no-op */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** capabilities the client declared for this call; `{}` when none */
  clientCapabilities: Readonly<Record<string, unknown>>;
  /**
   * Asks the client. On a 2025-era connection this is a request on the call's own stream; on 2026-07-28 the call ends with
   * `input_required` and runs again with the answers, so code before it must be repeatable. Rejects where the client lacks
   * the capability.
   */
  ask(questions: Readonly<Record<string, ClientRequest>>): Promise<Record<string, unknown>>;
  /**
   * Directories the client works in (`file://` URIs), asked once per connection and again after `roots/list_changed`.
   * Absent where the client has no roots or the era cannot ask on its own (2026-07-28).
   */
  roots?(): Promise<readonly string[]>;
  /** 2026-07-28 only: answers that came with this request, and the verified state of the previous round */
  inputResponses?: Readonly<Record<string, unknown>>;
  requestState?: string;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** Tells a 2026-07-28 client what to answer before the call can go on (multi-round-trip requests, SEP-2322). */
export interface InputRequired {
  inputRequired: {
    inputRequests?: Readonly<Record<string, ClientRequest>>;
    /** plain state; the door signs it, binds it to caller and request, and verifies it on return */
    state?: string;
  };
}

/** A thing that lists tools and calls them. The local server and the plane are two of them. */
export interface ToolHost {
  /** every tool this caller may see, in a stable order */
  list(caller: Caller): Promise<readonly Tool[]>;
  /** runs one tool; an unknown name rejects with UnknownToolError, everything else is a CallResult */
  call(
    caller: Caller,
    name: string,
    args: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<CallResult | InputRequired>;
}

/** A name no source of the host offers to this caller. */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownToolError';
  readonly tool: string;

  constructor(tool: string) {
    super(`Unknown tool: ${tool}`);
    this.tool = tool;
  }
}
