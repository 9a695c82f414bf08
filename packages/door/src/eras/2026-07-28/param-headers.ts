// `x-mcp-header`: which arguments of a tool are repeated as `Mcp-Param-*` headers (SEP-2243).
import type { JsonSchema, Tool } from '@hanzo/tool';
import { isObject } from '../../core/rpc.ts';

/** One annotated property: the header's name after `Mcp-Param-`, and where the argument is. */
export interface Declaration {
  readonly name: string;
  readonly path: readonly string[];
}

const KEYWORD = 'x-mcp-header';
/** RFC 9110 section 5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Keywords whose values are data, whatever they look like. */
const DATA: readonly string[] = ['enum', 'const', 'default', 'examples'];
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean', 'number'];
/** Deeper schemas are not searched: no caller writes them by hand, and recursion has to end. */
const MAX_DEPTH = 32;

const known = new WeakMap<object, readonly Declaration[]>();

/** The declarations of a tool; none where one of them breaks the rules, because clients drop such a tool. */
export function declarations(tool: Tool): readonly Declaration[] {
  let found = known.get(tool.inputSchema);
  if (!found) known.set(tool.inputSchema, (found = scan(tool.inputSchema)));
  return found;
}

/** How an argument is written in a header, before encoding. */
export function parameterText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    ? String(value)
    : undefined;
}

function scan(schema: JsonSchema): readonly Declaration[] {
  // Most tools have none: one look at the text spares the walk.
  if (!JSON.stringify(schema).includes(KEYWORD)) return [];
  const found: Declaration[] = [];
  if (!collect(schema, [], found)) return [];
  const names = new Set(found.map(({ name }) => name.toLowerCase()));
  return names.size === found.length ? found : [];
}

function collect(schema: unknown, path: readonly string[], found: Declaration[]): boolean {
  if (!isObject(schema) || path.length > MAX_DEPTH) return true;
  if (KEYWORD in schema) {
    const name = schema[KEYWORD];
    if (path.length === 0 || typeof name !== 'string' || !TOKEN.test(name)) return false;
    if (!TYPES.includes(schema['type'])) return false;
    found.push({ name, path });
  }
  const { properties, ...others } = schema;
  for (const [keyword, value] of Object.entries(others)) if (!DATA.includes(keyword) && hides(value)) return false;
  if (!isObject(properties)) return true;
  return Object.entries(properties).every(([key, each]) => collect(each, [...path, key], found));
}

/** Whether an annotation stands where no chain of `properties` leads: that spoils the whole tool. */
function hides(value: unknown, depth = 0): boolean {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, KEYWORD)) return true;
  return Object.values(value).some((each) => hides(each, depth + 1));
}
