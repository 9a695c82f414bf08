// Functions as tools (contract, tool plane 6.4): source `function`, name `function_<name>`.
import { type Offer, type Provider, UnknownTool } from '@hanzo/tool';
import { Problem } from '../../core/problem.ts';
import { type FunctionRow, type FunctionService, functionTool } from './service.ts';

const PREFIX = functionTool('');

const SCHEMA = {
  type: 'object',
  properties: { input: { type: ['string', 'object'], description: 'what the function is called with' } },
  required: [],
} as const;

function offerOf({ name, description }: FunctionRow): Offer {
  return { name: functionTool(name), source: 'function', description, inputSchema: SCHEMA, dispatchable: true };
}

function nameOf(tool: string): string {
  return tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : '';
}

export function functionProvider(service: Pick<FunctionService, 'list' | 'run'>): Provider {
  return {
    source: () => 'function',
    async list({ org }) {
      return org === '' ? [] : [...(await service.list(org)).values()].map(offerOf);
    },
    async find({ org }, tool) {
      const row = org === '' ? undefined : (await service.list(org)).get(nameOf(tool));
      return row && offerOf(row);
    },
    async dispatch({ org }, tool, { input }, { signal }) {
      if (org === '') throw new UnknownTool(tool);
      if (input !== undefined && typeof input !== 'string' && (typeof input !== 'object' || Array.isArray(input))) {
        throw new Problem(400, "'input' must be a string or an object.", { code: 'invalid_arguments' });
      }
      const result = await service.run(org, nameOf(tool), input ?? null, signal);
      if (result === undefined) throw new UnknownTool(tool);
      // one that failed says so in its own answer: the work was done and cost what it cost
      return result;
    },
  };
}
