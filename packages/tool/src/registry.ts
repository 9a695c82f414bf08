// The plane's registry: every source's tools as one flat list, and one call dispatched to the source that owns the name.
import {
  type ActivationStore,
  canonicalScope,
  type Charger,
  type Hold,
  isPriced,
  type ListedTool,
  type Offer,
  type Principal,
  type Provider,
  type ProviderContext,
  type Scope,
} from './provider.ts';
import { ChargerUnset, NotActivated, NotDispatchable, SourceUnavailable, UnknownTool } from './registry-outcome.ts';
import { candidate, type Candidate, decide, OwnerMemory, type Registered } from './registry-owners.ts';

/** A name that can be activated and called (contract, tool plane 11). */
export const TOOL_NAME = /^[A-Za-z0-9_.:/-]{1,128}$/;

/** What a registry stands on. */
export interface RegistryOptions {
  /** absent: nothing is activated */
  readonly activations?: ActivationStore;
  /** absent: unpriced tools run, a tool that declares a positive price is refused */
  readonly charger?: Charger;
  /** how long one source may take to list or to find, in milliseconds; default 10,000 */
  readonly budget?: number;
  /** scopes remembered over all sources; default 10,000 */
  readonly memory?: number;
  /** told of what must not change a call's outcome: a commit or a release that failed after the call had ended */
  readonly onFault?: (error: unknown) => void;
}

/** A source that is not, or not wholly, in a listing. */
export interface LeftOut {
  readonly source: string;
  readonly reason: string;
  /** names it owns all the same, so that no other source shows them; sorted */
  readonly withheld: readonly string[];
}

/** The tools of a scope, sorted by name, and what is missing from them. */
export interface Listing {
  readonly tools: readonly ListedTool[];
  readonly partial: readonly LeftOut[];
}

type Answer = { readonly offers: readonly Offer[]; readonly unusable: number } | { readonly failure: string };

