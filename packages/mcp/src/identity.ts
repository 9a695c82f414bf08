// What this server says of itself, in every era.

/** Name, version, capabilities and instructions, as `initialize` and `server/discover` answer them. */
export function describeServer(version: string): {
  info: { name: string; version: string; title: string };
  instructions: string;
  capabilities: Record<string, unknown>;
} {
  return {
    info: { name: 'hanzo-mcp', title: 'Hanzo MCP', version },
    instructions:
      'Each tool takes an `action`; `help` lists its actions. The first block of an answer is its JSON envelope; where a text is ' +
      'the point, `data` names the block that holds it. Paths are absolute.',
    capabilities: { tools: { listChanged: true }, resources: {} },
  };
}
