// The rows of the agent app. Times are Unix seconds; truth values are 0 and 1.
export interface AgentTables {
  agent_agents: {
    org: string;
    name: string;
    description: string;
    url: string;
    has_secret: number;
    created: number;
    updated: number;
  };
  agent_runs: {
    org: string;
    id: string;
    agent: string;
    who: string;
    status: string;
    output: string;
    created: number;
    finished: number;
  };
}

/** Generation of the agents of an organization. */
export function generationKey(org: string): string {
  return `agent:${org}`;
}
