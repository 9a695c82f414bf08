// Revision 2026-07-28: no handshake and no session; every request says in `_meta` and in headers what it is.
import { isObject, type Wire } from '../wire.ts';
import { RemoteFailure } from '../failure.ts';
import type { Dialect } from './dialect.ts';
import { headerValue, paramHeaders, paramsOf } from './params.ts';
import { reply } from './plain.ts';

const MODERN = '2026-07-28';
const NS = 'io.modelcontextprotocol/';
/** UnsupportedProtocolVersion (wire contract 1.7) */
const UNSUPPORTED_VERSION = -32_022;

export function createModern(wire: Wire, version: string): Dialect {
  const meta = {
    [`${NS}protocolVersion`]: MODERN,
    [`${NS}clientCapabilities`]: {},
    [`${NS}clientInfo`]: { name: 'hanzo-cloud', version },
  };
  return {
    kind: MODERN,
    async request(endpoint, method, params, bound, tool) {
      const headers: Record<string, string> = { 'mcp-protocol-version': MODERN, 'mcp-method': method };
      if (typeof params['name'] === 'string') headers['mcp-name'] = headerValue(params['name']);
      if (tool !== undefined) Object.assign(headers, paramHeaders(tool, params['arguments']));
      const sent = { method, params: { ...params, _meta: meta }, headers };
      let answer = await wire.ask(endpoint, sent, bound);
      // a server may refuse the first request whatever it says (wire contract 3.1); refused, nothing ran
      if (answer.error?.code === UNSUPPORTED_VERSION && supports(answer.error.data)) {
        answer = await wire.ask(endpoint, sent, bound);
      }
      const { result, bytes } = reply(answer, endpoint);
      const { resultType = 'complete', ...rest } = result;
      if (resultType === 'input_required') {
        throw new RemoteFailure('error', 'asks for something more from the user, which is not carried to it');
      }
      if (resultType !== 'complete') throw new RemoteFailure('error', 'gave a kind of result that is not known');
      return { result: withoutIdentity(rest), bytes };
    },
    refuses: (tool) => {
      const params = paramsOf(tool.inputSchema);
      return typeof params === 'string' ? params : undefined;
    },
    end: () => undefined,
  };
}

/** Whether an error's `data.supported` names this revision. */
export function supports(data: unknown): boolean {
  return isObject(data) && Array.isArray(data['supported']) && data['supported'].includes(MODERN);
}

/** The server's name for itself belongs to this hop: passed on it would stand for the plane's own (wire contract 4.1). */
function withoutIdentity(result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { _meta, ...rest } = result;
  if (!isObject(_meta) || !(`${NS}serverInfo` in _meta)) return result;
  const { [`${NS}serverInfo`]: _own, ...others } = _meta;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}
