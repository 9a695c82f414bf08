// How a text is divided into documents. Pure.

/** longer texts are divided; smaller ones would gain nothing, as a candidate is read in one go */
export const DIVIDED_FROM = 256 * 1024;
const BLOCK = 128 * 1024;

/**
 * Documents of a text as flat [offset, length, ...]: the whole of it, or blocks of at most 128 KiB that end with a line (the
 * last one up to half as long again). A longer line is a block of its own.
 */
export function blocksOf(text: Uint8Array): number[] {
  const { length } = text;
  if (length <= DIVIDED_FROM) return [0, length];
  const blocks: number[] = [];
  let from = 0;
  while (length - from > BLOCK + BLOCK / 2) {
    let end = text.lastIndexOf(10, from + BLOCK - 1) + 1;
    if (end <= from) {
      end = text.indexOf(10, from + BLOCK) + 1;
      if (end === 0) break;
    }
    blocks.push(from, end - from);
    from = end;
  }
  if (from < length) blocks.push(from, length - from);
  return blocks;
}
