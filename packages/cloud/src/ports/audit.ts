// Port: the append-only, hash-chained record of who did what (contract, tool plane 5.3).
import type { OpContext } from '../core/op.ts';

export interface AuditEntry {
  readonly action: string;
  readonly resource: { readonly type: string; readonly id?: string };
  readonly outcome: { readonly result: string; readonly status: number; readonly reason?: string };
  /** members that changed, never secrets */
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Audit {
  /** Actor, address, request id come from the context. Resolves when the row is durable; a failure is logged, never the caller's. */
  append(context: OpContext, entry: AuditEntry): Promise<void>;
}
