// An action-routed tool under any input: an answer or a code of the closed list, and schemas that say what the validator does.
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  action,
  type ActionResult,
  actionSchema,
  BUILT_IN_ACTIONS,
  type CallResult,
  defineTool,
  ERROR_CODES,
  InputNeeded,
  ToolError,
  type ToolDefinition,
} from './index.ts';
import { argumentsNear, CONTEXT, inputs, values } from './testkit.ts';

interface Envelope {
  ok: boolean;
  data: Record<string, unknown> | null;
  error: ({ code: string; message: string } & Record<string, unknown>) | null;
  meta: Record<string, unknown>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });

function toolOf(
  shapes: Readonly<Record<string, z.ZodObject>>,
  run: () => unknown = () => ({ data: {} }),
): ToolDefinition<null> {
  const actions = Object.entries(shapes).map(
    ([name, input]) =>
      [
        name,
        action<null, z.ZodObject>({ summary: name, input, effect: 'read', run: run as () => ActionResult }),
      ] as const,
  );
  return defineTool<null>({ name: 'box', title: 'Box', summary: 'A box.', actions: Object.fromEntries(actions) });
}

async function answer(tool: ToolDefinition<null>, args: unknown): Promise<Envelope> {
  return open(await tool.call(args, { context: CONTEXT, env: null }));
}

function open(result: CallResult): Envelope {
  const [first] = result.content;
  if (first?.type !== 'text') throw new Error('the first block is the envelope');
  const envelope = JSON.parse(first.text) as Envelope;
  expect(Object.keys(envelope)).toEqual(['ok', 'data', 'error', 'meta']);
  expect(result.isError ?? false).toBe(!envelope.ok);
  expect(envelope.error === null).toBe(envelope.ok);
  if (envelope.error) {
    expect(ERROR_CODES).toContain(envelope.error.code);
    expect(Object.keys(envelope.error).slice(0, 2)).toEqual(['code', 'message']);
    expect(envelope.error.message).not.toBe('');
  }
  expect(envelope.meta['tool']).toBe('box');
  return envelope;
}

describe('any input', () => {
  const tool = toolOf({
    read: z.object({ uri: z.string().min(1), limit: z.int().min(1).max(10).optional() }),
    write: z.object({ uri: z.string(), text: z.string() }),
  });

  it('gives ok or a code of the closed list, never a throw', async () => {
    const names = fc.oneof(
      fc.constantFrom('read', 'write', ...BUILT_IN_ACTIONS, 'raed', '', 'constructor'),
      fc.string(),
      values,
    );
    const calls = fc.oneof(
      fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withSet: true, withDate: true }),
      fc.jsonValue(),
      fc
        .tuple(names, fc.dictionary(fc.constantFrom('uri', 'limit', 'text', 'action_name', 'x', '__proto__'), values))
        .map(([name, rest]) => ({ ...rest, action: name })),
    );
    await fc.assert(
      fc.asyncProperty(calls, async (args) => {
        await answer(tool, args);
      }),
      { numRuns: 800 },
    );
  });

  it('whatever an action throws or returns', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const thrown = [
      undefined,
      null,
      'text',
      7,
      Symbol('s'),
      Object.create(null),
      new Error(''),
      cyclic,
      new ToolError('CONFLICT', 'no', { cyclic }),
    ];
    for (const each of thrown) {
      const { error } = await answer(
        toolOf({ go: z.object({}) }, () => {
          throw each;
        }),
        { action: 'go' },
      );
      expect(error?.code).toBe(each instanceof ToolError ? 'CONFLICT' : 'INTERNAL_ERROR');
    }
    for (const each of [undefined, null, { data: cyclic }, { data: { big: 1n } }, { data: {}, bodies: [{}] }]) {
      expect(
        (
          await answer(
            toolOf({ go: z.object({}) }, () => each),
            { action: 'go' },
          )
        ).error?.code,
      ).toBe('INTERNAL_ERROR');
    }
  });

  it('but a question to the client passes through', async () => {
    const asking = toolOf({ go: z.object({}) }, () => {
      throw new InputNeeded({ inputRequired: {} });
    });
    await expect(asking.call({ action: 'go' }, { context: CONTEXT, env: null })).rejects.toThrow(InputNeeded);
  });
});

