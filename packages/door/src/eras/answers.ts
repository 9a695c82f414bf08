// Whether a client's answer fits its question. A form's content is checked against the form; the client may not have done so.
import type { ClientRequest } from '@hanzo/tool';
import { isObject } from '../core/rpc.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What is wrong with an answer, in words; undefined where it fits. */
export function misfit({ method, params }: ClientRequest, answer: unknown): string | undefined {
  if (!isObject(answer)) return 'the answer is not an object';
  if (method === 'roots/list') return Array.isArray(answer['roots']) ? undefined : 'the answer has no roots';
  if (method === 'sampling/createMessage')
    return answer['content'] === undefined ? 'the answer has no content' : undefined;
  const action = answer['action'];
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    return 'action must be accept, decline or cancel';
  const form = params['requestedSchema'];
  // An address to visit has no form, and a refusal no content.
  if (action !== 'accept' || !isObject(form)) return undefined;
  return misfitForm(form, answer['content'] ?? {});
}

/** The flat forms of elicitation: primitive properties and lists of choices (specification, elicitation). */
function misfitForm({ properties, required }: Schema, content: unknown): string | undefined {
  if (!isObject(content)) return 'content must be an object';
  for (const key of Array.isArray(required) ? required : []) {
    if (typeof key === 'string' && !Object.hasOwn(content, key)) return `content needs ${key}`;
  }
  for (const [key, schema] of Object.entries(isObject(properties) ? properties : {})) {
    if (!Object.hasOwn(content, key) || !isObject(schema)) continue;
    const wrong = misfitValue(schema, content[key]);
    if (wrong) return `${key} ${wrong}`;
  }
  return undefined;
}

function misfitValue(schema: Schema, value: unknown): string | undefined {
  const choices = choicesOf(schema);
  if (choices && !choices.includes(value)) return `must be one of: ${choices.join(', ')}`;
  switch (schema['type']) {
    case 'string':
      if (typeof value !== 'string') return 'must be a string';
      // Lengths count characters, not UTF-16 units (JSON Schema validation, section 6.3).
      return misfitSize([...value].length, schema['minLength'], schema['maxLength'], 'characters');
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || (schema['type'] === 'integer' && !Number.isInteger(value))) {
        return `must be ${schema['type'] === 'integer' ? 'an integer' : 'a number'}`;
      }
      return misfitSize(value, schema['minimum'], schema['maximum'], '');
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array': {
      if (!Array.isArray(value)) return 'must be an array';
      const { items } = schema;
      const wrong = isObject(items) ? value.map((each) => misfitValue(items, each)).find(Boolean) : undefined;
      return wrong ?? misfitSize(value.length, schema['minItems'], schema['maxItems'], 'choices');
    }
    default:
      return undefined;
  }
}

function misfitSize(size: number, least: unknown, most: unknown, of: string): string | undefined {
  if (typeof least === 'number' && size < least) return `must be at least ${least} ${of}`.trimEnd();
  if (typeof most === 'number' && size > most) return `must be at most ${most} ${of}`.trimEnd();
  return undefined;
}

/** `enum`, or the `const`s of `oneOf` and `anyOf`. */
function choicesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema['enum'])) return schema['enum'];
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(titled)) return undefined;
  const values = titled.map((each: unknown) => (isObject(each) ? each['const'] : undefined));
  return values.includes(undefined) ? undefined : values;
}
