// Tracing by OpenTelemetry: spans of the plane's requests, sent in batches to an OTLP/HTTP endpoint. Loaded only where it is switched on.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, ROOT_CONTEXT, type Span as OtelSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { type Attributes, type Span, within } from '../core/trace.ts';

export interface TracingOptions {
  /** `http://collector:4318`; spans go to `/v1/traces` below it */
  readonly endpoint: string;
  readonly version: string;
  /** milliseconds between two batches, default 5000 */
  readonly delayMs?: number;
}

export interface Tracing {
  /** Runs `serve` in a span that ends with the response. */
  request(incoming: IncomingMessage, outgoing: ServerResponse, serve: () => void): void;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

/** An endpoint that hangs holds up neither a request nor the end for longer. */
const EXPORT_MS = 2000;
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function createTracing({ endpoint, version, delayMs = 5000 }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'hanzo-cloud', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS, scheduledDelayMillis: delayMs }),
    ],
  });
  const tracer = provider.getTracer('hanzo-cloud', version);

  function start(name: string, kind: SpanKind, attributes: Attributes, parent: Context): Span {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    return {
      traceparent: traceparentOf(span),
      child: (inner, how, more) =>
        start(inner, how === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, more, trace.setSpan(ROOT_CONTEXT, span)),
      rename: (to) => void span.updateName(to),
      set: (more) => void span.setAttributes(more),
      fail(type) {
        span.setAttribute('error.type', type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      },
      end: () => span.end(),
    };
  }

  return {
    request(incoming, outgoing, serve) {
      const method = incoming.method ?? 'GET';
      const span = start(
        method,
        SpanKind.SERVER,
        { 'http.request.method': method, 'url.scheme': 'http' },
        parentOf(incoming.headers['traceparent']),
      );
      outgoing.once('close', () => {
        span.set({ 'http.response.status_code': outgoing.statusCode });
        if (!outgoing.writableFinished) span.fail('caller_gone');
        else if (outgoing.statusCode >= 500) span.fail(String(outgoing.statusCode));
        span.end();
      });
      within(span, serve);
    },
    async close() {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, EXPORT_MS).unref()),
      ]);
    },
  };
}

/** What a caller says of the span that called; what is none begins a trace of its own. */
function parentOf(header: unknown): Context {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  });
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
