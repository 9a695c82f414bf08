// Cutting text: never inside a code point, at a line end where one is near, and pages that put together are the whole.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, jsonLength, utf8Length } from './index.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', 'é', '€', '😀', '\ud83d', '\ude00', '👩‍👩‍👧'), maxLength: 40 }),
);

describe('clip', () => {
  it('counts bytes as UTF-8 does', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(utf8Length(text)).toBe(Buffer.byteLength(text, 'utf8'));
      }),
    );
  });

  it('counts escapes as JSON writes them, and cuts by them', () => {
    fc.assert(
      fc.property(
        fc.oneof(texts, fc.string({ unit: fc.constantFrom('"', '\\', '\u0001', '\b', '\t', '\u007f', '\u2028') })),
        fc.nat(80),
        (text, limit) => {
          const written = (each: string): number => Buffer.byteLength(JSON.stringify(each)) - 2;
          expect(jsonLength(text)).toBe(written(text));
          const cut = clip(text, limit, 'json');
          expect(text.startsWith(cut.text)).toBe(true);
          expect(written(cut.text)).toBeLessThanOrEqual(limit);
          if (written(text) <= limit) expect(cut.rest).toBe(0);
        },
      ),
    );
  });

  it('keeps a prefix within the limit, and says what is left out', () => {
    fc.assert(
      fc.property(texts, fc.nat(80), (text, limit) => {
        const cut = clip(text, limit);
        expect(text.startsWith(cut.text)).toBe(true);
        expect(cut.text.length + cut.rest).toBe(text.length);
        expect(utf8Length(cut.text)).toBeLessThanOrEqual(limit);
        if (Buffer.byteLength(text) <= limit) expect(cut).toEqual({ text, rest: 0 });
      }),
    );
  });

  it('never splits a code point', () => {
    fc.assert(
      fc.property(texts, fc.nat(80), (text, limit) => {
        const { length } = clip(text, limit).text;
        const split = /[\ud800-\udbff]$/.test(text.slice(0, length)) && /^[\udc00-\udfff]/.test(text.slice(length));
        expect(split).toBe(false);
      }),
    );
  });

  it('ends at a line end when one lies in the last half, and loses no more than that half', () => {
    expect(clip('one\ntwo\nthree', 10)).toEqual({ text: 'one\ntwo\n', rest: 5 });
    expect(clip('a\nbcdefghij', 8)).toEqual({ text: 'a\nbcdefg', rest: 3 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 8, max: 80 }), (text, limit) => {
        const cut = clip(text, limit);
        if (cut.rest > 0) expect(cut.text.length * 2).toBeGreaterThanOrEqual(Math.floor((limit - 3) / 4));
      }),
    );
  });

  it('pages put together are the whole', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 20 }), (text, limit) => {
        const pages: string[] = [];
        for (let rest = text; rest !== '';) {
          const page = clip(rest, limit).text;
          expect(page).not.toBe('');
          pages.push(page);
          rest = rest.slice(page.length);
        }
        expect(pages.join('')).toBe(text);
      }),
    );
  });
});
