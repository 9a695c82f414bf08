// The registry's rules, one test each, named as the contract states them; then random plays against a naive model.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActivationStore,
  type Charger,
  ChargerUnset,
  isPriced,
  NotActivated,
  NotDispatchable,
  type Offer,
  parseAmount,
  PaymentRequired,
  type Principal,
  type Provider,
  rank,
  Registry,
  type Scope,
  SourceUnavailable,
  UnknownTool,
} from './index.ts';

const SCOPE: Scope = { org: 'acme', project: 'default' };
const CALLER: Principal = { ...SCOPE, user: 'ada', owner: 'ada', isAdmin: false };

interface Fake extends Provider {
  offers: Offer[];
  failing: boolean;
  readonly calls: { principal: Principal; name: string; args: unknown }[];
  readonly asked: string[];
}

function fake(source: string, names: readonly string[], extra: Partial<Provider> = {}): Fake {
  const made: Fake = {
    offers: names.map((name) => offer(name)),
    failing: false,
    calls: [],
    asked: [],
    source: () => source,
    async list() {
      made.asked.push('*');
      if (made.failing) throw new Error(`${source} is down`);
      return made.offers;
    },
    async dispatch(principal, name, args) {
      made.calls.push({ principal, name, args });
      return { from: source, name };
    },
    ...extra,
  };
  return made;
}

/** A fake that answers for one name without a listing. */
function finding(source: string, names: readonly string[]): Fake {
  const made: Fake = fake(source, names, {
    async find(_scope, name) {
      made.asked.push(name);
      if (made.failing) throw new Error(`${source} is down`);
      return made.offers.find((each) => each.name === name);
    },
  });
  return made;
}

const offer = (name: string, more: Partial<Offer> = {}): Offer => ({
  name,
  description: '',
  dispatchable: true,
  ...more,
});
const everything: ActivationStore = { activated: async (_scope, tools) => new Set(tools.map((each) => each.name)) };
const names = (tools: readonly { name: string }[]): string[] => tools.map((each) => each.name);

/** Activation rows as the store keeps them: exactly one org, project and name. */
function rows(...kept: [org: string, project: string, name: string][]): ActivationStore {
  return {
    activated: async ({ org, project }, tools) =>
      new Set(
        names(tools).filter((name) => kept.some((row) => row[0] === org && row[1] === project && row[2] === name)),
      ),
  };
}

function withStore(store?: ActivationStore): { registry: Registry; provider: Fake } {
  const provider = fake('function', ['f']);
  return { registry: new Registry(store ? { activations: store } : {}).register(provider), provider };
}

function charging(
  reserve: Charger['reserve'],
  price?: string,
): { registry: Registry; provider: Fake; faults: unknown[] } {
  const provider = fake('function', []);
  provider.offers = [offer('f', price === undefined ? {} : { price: { amount: price } })];
  const faults: unknown[] = [];
  const registry = new Registry({
    activations: everything,
    charger: { reserve },
    onFault: (error) => faults.push(error),
  });
  return { registry: registry.register(provider), provider, faults };
}

function ledger(): { log: string[]; reserve: Charger['reserve'] } {
  const log: string[] = [];
  const note = (what: string) => async () => void log.push(what);
  return {
    log,
    reserve: async ({ tool, principal }) => {
      log.push(`reserve ${tool.name} ${tool.price?.amount ?? 'free'} ${principal.org}`);
      return { commit: note('commit'), release: note('release') };
    },
  };
}

const bad = (): never => {
  throw new Error('ledger down');
};

