// A host with a tool for every road a call can take. Used in process and, through server.ts, as a program.
import { UnknownToolError } from '@hanzo/tool';
import type { CallContext, CallResult, InputRequired, Tool } from '@hanzo/tool';
import { type Change, type Host, UnknownPromptError, UnknownResourceError } from '../src/index.ts';

type Run = (args: Readonly<Record<string, unknown>>, context: CallContext) => Promise<CallResult | InputRequired>;

export const text = (value: string): CallResult => ({ content: [{ type: 'text', text: value }] });

export const question = (message: string) => ({
  method: 'elicitation/create' as const,
  params: {
    message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] },
  },
});

/** What the test may see of a running host. */
export interface TestHost extends Host {
  /** names of `wait` calls that have begun, and of those that were aborted */
  readonly begun: string[];
  readonly aborted: string[];
  /** lets every `gate` call end, now and from now on */
  release(): void;
  change(change: Change): void;
  readonly listening: number;
}

const nameOf = (answer: unknown): string => {
  const { action, content } = answer as { action: string; content?: { name?: string } };
  return action === 'accept' ? String(content?.name) : action;
};

export function createTestHost(extra: readonly Tool[] = []): TestHost {
  const listeners = new Set<(change: Change) => void>();
  const begun: string[] = [];
  const aborted: string[] = [];
  const gate = Promise.withResolvers<void>();
  const waitForAbort = (name: string, signal: AbortSignal): Promise<CallResult> =>
    new Promise((resolve) => {
      const end = (): void => {
        aborted.push(name);
        resolve(text('aborted'));
      };
      begun.push(name);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
  const runs = new Map<string, Run>([
    ['echo', async (args) => text(JSON.stringify(args))],
    ['boom', async () => Promise.reject(new Error('it broke'))],
    ['empty', async () => undefined as unknown as CallResult],
    ['big', async () => ({ content: [], structuredContent: { n: 1n } })],
    ['wait', async (args, { signal }) => waitForAbort(String(args['as'] ?? 'wait'), signal)],
    [
      'flood',
      async (args, { log, progress }) => {
        const data = 'x'.repeat(10_000);
        for (let n = 1; n <= Number(args['n']); n++) {
          log('error', data);
          progress({ progress: n });
          if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        return text('flooded');
      },
    ],
    [
      'gate',
      async () => {
        begun.push('gate');
        await gate.promise;
        return text('released');
      },
    ],
    [
      'later',
      async (args) => {
        await new Promise((resolve) => setTimeout(resolve, Number(args['ms'] ?? 50)));
        return text('done');
      },
    ],
    [
      'count',
      async (_args, { progress }) => {
        for (const value of [1, 2, 2, 1, 3]) progress({ progress: value, total: 3, message: `at ${value}` });
        return text('counted');
      },
    ],
    [
      'say',
      async (_args, { log }) => {
        log('debug', 'quiet');
        log('warning', { loud: true }, 'test');
        return text('said');
      },
    ],
    ['ask', async (_args, { ask }) => text(`Hello, ${nameOf((await ask({ who: question('Who?') }))['who'])}`)],
    [
      'ask-twice',
      async (_args, { ask }) => {
        const first = nameOf((await ask({ who: question('Who?') }))['who']);
        const second = nameOf((await ask({ who: question('Who?') }))['who']);
        return text(`${first} and ${second}`);
      },
    ],
    [
      'rounds',
      async (_args, { inputResponses, requestState }) => {
        if (requestState !== 'round 1') {
          return { inputRequired: { inputRequests: { who: question('Who?') }, state: 'round 1' } };
        }
        return text(`state kept, ${nameOf(inputResponses?.['who'])}`);
      },
    ],
    [
      'sample',
      async (_args, { ask }) => {
        await ask({ a: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } });
        return text('sampled');
      },
    ],
    ['roots', async (_args, { roots }) => text(JSON.stringify((await roots?.()) ?? 'none'))],
    ['number', async () => ({ content: [], structuredContent: 7 })],
    [
      'media',
      async () => ({
        content: [
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'resource_link', uri: 'test://a', name: 'a' },
        ],
      }),
    ],
    [
      'stray',
      async () => {
        console.log('a stray line');
        process.stdout.write('another stray line\n');
        return text('quiet');
      },
    ],
  ]);
  const schemas = new Map<string, Tool['inputSchema']>([
    [
      'echo',
      {
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' },
          nested: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
        },
      },
    ],
  ]);
  const tools: readonly Tool[] = [
    ...[...runs.keys()].map((name) => ({
      name,
      description: `The ${name} tool`,
      inputSchema: schemas.get(name) ?? { type: 'object' },
      ...(name === 'number' ? { outputSchema: { type: 'number' } } : {}),
    })),
    ...extra,
  ];

  return {
    info: { name: 'test-host', version: '1.2.3' },
    instructions: 'Use the tools.',
    logging: true,
    begun,
    aborted,
    release: gate.resolve,
    get listening() {
      return listeners.size;
    },
    list: async () => tools,
    async call(_caller, name, args, context) {
      const run = runs.get(name);
      if (!run) throw new UnknownToolError(name);
      return run(args, context);
    },
    resources: {
      list: async () => [{ uri: 'test://a', name: 'a' }],
      templates: async () => [{ uriTemplate: 'test://{id}', name: 'any' }],
      async read(_caller, uri) {
        if (uri !== 'test://a') throw new UnknownResourceError(uri);
        return { contents: [{ uri, mimeType: 'text/plain', text: 'A' }] };
      },
      subscribe: true,
    },
    prompts: {
      list: async () => [{ name: 'greet', description: 'Greets', arguments: [{ name: 'who', required: true }] }],
      async get(_caller, name, args, { ask }) {
        if (name !== 'greet') throw new UnknownPromptError(name);
        const who = args['who'] ?? nameOf((await ask({ who: question('Who?') }))['who']);
        return { messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }] };
      },
    },
    complete: async (_caller, _ref, argument) => ({
      values: Array.from({ length: 150 }, (_, i) => `${argument.value}${i}`),
    }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change(change) {
      for (const listener of listeners) listener(change);
    },
  };
}
