// Arguments that a tool of 2026-07-28 wants mirrored in headers: `x-mcp-header` to `Mcp-Param-*` (wire contract 1.5).
import type { RemoteTool } from '../../ports/remote.ts';
import { isObject } from '../wire.ts';

interface Param {
  readonly path: readonly string[];
  readonly name: string;
}

const ANNOTATION = 'x-mcp-header';
/** RFC 9110 section 5.6.2 */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean', 'number']);

/** The annotated properties, or why the annotations make the tool unusable. */
export function paramsOf(schema: unknown): readonly Param[] | string {
  const found: Param[] = [];
  const seen = new Set<string>();
  let fault: string | undefined;

  function property(node: unknown, path: readonly string[]): void {
    if (!isObject(node)) return;
    if (path.length > 0 && Object.hasOwn(node, ANNOTATION)) {
      const name = node[ANNOTATION];
      if (typeof name !== 'string' || !TOKEN.test(name)) fault ??= 'a header name that cannot be sent';
      else if (seen.has(name.toLowerCase())) fault ??= 'two arguments for one header';
      else if (!TYPES.has(node['type'])) fault ??= 'an argument in a header that is not a string, integer or boolean';
      else found.push({ path, name });
      if (typeof name === 'string') seen.add(name.toLowerCase());
    }
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties' && isObject(value)) {
        for (const [name, each] of Object.entries(value)) property(each, [...path, name]);
      } else if (!DATA.has(key) && annotated(value))
        fault ??= 'a header for an argument that is not always in one place';
    }
  }
  property(schema, []);
  return fault ?? found;
}

/** Keywords whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', ANNOTATION]);

function annotated(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Object.hasOwn(node, ANNOTATION)) return true;
  return Object.entries(node).some(([key, value]) => !DATA.has(key) && annotated(value));
}

export function paramHeaders({ inputSchema }: RemoteTool, args: unknown): Readonly<Record<string, string>> {
  const params = paramsOf(inputSchema);
  if (typeof params === 'string') return {};
  const headers: Record<string, string> = {};
  for (const { path, name } of params) {
    let value: unknown = args;
    for (const step of path) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (typeof value === 'string') headers[`mcp-param-${name}`] = headerValue(value);
    else if (typeof value === 'boolean' || typeof value === 'number') headers[`mcp-param-${name}`] = String(value);
  }
  return headers;
}

/** As it is where a header carries it unchanged, else `=?base64?...?=` of its UTF-8. */
export function headerValue(text: string): string {
  if (/^(?:[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?)?$/.test(text) && !/^=\?base64\?.*\?=$/i.test(text))
    return text;
  return `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
