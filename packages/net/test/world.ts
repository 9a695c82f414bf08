// A small internet on the loopback interface: one server that counts as public, victims that must never be reached,
// and a resolver under the test's control.
import diagnostics from 'node:diagnostics_channel';
import { createServer as createHttp, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import type { Resolver } from '../src/index.ts';

export interface World {
  /** port of the public server at 127.0.0.1; the client under test is told `allow: ['127.0.0.1:<port>']` */
  readonly port: number;
  /** port where the victim listens on every address of this machine */
  readonly victimPort: number;
  /** `http://public.test:<port>` */
  readonly origin: string;
  /** requests the public server has answered since `reset` */
  readonly requests: IncomingMessage[];
  /** what the resolver answers; names under public.test lead to the public server */
  readonly names: Map<string, readonly string[] | (() => readonly string[])>;
  readonly resolver: Resolver;
  /** names asked of the resolver since `reset` */
  readonly asked: string[];
  /** TCP connections any victim has accepted since the start */
  victimHits(): number;
  /** client sockets this process has opened since `reset` */
  dials(): number;
  reset(): void;
  /** `{V}` and `{P}` filled in */
  fill(template: string): string;
  close(): Promise<void>;
}

/** Starts it. `answer` is what the public server does. */
export async function startWorld(answer: RequestListener): Promise<World> {
  const requests: IncomingMessage[] = [];
  const server = createHttp((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const port = await listen(server, '127.0.0.1', 0);

  let hits = 0;
  const hit = (socket: Socket): void => {
    hits++;
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret');
  };
  const everywhere = createTcp(hit);
  const victimPort = await listen(everywhere, '::', 0).catch(() => listen(everywhere, '0.0.0.0', 0));
  // The same port as the public server, on addresses next to it: where a rebound name would lead.
  const neighbours: TcpServer[] = [];
  for (const host of ['::1', '127.0.0.2']) {
    const neighbour = createTcp(hit);
    const up = await listen(neighbour, host, port).catch(() => undefined);
    if (up !== undefined) neighbours.push(neighbour);
  }

  let dials = 0;
  const count = (): void => void dials++;
  diagnostics.subscribe('net.client.socket', count);

  const names: World['names'] = new Map();
  const asked: string[] = [];
  return {
    port,
    victimPort,
    origin: `http://public.test:${port}`,
    requests,
    names,
    asked,
    resolver: async (hostname) => {
      asked.push(hostname);
      const known = names.get(hostname) ?? (/(^|\.)public\.test\.?$/.test(hostname) ? ['127.0.0.1'] : undefined);
      const answers =
        typeof known === 'function' ? known() : (known ?? (hostname.includes('localhost') ? ['127.0.0.1', '::1'] : []));
      return answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    victimHits: () => hits,
    dials: () => dials,
    reset() {
      requests.length = 0;
      asked.length = 0;
      dials = 0;
    },
    fill: (template) => template.replaceAll('{V}', String(victimPort)).replaceAll('{P}', String(port)),
    async close() {
      diagnostics.unsubscribe('net.client.socket', count);
      server.closeAllConnections();
      await Promise.all([server, everywhere, ...neighbours].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

async function listen(server: Server | TcpServer, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
