// How a server wants to be spoken to: plain requests, a session of the 2025 revisions, or a request that says everything itself.
import type { RemoteTool } from '../../ports/remote.ts';
import type { Bound } from '../bound.ts';
import type { Endpoint } from '../wire.ts';

export interface Dialect {
  readonly kind: 'plain' | 'session' | '2026-07-28';
  /** The result of a request. Rejects with RemoteFailure, or the bound's reason. `tool` is the one called. */
  request(
    endpoint: Endpoint,
    method: 'tools/list' | 'tools/call',
    params: Readonly<Record<string, unknown>>,
    bound: Bound,
    tool?: RemoteTool,
  ): Promise<Reply>;
  /** why a tool cannot be called in this dialect */
  refuses(tool: RemoteTool): string | undefined;
  /** lets the server forget what it keeps */
  end(): void;
}

export interface Reply {
  readonly result: Readonly<Record<string, unknown>>;
  readonly bytes: number;
}
