// What the plane's registry is told and asks for: who calls, what a source offers, and the two ports a call passes.
import type { JsonSchema } from './host.ts';
import type { Source } from './source.ts';

/** Whose tools are meant. `project` '' and 'default' are one scope. Settled from a credential, never from arguments. */
export interface Scope {
  readonly org: string;
  readonly project: string;
}

/** Who calls: the scope, and the verified person or machine in it. */
export interface Principal extends Scope {
  readonly user: string;
  /** whose credentials and rows the call uses */
  readonly owner: string;
  readonly isAdmin: boolean;
}

/** What one call costs (contract, tool plane 1.2). */
export interface Price {
  /** exact decimal, at most 18 fractional digits; never a float: '0.0005' */
  readonly amount: string;
  /** ISO 4217; absent or empty means USD */
  readonly currency?: string;
  /** reference of the wallet that is paid */
  readonly recipient?: string;
}

/** A tool as a source offers it. Members beyond these pass through a listing untouched. */
export interface Offer {
  readonly name: string;
  /** left out: the provider's own source. It decides the rank */
  readonly source?: Source | (string & {});
  readonly description: string;
  /** absent for a tool without arguments */
  readonly inputSchema?: JsonSchema;
  /** absent means free by declaration */
  readonly price?: Price;
  /** false for what is listed and activated but never called (skills) */
  readonly dispatchable: boolean;
}

/** A tool as the registry lists it, for one scope. */
export interface ListedTool extends Offer {
  readonly source: string;
  readonly activated: boolean;
}

/** What a provider may use of the request it serves. */
export interface ProviderContext {
  /** aborted when the caller is gone or the registry no longer waits */
  readonly signal: AbortSignal;
}

/**
 * One source of tools: it owns the list and the run, and nothing else: no activation, no price, no metering, no audit, no
 * choice of tenant.
 */
export interface Provider {
  /** constant */
  source(): Source | (string & {});
  /** everything it offers in this scope; none for a scope without an org. A rejection means "leave me out". */
  list(scope: Scope, context: ProviderContext): Promise<readonly Offer[]>;
  /**
   * The one tool of that name, or undefined. Where a source can answer this without listing everything, a call costs one
   * look-up. It must agree with `list`.
   */
  find?(scope: Scope, name: string, context: ProviderContext): Promise<Offer | undefined>;
  /** Runs a tool for `principal`. Rejects with UnknownTool for a name it disowns, NotDispatchable if it only lists. */
  dispatch(
    principal: Principal,
    name: string,
    args: Readonly<Record<string, unknown>>,
    context: ProviderContext,
  ): Promise<unknown>;
}

/** Port: which tools a scope has switched on. The default is off; a store that fails has nothing switched on. */
export interface ActivationStore {
  /** the names among `tools` that are activated at exactly this scope; nothing is inherited between projects */
  activated(
    scope: Scope,
    tools: readonly { readonly name: string; readonly source: string }[],
  ): Promise<ReadonlySet<string>>;
}

/** One call as the charger sees it. The payer is the principal; the price is the declared one, the charger knows the asked one. */
export interface Charge {
  readonly principal: Principal;
  readonly tool: ListedTool;
  readonly context: ProviderContext;
}

/** Money set aside for one call: exactly one of the two is called, once, after the call has ended. */
export interface Hold {
  commit(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Port: settles payment. It is offered every call, free ones included: one look-up decides whether it costs anything and
 * sets the amount aside. Rejects with PaymentRequired when unpaid; any other rejection fails the call too, never makes it free.
 */
export interface Charger {
  reserve(charge: Charge): Promise<Hold>;
}

const DECIMALS = 18;
const AMOUNT = /^(\d{1,30})(?:\.(\d{1,18}))?$/;

/**
 * An amount in units of 10^-18, exactly: '0.0005' is 500000000000000n. Throws TypeError for what is no decimal of at most
 * 18 fractional digits (a sign, an exponent, a float that lost its form).
 */
export function parseAmount(amount: string): bigint {
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? [];
  if (whole === undefined)
    throw new TypeError(`'${amount}' is not a decimal amount with at most ${DECIMALS} fractional digits`);
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

/** False only for no price and for an exact zero: a price that cannot be read is never free. */
export function isPriced(price: Price | undefined): boolean {
  if (price === undefined) return false;
  try {
    return parseAmount(price.amount) > 0n;
  } catch {
    return true;
  }
}

/** The scope in its one form: `project` is never empty. */
export function canonicalScope(scope: Scope): Scope {
  return { org: scope.org, project: scope.project === '' ? 'default' : scope.project };
}