describe('precedence', () => {
  it('connector and mcp offering one name: one entry, from connector, in the listing and in dispatch', async () => {
    const mcp = fake('mcp', ['echo', 'only_mcp']);
    const connector = fake('connector', ['echo']);
    const registry = new Registry({ activations: everything }).register(mcp).register(connector);
    const { tools } = await registry.list(SCOPE);
    expect(tools.map(({ name, source }) => [name, source])).toEqual([
      ['echo', 'connector'],
      ['only_mcp', 'mcp'],
    ]);
    expect(await registry.dispatch(CALLER, 'echo', {})).toEqual({ from: 'connector', name: 'echo' });
    expect(mcp.calls).toEqual([]);
  });

  it('the six ranks in their order, an unknown source after all of them', () => {
    const order = ['connector', 'function', 'zap-service', 'agent', 'skill', 'mcp', 'something-else'];
    expect(order.map(rank)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(rank('constructor')).toBe(7);
  });

  it.each([
    ['skill', 'skill'],
    ['unknown-a', 'unknown-b'],
  ])('within a rank (%s, %s) the provider registered first wins, in both paths', async (a, b) => {
    const first = fake(a, ['x']);
    const second = fake(b, ['x']);
    const registry = new Registry({ activations: everything }).register(first).register(second);
    expect((await registry.list(SCOPE)).tools).toMatchObject([{ name: 'x', source: a }]);
    await registry.dispatch(CALLER, 'x', {});
    expect([first.calls.length, second.calls.length]).toEqual([1, 0]);
  });

  it("the rank is the entry's own source, and the provider's where it is left empty", async () => {
    const low = fake('mcp', []);
    low.offers = [offer('x', { source: 'connector' }), offer('y', { source: '' })];
    const registry = new Registry().register(fake('function', ['x', 'y'])).register(low);
    expect((await registry.list(SCOPE)).tools.map(({ name, source }) => [name, source])).toEqual([
      ['x', 'connector'],
      ['y', 'function'],
    ]);
  });
});

describe('listing', () => {
  it('is sorted by name, complete, and an array even of nothing', async () => {
    expect(await new Registry().list(SCOPE)).toEqual({ tools: [], partial: [] });
    const empty = fake('function', [], { list: async () => null as unknown as Offer[] });
    expect(await new Registry().register(empty).list(SCOPE)).toEqual({ tools: [], partial: [] });
    const registry = new Registry().register(fake('function', ['b', 'B', 'a_', 'a-', 'a']));
    expect(names((await registry.list(SCOPE)).tools)).toEqual(['B', 'a', 'a-', 'a_', 'b']);
  });

  it('one failing source never blanks the list: the rest is shown and the failing one is named', async () => {
    const broken = fake('connector', []);
    broken.failing = true;
    const throwing = fake('agent', [], {
      list: () => {
        throw new Error('at once');
      },
    });
    const registry = new Registry()
      .register(broken)
      .register(throwing)
      .register(fake('mcp', ['a']));
    const { tools, partial } = await registry.list(SCOPE);
    expect(names(tools)).toEqual(['a']);
    expect(partial).toEqual([
      { source: 'connector', reason: 'connector is down', withheld: [] },
      { source: 'agent', reason: 'at once', withheld: [] },
    ]);
  });

  it('a source that does not answer in its budget is left out, and told to stop', async () => {
    let stopped = false;
    const slow = fake('mcp', [], {
      list: (_scope, { signal }) => new Promise(() => signal.addEventListener('abort', () => (stopped = true))),
    });
    const { tools, partial } = await new Registry({ budget: 20 })
      .register(slow)
      .register(fake('skill', ['s']))
      .list(SCOPE);
    expect(names(tools)).toEqual(['s']);
    expect(partial).toEqual([{ source: 'mcp', reason: 'no answer within 20 ms', withheld: [] }]);
    expect(stopped).toBe(true);
  });

  it('names that nobody could call are left out, and said to be', async () => {
    const odd = fake('mcp', ['ok', 'has space', '', 'x'.repeat(129), 'umläut']);
    const { tools, partial } = await new Registry().register(odd).list(SCOPE);
    expect(names(tools)).toEqual(['ok']);
    expect(partial).toEqual([{ source: 'mcp', reason: '4 tools have names that cannot be called', withheld: [] }]);
  });

  it('members that are not known pass through; what a provider says of activation does not', async () => {
    const provider = fake('mcp', []);
    const schema = { type: 'object' } as const;
    provider.offers = [
      { ...offer('a', { inputSchema: schema }), activated: true, annotations: { title: 'A' } } as unknown as Offer,
    ];
    expect((await new Registry().register(provider).list(SCOPE)).tools).toEqual([
      {
        name: 'a',
        source: 'mcp',
        description: '',
        dispatchable: true,
        inputSchema: schema,
        annotations: { title: 'A' },
        activated: false,
      },
    ]);
  });

  it("a caller's own cancellation is its own, not a failure of every source", async () => {
    const gone = new AbortController();
    const slow = fake('mcp', [], { list: () => new Promise(() => undefined) });
    const listing = new Registry().register(slow).list(SCOPE, gone.signal);
    gone.abort(new Error('gone'));
    await expect(listing).rejects.toThrow('gone');
  });
});

describe('a failing source keeps its names', () => {
  it.each([
    ['listed', fake],
    ['found', finding],
  ] as const)('a lower source never takes the name meanwhile (%s)', async (_how, make) => {
    const owner = make('connector', ['pay', 'own']);
    const other = make('mcp', ['pay', 'other']);
    const registry = new Registry({ activations: everything }).register(owner).register(other);
    await registry.list(SCOPE);
    owner.failing = true;
    expect(await registry.list(SCOPE)).toMatchObject({
      tools: [{ name: 'other' }],
      partial: [{ source: 'connector', withheld: ['own', 'pay'] }],
    });
    await expect(registry.dispatch(CALLER, 'pay', {})).rejects.toThrow(SourceUnavailable);
    await expect(registry.dispatch(CALLER, 'own', {})).rejects.toMatchObject({ status: 424, source: 'connector' });
    expect(await registry.dispatch(CALLER, 'other', {})).toEqual({ from: 'mcp', name: 'other' });
    expect(other.calls).toHaveLength(1);

    owner.failing = false;
    owner.offers = [offer('own')];
    expect(await registry.dispatch(CALLER, 'pay', {})).toEqual({ from: 'mcp', name: 'pay' });

    // What it gave up, it does not own any more, failing or not.
    owner.failing = true;
    expect(await registry.dispatch(CALLER, 'pay', {})).toEqual({ from: 'mcp', name: 'pay' });
    owner.failing = false;
    expect((await registry.list(SCOPE)).partial).toEqual([]);
  });

  it('in the scope where it owned them, and no other', async () => {
    const owner = fake('connector', ['pay']);
    const registry = new Registry({ activations: everything }).register(owner).register(fake('mcp', ['pay']));
    await registry.list(SCOPE);
    owner.failing = true;
    const elsewhere = { ...SCOPE, org: 'rival' };
    expect(await registry.dispatch({ ...CALLER, ...elsewhere }, 'pay', {})).toMatchObject({ from: 'mcp' });
    await expect(registry.dispatch({ ...CALLER, project: '' }, 'pay', {})).rejects.toThrow(SourceUnavailable);
  });

  it('an answer that comes late does not undo a newer one', async () => {
    const waiting: ((offers: Offer[]) => void)[] = [];
    const owner = fake('connector', [], { list: () => new Promise((resolve) => waiting.push(resolve)) });
    const registry = new Registry().register(owner).register(fake('mcp', ['old', 'new']));
    const first = registry.list(SCOPE);
    const second = registry.list(SCOPE);
    waiting[1]?.([offer('new')]);
    await second;
    waiting[0]?.([offer('old')]);
    await first;
    const third = registry.list(SCOPE);
    waiting[2]?.('nonsense' as unknown as Offer[]);
    expect(await third).toMatchObject({ tools: [{ name: 'old', source: 'mcp' }], partial: [{ withheld: ['new'] }] });
  });

  it('scopes used longest ago are forgotten beyond the limit', async () => {
    const owner = fake('connector', ['pay']);
    const registry = new Registry({ memory: 1 }).register(owner);
    await registry.list({ org: 'a', project: '' });
    await registry.list({ org: 'b', project: '' });
    owner.failing = true;
    expect((await registry.list({ org: 'a', project: '' })).partial).toMatchObject([{ withheld: [] }]);
    expect((await registry.list({ org: 'b', project: '' })).partial).toMatchObject([{ withheld: ['pay'] }]);
  });
});

describe('resolving one name', () => {
  it('does not list a source that can be asked for it', async () => {
    const connector = finding('connector', ['a']);
    const mcp = finding('mcp', ['b']);
    const registry = new Registry({ activations: everything }).register(connector).register(mcp);
    await registry.dispatch(CALLER, 'b', {});
    expect([connector.asked, mcp.asked]).toEqual([['b'], ['b']]);
    expect(await registry.resolve(SCOPE, 'a')).toMatchObject({ name: 'a', source: 'connector', activated: true });
  });

  it('an answer about another name is a failure, not a tool', async () => {
    const wrong = fake('connector', [], { find: async () => offer('other') });
    await expect(new Registry({ activations: everything }).register(wrong).dispatch(CALLER, 'a', {})).rejects.toThrow(
      UnknownTool,
    );
  });

  it.each(['', 'a b', '../x y', '__proto__', 'toString', 'x'.repeat(200)])(
    '%j is unknown where nobody offers it',
    async (name) => {
      const registry = new Registry({ activations: everything }).register(fake('mcp', ['a']));
      await expect(registry.dispatch(CALLER, name, {})).rejects.toMatchObject({ status: 404, tool: name });
    },
  );
});

describe('activation', () => {
  it('off by default: listed, not callable, and no provider code runs', async () => {
    const { registry: r, provider } = withStore(rows());
    expect((await r.list(SCOPE)).tools).toMatchObject([{ name: 'f', activated: false }]);
    await expect(r.dispatch(CALLER, 'f', {})).rejects.toThrow(NotActivated);
    expect(provider.calls).toEqual([]);
  });

  it('in one project says nothing of another, in one org nothing of another', async () => {
    const { registry: r } = withStore(rows(['acme', 'p1', 'f']));
    await expect(r.dispatch(CALLER, 'f', {})).rejects.toMatchObject({ status: 403 });
    await expect(r.dispatch({ ...CALLER, org: 'rival', project: 'p1' }, 'f', {})).rejects.toThrow(NotActivated);
    expect(await r.dispatch({ ...CALLER, project: 'p1' }, 'f', {})).toMatchObject({ name: 'f' });
    const { registry: inDefault } = withStore(rows(['acme', 'default', 'f']));
    await expect(inDefault.dispatch({ ...CALLER, project: 'p1' }, 'f', {})).rejects.toThrow(NotActivated);
  });

  it("project '' and 'default' are one scope", async () => {
    const { registry: r, provider } = withStore(rows(['acme', 'default', 'f']));
    await r.dispatch({ ...CALLER, project: '' }, 'f', {});
    expect((await r.list({ org: 'acme', project: '' })).tools).toMatchObject([{ activated: true }]);
    expect(provider.calls[0]?.principal.project).toBe('default');
  });

  it('a store that is missing or fails has nothing activated', async () => {
    const down: ActivationStore = { activated: () => Promise.reject(new Error('no database')) };
    for (const store of [undefined, down]) {
      const { registry: r } = withStore(store);
      const { tools, partial } = await r.list(SCOPE);
      expect(tools).toMatchObject([{ activated: false }]);
      expect(partial).toEqual(store ? [{ source: 'activation', reason: 'no database', withheld: [] }] : []);
      await expect(r.dispatch(CALLER, 'f', {})).rejects.toThrow(NotActivated);
    }
  });

  it('without an org nothing is activated', async () => {
    const { registry: r } = withStore(everything);
    await expect(r.dispatch({ ...CALLER, org: ' ' }, 'f', {})).rejects.toThrow(NotActivated);
  });

  it('the store is asked with the winning source, so that a row can be bound to it', async () => {
    const asked: unknown[] = [];
    const store: ActivationStore = { activated: async (_scope, tools) => (asked.push(...tools), new Set<string>()) };
    await new Registry({ activations: store })
      .register(fake('mcp', ['x']))
      .register(fake('agent', ['x']))
      .list(SCOPE);
    expect(asked).toEqual([{ name: 'x', source: 'agent' }]);
  });
});

describe('payment', () => {
  it.each(['0.000000000000000001', '1', 'nonsense', '-1', '1e-9'])(
    'priced %s, no charger: refused, and the provider is not called',
    async (amount) => {
      const provider = fake('function', []);
      provider.offers = [offer('f', { price: { amount } })];
      const registry = new Registry({ activations: everything }).register(provider);
      await expect(registry.dispatch(CALLER, 'f', {})).rejects.toThrow(ChargerUnset);
      expect(provider.calls).toEqual([]);
    },
  );

  it.each([undefined, '0', '0.000'])('free by declaration (%s), no charger: runs', async (amount) => {
    const provider = fake('function', []);
    provider.offers = [offer('f', amount === undefined ? {} : { price: { amount } })];
    await new Registry({ activations: everything }).register(provider).dispatch(CALLER, 'f', {});
    expect(provider.calls).toHaveLength(1);
  });

  it('every call is offered to the charger, free ones too; accepted, the provider is called once, then it is committed', async () => {
    for (const price of [undefined, '0.25']) {
      const { log, reserve } = ledger();
      const { registry, provider } = charging(reserve, price);
      await registry.dispatch(CALLER, 'f', {});
      expect(provider.calls).toHaveLength(1);
      expect(log).toEqual([`reserve f ${price ?? 'free'} acme`, 'commit']);
    }
  });

  it('declined: PaymentRequired with its challenge, and the provider is not called', async () => {
    const { registry, provider } = charging(() => Promise.reject(new PaymentRequired('f', { accepts: [] })));
    await expect(registry.dispatch(CALLER, 'f', {})).rejects.toMatchObject({ status: 402, challenge: { accepts: [] } });
    expect(provider.calls).toEqual([]);
  });

  it('a charger that fails fails the call: never free', async () => {
    const { registry, provider } = charging(() => Promise.reject(new Error('rail down')));
    await expect(registry.dispatch(CALLER, 'f', {})).rejects.toThrow('rail down');
    expect(provider.calls).toEqual([]);
  });

  it('a run that fails is given back, and its own error is what the caller sees', async () => {
    const { log, reserve } = ledger();
    const { registry, provider } = charging(reserve);
    provider.dispatch = () => {
      throw new Error('broken tool');
    };
    await expect(registry.dispatch(CALLER, 'f', {})).rejects.toThrow('broken tool');
    expect(log.at(-1)).toBe('release');
  });

  it('a commit or a release that fails changes nothing for the caller, and is reported', async () => {
    const { registry, provider, faults } = charging(async () => ({
      commit: bad,
      release: () => Promise.reject(new Error('ledger down')),
    }));
    expect(await registry.dispatch(CALLER, 'f', {})).toMatchObject({ name: 'f' });
    provider.dispatch = () => Promise.reject(new Error('broken tool'));
    await expect(registry.dispatch(CALLER, 'f', {})).rejects.toThrow('broken tool');
    expect(faults).toHaveLength(2);
  });

  it('nothing is charged before existence, activation and a tool that runs', async () => {
    const { log, reserve } = ledger();
    const skill = fake('skill', []);
    skill.offers = [offer('skill_x', { dispatchable: false }), offer('off')];
    const registry = new Registry({ activations: rows(['acme', 'default', 'skill_x']), charger: { reserve } }).register(
      skill,
    );
    await expect(registry.dispatch(CALLER, 'none', {})).rejects.toThrow(UnknownTool);
    await expect(registry.dispatch(CALLER, 'off', {})).rejects.toThrow(NotActivated);
    await expect(registry.dispatch(CALLER, 'skill_x', {})).rejects.toThrow(NotDispatchable);
    expect([log, skill.calls]).toEqual([[], []]);
  });

  it('amounts are exact: 18 digits, no rounding to zero, no floats', () => {
    expect(parseAmount('0.000000000000000001')).toBe(1n);
    expect(parseAmount('12.5')).toBe(12_500_000_000_000_000_000n);
    expect(isPriced({ amount: '0.0000000000000000000' })).toBe(true);
    for (const text of ['', '.5', '1.', '+1', '-1', '1e3', '0.1234567890123456789', ' 1', '1,5', 'NaN']) {
      expect(() => parseAmount(text)).toThrow(TypeError);
    }
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (units) => {
        const digits = units.toString().padStart(19, '0');
        expect(parseAmount(`${digits.slice(0, -18)}.${digits.slice(-18)}`)).toBe(units);
      }),
    );
  });
});

