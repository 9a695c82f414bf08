// Connectors' actions as tools (contract, tool plane 6.1): source `connector`, name `<connector>_<action>`.
import type { Offer, Provider } from '@hanzo/tool';
import type { ToolOf } from './registry.ts';
import type { AutoService } from './service.ts';
import { schemaOf } from './types.ts';

export function connectorProvider(service: Pick<AutoService, 'connectors' | 'run'>): Provider {
  const offers = new WeakMap<ToolOf, Offer>();
  const offerOf = (found: ToolOf): Offer => {
    let offer = offers.get(found);
    if (offer === undefined) {
      const { tool, connector, action } = found;
      const description =
        action.description === '' ? `${action.displayName} (${connector.displayName})` : action.description;
      offer = { name: tool, source: 'connector', description, inputSchema: schemaOf(action.props), dispatchable: true };
      offers.set(found, offer);
    }
    return offer;
  };
  return {
    source: () => 'connector',
    async list({ org }) {
      return org === '' ? [] : (await service.connectors(org)).tools.map(offerOf);
    },
    async find({ org }, name) {
      const found = org === '' ? undefined : (await service.connectors(org)).find(name);
      return found && offerOf(found);
    },
    dispatch: ({ org }, name, args, { signal }) => service.run(org, name, args, signal),
  };
}
