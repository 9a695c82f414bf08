// Agents as tools (contract, tool plane 6.4): source `agent`, name `agent_<name>`.
import { type Offer, type Provider, UnknownTool } from '@hanzo/tool';
import { Problem } from '../../core/problem.ts';
import { type AgentRow, type AgentService, agentTool } from './service.ts';

const PREFIX = agentTool('');

const SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string', description: 'what the agent is told' } },
  required: ['input'],
} as const;

function offerOf({ name, description }: AgentRow): Offer {
  return { name: agentTool(name), source: 'agent', description, inputSchema: SCHEMA, dispatchable: true };
}

function nameOf(tool: string): string {
  return tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : '';
}

export function agentProvider(service: Pick<AgentService, 'list' | 'run'>): Provider {
  return {
    source: () => 'agent',
    async list({ org }) {
      return org === '' ? [] : [...(await service.list(org)).values()].map(offerOf);
    },
    async find({ org }, tool) {
      const row = org === '' ? undefined : (await service.list(org)).get(nameOf(tool));
      return row && offerOf(row);
    },
    async dispatch({ org, user }, tool, { input }, { signal }) {
      if (org === '') throw new UnknownTool(tool);
      if (typeof input !== 'string' || input.trim() === '') {
        throw new Problem(400, "'input' must be a text.", { code: 'invalid_arguments' });
      }
      const run = await service.run(org, user, nameOf(tool), input, signal);
      if (run === undefined) throw new UnknownTool(tool);
      signal.throwIfAborted();
      return run;
    },
  };
}
