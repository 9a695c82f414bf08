// What each client on this machine was told about this server, and whether that can work.
import { realpath, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { type Client, CLIENTS, configFileOf, detectClients, type Scope, SERVER_KEY } from '../install/index.ts';
import { loadConfig } from '../install/file.ts';
import { FormatError } from '../install/format.ts';
import { type Check, type DoctorOptions, fail, ok, warn } from './check.ts';
import { executable, findProgram } from './machine.ts';
import { baseName, isOurs, type Launch, launchOf, MISTAKES } from './mistakes.ts';

/** One finding for every client that has been used here or holds an entry. */
export async function checkClients(options: DoctorOptions): Promise<Check[]> {
  const detected = new Set(await detectClients(options));
  const checks: Check[] = [];
  for (const client of CLIENTS) {
    const user = await configFileOf(client, options, 'user');
    const project = await configFileOf(client, options, 'project');
    if (user) checks.push(...(await checkClient(client, 'user', user, options, detected.has(client))));
    // In the home directory both can be one file.
    if (project && project !== user) checks.push(...(await checkClient(client, 'project', project, options, false)));
  }
  if (checks.length > 0) return checks;
  return [warn('clients', 'no client was found on this machine', 'hanzo-mcp install --client NAME')];
}

async function checkClient(
  client: Client,
  scope: Scope,
  file: string,
  options: DoctorOptions,
  detected: boolean,
): Promise<Check[]> {
  const name = `client:${client.id}${scope === 'project' ? ' (project)' : ''}`;
  const again = `hanzo-mcp install --client ${client.id}${scope === 'project' ? ' --scope project' : ''}`;
  const unconnected = (why: string): Check[] => (detected ? [warn(name, `not connected: ${why}`, again)] : []);
  try {
    const { exists, text } = await loadConfig(file);
    if (!exists) return unconnected(`${file} is not there yet`);
    const at = client.at((where) => client.format.get(text, where));
    const entry = client.format.get(text, at);
    if (entry !== undefined) return [await checkEntry(name, file, entry, again, options)];
    const stray = strayEntry(client, text, at);
    if (stray) return [fail(name, `${file}: ${stray}`, again)];
    const renamed = otherName(client, text, at);
    if (renamed) return [await checkEntry(name, `${file} ('${renamed.key}')`, renamed.entry, again, options)];
    return unconnected(`${file} has no '${SERVER_KEY}' entry`);
  } catch (error) {
    if (error instanceof FormatError) {
      const { line, column } = error.place;
      return [
        fail(name, `${file}:${line}:${column}: ${error.message}`, `correct line ${line} of ${file}, then ${again}`),
      ];
    }
    return [fail(name, `${file}: ${(error as Error).message}`, again)];
  }
}

async function checkEntry(
  name: string,
  file: string,
  entry: unknown,
  again: string,
  options: DoctorOptions,
): Promise<Check> {
  const launch = launchOf(entry);
  if (launch === undefined) return fail(name, `${file}: the entry is not an object`, again);
  for (const mistake of MISTAKES) {
    const found = mistake.found(launch);
    if (found !== undefined) return fail(name, `${file}: ${found}`, again);
  }
  if (isOff(entry))
    return warn(
      name,
      `${file}: the entry is switched off`,
      `switch '${SERVER_KEY}' on in the client, or take "disabled"/"enabled" out of ${file}`,
    );
  return launch.url === undefined
    ? checkCommand(name, file, launch, again, options)
    : checkAddress(name, file, launch.url, entry, options);
}

async function checkCommand(
  name: string,
  file: string,
  launch: Launch,
  again: string,
  options: DoctorOptions,
): Promise<Check> {
  const { command, args } = launch;
  if (command === undefined) return fail(name, `${file}: the entry names no command`, again);
  const program = path.isAbsolute(command) ? command : await findProgram(command, options);
  if (program === undefined)
    return fail(name, `${file}: ${command} is not on PATH; a client may see another PATH still`, again);
  if (!(await executable(program)))
    return fail(name, `${file}: ${program} is not there, or may not be executed`, again);
  const script = /^node(?:\.exe)?$|^bun$|^deno$/.test(baseName(program))
    ? args.find((word) => !word.startsWith('-'))
    : program;
  if (script === undefined || !(await isFile(script))) {
    return fail(name, `${file}: ${script ?? 'the program it runs'} is not there`, again);
  }
  const ours = (await realpath(script)) === (await realpath(options.binPath).catch(() => options.binPath));
  if (!ours) return warn(name, `${file} runs another installation: ${script}`, again);
  return ok(name, `connected (${file})`);
}

async function checkAddress(
  name: string,
  file: string,
  url: string,
  entry: unknown,
  options: DoctorOptions,
): Promise<Check> {
  const { hostname, port, protocol } = new URL(url);
  const number = Number(port) || (protocol === 'https:' ? 443 : 80);
  const open = await answers(hostname.replace(/^\[|\]$/g, ''), number, options.timeoutMs);
  if (!open) {
    return fail(
      name,
      `${file}: nothing answers at ${url}`,
      `hanzo-mcp serve --transport http --port ${number}, or write the address it printed into ${file}`,
    );
  }
  const status = await statusOf(url, headersOf(entry, options), options.timeoutMs);
  if (status === undefined) {
    return fail(
      name,
      `${file}: something listens at ${url}, and it does not speak HTTP`,
      `write the address the server printed into ${file}`,
    );
  }
  if (status === 401 || status === 403) {
    return fail(
      name,
      `${file}: ${url} answers ${status}: the token in the file is not the server's`,
      `write the token it printed into ${file}, or start it with --token to keep one`,
    );
  }
  if (status === 404 || status === 405) {
    return fail(
      name,
      `${file}: ${url} answers ${status}: no MCP server at this path`,
      `write the address it printed into ${file}`,
    );
  }
  return ok(name, `${url} answers (${file})`);
}

/** The HTTP status of a ping; undefined where none came. */
async function statusOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeout: number,
): Promise<number | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** The headers the client would send, where the file holds them as they are or names a variable that is set. */
function headersOf(entry: unknown, { env }: DoctorOptions): Record<string, string> {
  const { headers, http_headers, bearer_token_env_var } = entry as Record<string, unknown>;
  const variable = typeof bearer_token_env_var === 'string' ? env[bearer_token_env_var] : undefined;
  const sent = Object.entries({ ...(headers as object | undefined), ...(http_headers as object | undefined) }).map(
    ([name, value]) =>
      [name, String(value).replaceAll(/\$\{(?:env:)?(\w+)\}/g, (whole, key: string) => env[key] ?? whole)] as const,
  );
  return { ...Object.fromEntries(sent), ...(variable === undefined ? {} : { Authorization: `Bearer ${variable}` }) };
}

