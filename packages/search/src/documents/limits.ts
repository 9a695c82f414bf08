// How much a document may cost, and the two ways in which reading one ends early.

const MIB = 1024 * 1024;

/** What one reading may cost. */
export interface Limits {
  /** largest PDF that is opened, in bytes; it is read as a whole */
  readonly file: number;
  /** most bytes one member of an archive or office file may unpack to */
  readonly member: number;
  /** most bytes all members together may unpack to, nested ones included: what a bomb gets */
  readonly unpacked: number;
  /** most members of one archive that are looked at */
  readonly members: number;
  /** archives inside archives */
  readonly depth: number;
  /** most characters of text that are kept */
  readonly text: number;
  /** most parts that are kept */
  readonly parts: number;
  /** milliseconds after which reading stops and what was found is answered */
  readonly time: number;
}

export const LIMITS: Limits = {
  file: 256 * MIB,
  member: 64 * MIB,
  unpacked: 256 * MIB,
  members: 10_000,
  depth: 4,
  text: 8 * MIB,
  parts: 200_000,
  time: 20_000,
};

/** One document or member cannot be read; the rest can. `message` is the reason, as shown. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** A limit of the whole file is reached; what was found so far stands. `message` is the reason, as shown. */
export class Enough extends Error {
  override readonly name = 'Enough';
}

/** `1,234 bytes`, `3.4 MiB`: for reasons and headings. */
export function bytes(count: number): string {
  return count < 10 * 1024
    ? `${count} bytes`
    : count < MIB
      ? `${(count / 1024).toFixed(1)} KiB`
      : `${(count / MIB).toFixed(1)} MiB`;
}
