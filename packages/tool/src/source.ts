// Where tools come from, and which source wins a name.

/** The closed ranks: lower wins; an unknown source comes after all of them. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ['connector', 1],
  ['function', 2],
  ['zap-service', 3],
  ['agent', 4],
  ['skill', 5],
  ['mcp', 6],
]);

export type Source = 'connector' | 'function' | 'zap-service' | 'agent' | 'skill' | 'mcp';

/** 1 (connector) to 6 (mcp); 7 for anything else. */
export function rank(source: string): number {
  return RANKS.get(source) ?? RANKS.size + 1;
}
