// One POST for each request and nothing before it (contract, tool plane 3.1).
import { answered } from '../failure.ts';
import type { Answer, Endpoint, Wire } from '../wire.ts';
import type { Dialect, Reply } from './dialect.ts';

export function createPlain(wire: Wire): Dialect {
  return {
    kind: 'plain',
    request: async (endpoint, method, params, bound) =>
      reply(await wire.ask(endpoint, { method, params }, bound), endpoint),
    refuses: () => undefined,
    end: () => undefined,
  };
}

/** The result of an answer; throws the failure it tells of. */
export function reply({ status, result, error, bytes }: Answer, endpoint: Endpoint): Reply {
  if (result === undefined) throw answered(status, error, endpoint);
  return { result, bytes };
}
