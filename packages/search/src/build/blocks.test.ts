import { describe, expect, it } from 'vitest';
import { blocksOf } from './blocks.ts';

const KIB = 1024;

/** Checks what holds for all divisions, and gives the lengths. */
function lengths(text: Uint8Array): number[] {
  const blocks = blocksOf(text);
  const found: number[] = [];
  let next = 0;
  for (let i = 0; i < blocks.length; i += 2) {
    expect(blocks[i]).toBe(next);
    if (next > 0) expect(text[next - 1]).toBe(10);
    next += blocks[i + 1]!;
    found.push(blocks[i + 1]!);
  }
  expect(next).toBe(text.length);
  return found;
}

function lines(length: number, line: number): Uint8Array {
  const text = Buffer.alloc(length, 'x');
  for (let i = line - 1; i < length; i += line) text[i] = 10;
  return text;
}

describe('blocks', () => {
  it('leave a text of up to 256 KiB whole', () => {
    expect(lengths(Buffer.alloc(0))).toEqual([0]);
    expect(lengths(lines(256 * KIB, 80))).toEqual([256 * KIB]);
  });

  it('are at most 128 KiB, the last one at most 192, and end with a line', () => {
    const found = lengths(lines(1000 * KIB + 17, 80));
    expect(found.length).toBe(8);
    for (const length of found.slice(0, -1)) expect(length).toBeLessThanOrEqual(128 * KIB);
    expect(found.at(-1)).toBeLessThanOrEqual(192 * KIB);
  });

  it('hold a longer line alone', () => {
    const long = Buffer.alloc(300 * KIB, 'y');
    const text = Buffer.concat([lines(800, 80), long, Buffer.from('\n'), lines(8000, 80)]);
    expect(lengths(text)).toEqual([800, 300 * KIB + 1, 8000]);
    expect(lengths(Buffer.alloc(600 * KIB, 'z'))).toEqual([600 * KIB]);
  });
});
