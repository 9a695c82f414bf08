// Every answer is bounded: whatever an action gives back, the envelope fits, is valid JSON, and says what is missing.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bounded, ENVELOPE_ALLOWANCE, type Envelope } from './bound.ts';
import { type ActionResult, type CallResult, failure, success, ToolError, utf8Length } from './index.ts';

const META = { tool: 'box', action: 'go' };

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(fc.constantFrom('a', '😀', '\u0001', '"', 'é', '\ud83d', 'line\n'), fc.nat(1500))
    .map(([unit, n]) => unit.repeat(n)),
);

const scalars = fc.oneof(texts, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
const keys = fc.oneof(fc.constantFrom('__proto__', 'more', 'a'), texts);
const small = fc.oneof(scalars, fc.array(scalars, { maxLength: 4 }), fc.dictionary(keys, scalars, { maxKeys: 4 }));
const values = fc.oneof(
  small,
  fc.array(small, { maxLength: 4 }),
  fc.tuple(fc.string({ maxLength: 30 }), fc.nat(400)).map(([each, n]) => Array.from({ length: n }, () => ({ each }))),
  fc.tuple(scalars, fc.nat(20)).map(([each, n]) => Array.from({ length: n }, () => [each])),
  fc
    .tuple(fc.string({ maxLength: 30 }), fc.nat(300))
    .map(([each, n]) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, each]))),
);
const objects = fc.dictionary(fc.oneof(fc.constantFrom('files', '__proto__'), texts), values, { maxKeys: 4 });
const limits = fc.integer({ min: 1024, max: 20_000 });

const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether `cut` is `whole` with ends of texts and lists, and entries of objects, left out. */
function isPart(cut: unknown, whole: unknown): boolean {
  if (typeof whole === 'string') {
    return typeof cut === 'string' && whole.startsWith(cut) && (lone.test(whole) || !lone.test(cut));
  }
  if (Array.isArray(whole)) return Array.isArray(cut) && cut.every((each, i) => isPart(each, whole[i]));
  if (typeof whole === 'object' && whole !== null) {
    if (typeof cut !== 'object' || cut === null || Array.isArray(cut)) return false;
    return Object.entries(cut).every(
      ([key, each]) => Object.hasOwn(whole, key) && isPart(each, Object.getOwnPropertyDescriptor(whole, key)?.value),
    );
  }
  return cut === whole;
}

const without = (object: object | null, key: string): object =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([each]) => each !== key));

const cutOf = (data: Record<string, unknown>, limit: number, kept?: Set<string>): Record<string, unknown> =>
  (JSON.parse(bounded({ ok: true, data, error: null, meta: META }, limit, kept)) as { data: Record<string, unknown> })
    .data;

const bytesOf = ({ content }: CallResult): number =>
  content.reduce((sum, block) => sum + (block.type === 'text' ? utf8Length(block.text) : 0), 0);

