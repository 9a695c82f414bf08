// What a client is told: a command to start, or an address to reach; and how a shell is told the same.

/** How to run or reach this server. */
export type Server =
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'http'; readonly url: string; readonly token?: string };

/** The name under which every client lists this server. */
export const SERVER_KEY = 'hanzo';

/** One command line, each word quoted for the shell of `platform` where it needs to be. */
export function shellLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map((word) => (platform === 'win32' ? windowsWord(word) : posixWord(word))).join(' ');
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function windowsWord(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}

/** The `Authorization` header of an HTTP server, or nothing when it takes no token. */
export function authorization(server: Server): Record<string, string> | undefined {
  return server.kind === 'http' && server.token !== undefined ? { Authorization: `Bearer ${server.token}` } : undefined;
}
