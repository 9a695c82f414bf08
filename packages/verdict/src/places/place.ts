// Where a path argument leads: lexically and, where the machine can tell, after its links.
import path from 'node:path';
import type { Machine } from '../types.ts';
import { type Field, hasGlob, hasHole, heads, possible } from '../shell/value.ts';

export interface Surroundings {
  readonly roots: readonly string[];
  readonly machine: Machine;
}

/** A path that an argument may be. */
export interface Place {
  /** absolute and normalised; for a pattern the directory its first pattern part is in */
  readonly path: string;
  /** a pattern follows: `all` when it takes in whatever the directory holds (`*`), else `some` */
  readonly pattern: 'none' | 'some' | 'all';
  /** the name that holds the pattern, for `some`: `*.o` */
  readonly name?: string;
  /** something unknown follows the path, which may lead anywhere */
  readonly open: boolean;
}

const ALL = /^\.?[*?]+$|^\.\[[^\]]*\]\*$|^\[[!^][^\]]*\]\*$/;

/**
 * The places a field may be, or undefined if nothing is known of it. `cwd` undefined: relative paths are not known.
 */
export function placesOf(field: Field, cwd: string | undefined, around: Surroundings): readonly Place[] | undefined {
  const known = possible(field);
  if (known !== undefined) return all(known.map((text) => known1(text, cwd, 'none', false, around)));
  const begin = heads(field);
  if (begin.every((head) => head === '') && field.pieces[0]?.kind === 'hole') return undefined;
  const open = hasHole(field);
  const name = hasGlob(field) ? patternName(field) : undefined;
  const pattern = name === undefined ? 'none' : ALL.test(name) || name === '**' ? 'all' : 'some';
  return all(
    begin.map((head) => {
      const cut = head.lastIndexOf('/');
      // `/usr/lo*` is in /usr; `*` and `lo*` are where the command runs
      const directory = cut < 0 ? '' : head.slice(0, cut + 1);
      return known1(directory === '' ? '.' : directory, cwd, pattern, open, around)?.map((place) =>
        pattern === 'some' ? { ...place, name: name as string } : place,
      );
    }),
  );
}

function all(places: readonly (readonly Place[] | undefined)[]): readonly Place[] | undefined {
  const found: Place[] = [];
  for (const each of places) {
    if (each === undefined) return undefined;
    found.push(...each);
  }
  return found;
}

function known1(
  text: string,
  cwd: string | undefined,
  pattern: Place['pattern'],
  open: boolean,
  { machine }: Surroundings,
): readonly Place[] | undefined {
  if (!path.isAbsolute(text) && cwd === undefined) return undefined;
  const lexical = normal(path.resolve(cwd ?? '/', text));
  // `link/..` is not where it looks: the shell's tools follow the link first
  const real = machine.real?.(path.isAbsolute(text) ? text : `${cwd}/${text}`);
  const places = [{ path: lexical, pattern, open }];
  if (real !== undefined && real !== lexical) places.push({ path: real, pattern, open });
  return places;
}

function normal(file: string): string {
  return file.length > 1 && file.endsWith('/') ? file.slice(0, -1) : file;
}

/** The first component that holds a pattern; what is not known in it counts as `*`. */
function patternName(field: Field): string {
  let component = '';
  for (const piece of field.pieces) {
    const text = piece.kind === 'text' || piece.kind === 'glob' ? piece.text : '*';
    const cut = text.indexOf('/');
    if (cut >= 0 && /[*?[]/.test(component + text.slice(0, cut))) return component + text.slice(0, cut);
    component = cut >= 0 ? text.slice(text.lastIndexOf('/') + 1) : component + text;
  }
  return component;
}

/** `file` is `directory` or lies in it. */
export function within(file: string, directory: string): boolean {
  return file === directory || directory === '/' || file.startsWith(`${directory}/`);
}