describe('a refusal names the mend', () => {
  const tool = defineTool<null>({
    name: 'box',
    title: 'Box',
    summary: 'A box.',
    aliases: { path: 'uri' },
    actionAliases: { cat: 'read' },
    actions: {
      read: action<null, z.ZodObject>({
        summary: 'reads',
        input: z.object({ uri: z.string(), limit: z.int().min(1).optional() }),
        effect: 'read',
        run: (_ctx, input) => ({ data: { input } }),
      }),
      write: action<null, z.ZodObject>({
        summary: 'writes',
        input: z.object({ uri: z.string(), content: z.string() }),
        effect: 'write',
        run: () => ({ data: {} }),
      }),
    },
  });

  it.each<[args: unknown, code: string, message: string]>([
    [
      { action: 'raed' },
      'UNKNOWN_ACTION',
      "Unknown action 'raed'. Available: read, write, help, schema, status. Did you mean 'read'?",
    ],
    [
      { action: 'ca' },
      'UNKNOWN_ACTION',
      "Unknown action 'ca'. Available: read, write, help, schema, status. Did you mean 'read'?",
    ],
    [{ action: 5 }, 'INVALID_PARAMS', 'action must be a string, one of: read, write, help, schema, status'],
    [{ action: 'read' }, 'INVALID_PARAMS', "box read needs 'uri'"],
    [{ action: 'read', uri: 'x', limt: 3 }, 'INVALID_PARAMS', "box read takes no 'limt'; did you mean 'limit'?"],
    [{ action: 'read', uri: 'x', content: '' }, 'INVALID_PARAMS', "box read takes no 'content' (it belongs to: write)"],
    [{ action: 'read', uri: 'x', path: 'y' }, 'INVALID_PARAMS', "'path' is another name of 'uri'; give one of them"],
    [[], 'INVALID_PARAMS', 'arguments must be a JSON object'],
    [
      { action: 'schema', action_name: 'wrte' },
      'UNKNOWN_ACTION',
      "Unknown action 'wrte'. Available: read, write, help, schema, status. Did you mean 'write'?",
    ],
  ])('%j', async (args, code, message) => {
    expect((await answer(tool, args)).error).toMatchObject({ code, message });
  });

  it('a key called __proto__ is refused at any depth, not dropped', async () => {
    const loose = toolOf({ go: z.object({ env: z.record(z.string(), z.unknown()) }) });
    for (const env of ['{"__proto__":1}', '{"a":[{"b":{"__proto__":null}}]}']) {
      const { error } = await answer(loose, { action: 'go', env: JSON.parse(env) as unknown });
      expect(error).toMatchObject({ code: 'INVALID_PARAMS', message: "box go: 'env': no key may be called __proto__" });
    }
  });

  it("shows that action's own parameters", async () => {
    const { error } = await answer(tool, { action: 'read', uri: 3 });
    expect(error).toMatchObject({
      param: 'uri',
      expected: 'string',
      actual: 'number',
      parameters: 'read(uri: string, limit?: integer)',
    });
  });

  it('aliases are accepted on input, canonical names on output', async () => {
    const { data, meta } = await answer(tool, { action: 'cat', path: '/a' });
    expect([data, meta['action']]).toEqual([{ input: { uri: '/a' } }, 'read']);
  });

  it('no action means help', async () => {
    for (const args of [undefined, null, {}]) {
      const { data } = await answer(tool, args);
      expect(((data?.['actions'] ?? []) as { name: string }[]).map((each) => each.name)).toEqual(['read', 'write']);
    }
  });

  it('a long name is shortened, never inside a code point', async () => {
    const { error } = await answer(tool, { action: `${'x'.repeat(59)}😀😀` });
    expect(error?.message).toContain(`'${'x'.repeat(59)}…'`);
    expect((error?.message ?? '').isWellFormed()).toBe(true);
  });
});

