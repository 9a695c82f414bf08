// Port: what is counted and what may be spent.
import type { OpContext } from '../core/op.ts';

export interface MeterUnit {
  /** `call` */
  readonly kind: string;
  readonly tool: string;
  /** counted once however often it is reported */
  readonly key: string;
}

export interface Meter {
  /** rejects with Problem 402 `insufficient_balance` where a fee is asked and not covered; free by default */
  gate(context: OpContext, kind: string): Promise<void>;
  /** counts one unit; never fails the caller */
  count(context: OpContext, unit: MeterUnit): Promise<void>;
}
