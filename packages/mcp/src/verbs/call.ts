// `hanzo-mcp call TOOL [ACTION] [key=value ...|JSON]`: one call from the shell, through the same host a client reaches.
import process from 'node:process';
import { nearest } from '@hanzo/tool';
import { createLocalHost } from '../host.ts';
import { type Catalog, listing } from '../catalog.ts';
import { readFlags, SERVER_FLAGS, toConfig, UsageError } from '../flags.ts';
import { ALL_TOOLS, createSurface } from '../surface.ts';
import { describeServer } from '../identity.ts';
import { checkStart } from './start.ts';

/** Runs the call and prints its blocks, text as it is; exit code 1 for an error result. */
export async function call(args: readonly string[], catalog: Catalog): Promise<number> {
  refuseParameterFlags(args, catalog);
  const { values, positionals } = readFlags(args, SERVER_FLAGS);
  const [tool, ...words] = positionals;
  if (tool === undefined) {
    throw new UsageError(
      'call what? hanzo-mcp call TOOL [ACTION] [key=value ...|JSON], for example: hanzo-mcp call fs read uri=/etc/hostname',
    );
  }
  if (!ALL_TOOLS.includes(tool)) {
    const meant = nearest(tool, ALL_TOOLS);
    const hint = meant === undefined ? '; it' : `; did you mean '${meant}'? It`;
    throw new UsageError(`unknown tool '${tool}'${hint} is one of: ${ALL_TOOLS.join(', ')}`);
  }
  const config = toConfig({ ...values, tools: [tool] }, catalog.version);
  await checkStart(config);
  const surface = createSurface(config.tools, config.dataDir);
  const host = createLocalHost(
    config,
    { ...describeServer(catalog.version), tools: () => listing(catalog, config.tools) },
    surface,
  );
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort());
  try {
    const result = await host.call({ id: 'shell' }, tool, toArguments(words, textParameters(catalog, tool)), {
      signal: cancel.signal,
      progress: () => {},
      log: () => {},
      clientCapabilities: {},
      ask: () => Promise.reject(new Error('nobody can be asked from the shell')),
    });
    if (!('content' in result)) throw new Error('the tool asked for input, which the shell cannot give');
    for (const block of result.content) {
      process.stdout.write(
        block.type === 'text'
          ? withNewline(block.text)
          : `[${block.type} ${'mimeType' in block ? block.mimeType : ''}]\n`,
      );
    }
    if (host.running() > 0) {
      process.stderr.write(
        'hanzo-mcp: what still runs in the background ends now, with this call; a served hanzo-mcp keeps it running\n',
      );
    }
    return result.isError ? 1 : 0;
  } finally {
    await host.close();
  }
}

/** The parameters of a tool with their JSON types, as its listing has them. */
function parametersOf(catalog: Catalog, tool: string): [name: string, type: unknown][] {
  const entry = catalog.tools.find(({ name }) => name === tool);
  const { inputSchema } = JSON.parse(entry?.json ?? '{}') as {
    inputSchema?: { properties?: Record<string, { type?: unknown }> };
  };
  return Object.entries(inputSchema?.properties ?? {}).map(([name, { type }]) => [name, type]);
}

/** Parameters of a tool that are strings: their values are taken as they stand, even where they read as JSON. */
function textParameters(catalog: Catalog, tool: string): ReadonlySet<string> {
  const texts = parametersOf(catalog, tool).filter(([, type]) => type === 'string');
  return new Set(texts.map(([name]) => name));
}

/** A parameter written like a flag is told how parameters are written; flags of the server are flags. */
function refuseParameterFlags(args: readonly string[], catalog: Catalog): void {
  for (const word of args) {
    const [, flag = '', value] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === '--') return;
    const name = flag.replaceAll('-', '_');
    const known = !Object.hasOwn(SERVER_FLAGS, flag) && args.some((tool) => hasParameter(catalog, tool, name));
    if (known)
      throw new UsageError(`parameters are written without dashes: ${name}=${value ?? 'VALUE'} in place of ${word}`);
  }
}

function hasParameter(catalog: Catalog, tool: string, name: string): boolean {
  return name !== '' && parametersOf(catalog, tool).some(([each]) => each === name);
}

/** `read uri=/x limit=5` or `'{"action":"read"}'`; a value that reads as JSON is taken as such unless the parameter is a string. */
function toArguments(words: readonly string[], text: ReadonlySet<string>): Record<string, unknown> {
  const result = new Map<string, unknown>();
  for (const [index, word] of words.entries()) {
    if (word.startsWith('{')) {
      for (const [key, value] of Object.entries(parseObject(word))) result.set(key, value);
      continue;
    }
    const equals = word.indexOf('=');
    const key = word.slice(0, Math.max(0, equals));
    const value = word.slice(equals + 1);
    if (equals > 0) result.set(key, text.has(key) ? value : parseValue(value));
    else if (index === 0) result.set('action', word);
    else throw new UsageError(`'${word}' is neither key=value nor a JSON object`);
  }
  return Object.fromEntries(result);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(`not a JSON object: ${(error as Error).message}`);
  }
}

function parseValue(text: string): unknown {
  if (!/^(-?\d|true$|false$|null$|[[{])/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
