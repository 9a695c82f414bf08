// Requests of the plane's own as spans, and the trace handed on to who is asked.
import type { NetClient } from '@hanzo/net';
import { traced } from '../core/trace.ts';

export function tracedClient(client: NetClient): NetClient {
  return {
    request(url, options = {}) {
      const { method = 'GET' } = options;
      const { hostname } = new URL(url);
      const attributes = { 'http.request.method': method, 'server.address': hostname };
      return traced(method, 'client', attributes, async (span) => {
        if (span === undefined) return client.request(url, options);
        const headers = { ...options.headers, traceparent: span.traceparent };
        const response = await client.request(url, { ...options, headers });
        span.set({ 'http.response.status_code': response.status });
        return response;
      });
    },
    fetch: client.fetch,
    close: () => client.close(),
  };
}
