// The headers that repeat the body (specification 2026-07-28, streamable HTTP; SEP-2243), checked against it.
import { CODES, type Params, type Request, RpcError } from '../../core/rpc.ts';
import { type Declaration, parameterText } from './param-headers.ts';

/** HTTP headers by lower-case name. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Which parameter `Mcp-Name` repeats. */
const NAME_SOURCE: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** One header, with the white space around it removed; undefined where it is missing. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text?.replace(/^[ \t]+|[ \t]+$/g, '');
}

/** Presence first, in the order the specification names them, then equality. Throws -32020. */
export function checkStandardHeaders(message: Request, headers: Headers): void {
  const method = header(headers, 'mcp-method');
  if (header(headers, 'mcp-protocol-version') === undefined)
    throw mismatch('the MCP-Protocol-Version header is missing');
  if (method === undefined) throw mismatch('the Mcp-Method header is missing');
  if (method !== message.method) throw mismatch(`Mcp-Method says ${method}, the request says ${message.method}`);
  const source = NAME_SOURCE.get(message.method);
  const value = source === undefined ? undefined : message.params?.[source];
  if (typeof value !== 'string') return;
  const name = header(headers, 'mcp-name');
  if (name === undefined) throw mismatch('the Mcp-Name header is missing');
  if (decode(name, 'Mcp-Name') !== value) throw mismatch(`Mcp-Name differs from params.${source}`);
}

/** Every `Mcp-Param-*` header a tool declares, against the argument it repeats. Throws -32020. */
export function checkParameterHeaders(declared: readonly Declaration[], args: Params, headers: Headers): void {
  for (const { name, path } of declared) {
    const value = path.reduce<unknown>(step, args);
    if (value === undefined || value === null) continue;
    const label = `Mcp-Param-${name}`;
    const given = header(headers, label.toLowerCase());
    if (given === undefined) throw mismatch(`the ${label} header is missing`);
    const text = decode(given, label);
    if (!same(text, value)) throw mismatch(`${label} differs from argument ${path.join('.')}`);
  }
}

function step(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Params)[key] : undefined;
}

function same(text: string, value: unknown): boolean {
  // 42 and 42.0 are one number; an empty text is none.
  if (typeof value === 'number') return /^-?\d/.test(text) && Number(text) === value;
  return text === parameterText(value);
}

/** Undoes the `=?base64?...?=` form; bad base64 or bad UTF-8 inside it is a mismatch. */
function decode(value: string, label: string): string {
  const inner = /^=\?base64\?(.*)\?=$/s.exec(value)?.[1];
  if (inner === undefined) return value;
  const bytes = Buffer.from(inner, 'base64');
  if (bytes.toString('base64') !== inner) throw mismatch(`${label} holds bad base64`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw mismatch(`${label} holds bad UTF-8`);
  }
}

function mismatch(what: string): RpcError {
  return new RpcError(CODES.headerMismatch, `Header mismatch: ${what}`, { status: 400 });
}
