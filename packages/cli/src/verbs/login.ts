// Stored logins: a key is checked with the plane before it is kept.
import process from 'node:process';
import { IamApi } from 'hanzoai';
import { FailedError, UsageError } from '../exit.ts';
import type { Given } from '../flags.ts';
import { cleaned, rendered } from '../print.ts';
import { addressOf, configuration, namedProfile, readProfiles, writeProfiles } from '../profiles.ts';
import { readSecret, secretOf } from '../stdin.ts';

export async function login(given: Given): Promise<void> {
  const { env } = process;
  const { current, profiles } = readProfiles(env);
  const name = namedProfile(given['profile'] as string | undefined, env) ?? current;
  const url = (given['url'] as string | undefined) ?? addressOf(env) ?? profiles.get(name)?.url;
  // said before the key is asked for
  const { basePath } = configuration(url);
  const variable = given['key-env'] as string | undefined;
  const key = (variable === undefined ? await readSecret(`key for ${basePath}`) : secretOf(variable, env)).trim();
  // a header cannot carry anything else, and neither is it a key
  if (!/^[\x21-\x7E]+$/.test(key)) throw new UsageError('that is no key: one is a word like sk-...');
  if (/^http:\/\/(?!127\.|localhost[:/]|\[::1\])/.test(`${basePath}/`)) {
    process.stderr.write(`hanzo: ${basePath} is not encrypted; whoever is on the way can read the key\n`);
  }
  const { data } = await new IamApi(configuration(basePath, key)).getIamAccount();
  const who = data.data;
  writeProfiles(env, { current: name, profiles: new Map([...profiles, [name, { url: basePath, key }]]) });
  process.stdout.write(
    `${cleaned(`${who.name === '' ? 'a machine' : who.name} of ${who.organization}`)} at ${basePath}, stored as '${name}'\n`,
  );
}

export async function logout(given: Given): Promise<void> {
  const { env } = process;
  const { current, profiles } = readProfiles(env);
  const name = namedProfile(given['profile'] as string | undefined, env) ?? current;
  const left = new Map(profiles);
  if (!left.delete(name)) throw new FailedError(`there is no profile '${name}'`);
  writeProfiles(env, { current: name === current ? ([...left.keys()][0] ?? 'default') : current, profiles: left });
  process.stdout.write(`'${name}' is forgotten; the key itself goes on until it is revoked\n`);
}

export async function listProfiles(given: Given): Promise<void> {
  const { current, profiles } = readProfiles(process.env);
  const rows = [...profiles].map(([name, { url }]) => ({ name, url, current: name === current }));
  if (given['json'] === true) process.stdout.write(`${JSON.stringify({ profiles: rows }, undefined, 2)}\n`);
  else process.stdout.write(rendered({ profiles: rows }));
}