/** Sources in order of registration, asked together. State: what each offered last. */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #sources: Registered[] = [];
  readonly #memory: OwnerMemory;

  constructor(options: RegistryOptions = {}) {
    this.#options = options;
    this.#memory = new OwnerMemory(options.memory ?? 10_000);
  }

  /** Adds a source after those that are there: within a rank, the one registered first wins. */
  register(provider: Provider): this {
    this.#sources.push({ provider, source: provider.source(), order: this.#sources.length });
    return this;
  }

  /**
   * Every tool of the scope once, with whether it is activated there. Sources that fail are left out and named in
   * `partial`. Rejects only with the reason of an aborted `signal`.
   */
  async list(scope: Scope, signal?: AbortSignal): Promise<Listing> {
    const where = canonicalScope(scope);
    const partial: LeftOut[] = [];
    const byName = new Map<string, Candidate[]>();
    const answers = await this.#asking(signal, (question) =>
      Promise.all(this.#sources.map((from) => this.#askAll(from, where, question))),
    );
    for (const [index, from] of this.#sources.entries()) {
      const answer = answers[index] as Answer;
      const failure = 'failure' in answer ? answer.failure : undefined;
      const offers = 'failure' in answer ? this.#memory.recall(from, where).values() : answer.offers;
      for (const offer of offers) {
        const known = byName.get(offer.name);
        const made = candidate(offer, from, failure);
        if (known) known.push(made);
        else byName.set(offer.name, [made]);
      }
    }
    const owners = [...byName.values()].map((each) => decide(each) as Candidate);
    for (const [index, from] of this.#sources.entries()) {
      const reason = shortfall(answers[index] as Answer);
      if (reason === undefined) continue;
      const held = owners
        .filter((each) => each.from === from && each.failure !== undefined)
        .map((each) => each.offer.name);
      partial.push({ source: from.source, reason, withheld: held.sort() });
    }
    const shown = owners.filter((each) => each.failure === undefined).map((each) => each.offer);
    const { names, failure } = await this.#activated(where, shown);
    signal?.throwIfAborted();
    if (failure !== undefined) partial.push({ source: 'activation', reason: failure, withheld: [] });
    const tools = shown.map((each) => ({ ...each, activated: names.has(each.name) }));
    return { tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)), partial };
  }

  /**
   * The tool of that name in the scope. Rejects with UnknownTool when nobody offers it, SourceUnavailable when its owner
   * does not answer.
   */
  async resolve(scope: Scope, name: string, signal?: AbortSignal): Promise<ListedTool> {
    const where = canonicalScope(scope);
    const { offer } = await this.#owner(where, name, signal);
    const { names } = await this.#activated(where, [offer]);
    return { ...offer, activated: names.has(name) };
  }

  /**
   * Runs a tool for a principal. In this order: it must exist (UnknownTool, SourceUnavailable), be activated in the
   * principal's own scope (NotActivated), be something that runs (NotDispatchable), pass `before`, and be settled for
   * (PaymentRequired, ChargerUnset, or the charger's failure); only then does the provider's code run, once. What `before` or the
   * provider rejects with passes through, and what was set aside is given back.
   */
  async dispatch(
    principal: Principal,
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal = new AbortController().signal,
    before?: (tool: ListedTool) => Promise<void> | void,
  ): Promise<unknown> {
    const bound: Principal = Object.freeze({ ...principal, ...canonicalScope(principal) });
    const scope: Scope = { org: bound.org, project: bound.project };
    const { offer, from } = await this.#owner(scope, name, signal);
    const { names } = await this.#activated(scope, [offer]);
    if (!names.has(name)) throw new NotActivated(name);
    if (!offer.dispatchable) throw new NotDispatchable(name);
    const tool: ListedTool = { ...offer, activated: true };
    await before?.(tool);
    signal.throwIfAborted();
    const context: ProviderContext = { signal };
    const hold = await this.#settle(bound, tool, context);
    let answer: unknown;
    try {
      answer = await from.provider.dispatch(bound, name, args, context);
    } catch (error) {
      await this.#quietly(() => hold?.release());
      throw error;
    }
    // The work is done: a commit that fails is the charger's to repeat from its hold, not the caller's to pay for twice.
    await this.#quietly(() => hold?.commit());
    return answer;
  }

  async #settle(principal: Principal, tool: ListedTool, context: ProviderContext): Promise<Hold | undefined> {
    const { charger } = this.#options;
    if (charger) return charger.reserve({ principal, tool, context });
    if (isPriced(tool.price)) throw new ChargerUnset(tool.name);
    return undefined;
  }

  /** The winner of one name: each source is asked for that name alone, where it can be. */
  async #owner(scope: Scope, name: string, signal: AbortSignal | undefined): Promise<Candidate> {
    if (!TOOL_NAME.test(name)) throw new UnknownTool(name);
    const found = await this.#asking(signal, (question) =>
      Promise.all(this.#sources.map((from) => this.#askOne(from, scope, name, question))),
    );
    const owner = decide(found.flat());
    if (owner === undefined) throw new UnknownTool(name);
    if (owner.failure !== undefined) throw new SourceUnavailable(name, owner.offer.source, owner.failure);
    return owner;
  }

  async #askAll(from: Registered, scope: Scope, question: Question): Promise<Answer> {
    const asked = this.#memory.ask();
    try {
      const listed = await question.put((context) => from.provider.list(scope, context));
      const answer = usable(from, listed ?? []);
      this.#memory.keepAll(from, scope, answer.offers, asked);
      return answer;
    } catch (error) {
      return { failure: reasonOf(error) };
    }
  }

  async #askOne(from: Registered, scope: Scope, name: string, question: Question): Promise<Candidate[]> {
    const { find } = from.provider;
    let failure: string;
    if (find === undefined) {
      const answer = await this.#askAll(from, scope, question);
      if (!('failure' in answer)) {
        return answer.offers.filter((each) => each.name === name).map((each) => candidate(each, from));
      }
      failure = answer.failure;
    } else {
      const asked = this.#memory.ask();
      try {
        const offer = (await question.put((context) => find.call(from.provider, scope, name, context))) ?? undefined;
        if (offer !== undefined && offer.name !== name)
          throw new TypeError(`it answered '${offer.name}' when asked for '${name}'`);
        this.#memory.keepOne(from, scope, name, offer, asked);
        return offer ? [candidate(offer, from)] : [];
      } catch (error) {
        failure = reasonOf(error);
      }
    }
    const owned = this.#memory.recall(from, scope).get(name);
    return owned ? [candidate(owned, from, failure)] : [];
  }

  /** The activated names; none without an org, a store, or an answer of the store: activation fails closed. */
  async #activated(
    scope: Scope,
    tools: readonly { readonly name: string; readonly source: string }[],
  ): Promise<{ names: ReadonlySet<string>; failure?: string }> {
    const { activations } = this.#options;
    const none: ReadonlySet<string> = new Set<string>();
    if (activations === undefined || scope.org.trim() === '' || tools.length === 0) return { names: none };
    try {
      const asked = tools.map(({ name, source }) => ({ name, source }));
      return { names: new Set(await activations.activated(scope, asked)) };
    } catch (error) {
      return { names: none, failure: reasonOf(error) };
    }
  }

  /** Puts one question to sources. Rejects with the reason of an aborted `signal`, whatever they answered. */
  async #asking<T>(signal: AbortSignal | undefined, ask: (question: Question) => Promise<T>): Promise<T> {
    const question = new Question(this.#options.budget ?? 10_000, signal);
    try {
      const answer = await ask(question);
      signal?.throwIfAborted();
      return answer;
    } finally {
      question.end();
    }
  }

  async #quietly(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onFault?.(error);
    }
  }
}

