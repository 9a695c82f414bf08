// How a call can end before, or instead of, a tool's own answer; each outcome has one class and one HTTP status.
import { UnknownToolError } from './host.ts';

/** No source offers the name in this scope, or its provider disowns it. */
export class UnknownTool extends UnknownToolError {
  readonly code = 'UNKNOWN_TOOL';
  readonly status = 404;
}

/** What the other outcomes share. `status` is the HTTP status of `/v1/tool/call` (contract, tool plane 1.3). */
export abstract class Refusal extends Error {
  abstract readonly code: string;
  abstract readonly status: number;
  readonly tool: string;

  constructor(tool: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.tool = tool;
  }
}

/** The tool exists and is switched off for this org and project. */
export class NotActivated extends Refusal {
  override readonly name = 'NotActivated';
  readonly code = 'NOT_ACTIVATED';
  readonly status = 403;

  constructor(tool: string, options?: ErrorOptions) {
    super(tool, `${tool} is not activated for this project`, options);
  }
}

/** Listed and activated, but nothing to run: a skill. */
export class NotDispatchable extends Refusal {
  override readonly name = 'NotDispatchable';
  readonly code = 'NOT_DISPATCHABLE';
  readonly status = 422;

  constructor(tool: string, options?: ErrorOptions) {
    super(tool, `${tool} can be read but not called`, options);
  }
}

/** The charger says unpaid. `challenge` is what the payer has to answer, as the charger's rail defines it. */
export class PaymentRequired extends Refusal {
  override readonly name = 'PaymentRequired';
  readonly code = 'PAYMENT_REQUIRED';
  readonly status = 402;
  readonly challenge: unknown;

  constructor(tool: string, challenge?: unknown, options?: ErrorOptions) {
    super(tool, `${tool} has to be paid for`, options);
    this.challenge = challenge;
  }
}

/** The tool declares a positive price, and nothing here can settle it. */
export class ChargerUnset extends Refusal {
  override readonly name = 'ChargerUnset';
  readonly code = 'CHARGER_UNSET';
  readonly status = 402;

  constructor(tool: string, options?: ErrorOptions) {
    super(tool, `${tool} has a price, and no way of paying is set up here`, options);
  }
}

/** The source that owns the name does not answer. The name is not given to another source meanwhile. */
export class SourceUnavailable extends Refusal {
  override readonly name = 'SourceUnavailable';
  readonly code = 'SOURCE_UNAVAILABLE';
  readonly status = 424;
  readonly source: string;

  constructor(tool: string, source: string, reason: string, options?: ErrorOptions) {
    super(tool, `${tool} comes from ${source}, which does not answer now: ${reason}`, options);
    this.source = source;
  }
}
