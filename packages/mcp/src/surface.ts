// The ordered list of tools this server can carry, the presets over it, and which of them are switched on.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Listed unless told otherwise, in published order (the documented order, contract 1.2, as tools come to exist). */
export const DEFAULT_TOOLS = ['fs', 'exec', 'git', 'fetch', 'workspace', 'npx', 'uvx', 'jq'] as const;

/** Served only where they are named. */
const OPTIONAL_TOOLS = ['system'] as const;

export const ALL_TOOLS: readonly string[] = [...DEFAULT_TOOLS, ...OPTIONAL_TOOLS];

/** Documented names (contract 1.2) that this version does not have yet: asked for, they are left out and named, not refused. */
const PLANNED: ReadonlySet<string> = new Set(
  'code ui think llm memory hanzo plan tasks mode gimp browser cdp config'.split(' '),
);

/** The documented sets (contract 1.1). A preset means those of its tools that exist. */
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
 * Throws UnknownNameError for a wanted name that is none of these; unknown disabled names are ignored (contract 1.4).
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
  /** switches a tool; with `persist` the choice is kept in `<dataDir>/mcp/tool_states.json` */
  setEnabled(name: string, enabled: boolean, persist: boolean): void;
  /** called after every change of `listed()`; returns the way to stop listening */
  onChange(listener: () => void): () => void;
}

/** Makes the surface of one server. Switches kept by an earlier run are read once, here; an unreadable file is said so. */
export function createSurface(served: readonly string[], dataDir: string): Surface {
  const file = path.join(dataDir, 'mcp', 'tool_states.json');
  const states = readStates(file);
  const listeners = new Set<() => void>();
  const isEnabled = (name: string): boolean => states.get(name) ?? true;
  return {
    listed: () => served.filter(isEnabled),
    served: () => served,
    isEnabled,
    setEnabled(name, enabled, persist) {
      const before = isEnabled(name);
      states.set(name, enabled);
      if (persist) writeStates(file, name, enabled);
      if (before !== enabled) for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function readStates(file: string): Map<string, boolean> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return new Map();
  }
  try {
    const known = JSON.parse(text) as Record<string, unknown>;
    return new Map(Object.entries(known).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
  } catch {
    process.stderr.write(
      `hanzo-mcp: ${file} is not JSON; every tool counts as enabled until it is mended or deleted\n`,
    );
    return new Map();
  }
}

/** Changes one name in the file as it is now, so that two servers do not undo each other's choices. */
function writeStates(file: string, name: string, enabled: boolean): void {
  const now = readStates(file);
  now.set(name, enabled);
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(Object.fromEntries(now), null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}
