import { describe, expect, it } from 'vitest';
import { claim, makeRanges, takeOver } from './ranges.ts';

describe('ranges', () => {
  it('give every file once, in ascending runs', () => {
    const ranges = makeRanges(10_000, 3);
    const seen = new Uint8Array(10_000);
    const take = (thread: number): boolean => {
      const range = claim(ranges, thread);
      if (!range) return false;
      for (let file = range[0]; file < range[1]; file++) seen[file]!++;
      return true;
    };
    // the first is much faster than the others
    let least = 0;
    for (let turn = 0; take(turn % 5 === 0 ? 1 + (turn % 2) : 0) || takeOver(ranges, 0, 100); turn++) least++;
    while (take(0) || take(1) || take(2)) least++;
    expect(seen.every((times) => times === 1)).toBe(true);
    expect(least).toBeGreaterThan(300);
  });

  it('are not divided below what is worth a shard', () => {
    const ranges = makeRanges(100, 2);
    while (claim(ranges, 0)) continue;
    expect(takeOver(ranges, 0, 26)).toBe(false);
    expect(takeOver(ranges, 0, 25)).toBe(true);
    expect(claim(ranges, 0)).toEqual([75, 100]);
  });
});
