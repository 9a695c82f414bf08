// A server's list of tools: all its pages, and of each tool whether it can be used; what is left out is said.
import type { RemoteListing, RemoteTool } from '../ports/remote.ts';
import type { Bound } from './bound.ts';
import type { Dialect, Reply } from './dialects/dialect.ts';
import { RemoteFailure } from './failure.ts';
import { cleaned, deeperThan } from './text.ts';
import { type Endpoint, isObject } from './wire.ts';

const MOST_PAGES = 100;
const MOST_TOOLS = 5_000;
const LARGEST_LIST = 16 * 1_048_576;
const LARGEST_TOOL = 256 * 1024;
const LONGEST_NAME = 256;
const DEEPEST = 64;
/** Names given in a reason; of more only the number is. */
const MOST_NAMED = 5;

/** Follows the pages from the first one on. Rejects with RemoteFailure where they do not end. */
export async function allPages(dialect: Dialect, endpoint: Endpoint, first: Reply, bound: Bound): Promise<unknown[]> {
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (let page = first, count = 1; ; count++) {
    const { tools: some, nextCursor: next } = page.result;
    if (!Array.isArray(some)) throw new RemoteFailure('error', 'gave a list of tools that is not a list');
    tools.push(...(some as unknown[]));
    bytes += page.bytes;
    if (tools.length > MOST_TOOLS) throw new RemoteFailure('error', `lists more than ${MOST_TOOLS} tools`);
    if (bytes > LARGEST_LIST) {
      throw new RemoteFailure('error', `gave a list that is too large: more than ${LARGEST_LIST / 1_048_576} MiB`);
    }
    if (next === undefined || next === null || next === '') return tools;
    if (typeof next !== 'string') throw new RemoteFailure('error', 'gave a cursor that is not a text');
    if (seen.has(next)) throw new RemoteFailure('error', 'gave the same cursor twice: its list has no end');
    if (count >= MOST_PAGES) throw new RemoteFailure('error', `gave a list of more than ${MOST_PAGES} pages`);
    seen.add(next);
    page = await dialect.request(endpoint, 'tools/list', { cursor: next }, bound);
  }
}

/** The tools that can be used, cleaned, and what is to be said of the others. */
export function listingOf(raw: readonly unknown[], dialect: Dialect): RemoteListing {
  const tools = new Map<string, RemoteTool>();
  const unusable = new Map<string, string[]>();
  const note = (why: string, name: string): void => {
    const names = unusable.get(why) ?? [];
    names.push(name);
    unusable.set(why, names);
  };
  for (const [index, each] of raw.entries()) {
    const called = nameOf(each) ?? `#${index + 1}`;
    const checked = check(each);
    if (typeof checked === 'string') note(`${checked}, left out`, called);
    else if (tools.has(checked.tool.name)) note('listed twice, the first one taken', called);
    else {
      const refused = dialect.refuses(checked.tool);
      if (refused !== undefined) note(`${refused}, left out`, called);
      else {
        tools.set(checked.tool.name, checked.tool);
        if (checked.changed) note('invisible characters taken out', called);
      }
    }
  }
  const reason = [...unusable].map(([why, names]) => {
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    return `${names.slice(0, MOST_NAMED).join(', ')}${more}: ${why}`;
  });
  return { status: 'ok', tools: [...tools.values()], ...(reason.length === 0 ? {} : { reason: reason.join('; ') }) };
}

function nameOf(value: unknown): string | undefined {
  if (!isObject(value) || typeof value['name'] !== 'string') return undefined;
  const name = cleaned(value['name']).text.trim();
  return name === '' ? undefined : [...name].slice(0, 64).join('');
}

function check(value: unknown): { tool: RemoteTool; changed: boolean } | string {
  if (!isObject(value)) return 'not an object';
  const { name, inputSchema, outputSchema } = value;
  if (typeof name !== 'string' || name === '') return 'no name';
  if (name.length > LONGEST_NAME) return `a name of more than ${LONGEST_NAME} characters`;
  if (cleaned(name).changed || /[\t\r\n]/.test(name)) return 'a name with invisible characters';
  if (deeperThan(value, DEEPEST)) return 'nested too deep';
  if (new TextEncoder().encode(JSON.stringify(value)).length > LARGEST_TOOL)
    return `larger than ${LARGEST_TOOL / 1024} KiB`;
  if ((inputSchema ?? undefined) !== undefined && !isObject(inputSchema)) return 'a schema that is not an object';
  const told = { changed: false };
  const made = tidy(value, told) as Record<string, unknown>;
  // null stands for absent in servers whose language has no other way
  for (const member of ['title', 'description'] as const) if (typeof made[member] !== 'string') delete made[member];
  if (!isObject(inputSchema)) delete made['inputSchema'];
  if (!isObject(outputSchema)) delete made['outputSchema'];
  if (!isObject(value['annotations'])) delete made['annotations'];
  // its members have been checked one by one
  return { tool: made as unknown as RemoteTool, changed: told.changed };
}

/** Members whose texts a model reads; values that a schema compares with are left as they are. */
const READ: ReadonlySet<string> = new Set(['title', 'description', '$comment']);

function tidy(value: unknown, told: { changed: boolean }, key = ''): unknown {
  if (typeof value === 'string') {
    if (!READ.has(key)) return value;
    const { text, changed } = cleaned(value);
    told.changed ||= changed;
    return text;
  }
  if (Array.isArray(value)) return value.map((each) => tidy(each, told));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidy(each, told, name)]));
}
