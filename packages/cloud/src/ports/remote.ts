// Port: external MCP servers. Speaks to them, remembers what they list, decides nothing about who may call.
import type { JsonSchema } from '@hanzo/tool';

/** One registered server, as it is dialled. */
export interface RemoteServer {
  readonly org: string;
  /** within the org; lower-case letters, digits, dashes */
  readonly id: string;
  readonly url: string;
  /** header the credential goes in; absent: none is sent */
  readonly authHeader?: string;
  /** the credential is read from the vault when it is needed; a server that has one is never asked without it */
  readonly hasSecret: boolean;
}

/** A tool under the server's own name. Members beyond these pass through untouched. */
export interface RemoteTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** `unreachable`: no answer, or an address that may not be dialled; `refused`: 401 or 403; `error`: everything else. */
export type RemoteStatus = 'ok' | 'unreachable' | 'refused' | 'error';

export interface RemoteListing {
  readonly status: RemoteStatus;
  /** why it is not ok, or which tools cannot be used; fit for any member, never an address or a credential */
  readonly reason?: string;
  /** empty where it is not ok */
  readonly tools: readonly RemoteTool[];
}

export interface Remote {
  /**
   * What a server lists: from memory for a minute (failures: five seconds), else asked within a short budget; one question at a
   * time for each server. Never rejects but with the signal's reason.
   */
  list(server: RemoteServer, signal: AbortSignal): Promise<RemoteListing>;
  /**
   * Calls a tool by the server's own name. Resolves with the `result` of tools/call, whole, `isError` or not; rejects with
   * Problem 424 (the server failed, with a sentence that names no address) or 504 (no answer in time).
   */
  call(
    server: RemoteServer,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Forgets what is remembered of a server: its credential, address or itself has changed. */
  forget(org: string, id: string): void;
  close(): Promise<void>;
}

/** Where the credential of a server is sealed (contract, tool plane 2.5). */
export function serverSecret(org: string, id: string): string {
  return `orgs/${org}/tools-mcp/${id}`;
}
