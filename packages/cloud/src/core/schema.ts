// zod schemas as published JSON Schema: for documents with shared components, and whole for agents.
import { z } from 'zod';
import type { Op } from './op.ts';

export type Schema = { readonly [keyword: string]: unknown };

/** JSON Schema 2020-12 with `#/$defs/<id>` for schemas that have an id. */
function raw(schema: z.ZodType): Record<string, unknown> {
  // answers are passed on as the operation made them, so both directions are described by what goes in
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

/** The schema as a reference or a value of a document whose components are collected in `components`. */
export function published(schema: z.ZodType, components: Map<string, Schema>): Schema {
  const { $defs, id, ...rest } = raw(schema);
  for (const [name, each] of Object.entries(($defs ?? {}) as Record<string, Record<string, unknown>>)) {
    const { id: _, ...body } = each;
    components.set(name, moved(body) as Schema);
  }
  const own = moved(rest) as Schema;
  if (typeof id !== 'string') return own;
  components.set(id, own);
  return { $ref: `#/components/schemas/${id}` };
}

function moved(value: unknown): unknown {
  return mapped(value, (ref) => ({ $ref: ref.replace('#/$defs/', '#/components/schemas/') }));
}

/** One flat object of every member an operation takes, path, query and body alike, without references. */
export function flatInput({ id, input }: Op): Schema {
  const properties: Record<string, unknown> = {};
  const required = new Set<string>();
  for (const part of [input.params, input.query, input.body]) {
    if (part === undefined) continue;
    const { $defs, ...schema } = raw(part);
    const whole = inlined(schema, ($defs ?? {}) as Record<string, unknown>) as {
      properties?: Record<string, unknown>;
      required?: string[];
    };
    for (const [name, each] of Object.entries(whole.properties ?? {})) {
      if (Object.hasOwn(properties, name)) throw new Error(`${id}: '${name}' stands in two places of its input`);
      properties[name] = each;
    }
    for (const name of whole.required ?? []) required.add(name);
  }
  return { type: 'object', properties, ...(required.size > 0 ? { required: [...required] } : {}) };
}

function inlined(value: unknown, defs: Readonly<Record<string, unknown>>, depth = 0): unknown {
  if (depth > 8) return {};
  return mapped(value, (ref) => {
    const { id: _, ...found } = (defs[ref.slice('#/$defs/'.length)] ?? {}) as Record<string, unknown>;
    return inlined(found, defs, depth + 1);
  });
}

/** The value with every object that is a reference replaced. */
function mapped(value: unknown, replace: (ref: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, replace));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') return replace(value.$ref);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, replace)]));
}
