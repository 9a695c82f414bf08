// The operations as HTTP routes, on Hono: what is asked for, by whom, answered as JSON or refused as a problem document.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Identity } from '../core/identity.ts';
import type { Ingress } from '../core/ingress.ts';
import { admit, invoke } from '../core/invoke.ts';
import type { Op, OpContext } from '../core/op.ts';
import { Problem } from '../core/problem.ts';
import { currentSpan } from '../core/trace.ts';
import type { Ids } from '../ports/clock.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import { documentOf, problemOf } from './problems.ts';
import { addressOf, bodyOf, headersOf, plainHeaders, queryOf, requestIdOf } from './request.ts';

export interface HttpOptions {
  readonly ops: readonly Op[];
  readonly ingress: Ingress;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** text of `/v1/openapi.json` */
  readonly openapi: string;
  /** aborted when the plane no longer waits for what is under way */
  readonly ending: AbortSignal;
  /** resolves when requests can be served */
  ready(): Promise<void>;
  /** where clients reach the plane, as a request of this one says it */
  originOf(request: IncomingMessage): string;
  /** issuers of tokens, for `/.well-known/oauth-protected-resource` */
  readonly authorizationServers?: readonly string[];
  /** believe X-Forwarded-For */
  readonly trustProxy?: boolean;
  /** tests: an answer that is not of its schema is a fault */
  readonly checkAnswers?: boolean;
}