describe('dispatch', () => {
  it('is bound to the principal; nothing in the arguments changes it', async () => {
    const provider = fake('function', ['f']);
    const registry = new Registry({ activations: everything }).register(provider);
    const args = { org: 'rival', project: 'p9', user: 'mallory', isAdmin: true };
    await registry.dispatch(CALLER, 'f', args);
    expect(provider.calls).toEqual([{ principal: CALLER, name: 'f', args }]);
    expect(Object.isFrozen(provider.calls[0]?.principal)).toBe(true);
  });

  it('what the provider rejects with passes through, its own UnknownTool too', async () => {
    const provider = fake('function', ['f'], { dispatch: (_principal, name) => Promise.reject(new UnknownTool(name)) });
    await expect(
      new Registry({ activations: everything }).register(provider).dispatch(CALLER, 'f', {}),
    ).rejects.toThrow(UnknownTool);
  });

  it('a caller that is gone before it starts runs nothing', async () => {
    const provider = fake('function', ['f']);
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(
      new Registry({ activations: everything }).register(provider).dispatch(CALLER, 'f', {}, gone),
    ).rejects.toThrow('gone');
    expect(provider.calls).toEqual([]);
  });
});

describe('against a naive model', () => {
  const NAMES = ['a', 'b', 'c', 'd'] as const;
  const SOURCES = ['connector', 'function', 'zap-service', 'agent', 'skill', 'mcp', 'odd', 'odder'] as const;
  const offers = fc.array(
    fc.record({
      name: fc.constantFrom(...NAMES),
      source: fc.option(fc.constantFrom('', ...SOURCES), { nil: undefined }),
      dispatchable: fc.boolean(),
    }),
    { maxLength: 5 },
  );
  const step = fc.oneof(
    fc.record({ kind: fc.constant('offers' as const), which: fc.nat(4), offers }),
    fc.record({ kind: fc.constant('failing' as const), which: fc.nat(4), failing: fc.boolean() }),
    fc.record({ kind: fc.constant('list' as const), project: fc.constantFrom('', 'default', 'p1') }),
    fc.record({
      kind: fc.constant('call' as const),
      project: fc.constantFrom('', 'default', 'p1'),
      name: fc.constantFrom(...NAMES, 'zz'),
    }),
  );

  /** The rules read aloud: no index, no cache but what was last heard. */
  class Model {
    readonly heard = new Map<string, Offer[]>();
    readonly providers: readonly Fake[];
    readonly on: ReadonlySet<string>;

    constructor(providers: readonly Fake[], on: ReadonlySet<string>) {
      this.providers = providers;
      this.on = on;
    }

    #all(project: string): { offer: Offer; source: string; order: number; failing: boolean }[] {
      return this.providers.flatMap((provider, order) => {
        const known = provider.failing ? (this.heard.get(`${order} ${project}`) ?? []) : provider.offers;
        return known.map((each) => ({
          offer: each,
          source: each.source || provider.source(),
          order,
          failing: provider.failing,
        }));
      });
    }

    winner(
      project: string,
      name: string,
    ): { offer: Offer; source: string; order: number; failing: boolean } | undefined {
      const all = this.#all(project).filter((each) => each.offer.name === name);
      return all.sort((x, y) => rank(x.source) - rank(y.source) || x.order - y.order)[0];
    }

    hear(project: string, only?: string): void {
      for (const [order, provider] of this.providers.entries()) {
        if (provider.failing) continue;
        const key = `${order} ${project}`;
        const kept =
          only === undefined || !provider.find ? [] : (this.heard.get(key) ?? []).filter((each) => each.name !== only);
        const fresh = provider.offers.filter((each) => only === undefined || !provider.find || each.name === only);
        this.heard.set(key, [...kept, ...fresh]);
      }
    }
  }

  it('every listing and every call comes out as the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...SOURCES), offers, fc.boolean()), { minLength: 1, maxLength: 5 }),
        fc.uniqueArray(fc.constantFrom(...NAMES)),
        fc.array(step, { maxLength: 14 }),
        async (sources, on, steps) => {
          const providers = sources.map(([source, first, finds]) => {
            const made = fake(source, []);
            made.offers = first.map((each) => offer(each.name, each as Partial<Offer>));
            if (finds) {
              made.find = async (_scope, name) => {
                if (made.failing) throw new Error(`${source} is down`);
                const own = made.offers.filter((each) => each.name === name);
                return own.sort((x, y) => rank(x.source || source) - rank(y.source || source))[0];
              };
            }
            return made;
          });
          const model = new Model(providers, new Set(on));
          const activations: ActivationStore = {
            activated: async ({ project }, tools) =>
              new Set(project === 'default' ? names(tools).filter((each) => model.on.has(each)) : []),
          };
          const registry = new Registry({ activations });
          for (const provider of providers) registry.register(provider);

          for (const each of steps) {
            const provider = 'which' in each ? providers[each.which % providers.length] : undefined;
            if (each.kind === 'offers' && provider)
              provider.offers = each.offers.map((one) => offer(one.name, one as Partial<Offer>));
            if (each.kind === 'failing' && provider) provider.failing = each.failing;
            if (each.kind === 'list') {
              const project = each.project === '' ? 'default' : each.project;
              const winners = NAMES.map((name) => model.winner(project, name)).filter((one) => one !== undefined);
              const { tools, partial } = await registry.list({ org: 'acme', project: each.project });
              expect(
                tools.map(({ name, source, activated, dispatchable }) => ({ name, source, activated, dispatchable })),
              ).toEqual(
                winners
                  .filter((one) => !one.failing)
                  .map((one) => ({
                    name: one.offer.name,
                    source: one.source,
                    activated: project === 'default' && model.on.has(one.offer.name),
                    dispatchable: one.offer.dispatchable,
                  })),
              );
              expect(partial.map(({ source, withheld }) => ({ source, withheld }))).toEqual(
                providers
                  .map((one, order) => ({ one, order }))
                  .filter(({ one }) => one.failing)
                  .map(({ one, order }) => ({
                    source: one.source(),
                    withheld: winners.filter((won) => won.failing && won.order === order).map((won) => won.offer.name),
                  })),
              );
              model.hear(project);
            }
            if (each.kind === 'call') {
              const project = each.project === '' ? 'default' : each.project;
              const won = model.winner(project, each.name);
              const before = providers.map((one) => one.calls.length);
              const outcome = await registry.dispatch({ ...CALLER, project: each.project }, each.name, {}).then(
                () => 'ran',
                (error: Error) => error.constructor.name,
              );
              const expected =
                won === undefined
                  ? 'UnknownTool'
                  : won.failing
                    ? 'SourceUnavailable'
                    : !(project === 'default' && model.on.has(each.name))
                      ? 'NotActivated'
                      : won.offer.dispatchable
                        ? 'ran'
                        : 'NotDispatchable';
              expect(outcome).toBe(expected);
              expect(providers.map((one) => one.calls.length)).toEqual(
                before.map((count, order) => count + (outcome === 'ran' && order === won?.order ? 1 : 0)),
              );
              model.hear(project, each.name);
            }
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
