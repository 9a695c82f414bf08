// The composition root: from one frozen configuration to a plane that listens, and back to nothing without losing a call.
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { createClient, type NetClient } from '@hanzo/net';
import type { Provider } from '@hanzo/tool';
import type { JwtOptions } from './apps/iam/index.ts';
import { callerTools } from './caller-tools.ts';
import { compose, type Composed } from './compose.ts';
import type { Config } from './config.ts';
import { openApi } from './core/openapi.ts';
import { Problem } from './core/problem.ts';
import { currentSpan } from './core/trace.ts';
import { challengeOf, createHttp } from './http/index.ts';
import type { Logger } from './http/log.ts';
import { createMetrics } from './http/metrics.ts';
import { createPlaneDoor, MCP_PATH } from './mcp/door.ts';
import { createHost } from './mcp/host.ts';
import type { Clock, Ids } from './ports/clock.ts';
import { createStore, migrate } from './store/index.ts';
import type { Tracing } from './tracing/index.ts';
import { loadKeks } from './vault/index.ts';
import { isPostgres, systemClock, systemIds } from './verbs/context.ts';

export interface PlaneOptions {
  readonly config: Config;
  readonly version: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** sources of tools beside the built-in ones, in order */
  readonly providers?: readonly Provider[];
  /** tests: answers are held to their schemas */
  readonly checkAnswers?: boolean;
}

export interface Plane {
  /** `http://127.0.0.1:4280` */
  readonly url: string;
  /** on the first start of a new database only: shown to the operator, kept nowhere */
  readonly firstKey: string | undefined;
  readonly apps: Composed['apps'];
  /** Takes nothing new, waits for what is under way for the configured grace, then writes out and ends. */
  close(): Promise<void>;
}

/** Opens the store, brings it up to date, starts every app, and listens. What was opened is closed when a later step fails. */
export async function createPlane(options: PlaneOptions): Promise<Plane> {
  const { config, version, logger, clock = systemClock, ids = systemIds } = options;
  const store = await createStore({
    database: config.database,
    synchronous: config.synchronous,
    onFault: (error) => logger.error('store fault', { error }),
  });
  const undo: (() => Promise<void>)[] = [() => store.close()];
  try {
    const keks = loadKeks({
      env: config.env,
      file: config.keyFile ?? (isPostgres(config.database) ? undefined : path.join(config.data, 'vault.key')),
      generate: config.keyFile === undefined && !isPostgres(config.database),
    });
    // connecting and TLS: contract, tool plane 3.1
    const client = createClient({
      allow: config.allowPrivate,
      connectMs: 5_000,
      userAgent: `hanzo-cloud/${version}`,
    });
    undo.push(() => client.close());
    let [net, tracing]: [NetClient, Tracing | undefined] = [client, undefined];
    if (config.otlp !== undefined) {
      // a third of a second to load, and only here
      const [{ createTracing }, { tracedClient }] = await Promise.all([
        import('./tracing/index.ts'),
        import('./tracing/net.ts'),
      ]);
      const made = createTracing({ endpoint: config.otlp, version });
      [net, tracing] = [tracedClient(client), made];
      undo.push(() => made.close());
    }
    const jwt = jwtOf(config);
    const composed = compose({
      store,
      clock,
      ids,
      keks,
      logger,
      net,
      version,
      env: config.env,
      charger: config.charger,
      registry: config.registry,
      allowPrivate: config.allowPrivate,
      providers: options.providers ?? [],
      ...(jwt === undefined ? {} : { jwt }),
    });
    const { apps, iam } = composed;
    undo.push(() => composed.close());
    await migrate(
      store,
      apps.flatMap(({ migrations }) => migrations),
    );
    const first = await iam.bootstrap();
    for (const app of apps) {
      await app.start?.();
      if (app.close !== undefined) undo.push(() => app.close?.() ?? Promise.resolve());
    }
    const listening = await listen(options, composed, { ids, store, tracing });
    let closing: Promise<void> | undefined;
    return {
      url: listening.url,
      firstKey: first?.secret,
      apps,
      close: () => (closing ??= listening.close().then(() => unwind(undo, logger))),
    };
  } catch (error) {
    await unwind(undo, logger);
    throw error;
  }
}