/**
 * What several sources are asked at once. Each sees the caller's abort and the end of the budget as one signal. Made by hand: a
 * composite signal (`AbortSignal.any`) is held weakly, and took a third of the time of a call.
 */
class Question {
  readonly #own = new AbortController();
  readonly #context: ProviderContext = { signal: this.#own.signal };
  readonly #gone: Promise<never>;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly #abort = (): void => this.#own.abort(this.#caller?.reason);

  constructor(budget: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#gone = promise;
    promise.catch(() => undefined);
    const { signal } = this.#own;
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    this.#timer = setTimeout(() => this.#own.abort(new Error(`no answer within ${budget} ms`)), budget);
    if (caller?.aborted) this.#abort();
    else caller?.addEventListener('abort', this.#abort, { once: true });
  }

  put<T>(question: (context: ProviderContext) => Promise<T>): Promise<T> {
    // The inner function turns a synchronous throw into a rejection.
    return Promise.race([(async () => question(this.#context))(), this.#gone]);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }
}

/** One offer a name, and how many have no name that can be called. Throws for what is no list. */
function usable(from: Registered, listed: readonly Offer[]): { offers: readonly Offer[]; unusable: number } {
  if (!Array.isArray(listed)) throw new TypeError('its listing is not a list');
  const named = (listed as readonly (Offer | null | undefined)[]).filter(
    (each): each is Offer => typeof each?.name === 'string' && TOOL_NAME.test(each.name),
  );
  const byName = new Map<string, Candidate>();
  for (const offer of named) {
    const known = byName.get(offer.name);
    const made = candidate(offer, from);
    byName.set(offer.name, decide(known ? [known, made] : [made]) ?? made);
  }
  return { offers: [...byName.values()].map((each) => each.offer), unusable: listed.length - named.length };
}

function shortfall(answer: Answer): string | undefined {
  if ('failure' in answer) return answer.failure;
  const { unusable } = answer;
  return unusable > 0
    ? `${unusable} ${unusable === 1 ? 'tool has a name' : 'tools have names'} that cannot be called`
    : undefined;
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)) || 'it failed without a reason';
}
