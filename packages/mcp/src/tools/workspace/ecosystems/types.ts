// What a reader of manifests gives, and what it may ask for.

/** Build and tooling dependencies count as `dev`: nobody who uses the result has them. */
export type Kind = 'runtime' | 'dev' | 'optional' | 'peer';

/** A dependency as a manifest has it. */
export interface Wanted {
  readonly name: string;
  /** the range as written; null where the manifest gives none */
  readonly wanted: string | null;
  /** what the lock file settles on; null where there is none, or it does not have it */
  readonly locked: string | null;
  readonly kind: Kind;
  /** needed only by another dependency, but written down all the same (go.mod) */
  readonly indirect?: true;
}

/** One manifest being read. */
export interface Manifest {
  /** absolute folder it lies in, and its name there */
  readonly folder: string;
  readonly file: string;
  readonly text: string;
  /**
   * A file of that name beside the manifest or above it, up to the root, parsed once; undefined where there is none, or it is
   * broken, which is then said in the answer.
   */
  above<T>(
    name: string,
    parse: (text: string) => T | Promise<T>,
  ): Promise<{ readonly folder: string; readonly value: T } | undefined>;
  /** says what could not be read; the rest still counts */
  unread(what: string): void;
}

/** Reads one kind of manifest. Throws where the whole of it cannot be read. */
export interface Ecosystem {
  readonly type: string;
  readonly names: RegExp;
  read(manifest: Manifest): Promise<readonly Wanted[]>;
  /** members that a manifest of several projects names, as it has them */
  members?(manifest: Manifest): readonly string[] | Promise<readonly string[]>;
}

export function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** Adds to a list in a map. */
export function add(versions: Map<string, string[]>, name: string, version: string): void {
  const known = versions.get(name);
  if (!known) versions.set(name, [version]);
  else if (!known.includes(version)) known.push(version);
}

/** One version, or several where a lock file has several and none can be singled out. */
export function settled(versions: readonly string[] | undefined, wanted?: string | null): string | null {
  if (!versions || versions.length === 0) return null;
  if (versions.length === 1 || !wanted) return versions.join(', ');
  const [major, minor] = (/\d+(\.\d+)*/.exec(wanted)?.[0] ?? '').split('.');
  const fit = versions.filter((each) => {
    const [first, second] = each.replace(/^v/, '').split('.');
    return first === major && (major !== '0' || minor === undefined || second === minor);
  });
  return (fit.length > 0 ? fit : versions).join(', ');
}

/** Thrown by the parser given to `above` for a file that is not the one meant: the search goes on above it. */
export class Skip extends Error {
  override readonly name = 'Skip';
}
