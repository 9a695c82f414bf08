// The ordered list of tools this server can carry, the presets over it, and which of them are switched on.
import type { ToolDefinition } from '@hanzo/tool';
import type { Local } from './local.ts';

/** Loads a tool when it is first called; nothing of it is read before. */
export type ToolLoader = () => Promise<ToolDefinition<Local>>;

/** Every tool that is built, in published order (contract 1.2), then those served only by name. */
export const TOOLS: ReadonlyMap<string, ToolLoader> = new Map<string, ToolLoader>([]);

/** Which tools are served now; `system` switches them. */
export interface Surface {
  /** names served and switched on, in published order */
  listed(): readonly string[];
  /** every name this server was started with, switched on or not */
  served(): readonly string[];
  isEnabled(name: string): boolean;
  /** switches a tool; with `persist` the choice is kept in `<dataDir>/mcp/tool_states.json` */
  setEnabled(name: string, enabled: boolean, persist: boolean): Promise<void>;
  /** called after every change of `listed()`; returns the way to stop listening */
  onChange(listener: () => void): () => void;
}
