// The flags of a pattern, `(?flags)` and `(?flags:`. Reads them; what they do is decided where they are asked.
import type { Cursor } from './cursor.ts';

export interface Flags {
  /** i */
  readonly fold: boolean;
  /** m: `^` and `$` are ends of lines */
  readonly lines: boolean;
  /** s: `.` matches `\n` */
  readonly dotAll: boolean;
  /** U: `x*` is lazy and `x*?` greedy */
  readonly swap: boolean;
  /** u: characters, not bytes */
  readonly unicode: boolean;
  /** R: `\r\n` ends lines too */
  readonly crlf: boolean;
  /** x */
  readonly verbose: boolean;
}

const NAMES: ReadonlyMap<string, keyof Flags> = new Map([
  ['i', 'fold'],
  ['m', 'lines'],
  ['s', 'dotAll'],
  ['U', 'swap'],
  ['u', 'unicode'],
  ['R', 'crlf'],
  ['x', 'verbose'],
]);

/** As ripgrep starts: Unicode, and `^` `$` at lines. */
export function initialFlags(ignoreCase: boolean): Flags {
  return { fold: ignoreCase, lines: true, dotAll: false, swap: false, unicode: true, crlf: false, verbose: false };
}

/** Reads flags up to `:` or `)`, where it stops. `count` tells how many there were. */
export function readFlags(cursor: Cursor, before: Flags): { readonly flags: Flags; readonly count: number } {
  const flags: { -readonly [Name in keyof Flags]: boolean } = { ...before };
  const seen = new Set<string>();
  let on = true;
  let dangling = -1;
  while (cursor.char !== ':' && cursor.char !== ')') {
    const { char } = cursor;
    if (cursor.done) cursor.fail('a list of flags ends with `:` or `)`');
    if (char === '-') {
      if (!on) cursor.fail('a list of flags has at most one `-`');
      on = false;
      dangling = cursor.at;
    } else {
      const name = NAMES.get(char);
      if (name === undefined) cursor.fail(`there is no flag ${JSON.stringify(char)}; flags are i, m, s, U, u, R and x`);
      if (seen.has(char)) cursor.fail(`flag ${char} is set twice`);
      seen.add(char);
      flags[name] = on;
      dangling = -1;
    }
    cursor.bump();
  }
  if (dangling >= 0) cursor.fail('`-` in a list of flags is followed by the flags to switch off', dangling);
  return { flags, count: seen.size };
}