async function unwind(undo: (() => Promise<void>)[], logger: Logger): Promise<void> {
  for (const step of undo.splice(0).toReversed())
    await step().catch((error: unknown) => logger.error('close', { error }));
}

interface Parts {
  readonly ids: Ids;
  readonly store: { ping(): Promise<void> };
  readonly tracing: Tracing | undefined;
}

async function listen(
  { config, version, logger, checkAnswers = false }: PlaneOptions,
  { apps, ops, iam, tool }: Composed,
  { ids, store, tracing }: Parts,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const ending = new AbortController();
  let draining = false;
  const titles = new Map(apps.map(({ name, title }) => [name, title]));
  const originOf = (host: string | undefined): string =>
    config.publicUrl?.replace(/\/+$/, '') ?? `http://${host ?? 'localhost'}`;
  const http = createHttp({
    ops,
    ingress: iam.ingress,
    ids,
    logger,
    metrics: createMetrics({ version }),
    openapi: openApi(ops, { title: 'hanzo-cloud', version, apps }),
    ending: ending.signal,
    async ready() {
      if (draining) throw new Problem(503, 'This node is ending.', { code: 'draining' });
      await store.ping();
    },
    originOf: ({ headers }) => originOf(headers.host),
    authorizationServers: config.issuer === undefined ? [] : [config.issuer],
    trustProxy: config.trustProxy,
    checkAnswers,
  });
  const door = createPlaneDoor({
    host: createHost({
      ops,
      tools: callerTools(tool),
      version,
      titles,
      onFault: (error, requestId) => logger.error('call failed', { requestId, error }),
    }),
    ingress: iam.ingress,
    ids,
    hostname: config.host,
    allowedHosts: [...config.allowedHosts, ...(config.publicUrl === undefined ? [] : [new URL(config.publicUrl).host])],
    allowedOrigins: config.allowedOrigins,
    trustProxy: config.trustProxy,
    challenge: (request: IncomingMessage, invalid) => challengeOf(originOf(request.headers.host), invalid),
  });
  const rest = getRequestListener(http.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => {
    // a client that keeps its connection is told to find another node
    if (draining) response.setHeader('connection', 'close');
    const serve = (): void => {
      const [place] = (request.url ?? '').split('?', 1);
      if (place !== MCP_PATH) return void rest(request, response);
      currentSpan()?.rename(`${request.method ?? ''} ${MCP_PATH}`);
      currentSpan()?.set({ 'http.route': MCP_PATH });
      void door.handle(request, response);
    };
    if (tracing === undefined) serve();
    else tracing.request(request, response, serve);
  });
  server.on('clientError', refuseUnread);
  await bind(server, config);
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      draining = true;
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      const late = setTimeout(() => {
        logger.warn('calls still under way are given up', { seconds: config.grace });
        ending.abort(new Error('the plane is ending'));
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }, config.grace * 1000);
      await door.close(config.grace * 1000);
      server.closeIdleConnections();
      await closed;
      clearTimeout(late);
    },
  };
}

/** What is no HTTP that Node reads is answered as every refusal is, and its connection ends. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The address and headers of a request must have at most 16 KB together.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not come to its end in time.']
        : [400, 'This is no HTTP request.'];
  const title = STATUS_CODES[status] ?? '';
  const code = title.toLowerCase().replaceAll(' ', '_');
  const body = JSON.stringify({ status, title, detail, code, requestId: '', error: detail });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function bind(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function jwtOf({ issuer, audience, jwks, publicUrl, host, port }: Config): JwtOptions | undefined {
  if (issuer === undefined) return undefined;
  const own = publicUrl?.replace(/\/+$/, '') ?? `http://${host}:${port}`;
  return {
    issuer,
    audience: audience ?? `${own}${MCP_PATH}`,
    jwks: new URL(jwks ?? `${issuer.replace(/\/+$/, '')}/.well-known/jwks.json`),
  };
}
