// One line of a terminal that can still be written over, as bytes of UTF-8.

/** Furthest column a cursor reaches where no text is; wider than any terminal. */
const MAX_COLUMN = 1000;

/** A row. What moves a long rest of it says how much that was, so that whoever drives it can bound the work. */
export class Row {
  bytes = Buffer.allocUnsafe(256);
  length = 0;

  static of(bytes: Uint8Array): Row {
    const row = new Row();
    row.splice(0, 0, bytes.length);
    row.bytes.set(bytes);
    return row;
  }

  text(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Replaces `removed` bytes at `at` by `added` bytes yet to be set. Returns the bytes that had to move. */
  splice(at: number, removed: number, added: number): number {
    const length = this.length + added - removed;
    if (length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    const moved = added === removed ? 0 : this.length - at - removed;
    if (moved > 0) this.bytes.copy(this.bytes, at + added, at + removed, this.length);
    this.length = length;
    return moved;
  }

  /** Bytes of the character at `at`; 0 past the end. */
  width(at: number): number {
    const most = Math.min(at + 4, this.length);
    let end = at + 1;
    while (end < most && isContinuation(this.bytes[end]!)) end++;
    return at < this.length ? end - at : 0;
  }

  /** Byte offset `columns` to the right of offset `at`. Past the end each byte is a column, as far as a cursor reaches. */
  right(at: number, columns: number): number {
    let left = columns;
    let to = at;
    for (; left > 0 && to < this.length; left--) to += this.width(to);
    return to + Math.min(left, Math.max(MAX_COLUMN - to, 0));
  }

  /** Byte offset `columns` to the left of offset `at`; 0 at the least. */
  left(at: number, columns: number): number {
    let to = at;
    for (let i = 0; i < columns && to > 0; i++) {
      const least = Math.max(to - 4, 0);
      do to--;
      while (to > least && to < this.length && isContinuation(this.bytes[to]!));
    }
    return to;
  }

  /** Column of byte offset `at`. */
  column(at: number): number {
    let columns = Math.max(at - this.length, 0);
    for (let to = 0; to < at && to < this.length; to += this.width(to)) columns++;
    return columns;
  }
}

/** True for the second and later bytes of a character. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
