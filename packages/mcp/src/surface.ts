// The ordered list of tools this server can carry, the presets over it, and which of them are switched on.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Listed unless told otherwise. The order is published and fixed: a client's prompt cache depends on it. */
export const DEFAULT_TOOLS = [
  'fs',
  'exec',
  'code',
  'git',
  'fetch',
  'workspace',
  'ui',
  'think',
  'memory',
  'plan',
  'tasks',
  'mode',
  'npx',
  'uvx',
  'jq',
] as const;

/** Served only where they are named. */
const OPTIONAL_TOOLS = ['system'] as const;

export const ALL_TOOLS: readonly string[] = [...DEFAULT_TOOLS, ...OPTIONAL_TOOLS];

/** Names of tools that are to come: asked for, they are left out and named, not refused. */
const PLANNED: ReadonlySet<string> = new Set('llm hanzo gimp browser cdp config'.split(' '));

/** The presets' names, those to come included: a preset means those of its tools that exist. */
const CORE = ['fs', 'exec', 'code', 'git', 'fetch', 'workspace', 'ui'];
const STANDARD = [...CORE, 'think', 'memory', 'hanzo', 'plan', 'tasks', 'mode'];
const PRESETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['core', CORE],
  ['standard', STANDARD],
  ['default', DEFAULT_TOOLS],
  ['all', ALL_TOOLS],
]);

/** Thrown for a name in `--tools` that this server does not carry. */
export class UnknownNameError extends Error {
  override readonly name = 'UnknownNameError';
  readonly tool: string;

  constructor(tool: string) {
    super(`this server has no tool '${tool}'`);
    this.tool = tool;
  }
}

/** What a selection comes to: what is served, and documented names that were asked for but are not built yet. */
export interface Selection {
  readonly tools: readonly string[];
  readonly missing: readonly string[];
}

/**
 * The tools that `--tools` and `--disable-tools` come to, in published order, each once.
 * `wanted` holds names and presets (`core`, `standard`, `default`, `all`); empty means the default list.
 * Throws UnknownNameError for a wanted name that is none of these; unknown disabled names are ignored.
 */
export function selectTools(wanted: readonly string[], disabled: readonly string[]): Selection {
  const chosen = new Set<string>(wanted.length === 0 ? DEFAULT_TOOLS : []);
  const missing = new Set<string>();
  for (const name of wanted) {
    const preset = PRESETS.get(name);
    if (PLANNED.has(name)) missing.add(name);
    else if (!preset && !ALL_TOOLS.includes(name)) throw new UnknownNameError(name);
    for (const each of preset ?? [name]) chosen.add(each);
  }
  return { tools: ALL_TOOLS.filter((name) => chosen.has(name) && !disabled.includes(name)), missing: [...missing] };
}

/** Which tools are served now; `system` switches them. */
export interface Surface {
  /** names served and switched on, in published order */
  listed(): readonly string[];
  /** every name this server was started with, switched on or not */
  served(): readonly string[];
  isEnabled(name: string): boolean;
  /**
   * Switches a tool; with `persist` the choice is kept in `<dataDir>/mcp/tool_states.json`. Returns why it was not kept, if it
   * should have been and was not; the switch holds all the same, until the server ends.
   */
  setEnabled(name: string, enabled: boolean, persist: boolean): string | undefined;
  /** called after every change of `listed()`; returns the way to stop listening */
  onChange(listener: () => void): () => void;
}

/** The same surface as one connection sees it: `leave` names what of a list it is shown. */
export function narrowed(surface: Surface, leave: (names: readonly string[]) => readonly string[]): Surface {
  return { ...surface, listed: () => leave(surface.listed()) };
}

/** Makes the surface of one server. Switches kept by an earlier run are read once, here; an unreadable file is said so. */
export function createSurface(served: readonly string[], dataDir: string): Surface {
  const file = path.join(dataDir, 'mcp', 'tool_states.json');
  const states = initialStates(file);
  const listeners = new Set<() => void>();
  const isEnabled = (name: string): boolean => states.get(name) ?? true;
  return {
    listed: () => served.filter(isEnabled),
    served: () => served,
    isEnabled,
    setEnabled(name, enabled, persist) {
      const before = isEnabled(name);
      states.set(name, enabled);
      const unkept = persist ? keep(file, name, enabled) : undefined;
      if (before !== enabled) for (const listener of listeners) listener();
      return unkept;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A file that cannot be read enables everything, and is said so: nobody should find out by a tool that is there again. */
function initialStates(file: string): Map<string, boolean> {
  try {
    return readStates(file);
  } catch (error) {
    process.stderr.write(
      `hanzo-mcp: ${(error as Error).message}; every tool counts as enabled until it is mended or deleted\n`,
    );
    return new Map();
  }
}

/** The choices kept in the file; none where there is no file. Throws a sentence where there is one that cannot be read. */
function readStates(file: string): Map<string, boolean> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return new Map();
  // Asked first, because opening a pipe would wait for a writer.
  if (!stat.isFile()) throw new Error(`${file} is not a regular file`);
  const text = readFileSync(file, 'utf8');
  let known: unknown;
  try {
    known = JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
  if (typeof known !== 'object' || known === null || Array.isArray(known)) {
    throw new Error(`${file} is not a JSON object of tool names and true or false`);
  }
  return new Map(Object.entries(known).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
}

/**
 * Changes one name in the file as it is now, so that two servers do not undo each other's choices. A file that cannot be read
 * is not written over: its choices are somebody's. Returns why nothing was kept.
 */
function keep(file: string, name: string, enabled: boolean): string | undefined {
  const temporary = `${file}.${process.pid}`;
  try {
    const now = readStates(file);
    now.set(name, enabled);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(temporary, `${JSON.stringify(Object.fromEntries(now), null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, file);
    return undefined;
  } catch (error) {
    rmSync(temporary, { force: true });
    return `${(error as Error).message}; it was not touched, mend or delete it to keep choices. This one holds until the server ends`;
  }
}
