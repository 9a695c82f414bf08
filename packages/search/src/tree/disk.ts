// Looking at the disk without exceptions: what cannot be looked at is not there.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';

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

/** The entries of a directory whose names are UTF-8, and the other names as nearly as they can be written. */
export function entriesOf(directory: string): { entries: Dirent[]; unnamed: string[] } {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch {
    return { entries: [], unnamed: [] };
  }
  // a name that is not UTF-8 is decoded with this sign, which may also be truly there
  if (!entries.some((each) => each.name.includes('\ufffd'))) return { entries, unnamed: [] };
  const readable = new Set<string>();
  const unnamed: string[] = [];
  try {
    for (const bytes of readdirSync(directory, { encoding: 'buffer' })) {
      const name = bytes.toString();
      if (Buffer.from(name).equals(bytes)) readable.add(name);
      else unnamed.push(name);
    }
  } catch {
    return { entries: [], unnamed: [] };
  }
  const seen = new Set<string>();
  entries = entries.filter(({ name }) => readable.has(name) && !seen.has(name) && seen.add(name));
  return { entries, unnamed };
}