function answers(host: string, port: number, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

const CONTAINERS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp_servers'],
  ['context_servers'],
  ['mcp', 'servers'],
  ['mcp'],
];

/** An entry that lies where another client would look for it. */
function strayEntry(client: Client, text: string, at: readonly string[]): string | undefined {
  const wanted = at.slice(0, -1).join('.');
  for (const container of CONTAINERS) {
    const where = container.join('.');
    if (where === wanted) continue;
    const found = lookAt(client, text, container);
    const key = Object.keys(found).find((each) => each === SERVER_KEY || isOurs(found[each]));
    if (key !== undefined) return `'${key}' stands under '${where}', but ${client.title} reads '${wanted}'`;
  }
  return undefined;
}

function otherName(client: Client, text: string, at: readonly string[]): { key: string; entry: unknown } | undefined {
  const servers = lookAt(client, text, at.slice(0, -1));
  const key = Object.keys(servers).find((each) => isOurs(servers[each]));
  return key === undefined ? undefined : { key, entry: servers[key] };
}

function lookAt(client: Client, text: string, where: readonly string[]): Record<string, unknown> {
  try {
    const found = client.format.get(text, where);
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

function isOff(entry: unknown): boolean {
  const { enabled, disabled } = entry as { enabled?: unknown; disabled?: unknown };
  return enabled === false || disabled === true;
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
