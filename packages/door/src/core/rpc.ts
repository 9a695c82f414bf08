// JSON-RPC 2.0 as MCP uses it: reading one message and writing one. Knows no method and no revision.

export type Id = string | number;
export type Params = Readonly<Record<string, unknown>>;

export interface Request {
  kind: 'request';
  id: Id;
  method: string;
  params: Params | undefined;
}

export interface Notification {
  kind: 'notification';
  method: string;
  params: Params | undefined;
}

/** The client's answer to a request of ours. */
export interface Response {
  kind: 'response';
  id: Id | null;
  result?: unknown;
  error?: unknown;
}

/** Something that is not a message; `id` is what an answer to it can name. */
export interface Invalid {
  kind: 'invalid';
  id: Id | null;
  code: number;
  reason: string;
}

export type Message = Request | Notification | Response | Invalid;

/** JSON-RPC 2.0 section 5.1, and the codes MCP reserves (specification 2026-07-28; -32002 up to 2025-11-25). */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** implementation-defined, used for refusals below the protocol (wrong Host, no credential, wrong method) */
  refused: -32000,
  sessionNotFound: -32001,
  legacyResourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** A failure that goes to the client as a JSON-RPC error. `status` is the HTTP status where HTTP carries it. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  readonly status: number;

  constructor(code: number, message: string, options: { data?: unknown; status?: number } = {}) {
    super(message);
    this.code = code;
    this.data = options.data;
    this.status = options.status ?? 200;
  }
}

/** An answer ready to send, with the status HTTP gives it. */
export interface Reply {
  readonly text: string;
  readonly status: number;
}

/** Sorts one parsed JSON value into a message; never throws. */
export function readMessage(value: unknown): Message {
  if (!isObject(value)) return invalid(null, 'a message is a JSON object');
  const { id, method, params } = value;
  const known = isId(id) ? id : null;
  if (value['jsonrpc'] !== '2.0') return invalid(known, 'jsonrpc must be "2.0"');
  if (method === undefined && ('result' in value || 'error' in value)) {
    return { kind: 'response', id: known, result: value['result'], error: value['error'] };
  }
  if (typeof method !== 'string') return invalid(known, 'method must be a string');
  if ('id' in value && known === null) return invalid(null, 'id must be a string or an integer');
  if (params !== undefined && params !== null && !isObject(params)) {
    return { kind: 'invalid', id: known, code: CODES.invalidParams, reason: 'params must be an object' };
  }
  const given = isObject(params) ? params : undefined;
  return known === null
    ? { kind: 'notification', method, params: given }
    : { kind: 'request', id: known, method, params: given };
}

function invalid(id: Id | null, reason: string): Invalid {
  return { kind: 'invalid', id, code: CODES.invalidRequest, reason };
}

function isId(value: unknown): value is Id {
  // An integer beyond 2^53 would come back changed, so it cannot be answered under its own name.
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** A plain JSON object: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A response around a result that is already JSON text. */
export function resultText(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorText(id: Id | null, error: { code: number; message: string; data?: unknown }): string {
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

export function errorReply(id: Id | null, error: RpcError): Reply {
  return { text: errorText(id, error), status: error.status };
}

export function invalidReply(message: Invalid): Reply {
  return errorReply(message.id, new RpcError(message.code, message.reason, { status: 400 }));
}

export function notificationText(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
}

export function requestText(id: Id, method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** The error of anything thrown; what is not an RpcError is an internal error with its own message. */
export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown;
  return new RpcError(CODES.internal, messageOf(thrown));
}

export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text || 'unexpected failure';
}

/** A name from outside as a message shows it: never longer than a message should be, never half a code point. */
export function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200).replace(/[\ud800-\udbff]$/, '')}...` : name;
}

/** Whether `thrown` is an error of the class called `name`; by name, because a bundle may hold a class twice. */
export function isNamed(thrown: unknown, name: string): thrown is Error {
  return thrown instanceof Error && thrown.name === name;
}
