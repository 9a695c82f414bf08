// The HTTP server: binds a port, hands every request to the door, and ends without cutting anyone off mid-word.
import type { AddressInfo } from 'node:net';
import { createHttpDoor, type HttpDoorOptions } from './door.ts';
import { isLoopback, urlHost } from './guard.ts';

export interface HttpOptions extends Omit<HttpDoorOptions, 'hostname' | 'token'> {
  /** 0 takes a free port */
  port: number;
  /** default 127.0.0.1; anything but loopback needs a token */
  hostname?: string;
  /** the bearer token clients must send; null serves anyone on this machine, on loopback only */
  token: string | null;
}

export interface HttpServer {
  /** where clients connect, for example `http://127.0.0.1:3000/mcp` */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves streamable HTTP. Rejects where the address is open to other machines and there is no token, and with the
 * system's own error (`code` EADDRINUSE and its like) where the port cannot be bound.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { port, hostname = '127.0.0.1', token, authenticate, path = '/mcp' } = options;
  if (token === null && !authenticate && !isLoopback(hostname)) {
    throw new Error(`refusing to serve on ${hostname} without a token: other machines could call every tool`);
  }
  const door = createHttpDoor({ ...options, hostname });
  // Loaded here, because programs that serve stdio never need it.
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => void door.handle(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      void door.close(0);
      reject(error);
    });
    server.listen(port, hostname.replace(/^\[|\]$/g, ''), resolve);
  });
  // A listening TCP server has an AddressInfo.
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${urlHost(hostname)}:${bound}${path}`,
    port: bound,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      await door.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), 1000);
      await closed;
      clearTimeout(cut);
    },
  };
}
