// Port: what is counted and what may be spent.
import type { Hold } from '@hanzo/tool';
import type { OpContext } from '../core/op.ts';

export interface MeterUnit {
  /** `call` */
  readonly kind: string;
  readonly tool: string;
  /** counted once however often it is reported */
  readonly key: string;
}

export interface Meter {
  /**
   * Sets the fee of one unit aside; rejects with Problem 402 `insufficient_balance` where it is not covered. Free by default:
   * then it costs nothing to ask either. The hold is committed when the work succeeded, released when it did not.
   */
  gate(context: OpContext, kind: string): Promise<Hold>;
  /** counts one unit; never fails the caller */
  count(context: OpContext, unit: MeterUnit): Promise<void>;
}
