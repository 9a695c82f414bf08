// JSON Schema as the plane publishes it, written as TypeScript.

export type Schema = { readonly [keyword: string]: unknown };

const REF = '#/components/schemas/';

/** `tool.Kit` -> `ToolKit`, `tool.ToolList` -> `ToolList`: the app's name goes first unless it does already. */
export function typeName(id: string): string {
  const [app = '', name = ''] = id.includes('.') ? id.split('.') : ['', id];
  const first = pascal(app);
  return name.startsWith(first) ? name : first + name;
}

/** `get_tool_kit` -> `GetToolKit` */
export function pascal(id: string): string {
  return id.replaceAll(/(?:^|[_.-])(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}

/** The ids a schema refers to, itself only. */
export function refsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf);
  if (typeof value !== 'object' || value === null) return [];
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref.slice(REF.length)] : [];
  return [...own, ...Object.values(value).flatMap(refsOf)];
}

/** `export interface`, or `export type` where it is none, with what it is for. */
export function declarationOf(name: string, schema: Schema, doc?: string): string {
  const comment = commentOf(doc ?? textOf(schema['description']));
  const plain = schema['type'] === 'object' && schema['anyOf'] === undefined && schema['oneOf'] === undefined;
  const type = typeOf(schema);
  return plain && type.startsWith('{')
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}

/** The type of a value that the schema describes. */
export function typeOf(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'unknown';
  const { $ref, enum: values, const: only, anyOf, oneOf, allOf, type } = schema as Schema;
  if (typeof $ref === 'string') return typeName($ref.slice(REF.length));
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return union(values.map((each) => JSON.stringify(each)));
  const some = anyOf ?? oneOf;
  if (Array.isArray(some)) return union(some.map(typeOf));
  if (Array.isArray(allOf)) return allOf.map(typeOf).join(' & ');
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...schema, type: each as unknown })));
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${grouped(typeOf((schema as Schema)['items']))}[]`;
    case 'object':
      return objectOf(schema as Schema);
    default:
      return 'unknown';
  }
}

function objectOf(schema: Schema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const more = schema['additionalProperties'];
  if (properties.length === 0) {
    return `{ readonly [member: string]: ${typeof more === 'object' ? typeOf(more) : 'unknown'} }`;
  }
  const members = properties.map(([name, each]) => {
    const type = typeOf(each);
    // said twice for those who compile with exactOptionalPropertyTypes
    const rest = required.has(name) ? `: ${type}` : `?: ${type === 'unknown' ? type : `${type} | undefined`}`;
    return `${commentOf(textOf(each['description']))}readonly ${keyOf(name)}${rest};`;
  });
  // an object that may carry more has an index that every member must fit
  const index = typeof more === 'object' ? ['readonly [member: string]: unknown;'] : [];
  return `{\n${[...members, ...index].join('\n')}\n}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function grouped(type: string): string {
  return /^[\w.]+$/.test(type) || (type.startsWith('{') && type.endsWith('}')) ? type : `(${type})`;
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A doc block, or nothing. */
export function commentOf(text: string | undefined): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\u200b/').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}
