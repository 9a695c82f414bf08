// The flags an entry already passes to the server: an install that names none keeps them, so that no restriction is lost.
import { readFlags, SERVE_FLAGS, SERVER_FLAGS } from '../../flags.ts';
import { FileError } from './file.ts';

/** An entry whose words for the server cannot be carried over. */
export class FlagsError extends FileError {}

/**
 * The flags of `serve` in a client's entry, as they stand; none where the entry does not start this program. Flags that have no
 * place in an entry (a port, a transport) are left out.
 * @throws FlagsError for words `serve` does not know: they may have been meant to restrict it, so they are not dropped in silence
 */
export function keptFlags(entry: unknown): readonly string[] {
  const given = wordsForServer(entry);
  let values: object;
  try {
    const read = readFlags(given, SERVE_FLAGS);
    if (read.positionals.length > 0) throw new Error(`'${read.positionals[0]}' is no flag of serve`);
    ({ values } = read);
  } catch (error) {
    throw new FlagsError(
      `its entry passes "${given.join(' ')}" to the server: ${(error as Error).message}. ` +
        'Name the flags it is to have, for example --tools default, and they replace these',
    );
  }
  return Object.entries(values).flatMap(([flag, value]: [string, unknown]) => {
    if (!Object.hasOwn(SERVER_FLAGS, flag)) return [];
    return [value].flat().flatMap((each) => (each === true ? [`--${flag}`] : [`--${flag}`, String(each)]));
  });
}

/** What follows the program, and `serve`, in an entry of any client; a command line in one string is taken apart. */
function wordsForServer(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { command, args } = entry as { command?: unknown; args?: unknown };
  const listed = [command ?? [], args ?? []].flat().map(String);
  for (const words of [listed, listed.flatMap((word) => word.trim().split(/\s+/))]) {
    const bare = words.map((word) => word.replaceAll(/^['"]|['"]$/g, ''));
    const program = bare.findIndex((word, index) => isProgram(word) || (index === 0 && isProgram(baseName(word))));
    if (program < 0) continue;
    const after = bare.slice(program + 1);
    // npx and its like name the package first, then its program.
    const rest = isProgram(after[0] ?? '') ? after.slice(1) : after;
    return rest[0] === 'serve' ? rest.slice(1) : rest;
  }
  return [];
}

function isProgram(word: string): boolean {
  return (
    baseName(word) === 'hanzo-mcp.js' ||
    /^hanzo-mcp(?:\.cmd|\.exe|@.*)?$|^(?:--package=)?@hanzo\/mcp(?:@.*)?$/.test(word)
  );
}

function baseName(file: string): string {
  return file.split(/[/\\]/).at(-1) ?? file;
}
