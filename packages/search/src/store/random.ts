// Random lists for the tests of this folder, and how a list is written. Not part of the engine.

/** A small seeded generator (mulberry32): a failing run can be run again. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** LEB128 deltas of ascending documents: the first, then each gap less one. */
export function deltas(docs: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let last = -1;
  for (const doc of docs) {
    let value = doc - last - 1;
    last = doc;
    for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
    bytes.push(value);
  }
  return Uint8Array.from(bytes);
}

export function bitmap(docs: readonly number[], count: number): Uint8Array {
  const bytes = new Uint8Array((count + 7) >> 3);
  for (const doc of docs) bytes[doc >> 3]! |= 1 << (doc & 7);
  return bytes;
}

/** Lists of documents by gram, ascending; some rare, some dense. */
export function randomLists(random: (below: number) => number, grams: number, docs: number): Map<number, number[]> {
  const keys = new Set<number>();
  while (keys.size < grams) {
    // many grams share their first two bytes, as in text
    keys.add((random(3) << 16) | (random(6) << 8) | random(256));
    keys.add(random(0x100_0000));
  }
  const lists = new Map<number, number[]>();
  for (const gram of [...keys].sort((a, b) => a - b)) {
    const every = 1 + random([2, 10, docs][random(3)]!);
    const list: number[] = [];
    for (let doc = random(Math.min(every, docs)); doc < docs; doc += 1 + random(2 * every)) list.push(doc);
    lists.set(gram, list);
  }
  return lists;
}