describe('schemas', () => {
  it("an action's schema accepts exactly what its validator accepts", async () => {
    await fc.assert(
      fc.asyncProperty(
        inputs.chain((input) =>
          fc.tuple(fc.constant(input), fc.array(argumentsNear(input), { minLength: 5, maxLength: 5 })),
        ),
        async ([input, calls]) => {
          const tool = toolOf({ go: input });
          const valid = ajv.compile(actionSchema(input));
          for (const args of calls) {
            const { ok, error } = await answer(tool, { ...args, action: 'go' });
            expect([ok, error?.message ?? '']).toEqual([valid(args), error?.message ?? '']);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('the published schema accepts whatever a valid call contains', async () => {
    const pairs = fc.tuple(inputs, inputs).filter((shapes) => publishable(shapes));
    await fc.assert(
      fc.asyncProperty(
        pairs.chain((shapes) =>
          fc.tuple(
            fc.constant(shapes),
            ...shapes.map((each) => fc.array(argumentsNear(each), { minLength: 4, maxLength: 4 })),
          ),
        ),
        async ([shapes, ...calls]) => {
          const tool = toolOf({ one: shapes[0], two: shapes[1] });
          const { inputSchema } = tool.describe();
          const valid = ajv.compile(inputSchema);
          for (const [index, name] of ['one', 'two'].entries()) {
            for (const args of calls[index] ?? []) {
              const call = { ...args, action: name };
              const { ok } = await answer(tool, call);
              if (ok) expect(valid(call), JSON.stringify([call, inputSchema])).toBe(true);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is flat: an action enum, every parameter once, no composition at the top, the same bytes every time', () => {
    fc.assert(
      fc.property(
        fc.tuple(inputs, inputs).filter((shapes) => publishable(shapes)),
        ([one, two]) => {
          const schema = toolOf({ one, two }).describe().inputSchema as Record<string, Record<string, unknown>>;
          expect(Object.keys(schema)).toEqual(['type', 'properties', 'required']);
          expect(schema['required']).toEqual(['action']);
          const own = [...new Set([...Object.keys(one.shape), ...Object.keys(two.shape)])];
          expect(Object.keys(schema['properties'] ?? {})).toEqual(['action', ...own, 'action_name']);
          expect(schema['properties']?.['action']).toEqual({
            type: 'string',
            enum: ['one', 'two', ...BUILT_IN_ACTIONS],
          });
          expect(JSON.stringify(schema)).not.toContain('$ref');
          expect(JSON.stringify(toolOf({ one, two }).describe())).toBe(JSON.stringify(toolOf({ one, two }).describe()));
        },
      ),
    );
  });

  it('two actions that differ in a nested object publish what both accept', () => {
    const tool = toolOf({
      one: z.object({ at: z.strictObject({ x: z.int() }) }),
      two: z.object({ at: z.strictObject({ y: z.int() }) }),
    });
    const valid = ajv.compile(tool.describe().inputSchema);
    expect([valid({ action: 'one', at: { x: 1 } }), valid({ action: 'two', at: { y: 1 } })]).toEqual([true, true]);
  });

  it('contradictions are mistakes of the tool, found when it is made or described', () => {
    expect(() => toolOf({ help: z.object({}) })).toThrow(/'help' is built in/);
    expect(() => toolOf({ go: z.object({ action: z.string() }) })).toThrow(/'action' names the action/);
    expect(() => toolOf({ one: z.object({ a: z.string() }), two: z.object({ a: z.int() }) }).describe()).toThrow(
      /declared as string and as integer/,
    );
  });
});

/** False for the contradictory pairs that describe() refuses. */
function publishable([one, two]: readonly [z.ZodObject, z.ZodObject]): boolean {
  try {
    toolOf({ one, two }).describe();
    return true;
  } catch {
    return false;
  }
}
