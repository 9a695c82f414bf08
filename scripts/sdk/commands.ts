// The command table of `hanzo`: which words name an operation, and which flags its members are given by.
import type { App } from '../../packages/cloud/src/core/app.ts';
import type { Op } from '../../packages/cloud/src/core/op.ts';
import { flatInput } from '../../packages/cloud/src/core/schema.ts';
import type { Command, Member } from '../../packages/cli/src/command.ts';

const VERBS = { GET: 'get', POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const;
/** The documentation spells this app's commands in the plural. */
const SPELLED: Readonly<Record<string, string>> = { tool: 'tools' };
/** Members that hold a credential: never on a command line, where every process of the machine reads them. */
const SECRETS = /^(?:secret|password|token)$/;

export function commandTable(apps: readonly App[]): string {
  const ops = apps.flatMap((app) => app.ops);
  const commands = ops.map((op) => commandOf(op, ops)).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const seen = new Map<string, string>();
  for (const command of commands) {
    const key = `${command.words.join(' ')}/${command.positionals.length}`;
    const other = seen.get(key);
    if (other !== undefined) throw new Error(`${other} and ${command.id} would both be '${command.words.join(' ')}'`);
    seen.set(key, command.id);
  }
  const groups = Object.fromEntries([...apps].map(({ name, title }) => [SPELLED[name] ?? name, title] as const).sort());
  return `// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.
import type { Command } from '../command.ts';

/** What the first word of a command is about. */
export const GROUPS: Readonly<Record<string, string>> = ${JSON.stringify(groups)};

export const COMMANDS: readonly Command[] = ${JSON.stringify(commands)};
`;
}

const keyOf = ({ words, positionals }: Command): string => `${words.join(' ')} ${positionals.length}`;

function commandOf(op: Op, all: readonly Op[]): Command {
  const segments = op.path.split('/').slice(2);
  const positionals = segments.filter(isParameter).map((each) => each.slice(1, -1));
  const [app = '', ...literals] = segments.filter((each) => !isParameter(each));
  const words = [SPELLED[app] ?? app, ...literals];
  if (!isAction(op, segments, all)) words.push(VERBS[op.method]);
  return {
    id: op.id,
    words,
    method: op.method,
    path: op.path,
    summary: op.summary,
    ...(op.description === undefined ? {} : { description: op.description }),
    positionals,
    ...(op.input.query === undefined ? {} : { query: Object.keys(op.input.query.shape) }),
    ...(op.input.body === undefined ? {} : { body: Object.keys(op.input.body.shape) }),
    members: membersOf(op, positionals),
    ...(op.internal ? { internal: true } : {}),
  };
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** `call`, `sync`, `delete-membership`: a POST to a word that is neither a collection nor something to read says itself what it does. */
function isAction({ method, path }: Op, segments: readonly string[], all: readonly Op[]): boolean {
  const last = segments.findLast((each) => !isParameter(each)) ?? '';
  return (
    method === 'POST' && !last.endsWith('s') && !all.some((other) => other.method === 'GET' && other.path === path)
  );
}

function membersOf(op: Op, positionals: readonly string[]): readonly Member[] {
  const { properties = {}, required = [] } = flatInput(op) as {
    properties?: Record<string, Record<string, unknown>>;
    required?: readonly string[];
  };
  return Object.entries(properties)
    .filter(([name]) => !positionals.includes(name))
    .map(([name, schema]): Member => {
      const secret = SECRETS.test(name) || (op.app === 'kms' && name === 'value');
      const values = schema['enum'] as readonly string[] | undefined;
      return {
        name,
        flag: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        kind: secret ? 'secret' : name === 'content' ? 'document' : kindOf(schema),
        required: required.includes(name),
        help: typeof schema['description'] === 'string' ? schema['description'] : '',
        ...(values === undefined ? {} : { values }),
      };
    });
}

function kindOf({ type, items, anyOf }: Record<string, unknown>): Member['kind'] {
  const types = Array.isArray(anyOf) ? anyOf.map((each: { type?: unknown }) => each.type) : [type].flat();
  const [only, ...more] = types.filter((each) => each !== 'null');
  if (more.length > 0) return 'json';
  if (only === 'array') return (items as { type?: unknown } | undefined)?.type === 'string' ? 'list' : 'json';
  if (only === 'string') return 'text';
  if (only === 'boolean') return 'boolean';
  return only === 'integer' || only === 'number' ? 'number' : 'json';
}
