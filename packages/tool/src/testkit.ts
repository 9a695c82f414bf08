// What the tests of this package share: random action inputs as zod schemas, and values that lie near them.
import * as fc from 'fast-check';
import { z } from 'zod';
import type { CallContext } from './host.ts';

/** A call without a wire. */
export const CONTEXT: CallContext = {
  signal: new AbortController().signal,
  progress: () => undefined,
  log: () => undefined,
  clientCapabilities: {},
  ask: () => Promise.reject(new Error('nobody to ask')),
};

const STRINGS = ['', 'a', 'ab', 'abc', 'abcd', 'red', 'blue', 'A1', '__proto__', 'toString', 'é', 'a b'] as const;
const NUMBERS = [-3, -1, 0, 1, 2, 3, 4, 5, 6, 1.5, -0.25, 1e6, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300] as const;
const SAMPLES: readonly unknown[] = [
  ...STRINGS,
  ...NUMBERS,
  true,
  false,
  null,
  [],
  ['a'],
  ['a', 'b'],
  [1],
  [1, 2, 3, 4],
  [true],
  {},
  { a: 'a' },
  { a: 1 },
  { a: 1, b: 2 },
  { a: true },
];
const KEYS = ['a', 'b', 'uri', 'limit', 'deep', 'toString', 'constructor'] as const;

const bound = fc.integer({ min: 0, max: 4 });

const leaf: fc.Arbitrary<z.ZodType> = fc.oneof(
  fc.constant(z.string()),
  fc.tuple(bound, bound).map(([a, b]) => z.string().min(Math.min(a, b)).max(Math.max(a, b))),
  fc.constant(z.string().regex(/^[a-z]+$/)),
  fc
    .uniqueArray(fc.constantFrom(...STRINGS), { minLength: 1, maxLength: 3 })
    .map((values) => z.enum(values as [string, ...string[]])),
  fc.constantFrom(...STRINGS, 1, true, null).map((value) => z.literal(value)),
  fc.constant(z.int()),
  fc.tuple(bound, bound).map(([a, b]) => z.int().min(Math.min(a, b)).max(Math.max(a, b))),
  fc.constant(z.number()),
  bound.map((least) => z.number().gt(least)),
  fc.constant(z.boolean()),
);

const nested: fc.Arbitrary<z.ZodType> = fc.oneof(
  { weight: 5, arbitrary: leaf },
  { weight: 1, arbitrary: fc.tuple(leaf, bound).map(([item, most]) => z.array(item).max(most)) },
  { weight: 1, arbitrary: leaf.map((item) => z.array(item).min(1)) },
  { weight: 1, arbitrary: leaf.map((value) => z.record(z.string(), value)) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map(([a, b]) => z.strictObject({ a, b: b.optional() })) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map((pair) => z.union(pair)) },
  { weight: 1, arbitrary: fc.tuple(leaf, leaf).map((pair) => z.tuple(pair)) },
);

const field: fc.Arbitrary<z.ZodType> = fc
  .tuple(nested, fc.constantFrom('required', 'optional', 'nullable', 'default', 'described'))
  .map(([type, how]) => {
    if (how === 'optional') return type.optional();
    if (how === 'nullable') return type.nullable();
    if (how === 'default') {
      const some = SAMPLES.find((each) => type.safeParse(each).success);
      return some === undefined ? type.optional() : type.default(some as never);
    }
    return how === 'described' ? type.describe('what it is') : type;
  });

/** The input of a random action. */
export const inputs: fc.Arbitrary<z.ZodObject> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), field), { maxLength: 4, selector: ([key]) => key })
  .map((entries) => z.object(Object.fromEntries(entries)));

const scalar = fc.oneof(
  fc.constantFrom(...STRINGS),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(true, false, null),
  fc.string({ maxLength: 5 }),
);

/** A JSON value of the kinds and sizes the schemas speak of. */
export const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 5 }) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), scalar, { maxKeys: 3 }) },
);

/** Arguments of a call to an action with such an input: mostly its own keys, sometimes one too many. */
export function argumentsNear(input: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  const keys = Object.keys(input.shape);
  const own = fc.tuple(
    ...keys.map((key) =>
      fc.tuple(fc.constant(key), nearValue(input.shape[key] as z.ZodType), fc.integer({ min: 0, max: 5 })),
    ),
  );
  const more = fc.option(fc.tuple(fc.constantFrom(...KEYS, 'other', '__proto__', 'URI'), values), {
    freq: 8,
    nil: undefined,
  });
  return fc.tuple(own, more).map(([given, extra]) => {
    const entries = given.filter(([, , chance]) => chance > 0).map(([key, value]) => [key, value] as const);
    return Object.fromEntries(extra ? [...entries, extra] : entries);
  });
}

/** Values the type accepts, found among those that lie near, and others. */
function nearValue(type: z.ZodType): fc.Arbitrary<unknown> {
  const accepted = SAMPLES.filter((each) => type.safeParse(each).success);
  const others = { weight: 1, arbitrary: values };
  return accepted.length === 0 ? values : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...accepted) }, others);
}
