// Which mode each connection is in. Loaded with the start, so it knows no tool; what a mode lists is decided here and nowhere else.
import { DEFAULT_MODE, type Mode, modeOf } from './modes.ts';

export interface Current {
  readonly mode: Mode;
  /** only the mode's tools are listed and can be called */
  readonly restricts: boolean;
}

/** Connections remembered; the one that chose longest ago is forgotten. */
const MOST = 2000;
/** What is listed whatever the mode: the way back. */
const ALWAYS: ReadonlySet<string> = new Set(['mode', 'system']);

export interface Modes {
  of(connection: string | undefined): Current;
  set(connection: string, current: Current): void;
  /** of `names`, those that this connection sees */
  listed(connection: string | undefined, names: readonly string[]): readonly string[];
  /** called with the connection whose list has changed; returns the way to stop listening */
  onChange(listener: (connection: string) => void): () => void;
}

export function createModes(): Modes {
  const start: Current = { mode: modeOf(DEFAULT_MODE) as Mode, restricts: false };
  const chosen = new Map<string, Current>();
  const listeners = new Set<(connection: string) => void>();
  const of = (connection: string | undefined): Current =>
    (connection === undefined ? undefined : chosen.get(connection)) ?? start;
  return {
    of,
    set(connection, current) {
      chosen.delete(connection);
      chosen.set(connection, current);
      const [oldest] = chosen.keys();
      const changed = [connection];
      // The forgotten one sees the whole list again, which is a change it has to hear of.
      if (chosen.size > MOST && oldest !== undefined && chosen.delete(oldest)) changed.push(oldest);
      for (const each of changed) for (const listener of listeners) listener(each);
    },
    listed(connection, names) {
      const { mode, restricts } = of(connection);
      const { tools } = mode;
      return restricts && tools ? names.filter((name) => tools.includes(name) || ALWAYS.has(name)) : names;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
