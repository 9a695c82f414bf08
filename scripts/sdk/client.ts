// The SDK's sources: for each app a file with the types it speaks of and one class with a method for each operation.
import type { App } from '../../packages/cloud/src/core/app.ts';
import type { Op } from '../../packages/cloud/src/core/op.ts';
import { refusalsOf } from '../../packages/cloud/src/core/openapi.ts';
import { published } from '../../packages/cloud/src/core/schema.ts';
import { commentOf, declarationOf, pascal, refsOf, type Schema, typeName, typeOf } from './types.ts';

const HEAD = `// Written from the plane's operations by scripts/sdk.ts; changes by hand are lost.\n`;

/** Texts of the files below `generated/`, by name. Throws where two things would have one name. */
export function clientFiles(apps: readonly App[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const taken = new Map<string, string>();
  const exported: string[] = [];
  for (const app of [...apps].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { text, names } = fileOf(app);
    for (const name of names) {
      const other = taken.get(name);
      if (other !== undefined) throw new Error(`${name} would be declared by ${other} and by ${app.name}`);
      taken.set(name, app.name);
    }
    files.set(`${app.name}.ts`, text);
    const types = names.slice(1).sort();
    exported.push(`export { ${names[0]}, ${types.map((name) => `type ${name}`).join(', ')} } from './${app.name}.ts';`);
  }
  return files.set('index.ts', `${HEAD}${exported.join('\n')}\n`);
}

function fileOf(app: App): { readonly text: string; readonly names: readonly string[] } {
  const components = new Map<string, Schema>();
  const declared = new Map<string, string>();
  const methods: string[] = [];
  for (const op of [...app.ops].sort(byPath)) {
    const { method, types } = methodOf(op, components);
    methods.push(method);
    for (const [name, text] of types) declared.set(name, text);
  }
  for (const [id, schema] of [...components].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = typeName(id);
    if (declared.has(name)) throw new Error(`${app.name}: two types would be called ${name}`);
    declared.set(name, declarationOf(name, schema));
  }
  const className = `${pascal(app.name)}Api`;
  const types = [...declared].sort(([a], [b]) => (a < b ? -1 : 1));
  const used = methods.join('').includes('QueryValue') || types.some(([, text]) => text.includes('QueryValue'));
  const text = [
    HEAD,
    `import { Api, type ApiResponse, ${used ? 'type QueryValue, ' : ''}type RequestOptions } from '../request.ts';\n\n`,
    types.map(([, each]) => each).join('\n'),
    `\n/** ${app.title} */\nexport class ${className} extends Api {\n${methods.join('\n')}}\n`,
  ].join('');
  return { text, names: [className, ...types.map(([name]) => name)] };
}

const byPath = (a: Op, b: Op): number => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1);

function methodOf(
  op: Op,
  components: Map<string, Schema>,
): { readonly method: string; readonly types: ReadonlyMap<string, string> } {
  const types = new Map<string, string>();
  const name = pascal(op.id);
  const method = name.charAt(0).toLowerCase() + name.slice(1);
  const input = inputOf(op, components);
  if (input !== undefined)
    types.set(`${name}Request`, declarationOf(`${name}Request`, input.schema, `What \`${method}\` takes.`));
  let answer = 'undefined';
  if (op.answer !== undefined) {
    const schema = published(op.answer, components);
    answer = refsOf(schema).length > 0 && '$ref' in schema ? typeOf(schema) : `${name}Answer`;
    if (answer === `${name}Answer`) types.set(answer, declarationOf(answer, schema, `What \`${method}\` answers.`));
  }
  const request = input === undefined ? '' : `request${input.required ? '' : '?'}: ${name}Request, `;
  const operation = [
    `id: '${op.id}', method: '${op.method}', path: '${op.path}'`,
    ...(['query', 'body'] as const)
      .filter((place) => op.input[place] !== undefined)
      .map((place) => `${place}: ${JSON.stringify(Object.keys(op.input[place]?.shape ?? {}))}`),
  ].join(', ');
  const text = `${commentOf(docOf(op))}${method}(${request}options?: RequestOptions): Promise<ApiResponse<${answer}>> {
    return this.send({ ${operation} }, ${input === undefined ? 'undefined' : 'request'}, options);
  }\n`;
  return { method: text, types };
}

/** Every member of path, query and body as one object; undefined where there is none. */
function inputOf(
  op: Op,
  components: Map<string, Schema>,
): { readonly schema: Schema; readonly required: boolean } | undefined {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const place of ['params', 'query', 'body'] as const) {
    const part = op.input[place];
    if (part === undefined) continue;
    const whole = published(part, components);
    // a body with a name of its own stands among the components
    const schema = (typeof whole['$ref'] === 'string' ? components.get(refsOf(whole)[0] ?? '') : whole) as {
      properties?: Record<string, Schema>;
      required?: string[];
    };
    for (const [name, each] of Object.entries(schema.properties ?? {})) {
      if (Object.hasOwn(properties, name)) throw new Error(`${op.id}: '${name}' stands in two places of its input`);
      // numbers and truth values travel in a query as text, and are taken as what they are
      const open = place === 'query' && each['type'] === 'string' && each['enum'] === undefined;
      properties[name] = open ? { ...each, type: undefined, $ref: '#/components/schemas/QueryValue' } : each;
    }
    required.push(...(schema.required ?? []));
  }
  if (Object.keys(properties).length === 0) return undefined;
  return { schema: { type: 'object', properties, required }, required: required.length > 0 };
}

const WHO = { none: 'anybody', member: 'any member', admin: 'admins', operator: 'operators of the plane' } as const;

function docOf(op: Op): string {
  return [
    op.description === undefined ? op.summary : `${op.summary} ${op.description}`,
    '',
    `\`${op.method} ${op.path}\`, for ${WHO[op.auth]}.`,
    ...refusalsOf(op).map(([status, what]) => `@throws {ApiError} ${status}: ${what}`),
  ].join('\n');
}
