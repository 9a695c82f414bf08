// Sets of code points by the names a pattern uses. Decodes a table when it is first asked for, and keeps it.
import type { Ranges } from './hir.ts';
import { ALL_SCALARS, intersect, normalise, subtract } from './ranges.ts';
import { NAMES, SETS } from './tables.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Numbers in base 32 with continuation, as scripts/unicode.ts writes them. */
export function numbers(text: string): number[] {
  const values = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i++) values[DIGITS.charCodeAt(i)] = i;
  const out: number[] = [];
  let value = 0;
  let shift = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = values[text.charCodeAt(i)]!;
    value |= (digit & 31) << shift;
    shift += 5;
    if (digit < 32) {
      out.push(value);
      value = 0;
      shift = 0;
    }
  }
  return out;
}

const decoded = new Map<string, Ranges>();

function table(key: string): Ranges | undefined {
  const known = decoded.get(key);
  if (known !== undefined) return known;
  const text = SETS.get(key);
  if (text === undefined) return undefined;
  const ranges = numbers(text);
  let end = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    ranges[i]! += end;
    ranges[i + 1]! += ranges[i]!;
    end = ranges[i + 1]!;
  }
  decoded.set(key, ranges);
  return ranges;
}

/** Key of a table by `property:name`, for every spelling; made on first use. */
let keys: ReadonlyMap<string, string> | undefined;

function find(property: string, name: string): Ranges | undefined {
  keys ??= new Map(
    NAMES.split(' ').map((entry): [string, string] => {
      const [spelling = '', key] = entry.split('=');
      return [spelling, key === undefined ? spelling : `${spelling.slice(0, spelling.indexOf(':'))}:${key}`];
    }),
  );
  const key = keys.get(`${property}:${name}`);
  return key === undefined ? undefined : table(key);
}

/** Names compare without case, spaces, `_`, `-` and a leading `is` (UAX44-LM3), as Rust's regex has it. */
function loosen(name: string): string {
  const whole = name.toLowerCase();
  const short = (whole.startsWith('is') ? whole.slice(2) : whole)
    .replaceAll(/[ _-]/g, '')
    .replaceAll(/[^\0-\x7f]/g, '');
  // `isc` is a name of its own, not the category C.
  return whole.startsWith('is') && short === 'c' ? 'isc' : short;
}

const PROPERTIES = new Map([
  ['gc', 'gc'],
  ['generalcategory', 'gc'],
  ['sc', 'sc'],
  ['script', 'sc'],
  ['scx', 'scx'],
  ['scriptextensions', 'scx'],
  ['age', 'age'],
  ['gcb', 'gcb'],
  ['graphemeclusterbreak', 'gcb'],
  ['wb', 'wb'],
  ['wordbreak', 'wb'],
  ['sb', 'sb'],
  ['sentencebreak', 'sb'],
]);

/** `\p{name}`: a general category, a script, or a property that is true or false. */
export function propertyNamed(name: string): Ranges | undefined {
  const loose = loosen(name);
  // These three are categories first, although they also abbreviate properties that have no set.
  const category = loose === 'cf' || loose === 'sc' || loose === 'lc';
  return (category ? undefined : find('is', loose)) ?? generalCategory(loose) ?? find('sc', loose);
}

function generalCategory(loose: string): Ranges | undefined {
  if (loose === 'any') return ALL_SCALARS;
  if (loose === 'ascii') return [0, 0x7f];
  if (loose === 'assigned') return subtract(ALL_SCALARS, find('gc', 'cn') ?? []);
  return find('gc', loose);
}

/** `\p{property=value}`; `property` says whether the property is known, for the message. */
export function propertyValue(name: string, value: string): { readonly known: boolean; readonly ranges?: Ranges } {
  const property = PROPERTIES.get(loosen(name));
  if (property === undefined) return { known: false };
  const loose = loosen(value);
  if (property === 'gc') return { known: true, ranges: generalCategory(loose) };
  if (property === 'age') return { known: true, ranges: age(loose) };
  return { known: true, ranges: find(property, loose) };
}

/** What a version of Unicode holds is what it and all before it added. */
function age(loose: string): Ranges | undefined {
  if (find('age', loose) === undefined) return undefined;
  const all: number[] = [];
  for (const key of SETS.keys()) {
    if (!key.startsWith('age:')) continue;
    const added = table(key)!;
    for (const part of added) all.push(part);
    if (added === find('age', loose)) break;
  }
  return normalise(all);
}

/** `\d`, `\s`, `\w` by Unicode. */
export function perlScalars(name: 'd' | 's' | 'w'): Ranges {
  return table(`perl:${name}`) ?? [];
}

/** `\d`, `\s`, `\w` of ASCII. */
export function perlAscii(name: 'd' | 's' | 'w'): Ranges {
  return intersect(perlScalars(name), [0, 0x7f]);
}

const POSIX = new Map<string, Ranges>([
  ['alnum', [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ['alpha', [0x41, 0x5a, 0x61, 0x7a]],
  ['ascii', [0, 0x7f]],
  ['blank', [0x09, 0x09, 0x20, 0x20]],
  ['cntrl', [0, 0x1f, 0x7f, 0x7f]],
  ['digit', [0x30, 0x39]],
  ['graph', [0x21, 0x7e]],
  ['lower', [0x61, 0x7a]],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', [0x09, 0x0d, 0x20, 0x20]],
  ['upper', [0x41, 0x5a]],
  ['word', [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]],
  ['xdigit', [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

/** `[:name:]`. */
export function posix(name: string): Ranges | undefined {
  return POSIX.get(name);
}
