// The agent door at /v1/mcp: settles each request's caller, then hands it to the wire.
import type { IncomingMessage } from 'node:http';
import { createHttpDoor, CODES, type HttpDoor, RpcError } from '@hanzo/door';
import type { Caller } from '@hanzo/tool';
import type { Ingress } from '../core/ingress.ts';
import { Problem } from '../core/problem.ts';
import type { Ids } from '../ports/clock.ts';
import { addressOf, headersOf, plainHeaders, requestIdOf } from '../http/request.ts';
import { type McpPrincipal, NO_CREDENTIAL, type PlaneHost } from './host.ts';

export interface DoorOptions {
  readonly host: PlaneHost;
  readonly ingress: Ingress;
  readonly ids: Ids;
  readonly hostname: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly trustProxy: boolean;
  /** the value of WWW-Authenticate */
  readonly challenge: (request: IncomingMessage, invalid: boolean) => string;
}

export const MCP_PATH = '/v1/mcp';

export function createPlaneDoor({ host, ingress, ids, trustProxy, ...options }: DoorOptions): HttpDoor {
  return createHttpDoor({
    ...options,
    host,
    token: null,
    path: MCP_PATH,
    // any node answers any request, so none keeps what another would need
    stateless: true,
    async authenticate(request): Promise<Caller> {
      const headers = headersOf(request);
      try {
        const identity = await ingress.identify(headers);
        const principal: McpPrincipal = {
          context: {
            ...(identity === undefined ? {} : { identity }),
            requestId: requestIdOf(headers.get('x-request-id'), ids.uuid),
            method: 'POST',
            path: MCP_PATH,
            ip: addressOf(request, trustProxy),
            userAgent: request.headers['user-agent'],
            get headers() {
              return plainHeaders(request);
            },
            setHeader: () => undefined,
          },
        };
        const id =
          identity === undefined ? 'anonymous' : JSON.stringify([identity.org, identity.project, identity.credential]);
        return { id, principal };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        throw new RpcError(error.status === 401 ? NO_CREDENTIAL : CODES.refused, error.message, {
          status: error.status,
        });
      }
    },
  });
}
