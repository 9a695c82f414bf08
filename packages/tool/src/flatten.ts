// From zod objects to published JSON Schema: one flat object for a tool, one exact object for an action.
import { z } from 'zod';
import type { Action } from './action.ts';
import type { JsonSchema } from './host.ts';

type Mutable = { [keyword: string]: unknown };

/** Names that every tool answers besides its own actions. A tool whose own business is a status (git) keeps that name. */
export const BUILT_IN_ACTIONS = ['help', 'schema', 'status'] as const;

/** Every action a tool answers: its own in their order, then the built-in ones. */
export function actionNames(actions: ReadonlyMap<string, unknown>): string[] {
  return [...actions.keys(), ...BUILT_IN_ACTIONS.filter((name) => !actions.has(name))];
}

/**
 * The exact schema of one action's parameters (draft 2020-12), without `action`. It accepts what the validator accepts, but
 * for two things: the length of a string is in code points there, in UTF-16 units here; and a key `__proto__` is refused here.
 */
export function actionSchema(input: z.ZodObject): JsonSchema {
  const raw = z.toJSONSchema(input, { io: 'input', unrepresentable: 'throw', reused: 'inline' }) as Mutable;
  delete raw['$schema'];
  return { ...raw, additionalProperties: false };
}

/**
 * The one flat schema a tool publishes: `action` first, then every parameter once, in order of first appearance;
 * keywords on which actions disagree are left out, so that whatever an action accepts the schema accepts too.
 * `action` is required unless the tool has a default one. Throws where two actions give one name different types: that is a mistake in the tool.
 */
export function flatSchema(
  tool: string,
  actions: ReadonlyMap<string, Action<never>>,
  defaultAction?: string,
): JsonSchema {
  const properties: { [name: string]: Mutable } = {};
  for (const [name, { input }] of actions) {
    const { properties: own = {} } = actionSchema(input) as { properties?: { [name: string]: Mutable } };
    for (const [parameter, schema] of Object.entries(own)) {
      const { default: _default, ...published } = tidy(schema);
      const known = properties[parameter];
      properties[parameter] = known ? merge(`${tool} ${name} ${parameter}`, known, published) : published;
    }
  }
  return {
    type: 'object',
    properties: {
      action: { type: 'string', enum: actionNames(actions) },
      ...properties,
      ...('action_name' in properties ? {} : { action_name: { type: 'string' } }),
    },
    ...(defaultAction === undefined ? { required: ['action'] } : {}),
  };
}

function merge(where: string, known: Mutable, other: Mutable): Mutable {
  if (JSON.stringify(known['type']) !== JSON.stringify(other['type'])) {
    throw new TypeError(`${where}: declared as ${String(known['type'])} and as ${String(other['type'])}`);
  }
  const merged: Mutable = {};
  for (const [keyword, value] of Object.entries(known)) {
    if (keyword === 'description' || JSON.stringify(other[keyword]) === JSON.stringify(value)) merged[keyword] = value;
  }
  if (!('description' in merged) && 'description' in other) merged['description'] = other['description'];
  // What closes a list of members or items says nothing without that list, and would refuse everything.
  for (const [list, rest] of CLOSED_BY) if (list in known && !(list in merged)) delete merged[rest];
  return merged;
}

const CLOSED_BY: readonly (readonly [list: string, rest: string])[] = [
  ['properties', 'additionalProperties'],
  ['prefixItems', 'items'],
];

/** Bounds that only a mistake meets. The validator names them when it refuses, and `schema` shows them; a list pays for them every turn. */
const UNPUBLISHED: ReadonlySet<string> = new Set(['maximum', 'minLength', 'maxLength', 'pattern', 'propertyNames']);

/** Leaves out the safe-integer bound zod adds, and what is not published. */
function tidy(schema: Mutable): Mutable {
  const kept: Mutable = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (UNPUBLISHED.has(keyword) || (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER)) continue;
    kept[keyword] = keyword === 'items' ? tidy(value as Mutable) : value;
  }
  return kept;
}
