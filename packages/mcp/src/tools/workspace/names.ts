// How variables are named where they are declared, and where sources of each language ask for them.

export const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

const N = '([A-Za-z_][A-Za-z0-9_]*)';
const Q = `["'\`]`;

/** One pattern for each way to ask; the first group holds the name, or names with commas between them. */
const WAYS: readonly string[] = [
  // JavaScript and TypeScript: Node, Vite, Deno, Bun
  `\\b(?:process|Bun|import\\.meta)\\.env\\??\\.${N}`,
  `\\b(?:process|Bun|import\\.meta)\\.env\\[${Q}${N}${Q}\\]`,
  `\\{([^{}]{1,500})\\}\\s*=\\s*(?:process|Bun|import\\.meta)\\.env\\b`,
  `\\bDeno\\.env\\.(?:get|has)\\(${Q}${N}${Q}`,
  // Python
  `\\benviron(?:\\.get\\(|\\.pop\\(|\\.setdefault\\(|\\[)\\s*["']${N}["']`,
  // Python, PHP, C and C++ (getenv), Laravel and others (env)
  `\\b(?:get|secure_get)env\\(\\s*["']${N}["']`,
  `\\benv\\(\\s*["']${N}["']`,
  // Rust
  `\\benv::(?:var|var_os|remove_var)\\(\\s*"${N}"`,
  `\\b(?:option_)?env!\\(\\s*"${N}"`,
  // Go
  `\\bos\\.(?:Getenv|LookupEnv)\\(\\s*"${N}"`,
  // Java, Kotlin, Scala; .NET; Elixir
  `\\bSystem\\.getenv\\(\\s*"${N}"`,
  `\\bGetEnvironmentVariable\\(\\s*"${N}"`,
  `\\bSystem\\.(?:get_env|fetch_env!?)\\(\\s*"${N}"`,
  // Ruby, PHP, Swift, Dart
  `\\bENV(?:\\.fetch\\(|\\.key\\?\\(|\\.dig\\(|\\[)\\s*["']${N}["']`,
  `\\$_(?:ENV|SERVER)\\[\\s*["']${N}["']`,
  `\\b[eE]nvironment\\[\\s*["']${N}["']`,
  // Compose and shell with a default or a refusal: \${NAME:-x}, \${NAME:?x}; a plain \${NAME} may be any variable
  `\\$\\{${N}:?[-?]`,
];

export const READS: readonly RegExp[] = WAYS.map((way) => new RegExp(way, 'g'));

/** The same as one pattern of the search engine. */
export const SEARCHED: string = WAYS.map((way) => `(?:${way.replaceAll(/(?<!\\)\((?!\?)/g, '(?:')})`).join('|');

/**
 * The names of a file of variables, and how many lines are neither a name nor empty nor part of a value. Values may go over
 * several lines in quotes, and a key in PEM form without them; no line of a value is taken for a name.
 */
export function dotenvNames(text: string): { names: Set<string>; unread: number } {
  const names = new Set<string>();
  let unread = 0;
  let until: RegExp | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (until) {
      if (until.test(line)) until = undefined;
      continue;
    }
    if (/^\s*(#|$)/.test(line)) continue;
    const found = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]{0,99})\s*(?:=|:\s)\s*(.*)$/.exec(line);
    const [, name = '', value = ''] = found ?? [];
    if (!found || isValue(name, value)) {
      unread++;
      continue;
    }
    names.add(name);
    until = opened(value);
  }
  return { names, unread };
}

/** What looks like the end of something encoded, such as a line of base64 with its padding, is no name. */
function isValue(name: string, value: string): boolean {
  const mixed = /[a-z]/.test(name) && /[A-Z]/.test(name);
  return mixed && (/^=?$/.test(value) || name.length > 40);
}

/** What ends a value that this line does not end. */
function opened(value: string): RegExp | undefined {
  const quote = /^["'`]/.exec(value)?.[0];
  if (quote !== undefined) {
    const rest = value.slice(1).replaceAll(/\\./g, '');
    return rest.includes(quote) ? undefined : CLOSING.get(quote);
  }
  return /-----BEGIN [A-Z ]+-----/.test(value) && !value.includes('-----END') ? /-----END/ : undefined;
}

const CLOSING: ReadonlyMap<string, RegExp> = new Map([
  ['"', /(?:^|[^\\])(?:\\\\)*"/],
  ["'", /'/],
  ['`', /`/],
]);
