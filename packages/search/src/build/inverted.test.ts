import { describe, expect, it } from 'vitest';
import { gramsOf } from './grams.ts';
import { Inverted } from './inverted.ts';

/** Documents by gram, in the order in which the grams came. */
class Lists {
  readonly lists = new Map<number, number[]>();
  bitmaps = 0;

  put(gram: number, list: Uint8Array, bitmap: boolean): void {
    const docs: number[] = [];
    if (bitmap) {
      this.bitmaps++;
      for (let doc = 0; doc < list.length * 8; doc++) if ((list[doc >> 3]! >> (doc & 7)) & 1) docs.push(doc);
    } else {
      let doc = -1;
      for (let i = 0; i < list.length;) {
        let value = 0;
        let shift = 0;
        for (let byte = 128; byte > 127; shift += 7) {
          byte = list[i++]!;
          value |= (byte & 127) << shift;
        }
        doc += value + 1;
        docs.push(doc);
      }
    }
    this.lists.set(gram, docs);
  }
}

function naive(texts: readonly Uint8Array[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  texts.forEach((text, doc) => {
    if (text.length === 0) return;
    for (const gram of gramsOf(text)) {
      const list = lists.get(gram);
      if (list) list.push(doc);
      else lists.set(gram, [doc]);
    }
  });
  return new Map([...lists].sort(([a], [b]) => a - b));
}

/** Equal, and in the same order; `toEqual` would take a minute for so much. */
function expectSame(found: Map<number, number[]>, wanted: Map<number, number[]>): void {
  expect([...found.keys()].join()).toBe([...wanted.keys()].join());
  for (const [gram, docs] of wanted) if (found.get(gram)!.join() !== docs.join()) expect(found.get(gram)).toEqual(docs);
}

function add(inverted: Inverted, text: Uint8Array): boolean {
  if (text.length === 0) {
    inverted.addNothing();
    return true;
  }
  inverted.room(text.length).set(text);
  return inverted.add(0, text.length, !inverted.classify(0, text.length).high);
}

/** A generator of its own, so that a failure can be seen again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('the inverted index', () => {
  it('holds exactly the grams of each document', () => {
    const texts = [
      '',
      '\n',
      '\n\n\n',
      'a',
      'ab',
      'abc',
      'a\nb',
      'ab\ncd\n',
      'one\r\ntwo\r\n',
      'Jürgen 日本\n',
      '\u{1f600}',
      'xü\n',
    ]
      .map((text) => Buffer.from(text))
      .concat(Buffer.from([0xff, 0xfe, 0x80, 10, 0xff, 10, 10, 0x80]));
    const inverted = new Inverted();
    for (const text of texts) expect(add(inverted, text)).toBe(true);
    const found = new Lists();
    inverted.drain(found);
    expectSame(found.lists, naive(texts));
  });

  it('holds them for many documents, over several batches, as lists and as bitmaps, and again after it is drained', () => {
    const random = numbers(7);
    const inverted = new Inverted();
    for (let round = 0; round < 2; round++) {
      const texts: Uint8Array[] = [];
      for (let doc = 0; doc < 150; doc++) {
        const text = Buffer.alloc(random(4000));
        const [from, size] = random(8) === 0 ? [120, 40] : [97, 12];
        for (let i = 0; i < text.length; i++) text[i] = random(30) === 0 ? 10 : from + random(size);
        texts.push(text);
        add(inverted, text);
      }
      expect(inverted.docs).toBe(150);
      const found = new Lists();
      inverted.drain(found);
      expect(found.bitmaps).toBeGreaterThan(10);
      expectSame(found.lists, naive(texts));
    }
  });

  it('leaves a document without grams that has too many of them, and stays right for the others', () => {
    const random = numbers(11);
    const noise = Buffer.alloc(3 << 20);
    for (let i = 0; i < noise.length; i++) noise[i] = 1 + random(255);
    const inverted = new Inverted();
    expect(add(inverted, Buffer.from('before'))).toBe(true);
    expect(add(inverted, noise)).toBe(false);
    expect(add(inverted, Buffer.from('after'))).toBe(true);
    const found = new Lists();
    inverted.drain(found);
    expectSame(found.lists, naive([Buffer.from('before'), Buffer.alloc(0), Buffer.from('after')]));
  });

  it('keeps the bytes around a document', () => {
    const inverted = new Inverted();
    const text = Buffer.from('first line\nsecond line\nthird');
    inverted.room(text.length).set(text);
    inverted.add(11, 12, true);
    expect(inverted.room(text.length).toString()).toBe(text.toString());
    const found = new Lists();
    inverted.drain(found);
    expectSame(found.lists, naive([Buffer.from('second line\n')]));
  });
});
