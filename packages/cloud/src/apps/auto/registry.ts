// Connectors by the names of their tools. Made once at start; two that would share a name stop it.
import { TOOL_NAME } from '@hanzo/tool';
import { type Action, type Connector, toolName } from './types.ts';

export interface ToolOf {
  readonly tool: string;
  readonly connector: Connector;
  readonly action: Action;
}

export interface Connectors {
  /** sorted by name */
  readonly all: readonly Connector[];
  /** sorted by name */
  readonly tools: readonly ToolOf[];
  get(name: string): Connector | undefined;
  /** exact match (contract 6.1) */
  find(tool: string): ToolOf | undefined;
}

/** Throws for a connector or action without a name, a name twice, and two pairs that make one tool name. */
export function createConnectors(list: readonly Connector[]): Connectors {
  const byName = new Map<string, Connector>();
  const byTool = new Map<string, ToolOf>();
  for (const connector of list) {
    if (!connector?.name) throw new TypeError('a connector must have a name');
    const { name } = connector;
    if (byName.has(name)) throw new TypeError(`two connectors are called '${name}'`);
    byName.set(name, connector);
    for (const action of connector.actions) {
      if (!action?.name) throw new TypeError(`the connector '${name}' has an action without a name`);
      const tool = toolName(name, action.name);
      if (!TOOL_NAME.test(tool)) throw new TypeError(`'${tool}' cannot be the name of a tool`);
      const other = byTool.get(tool);
      if (other !== undefined) {
        throw new TypeError(
          `the tool '${tool}' would be both '${other.action.name}' of '${other.connector.name}' and '${action.name}' of '${name}'`,
        );
      }
      byTool.set(tool, { tool, connector, action });
    }
  }
  return {
    all: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    tools: [...byTool.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1)),
    get: (name) => byName.get(name),
    find: (tool) => byTool.get(tool),
  };
}
