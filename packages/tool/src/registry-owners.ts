// Who owns a name: the one decision that listing and dispatch share, and the memory that keeps a failing source's names its own.
import type { Offer, Provider, Scope } from './provider.ts';
import { rank } from './source.ts';

/** A provider as registered: its place decides within a rank. */
export interface Registered {
  readonly provider: Provider;
  readonly source: string;
  readonly order: number;
}

/** An offer with its source filled in and its place in the precedence. */
export interface Candidate {
  readonly offer: Offer & { readonly source: string };
  readonly from: Registered;
  readonly rank: number;
  /** why the source does not answer; undefined when it does */
  readonly failure: string | undefined;
}

/** Contract, tool plane 1.1: the lowest rank wins, then the provider registered first; within one provider the first offer. */
export function decide(candidates: Iterable<Candidate>): Candidate | undefined {
  let best: Candidate | undefined;
  for (const each of candidates) {
    if (best === undefined || each.rank < best.rank || (each.rank === best.rank && each.from.order < best.from.order)) {
      best = each;
    }
  }
  return best;
}

/** An offer as a candidate. The rank is that of the offer's own source, or of its provider's where it names none. */
export function candidate(offer: Offer, from: Registered, failure?: string): Candidate {
  const source = offer.source || from.source;
  // Providers may be written without types: what is always present is made so here.
  const complete = {
    ...offer,
    source,
    description: offer.description ?? '',
    dispatchable: offer.dispatchable === true,
  };
  return { offer: complete, from, rank: rank(source), failure };
}

interface Snapshot {
  offers: Map<string, Offer>;
  /** number of the question whose answer this is: a late answer never overwrites a newer one */
  asked: number;
}

/** What each provider offered last, by scope; the scopes used longest ago are forgotten beyond `capacity`. */
export class OwnerMemory {
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #capacity: number;
  #questions = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Numbers a question; pass the number on with its answer. */
  ask(): number {
    return ++this.#questions;
  }

  /** Keeps a whole listing, one offer a name. */
  keepAll(from: Registered, scope: Scope, offers: readonly Offer[], asked: number): void {
    const known = this.#snapshots.get(keyOf(from, scope));
    if (known && known.asked > asked) return;
    this.#put(keyOf(from, scope), { offers: new Map(offers.map((each) => [each.name, each])), asked });
  }

  /** Keeps the answer about one name. */
  keepOne(from: Registered, scope: Scope, name: string, offer: Offer | undefined, asked: number): void {
    const key = keyOf(from, scope);
    const known = this.#snapshots.get(key) ?? { offers: new Map<string, Offer>(), asked: 0 };
    if (known.asked > asked) return;
    if (offer) known.offers.set(name, offer);
    else known.offers.delete(name);
    this.#put(key, known);
  }

  /** What `from` offered in `scope` when it last answered. */
  recall(from: Registered, scope: Scope): ReadonlyMap<string, Offer> {
    return this.#snapshots.get(keyOf(from, scope))?.offers ?? new Map<string, Offer>();
  }

  #put(key: string, snapshot: Snapshot): void {
    this.#snapshots.delete(key);
    this.#snapshots.set(key, snapshot);
    if (this.#snapshots.size <= this.#capacity) return;
    const [oldest] = this.#snapshots.keys();
    if (oldest !== undefined) this.#snapshots.delete(oldest);
  }
}

function keyOf(from: Registered, scope: Scope): string {
  return JSON.stringify([from.order, scope.org, scope.project]);
}