/** What Hono is handed: it finds the route, and Node's own request and response do the rest. */
export interface Bindings {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** A request as a route sees it. */
interface Asked {
  readonly incoming: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  /** members of the path */
  params(): Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

type Handler = (c: Context<{ Bindings: Bindings }>) => Promise<Response>;

const ALWAYS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** `{ "authorization_servers": [...] }` of RFC 9728 lies here. */
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** What a 401 tells a client to do (RFC 6750, RFC 9728). */
export function challengeOf(origin: string, invalid: boolean): string {
  return `Bearer ${invalid ? 'error="invalid_token", ' : ''}resource_metadata="${origin}${RESOURCE_METADATA}"`;
}

export function createHttp(options: HttpOptions): Hono<{ Bindings: Bindings }> {
  const { ops, ingress, ids, logger, metrics, ending, trustProxy = false, checkAnswers = false } = options;
  const app = new Hono<{ Bindings: Bindings }>();
  // one listener for all: a signal that outlives its requests must not collect followers
  const underWay = new Set<AbortController>();
  ending.addEventListener('abort', () => {
    for (const each of underWay) each.abort(ending.reason);
  });

  /** Everything around one route: id, caller, headers, errors, counting. */
  function serve(route: string, work: (asked: Asked, context: OpContext) => Promise<Answer>): Handler {
    return async ({ env: { incoming, outgoing }, req }) => {
      const began = performance.now();
      metrics.underWay(1);
      const controller = new AbortController();
      underWay.add(controller);
      const gone = (): void => {
        if (!outgoing.writableFinished) controller.abort(new Error('the caller is gone'));
      };
      outgoing.once('close', gone);
      const url = new URL(req.url);
      const method = incoming.method ?? 'GET';
      const asked: Asked = { incoming, method, url, params: () => req.param() };
      const headers = headersOf(incoming);
      const requestId = requestIdOf(headers.get('x-request-id'), ids.uuid);
      const own: Record<string, string> = {};
      let identity: Identity | undefined;
      let answer: Answer;
      const span = currentSpan();
      span?.set({ 'http.route': route });
      span?.rename(`${method} ${route}`);
      try {
        identity = await ingress.identify(headers);
        answer = await work(asked, {
          ...(identity === undefined ? {} : { identity }),
          requestId,
          signal: controller.signal,
          method: method as OpContext['method'],
          path: url.pathname,
          ip: addressOf(incoming, trustProxy),
          userAgent: headers.get('user-agent') ?? undefined,
          get headers() {
            return plainHeaders(incoming);
          },
          setHeader: (name, value) => void (own[name.toLowerCase()] = value),
        });
      } catch (error) {
        answer = refuse(error, asked, route, requestId, controller.signal.aborted);
      }
      const { status, text } = answer;
      // written by hand: a Response of the web's kind costs more than all the rest of a short answer
      if (!outgoing.destroyed) {
        outgoing.writeHead(status, {
          ...ALWAYS,
          ...own,
          ...answer.headers,
          ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
          'x-request-id': requestId,
        });
        outgoing.end(text);
      }
      const seconds = (performance.now() - began) / 1000;
      underWay.delete(controller);
      metrics.underWay(-1);
      metrics.served(route, method, status, seconds);
      logger.debug('request', {
        requestId,
        method,
        // not the address: somebody may have written a secret into it
        route,
        status,
        ms: Math.round(seconds * 1000),
        ...(identity === undefined ? {} : { org: identity.org, user: identity.user }),
      });
      return RESPONSE_ALREADY_SENT;
    };
  }

  function refuse(error: unknown, { incoming }: Asked, route: string, requestId: string, gone: boolean): Answer {
    const problem = gone ? new Problem(503, 'The caller is gone.') : problemOf(error);
    if (problem.status >= 500 && !gone) logger.error('request failed', { requestId, route, error });
    return {
      status: problem.status,
      headers: {
        ...problem.headers,
        'content-type': 'application/problem+json',
        ...(problem.status === 401
          ? { 'www-authenticate': challengeOf(options.originOf(incoming), problem.code !== 'no_credential') }
          : {}),
      },
      text: JSON.stringify(documentOf(problem, requestId)),
    };
  }

  for (const op of [...ops].sort(bySpecificity)) {
    const path = op.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(
      op.method,
      path,
      serve(op.path, async ({ incoming, url, params }, context) => {
        admit(op, context);
        const body = op.input.body === undefined ? undefined : await bodyOf(incoming, op.maxBody);
        const answer = await invoke(op, context, { params: params(), query: queryOf(url), body });
        if (checkAnswers && op.answer !== undefined && answer !== undefined) op.answer.parse(answer);
        if (op.answer === undefined) return { status: op.status };
        // taken, with nothing to say to it
        if (answer === undefined) return { status: 202 };
        return json(answer, op.status);
      }),
    );
  }

  app.get(
    '/v1/openapi.json',
    serve('/v1/openapi.json', async () => json(options.openapi)),
  );
  app.get(
    '/healthz',
    serve('/healthz', async () => json({ status: 'ok' })),
  );
  app.get(
    '/readyz',
    serve('/readyz', async () => {
      await options.ready();
      return json({ status: 'ready' });
    }),
  );
  app.get(
    '/metrics',
    serve('/metrics', async (_request, { identity }) => {
      if (identity === undefined) throw new Problem(401, 'An operator’s key is needed.', { code: 'no_credential' });
      if (!identity.isOperator) throw new Problem(403, 'Only operators of this plane may read this.');
      return {
        status: 200,
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        text: metrics.text(),
      };
    }),
  );
  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/v1/mcp`]) {
    app.get(
      path,
      serve(RESOURCE_METADATA, async ({ incoming }) =>
        json({
          resource: `${options.originOf(incoming)}/v1/mcp`,
          authorization_servers: options.authorizationServers ?? [],
          bearer_methods_supported: ['header'],
          resource_name: 'hanzo-cloud',
        }),
      ),
    );
  }
  app.all(
    '/mcp',
    serve('/mcp', async ({ url }) => {
      const location = `/v1/mcp${url.search}`;
      return json({ location, detail: 'The agent door is at /v1/mcp.' }, 308, { location });
    }),
  );
  app.all(
    '*',
    serve('*', async ({ method, url: { pathname } }) => {
      const allowed = [...new Set(ops.filter(({ path }) => matches(path, pathname)).map((each) => each.method))].sort();
      if (allowed.length === 0) {
        throw new Problem(404, `There is nothing at ${pathname.slice(0, 200)}; /v1/openapi.json lists what there is.`);
      }
      throw new Problem(405, `${method.slice(0, 20)} is not served here; ${allowed.join(', ')} is.`, {
        headers: { allow: allowed.join(', ') },
      });
    }),
  );
  return app;
}

function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { status, headers: { ...headers, 'content-type': 'application/json' }, text };
}

/** Paths whose segments stand still come before those with a parameter in that place. */
function bySpecificity(a: Op, b: Op): number {
  const [first, second] = [sortKey(a), sortKey(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

const sortKey = ({ path }: Op): string => path.replaceAll(/\{\w+\}/g, '\u{10ffff}');

function matches(path: string, pathname: string): boolean {
  const [wanted, given] = [path.split('/'), pathname.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((each, at) => (each.startsWith('{') ? given[at] !== '' : each === given[at]))
  );
}
