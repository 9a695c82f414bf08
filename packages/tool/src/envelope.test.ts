// The wire form of an outcome: one compact envelope first, bodies as blocks after it, everything bounded.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Body, type CallResult, failure, jsonLength, success, ToolError, utf8Length } from './index.ts';

const META = { tool: 'box', action: 'go' };
const text = (key: string, body: string): Body => ({ kind: 'text', key, text: body });

function parts(result: CallResult): { envelope: Record<string, unknown>; blocks: CallResult['content'] } {
  const [first, ...blocks] = result.content;
  if (first?.type !== 'text') throw new Error('the first block is the envelope');
  expect(first.text).not.toMatch(/\n/);
  return { envelope: JSON.parse(first.text) as Record<string, unknown>, blocks };
}

describe('success', () => {
  it('is {ok, data, error, meta}, compact, and not an error', () => {
    const result = success(META, { data: { a: 1 }, meta: { backend: 'x' } });
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: '{"ok":true,"data":{"a":1},"error":null,"meta":{"tool":"box","action":"go","backend":"x"}}',
        },
      ],
      isError: false,
    });
  });

  it('names each body by the number of its block; an empty one is written into the data', () => {
    const image: Body = { kind: 'image', key: 'picture', data: 'AA==', mimeType: 'image/png' };
    const { envelope, blocks } = parts(
      success(META, { data: {}, bodies: [text('out', 'a\tb "c"'), text('err', ''), image] }),
    );
    expect(envelope['data']).toEqual({ out: { block: 1 }, err: '', picture: { block: 2 } });
    expect(blocks).toEqual([
      { type: 'text', text: 'a\tb "c"' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
    ]);
  });

  it('paging stands in the data and is mirrored in meta', () => {
    const paging = { cursor: 'c', more: true, total: 9 };
    const { envelope } = parts(success(META, { data: {}, paging }));
    expect(envelope).toMatchObject({ data: { paging }, meta: { paging } });
  });

  it('bodies together never exceed the limit; what was cut is said; with jsonOnly their escapes count', () => {
    const bodies = fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 4 });
    fc.assert(
      fc.property(bodies, fc.nat(120), (given, maxOutput) => {
        const result = { data: {}, bodies: given.map((each, index) => text(`t${index}`, each)) };
        const { envelope, blocks } = parts(success(META, result, { maxOutput }));
        const data = envelope['data'] as Record<string, unknown>;
        const shown = given.map((_, index) => {
          const at = data[`t${index}`];
          if (typeof at === 'string') return at;
          const block = blocks[(at as { block: number }).block - 1];
          return block?.type === 'text' ? block.text : '';
        });
        expect(shown.reduce((sum, each) => sum + utf8Length(each), 0)).toBeLessThanOrEqual(maxOutput);
        for (const [index, each] of shown.entries()) expect(given[index]?.startsWith(each)).toBe(true);
        const whole = given.reduce((sum, each) => sum + utf8Length(each), 0) <= maxOutput;
        expect('more' in data).toBe(!whole);
        const only = parts(success(META, result, { maxOutput, jsonOnly: true }));
        expect(only.blocks).toEqual([]);
        const inside = given.map((_, index) => (only.envelope['data'] as Record<string, string>)[`t${index}`] ?? '');
        expect(inside.reduce((sum, each) => sum + jsonLength(each), 0)).toBeLessThanOrEqual(maxOutput);
        for (const [index, each] of inside.entries()) expect(given[index]?.startsWith(each)).toBe(true);
        const fits = given.reduce((sum, each) => sum + jsonLength(each), 0) <= maxOutput;
        expect('more' in (only.envelope['data'] as object)).toBe(!fits);
      }),
    );
  });
});

describe('failure', () => {
  it('carries code, message and details, and nothing of a detail can stand in for them', () => {
    const error = new ToolError('CONFLICT', 'it changed', { hash: 'h', code: 'EVIL', message: 'other' });
    const { envelope } = parts(failure(META, error));
    expect(envelope).toEqual({
      ok: false,
      data: null,
      error: { code: 'CONFLICT', message: 'it changed', hash: 'h' },
      meta: META,
    });
    expect(failure(META, error).isError).toBe(true);
  });

  it('shows what there is in spite of failing', () => {
    const { envelope, blocks } = parts(
      failure(META, new ToolError('EXIT', 'exit 3', {}, { data: { exit: 3 }, bodies: [text('out', 'x')] })),
    );
    expect(envelope).toMatchObject({ ok: false, data: { exit: 3, out: { block: 1 } } });
    expect(blocks).toEqual([{ type: 'text', text: 'x' }]);
  });

  it('what nobody expected is INTERNAL_ERROR with its message', () => {
    expect(parts(failure(META, new TypeError('boom'))).envelope['error']).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'boom',
    });
    expect(parts(failure(META, undefined)).envelope['error']).toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});
