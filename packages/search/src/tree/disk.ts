// Looking at the disk without exceptions: what cannot be looked at is not there.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Stats } from 'node:fs';

/** The entry itself, links not followed. */
export function lstatOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What the path leads to. */
export function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The bytes of a regular file; of nothing else, because reading some other things waits for ever. */
export function readRegular(file: string): Buffer | undefined {
  try {
    return statOf(file)?.isFile() ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** What is asked of a directory's entry. */
export interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** The entries of a directory whose names are UTF-8, and the other names as nearly as they can be written. */
export function entriesOf(directory: string): { entries: readonly Entry[]; unnamed: string[] } {
  const unnamed: string[] = [];
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    // a name that is not UTF-8 is decoded with this sign, which may also be truly there
    if (!entries.some((each) => each.name.includes('\ufffd'))) return { entries, unnamed };
    const named: Entry[] = [];
    for (const entry of readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString();
      if (!Buffer.from(name).equals(entry.name)) unnamed.push(name);
      else named.push({ name, isFile: () => entry.isFile(), isDirectory: () => entry.isDirectory() });
    }
    return { entries: named, unnamed };
  } catch {
    return { entries: [], unnamed };
  }
}