describe('bounded', () => {
  it('any data and any error: within the limit, valid, a part of the whole, with a word on what is missing', () => {
    fc.assert(
      fc.property(fc.option(objects), fc.option(objects), limits, (data, facts, limit) => {
        const paging = { cursor: 'c'.repeat(20), more: true, total: 9 };
        const envelope = JSON.parse(
          JSON.stringify({
            ok: facts === null,
            data: data && { ...data, paging },
            error: facts && { code: 'CONFLICT', message: 'it changed', ...facts },
            meta: { ...META, paging },
          }),
        ) as Envelope;
        const before = JSON.stringify(envelope);
        const text = bounded(envelope, limit, new Set(['paging']));
        expect(JSON.stringify(envelope)).toBe(before);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
        const cut = JSON.parse(text) as Envelope;
        expect(Object.keys(cut)).toEqual(['ok', 'data', 'error', 'meta']);
        expect({ ok: cut.ok, meta: cut.meta }).toEqual({ ok: envelope.ok, meta: envelope.meta });
        expect(cut.data === null).toBe(envelope.data === null);
        expect(cut.error === null).toBe(envelope.error === null);
        if (cut.data) expect(cut.data['paging']).toEqual(paging);
        if (cut.error) expect(Object.keys(cut.error)).toEqual(expect.arrayContaining(['code', 'message']));
        if (cut.error) expect(cut.error['code']).toBe(envelope.error?.['code']);
        for (const half of ['data', 'error'] as const) {
          expect(isPart(without(cut[half], 'more'), without(envelope[half], 'more'))).toBe(true);
          if (JSON.stringify(cut[half]) === JSON.stringify(envelope[half])) continue;
          expect(cut[half]?.['more']).toMatch(/./);
        }
        if (Buffer.byteLength(before) <= limit) expect(text).toBe(before);
      }),
      { numRuns: 150, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
    );
  });

  it('a long list loses its end, the rest stays whole', () => {
    const files = Array.from({ length: 500 }, (_, i) => ({ path: `src/file-${i}.ts`, status: 'M' }));
    const data = cutOf({ branch: 'main', files, count: 500 }, 4096);
    const shown = data['files'] as unknown[];
    expect(shown.length).toBeGreaterThan(80);
    expect(shown).toEqual(files.slice(0, shown.length));
    expect(data).toMatchObject({
      branch: 'main',
      count: 500,
      more: `left out at the output limit: files: ${500 - shown.length} of 500 items`,
    });
  });

  it('one long text among many short ones is what is cut, at a code point', () => {
    const commits = [
      { subject: '😀'.repeat(20_000), id: 'a' },
      { subject: 'short', id: 'b' },
    ];
    const data = cutOf({ commits }, 4096) as { commits: typeof commits; more: string };
    expect(data.commits[1]).toEqual(commits[1]);
    expect(data.commits[0]?.subject).toMatch(/^(😀){700,}$/u);
    expect(data.more).toMatch(/^left out at the output limit: commits\[\]\.subject: \d+ of 40000 characters$/);
  });

  it('what the action says of the rest is kept before it', () => {
    expect(cutOf({ text: 'x'.repeat(9000), more: '3 older follow' }, 2048)['more']).toMatch(
      /^3 older follow; left out at the output limit: text: \d+ of 9000 characters$/,
    );
  });

  it('what is kept is not touched', () => {
    const body = 'x'.repeat(3000);
    const data = cutOf({ body, other: 'y'.repeat(9000) }, 5000, new Set(['body']));
    expect(data['body']).toBe(body);
    expect((data['other'] as string).length).toBeLessThan(2000);
  });

  it('depth without end is no recursion without end', () => {
    let deep: unknown = 'x'.repeat(2000);
    for (let i = 0; i < 500; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
    const text = bounded({ ok: true, data: { deep }, error: null, meta: META }, 1024);
    expect(text.length).toBeLessThanOrEqual(1024);
    expect(JSON.parse(text)).toMatchObject({ ok: true });
  });

  it('a long message leaves room for the facts, and they for it', () => {
    const error = { code: 'CONFLICT', message: 'm'.repeat(50_000), filter: 'f'.repeat(50_000), line: 3 };
    const cut = (
      JSON.parse(bounded({ ok: false, data: null, error, meta: META }, 4096)) as {
        error: typeof error & { more: string };
      }
    ).error;
    expect(Object.keys(cut)).toEqual(['code', 'message', 'filter', 'line', 'more']);
    expect(cut.message.length).toBeGreaterThan(1000);
    expect(cut.filter.length).toBeGreaterThan(1000);
    expect(cut.line).toBe(3);
  });
});

describe('an answer as a whole', () => {
  it('takes at most the output limit and a fixed allowance, in one block or several', () => {
    const bodies = fc.array(fc.tuple(fc.constantFrom('out', 'err', 'text'), texts), { maxLength: 3 });
    fc.assert(
      fc.property(
        objects,
        bodies,
        fc.integer({ min: 1024, max: 8192 }),
        fc.boolean(),
        (data, given, maxOutput, jsonOnly) => {
          const keyed = new Map(given);
          const result: ActionResult = { data, bodies: [...keyed].map(([key, text]) => ({ kind: 'text', key, text })) };
          for (const answer of [
            success(META, result, { maxOutput, jsonOnly }),
            failure(META, new ToolError('EXIT', 'exit 1', data, result), { maxOutput, jsonOnly }),
          ]) {
            expect(bytesOf(answer)).toBeLessThanOrEqual(maxOutput + ENVELOPE_ALLOWANCE);
            const [first] = answer.content;
            const { data: shown } = JSON.parse(first?.type === 'text' ? first.text : '') as {
              data: Record<string, unknown>;
            };
            // Bodies were bounded before, and are all there.
            for (const key of keyed.keys()) expect(shown).toHaveProperty(key);
          }
        },
      ),
      { numRuns: 100, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false },
    );
  });
});
