// What a git child sees of the world: no prompt, no pager, no editor, no helper transport, no inherited repository.

/** Transports git may use; `ext::`, `fd::` and other helpers that run programs are not among them (gitprotocol-common). */
export const TRANSPORTS = 'file:git:http:https:ssh';

/** Variables that would move git to another repository or make it run or write something (`git rev-parse --local-env-vars`, git(1)). */
const DROPPED: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_ATTR_SOURCE',
  'GIT_CEILING_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DEFAULT_HASH',
  'GIT_DIFF_OPTS',
  'GIT_DIR',
  'GIT_EXEC_PATH',
  'GIT_EXTERNAL_DIFF',
  'GIT_FLUSH',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_PROXY_COMMAND',
  'GIT_REDIRECT_STDERR',
  'GIT_REDIRECT_STDIN',
  'GIT_REDIRECT_STDOUT',
  'GIT_REFLOG_ACTION',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_TEMPLATE_DIR',
  'GIT_WORK_TREE',
]);

/** A config key with the value git shall see, whatever the repository says. */
export type Override = readonly [key: string, value: string];

/**
 * What is laid over the server's environment (`base`) for a git child; undefined removes a name. Hooks inherit it.
 * `overrides` come after the caller's own `GIT_CONFIG_COUNT` entries (git-config(1), "ENVIRONMENT"), so they win over every
 * file and reach git's own children, submodules included. `transports` is GIT_ALLOW_PROTOCOL: a list with colons, or `none`.
 */
export function environment(
  base: Readonly<Record<string, string | undefined>>,
  overrides: readonly Override[],
  transports: string,
): Record<string, string | undefined> {
  const env: Record<string, string | undefined> = {};
  for (const name of Object.keys(base)) if (DROPPED.has(name) || name.startsWith('GIT_TRACE')) env[name] = undefined;
  Object.assign(env, {
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: transports,
    GIT_ASKPASS: '',
    GIT_EDITOR: 'true',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_PAGER: 'cat',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    LANGUAGE: 'C',
    LC_ALL: 'C',
    SSH_ASKPASS: '',
  });
  const given = base['GIT_CONFIG_COUNT'] ?? '';
  let count = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  for (const [key, value] of overrides) {
    env[`GIT_CONFIG_KEY_${count}`] = key;
    env[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  env['GIT_CONFIG_COUNT'] = String(count);
  return env;
}

/** What every call fixes: the form of the answer, and nothing that would go on running after it. */
export const ALWAYS: readonly Override[] = [
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
];

/** What a reading call fixes besides: no hook, no signature program, no index write. */
export const READING: readonly Override[] = [
  ...ALWAYS,
  ['core.hooksPath', '/dev/null'],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['log.showSignature', 'false'],
];
