// Checks a call's arguments against the tool's own schema, which may come from anybody: no pattern of it can hold the plane up.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import type { JsonSchema } from '@hanzo/tool';
import { Problem } from '../../core/problem.ts';

/** Compiled schemas kept. */
const MOST_SCHEMAS = 5000;
const LARGEST_SCHEMA = 262_144;
const DEEPEST = 60;

/** Linear in the text, where the engine's own expressions may take years. */
function re2(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return {
    test: (text) => compiled.matcher(text).find(),
    // Ajv tells patterns apart by this text: equal ones share the first one's meaning
    toString: () => pattern,
  };
}
re2.code = 're2';

export interface ArgumentCheck {
  /** throws Problem 400 naming the member; a schema that cannot be used checks nothing */
  (schema: JsonSchema | undefined, args: Readonly<Record<string, unknown>>): void;
}

export function createArgumentCheck(): ArgumentCheck {
  const compiled = new Map<string, ValidateFunction | null>();

  function validatorOf(schema: JsonSchema): ValidateFunction | null {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known !== undefined) return known;
    let made: ValidateFunction | null = null;
    if (text.length <= LARGEST_SCHEMA && depthOf(schema) <= DEEPEST) {
      try {
        // one for each schema: their `$id`s are their own affair
        const ajv = new Ajv2020({
          strict: false,
          allErrors: false,
          validateFormats: false,
          logger: false,
          addUsedSchema: false,
          code: { regExp: re2 as never },
        });
        made = ajv.compile(schema);
      } catch {
        // a schema of another draft, with look-around, or broken: the tool itself has to judge
      }
    }
    compiled.set(text, made);
    const [oldest] = compiled.keys();
    if (compiled.size > MOST_SCHEMAS && oldest !== undefined) compiled.delete(oldest);
    return made;
  }

  return (schema, args) => {
    if (schema === undefined) return;
    const validate = validatorOf(schema);
    if (validate === null || validate(args)) return;
    const error = validate.errors?.[0];
    const where = error?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? '';
    throw new Problem(
      400,
      `'arguments${where === '' ? '' : `.${where}`}' ${error?.message ?? 'is not what the tool takes'}.`,
      {
        code: 'invalid_arguments',
      },
    );
  };
}

function depthOf(value: unknown): number {
  let deepest = 0;
  const waiting: [unknown, number][] = [[value, 1]];
  for (let next = waiting.pop(); next !== undefined && deepest <= DEEPEST; next = waiting.pop()) {
    const [each, depth] = next;
    if (typeof each !== 'object' || each === null) continue;
    deepest = Math.max(deepest, depth);
    for (const inner of Object.values(each)) waiting.push([inner, depth + 1]);
  }
  return deepest;
}
