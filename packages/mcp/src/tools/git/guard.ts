// A repository's own config can name programs that git runs even to read (gitattributes(5), git-config(1)). Reads go without them.
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { within } from '../../lib/path.ts';
import type { Ctx } from '../../local.ts';
import type { Override } from './environment.ts';
import { runGit } from './run.ts';

/** One value of git's config. `key` has section and variable in lower case, as git prints it. */
export interface ConfigEntry {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** Parses `git config --list -z --show-scope`: `scope NUL key LF value NUL`, without LF where a value is absent. */
export function parseConfig(output: string): readonly ConfigEntry[] {
  const words = output.split('\0');
  const entries: ConfigEntry[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const pair = words[i + 1] as string;
    const cut = pair.indexOf('\n');
    entries.push({
      scope: words[i] as string,
      key: cut < 0 ? pair : pair.slice(0, cut),
      value: cut < 0 ? 'true' : pair.slice(cut + 1),
    });
  }
  return entries;
}

/** What `git lfs install --local` writes; the one filter that a repository may bring along. */
const LFS = /^git-lfs (clean -- %f|smudge (--skip )?-- %f|filter-process( --skip)?)$/;

/** Programs a read could start: value git shall see instead. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^filter\..+\.(clean|smudge|process)$/s, ''],
  [/^filter\..+\.required$/s, 'false'],
  [/^diff\.external$/, ''],
  [/^diff\..+\.(command|textconv)$/s, ''],
  [/^gpg\.program$/, 'gpg'],
  [/^gpg\.openpgp\.program$/, 'gpg'],
  [/^gpg\.x509\.program$/, 'gpgsm'],
  [/^gpg\.ssh\.program$/, 'ssh-keygen'],
  [/^gpg\.ssh\.defaultkeycommand$/, ''],
];

/** What the repository's own files say (local and worktree scope, includes in them too). */
function own(config: readonly ConfigEntry[]): readonly ConfigEntry[] {
  return config.filter((each) => each.scope === 'local' || each.scope === 'worktree');
}

/** Overrides under which no program named by the repository itself runs. What the user's own config names stays. */
export function guards(config: readonly ConfigEntry[]): readonly Override[] {
  const overrides = new Map<string, string>();
  for (const { key, value } of own(config)) {
    if (LFS.test(value)) continue;
    const neutral = PROGRAMS.find(([pattern]) => pattern.test(key))?.[1];
    if (neutral === undefined) continue;
    const users = config.findLast((each) => each.key === key && (each.scope === 'global' || each.scope === 'system'));
    overrides.set(key, users?.value ?? neutral);
  }
  return [...overrides];
}

/**
 * The option that makes a remote's server program git's own where the repository names another (`remote.NAME.uploadpack`).
 * An option, because of several values of that key git takes the first. `ext::` and its like are barred by the environment.
 */
export function serverProgram(
  config: readonly ConfigEntry[],
  remote: string,
  program: 'upload-pack' | 'receive-pack',
): readonly string[] {
  const key = `remote.${remote}.${program.replace('-', '')}`;
  return own(config).some((each) => each.key === key) ? [`--${program}=git-${program}`] : [];
}

/** Most submodules whose config is looked at; the state inside any further one is not reported. */
const MOST_SUBMODULES = 200;

/**
 * Overrides for the submodules below `top`. git looks into a submodule by a git of its own, which obeys that submodule's
 * config; so each one's programs are switched off by name, and only those looked at here are looked into at all
 * (`diff.ignoreSubmodules=dirty` in READING holds for the rest).
 */
export async function submoduleGuards(
  ctx: Ctx,
  top: string,
  config: readonly ConfigEntry[],
): Promise<readonly Override[]> {
  const overrides = new Map<string, string>();
  let left = MOST_SUBMODULES;
  const visit = async (tree: string, known: readonly ConfigEntry[]): Promise<void> => {
    for (const { name, place, ignore } of await submodules(ctx, tree)) {
      if (left <= 0) return;
      left -= 1;
      const at = await realpath(path.join(tree, place)).catch(() => undefined);
      if (at === undefined || !within(at, top) || at === tree) continue;
      const listed = await runGit(ctx, at, ['config', '--list', '-z', '--show-scope'], { accept: [128] });
      if (listed.code !== 0) continue;
      const inner = parseConfig(listed.text);
      for (const [key, value] of guards(inner)) overrides.set(key, value);
      const key = `submodule.${name}.ignore`;
      const chosen = known.findLast((each) => each.key === key)?.value;
      overrides.set(key, chosen ?? ignore ?? 'none');
      await visit(at, inner);
    }
  };
  await visit(top, config);
  return [...overrides];
}

interface Submodule {
  readonly name: string;
  /** relative to the tree that holds it */
  readonly place: string;
  readonly ignore?: string;
}

async function submodules(ctx: Ctx, tree: string): Promise<readonly Submodule[]> {
  const file = path.join(tree, '.gitmodules');
  if ((await readFile(file).catch(() => undefined)) === undefined) return [];
  const listed = await runGit(ctx, tree, ['config', '-z', '--no-includes', '--file', file, '--list'], {
    accept: [1, 3, 128],
  });
  const found = new Map<string, { place?: string; ignore?: string }>();
  for (const pair of listed.code === 0 ? listed.text.split('\0') : []) {
    const [, name, variable, value] = /^submodule\.([^]+)\.(path|ignore)\n([^]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) continue;
    found.set(name, { ...found.get(name), [variable === 'path' ? 'place' : 'ignore']: value });
  }
  return [...found].flatMap(([name, { place, ignore }]) =>
    place === undefined || path.isAbsolute(place) ? [] : [{ name, place, ...(ignore === undefined ? {} : { ignore }) }],
  );
}

/** What commands that may dial get besides: ssh asks nothing unless the user chose an ssh command; no proxy program of the repository's. */
export function dialing(config: readonly ConfigEntry[]): Readonly<Record<string, string>> {
  const chosen = process.env['GIT_SSH_COMMAND'] || process.env['GIT_SSH'];
  const ssh = chosen || config.some((each) => each.key === 'core.sshcommand');
  return {
    ...(ssh ? {} : { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' }),
    ...(own(config).some((each) => each.key === 'core.gitproxy') ? { GIT_PROXY_COMMAND: '' } : {}),
  };
}
