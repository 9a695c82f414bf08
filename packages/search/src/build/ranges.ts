// Which thread takes which files: each has a range of its own, and one that is done takes half of what the slowest has left.
// Ranges are what a shard can be made of, as its documents are consecutive. Shared memory and atomic operations only.

/** files taken at a time: a few milliseconds of work */
const CLAIM = 32;

/** first << 32 | end, per thread */
export type Ranges = BigInt64Array;

export function makeRanges(files: number, threads: number): Ranges {
  const ranges = new BigInt64Array(new SharedArrayBuffer(8 * threads));
  for (let t = 0; t < threads; t++) {
    ranges[t] = pack(Math.floor((files * t) / threads), Math.floor((files * (t + 1)) / threads));
  }
  return ranges;
}

/** The next files of a thread's own range as [first, end), or undefined when there are none. */
export function claim(ranges: Ranges, thread: number): [number, number] | undefined {
  for (;;) {
    const before = Atomics.load(ranges, thread);
    const [first, end] = unpack(before);
    if (first >= end) return undefined;
    const next = Math.min(first + CLAIM, end);
    if (Atomics.compareExchange(ranges, thread, before, pack(next, end)) === before) return [first, next];
  }
}

/** Makes the upper half of the largest range this thread's own; false if none has `2 * least` files. */
export function takeOver(ranges: Ranges, thread: number, least: number): boolean {
  for (;;) {
    let victim = -1;
    let most = 2 * least - 1;
    let before = 0n;
    for (let t = 0; t < ranges.length; t++) {
      const range = Atomics.load(ranges, t);
      const [first, end] = unpack(range);
      if (end - first <= most) continue;
      victim = t;
      most = end - first;
      before = range;
    }
    if (victim < 0) return false;
    const [first, end] = unpack(before);
    const middle = end - Math.floor((end - first) / 2);
    if (Atomics.compareExchange(ranges, victim, before, pack(first, middle)) !== before) continue;
    Atomics.store(ranges, thread, pack(middle, end));
    return true;
  }
}

function pack(first: number, end: number): bigint {
  return (BigInt(first) << 32n) | BigInt(end);
}

function unpack(range: bigint): [number, number] {
  return [Number(range >> 32n), Number(range & 0xffff_ffffn)];
}
