// The name most likely meant: within a third of its length, or sharing a prefix of four.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './index.ts';

const ACTIONS = ['read', 'write', 'apply_patch', 'search_text', 'list', 'mkdir', 'rm', 'stat'];

describe('nearest', () => {
  it.each([
    ['raed', 'read'],
    ['Read', 'read'],
    ['applyPatch', 'apply_patch'],
    ['apply-patch', 'apply_patch'],
    ['aply_patch', 'apply_patch'],
    ['search', 'search_text'],
    ['writes', 'write'],
    ['mkdri', 'mkdir'],
  ])('%s is %s', (given, meant) => {
    expect(nearest(given, ACTIONS)).toBe(meant);
  });

  it.each(['', 'zzz', 'delete', 'x', 'completely different'])('%j is none of them', (given) => {
    expect(nearest(given, ACTIONS)).toBeUndefined();
  });

  it('a short candidate is no match for a long name that merely starts with it', () => {
    expect(nearest('recursive', ['r', 're', ''])).toBeUndefined();
  });

  it('answers a candidate or nothing, a name itself always, whatever it is asked', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 6 }), (name, candidates) => {
        const found = nearest(name, candidates);
        expect(found === undefined || candidates.includes(found)).toBe(true);
        if (candidates.includes(name)) expect(fold(found ?? '')).toBe(fold(name));
      }),
    );
  });

  it('one edit of a name of four letters or more is recognised', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{4,12}$/),
        fc.nat(),
        fc.constantFrom('drop', 'double', 'swap', 'change'),
        (name, at, how) => {
          const i = at % (name.length - 1);
          const [a = '', b = ''] = [name[i], name[i + 1]];
          const put = { drop: b, double: a + a + b, swap: b + a, change: `${a === 'x' ? 'y' : 'x'}${b}` }[how];
          expect(nearest(name.slice(0, i) + put + name.slice(i + 2), [name])).toBe(name);
        },
      ),
    );
  });

  it('a huge name costs nothing', () => {
    expect(nearest('x'.repeat(5_000_000), ACTIONS)).toBeUndefined();
  });
});

const fold = (name: string): string =>
  name
    .slice(0, 80)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '');
