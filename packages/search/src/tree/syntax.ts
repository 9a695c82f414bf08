// The syntax of globs as ripgrep reads them, in ignore files and in -g: text to tokens, nothing else.

/** Bytes that a class holds: 256 entries, 1 for yes. */
export type ByteSet = Uint8Array;

/**
 * One step of a glob. Text is bytes (one char code each): globs are matched against the bytes of paths, so `?` is one byte
 * and a class holds bytes.
 */
export type Token =
  | { readonly type: 'byte'; readonly byte: string }
  /** `?` */
  | { readonly type: 'any' }
  /** `*` */
  | { readonly type: 'star' }
  /** a leading double star: nothing, or whole segments and a slash */
  | { readonly type: 'prefix' }
  /** a double star at the end, with the slash before it */
  | { readonly type: 'suffix' }
  /** a double star between slashes, with both of them */
  | { readonly type: 'middle' }
  | { readonly type: 'class'; readonly bytes: ByteSet }
  | { readonly type: 'alternates'; readonly branches: readonly (readonly Token[])[] };

/** A glob that cannot be read; the message completes "the glob ... ". */
export class GlobSyntaxError extends Error {}

/** The bytes of a text, one char code each. ASCII text is its own bytes. */
export function toBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the range is ASCII
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString('latin1');
}

/**
 * Tokens of `glob`. A `[` that is never closed is literal where `openClass` allows it (in ignore files) and an error
 * elsewhere. Throws GlobSyntaxError.
 */
export function parseGlob(glob: string, openClass: boolean): Token[] {
  const signs = Array.from(glob);
  // where each open brace's first branch is
  const starts: number[] = [];
  const branches: Token[][] = [[]];
  let at = 0;
  // whether a `[` without an end was met: then there is no class after it either
  let opened = false;

  const push = (...tokens: Token[]): void => {
    branches.at(-1)!.push(...tokens);
  };

  const star = (index: number): void => {
    if (signs[at] !== '*') return push({ type: 'star' });
    at++;
    const next = signs[at];
    const branch = branches.at(-1)!;
    if (branch.length === 0) {
      if (next !== undefined && next !== '/') return push({ type: 'star' }, { type: 'star' });
      push({ type: 'prefix' });
      at++;
      return;
    }
    const before = signs[index - 1];
    const startsBranch = branches.length > 1 && (before === ',' || before === '{');
    if (before !== '/' && !startsBranch) return push({ type: 'star' }, { type: 'star' });
    let last = false;
    if (next === undefined || (branches.length > 1 && (next === ',' || next === '}'))) last = true;
    else if (next === '/') at++;
    else return push({ type: 'star' }, { type: 'star' });
    const popped = branch.pop()!;
    if (popped.type === 'prefix' || popped.type === 'suffix') push(popped);
    else push({ type: last ? 'suffix' : 'middle' });
  };

  while (at < signs.length) {
    const index = at;
    const sign = signs[at++]!;
    if (sign === '?') push({ type: 'any' });
    else if (sign === '*') star(index);
    else if (sign === '[' && !opened) {
      const read = parseClass(signs, at);
      if (read) {
        push({ type: 'class', bytes: read.bytes });
        at = read.next;
      } else if (openClass) {
        opened = true;
        push({ type: 'byte', byte: '[' });
      } else throw new GlobSyntaxError('has a [ that is not closed');
    } else if (sign === '{') {
      starts.push(branches.length);
      branches.push([]);
    } else if (sign === '}') {
      const start = starts.pop();
      if (start === undefined) throw new GlobSyntaxError('has a } without a {');
      const inner = branches.splice(start);
      push({ type: 'alternates', branches: inner });
    } else if (sign === ',' && starts.length > 0) branches.push([]);
    else if (sign === '\\') {
      if (at >= signs.length) throw new GlobSyntaxError('ends with a backslash that escapes nothing');
      push(...literal(signs[at++]!));
    } else push(...literal(sign));
  }
  if (branches.length > 1) throw new GlobSyntaxError('has a { that is not closed');
  return branches[0]!;
}

function literal(sign: string): Token[] {
  return Array.from(toBytes(sign), (byte): Token => ({ type: 'byte', byte }));
}

/** Reads a class whose `[` is before `at`; undefined where it has no end. There is no escape in a class. */
function parseClass(signs: readonly string[], at: number): { bytes: ByteSet; next: number } | undefined {
  const negated = signs[at] === '!' || signs[at] === '^';
  if (negated) at++;
  const ranges: [string, string][] = [];
  let inRange = false;
  for (let first = true; ; first = false) {
    const sign = signs[at++];
    if (sign === undefined) return undefined;
    if (sign === ']' && !first) break;
    if (sign === '-' && !first && !inRange) {
      inRange = true;
      continue;
    }
    if (inRange) {
      const range = ranges.at(-1)!;
      range[1] = sign;
      if (sign.codePointAt(0)! < range[0].codePointAt(0)!) {
        throw new GlobSyntaxError(`has a range that runs backwards: ${range[0]}-${sign}`);
      }
      inRange = false;
    } else ranges.push([sign, sign]);
  }
  if (inRange) ranges.push(['-', '-']);
  return { bytes: bytesOf(ranges, negated), next: at };
}

/** Bytes of a class: of a longer character each byte counts by itself, and a range runs from byte to byte. */
function bytesOf(ranges: readonly (readonly [string, string])[], negated: boolean): ByteSet {
  const set = new Uint8Array(256);
  for (const [low, high] of ranges) {
    const from = Buffer.from(low);
    const to = Buffer.from(high);
    for (const byte of from) set[byte] = 1;
    for (const byte of to) set[byte] = 1;
    if (low !== high) set.fill(1, from.at(-1)!, to[0]! + 1);
  }
  if (negated) for (let i = 0; i < 256; i++) set[i] = set[i]! ^ 1;
  return set;
}
