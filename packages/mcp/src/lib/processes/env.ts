// The environment a child gets: the server's, without the server's own credentials.

/**
 * Credentials this server itself reads (contract, local core tools 4.4 and 4.5). They are meant for the server, so a command
 * gets them only when the call passes them. `GH_TOKEN` is not one of them and reaches children.
 */
const OWN_CREDENTIALS: readonly string[] = [
  'HANZO_API_KEY',
  'HANZO_KEY',
  'HANZO_TOKEN',
  'HANZO_MCP_TOKEN',
  'API_KEY',
  'API_TOKEN',
  'OPENAI_API_KEY',
  'GITHUB_TOKEN',
  'GITHUB_PERSONAL_ACCESS_TOKEN',
];

/** A child's environment: the server's without `OWN_CREDENTIALS` (but for those named in `pass`), `extra` laid over it. */
export function childEnv(
  extra: Readonly<Record<string, string | undefined>> = {},
  pass: readonly string[] = [],
): Record<string, string> {
  const merged = new Map(Object.entries(process.env));
  for (const name of OWN_CREDENTIALS) if (!pass.includes(name)) merged.delete(name);
  for (const [name, value] of Object.entries(extra)) merged.set(name, value);
  const kept = [...merged].filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Null prototype: `__proto__` is a name like any other in an environment.
  return Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(kept));
}
