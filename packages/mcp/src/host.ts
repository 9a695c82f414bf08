// The composition root: services made once, tools loaded on their first call.
import { type CallContext, type Caller, type Tool, type ToolDefinition, UnknownToolError } from '@hanzo/tool';
import { type Host, type Prepared, UnknownResourceError } from '@hanzo/door';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';
import { type Access, createAccess } from './lib/access.ts';
import type { Classify } from './lib/commands/verdict.ts';
import { createProcessTable } from './lib/processes/table.ts';
import { createModes, type Modes } from './lib/modes/current.ts';
import type { Sandbox } from './lib/sandbox/index.ts';
import { createIndexes } from './lib/search/indexes.ts';
import { createStore } from './lib/store/index.ts';
import type { Local } from './local.ts';
import { SYSTEM_PROMPT, systemPrompt } from './prompt.ts';
import { narrowed, type Surface } from './surface.ts';

/** Different lists kept parsed at a time. */
const MOST_LISTS = 64;

type Loader = () => Promise<ToolDefinition<Local>>;

/** Every tool that is built. A name here is a name in surface.ts; `npm test` holds the two together. */
export const LOADERS: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ['fs', async () => (await import('./tools/fs/index.ts')).fs],
  ['exec', async () => (await import('./tools/exec/index.ts')).exec],
  ['code', async () => (await import('./tools/code/index.ts')).code],
  ['git', async () => (await import('./tools/git/index.ts')).git],
  ['fetch', async () => (await import('./tools/fetch/index.ts')).fetch],
  ['workspace', async () => (await import('./tools/workspace/index.ts')).workspace],
  ['ui', async () => (await import('./tools/ui/index.ts')).ui],
  ['think', async () => (await import('./tools/think/index.ts')).think],
  ['memory', async () => (await import('./tools/memory/index.ts')).memory],
  ['plan', async () => (await import('./tools/plan/index.ts')).plan],
  ['tasks', async () => (await import('./tools/tasks/index.ts')).tasks],
  ['mode', async () => (await import('./tools/mode/index.ts')).mode],
  ['npx', async () => (await import('./tools/npx/index.ts')).npx],
  ['uvx', async () => (await import('./tools/uvx/index.ts')).uvx],
  ['jq', async () => (await import('./tools/jq/index.ts')).jq],
  ['system', async () => (await import('./tools/system/index.ts')).system],
]);

/** The running local server: what the door serves, and how it ends. */
export interface LocalHost extends Host {
  /** how many commands have processes that live */
  running(): number;
  /** ends every process the tools started, the search engines and the store; resolves when none is left */
  close(): Promise<void>;
}

/** Makes the local server. `prepared.tools` is the list the door answers; calls outside it are unknown. */
export function createLocalHost(
  config: Config,
  prepared: Prepared,
  surface: Surface,
  modes: Modes = createModes(),
): LocalHost {
  const access = createAccess({
    level: config.access,
    cwd: config.cwd,
    roots: config.roots,
    allowSecrets: config.allowSecrets,
  });
  const processes = createProcessTable({ passEnv: config.passEnv });
  const indexes = createIndexes({ access, cache: config.indexes });
  const store = createStore({ dataDir: config.dataDir, readOnly: config.access === 'read-only' });
  const sandbox = config.sandbox === 'off' ? undefined : lazySandbox(config, access);
  const classify = lazyClassify(config, access);
  const base = { config, access, processes, indexes, store, modes, classify, ...(sandbox ? { sandbox } : {}) };
  /** What a call of this caller stands on. */
  const envOf = ({ connection }: Caller): Local => ({
    ...base,
    surface: narrowed(surface, (names) => modes.listed(connection, names)),
    ...(connection === undefined ? {} : { connection }),
  });
  /** by text: few modes, and few switches, make few lists */
  const lists = new Map<string, readonly Tool[]>();
  const options = { maxOutput: config.maxOutput, jsonOnly: config.jsonOnly, version: config.version };

  return {
    info: prepared.info,
    ...(prepared.instructions === undefined ? {} : { instructions: prepared.instructions }),
    async list(caller) {
      const text = prepared.tools(caller);
      // The same array while nothing has changed: the door then neither parses nor writes it again.
      let tools = lists.get(text);
      if (tools === undefined) {
        tools = JSON.parse(text) as readonly Tool[];
        if (lists.size === MOST_LISTS) lists.clear();
        lists.set(text, tools);
      }
      return tools;
    },
    async call(caller, name, args, context) {
      const env = envOf(caller);
      const load = env.surface.listed().includes(name) ? LOADERS.get(name) : undefined;
      if (!load) throw new UnknownToolError(name);
      await adoptRoots(env, context);
      const tool = await load();
      return tool.call(args, { ...options, context, env });
    },
    resources: {
      list: async () => [SYSTEM_PROMPT],
      async read(caller, uri) {
        if (uri !== SYSTEM_PROMPT.uri) throw new UnknownResourceError(uri);
        return { contents: [{ uri, mimeType: SYSTEM_PROMPT.mimeType, text: await systemPrompt(envOf(caller)) }] };
      },
    },
    onChange(listener) {
      const ends = [
        surface.onChange(() => listener({ kind: 'tools' })),
        modes.onChange((connection) => listener({ kind: 'tools', connection })),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
    running: () => processes.list().filter((each) => each.alive() > 0).length,
    async close() {
      await Promise.all([processes.close(), indexes.close(), store.close()]);
    },
  };
}

/** The classifier and its rules are loaded with the first command. */
function lazyClassify(config: Config, access: Access): Classify {
  let made: Promise<Classify> | undefined;
  return async (question) => {
    made ??= import('./lib/verdict.ts').then(({ createClassify }) =>
      createClassify({ access, dataDir: config.dataDir }),
    );
    return (await made)(question);
  };
}

function lazySandbox(config: Config, access: Access): Sandbox {
  let made: Promise<Sandbox> | undefined;
  return {
    async confine(cwd) {
      made ??= import('./lib/sandbox/make.ts').then(({ makeSandbox }) => makeSandbox(config, access));
      return (await made).confine(cwd);
    },
  };
}

/** The client's own roots become roots of this server (MCP roots, eras that can ask). */
async function adoptRoots(env: Local, context: CallContext): Promise<void> {
  if (!context.roots) return;
  const uris = await context.roots();
  env.access.setClientRoots(uris.filter((uri) => uri.startsWith('file://')).map((uri) => fileURLToPath(uri)));
}
