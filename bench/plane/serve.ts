// A plane with as many tools as it is told, in a process of its own: `serve.ts TOOLS DATABASE`. It tells its address and key, and
// on being asked calls a tool as fast as it can inside the process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type App, createLogger, createPlane, type Identity, type OpContext, readConfig } from '@hanzo/cloud';
import type { Offer, Provider } from '@hanzo/tool';

export interface Ask {
  readonly calls: number;
  readonly concurrency: number;
}
export interface Told {
  readonly url?: string;
  readonly key?: string;
  /** of one call, milliseconds */
  readonly times?: readonly number[];
  readonly took?: number;
}

const [count = '10', database] = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'bench-plane-'));
const offers: Offer[] = Array.from({ length: Number(count) }, (_, i) => ({
  name: `bench_tool_${i}`,
  description: 'Answers what it was given. It stands here for a tool of ordinary description length, no more.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' }, limit: { type: 'integer' } },
    required: ['text'],
  },
  dispatchable: true,
}));
const byName = new Map(offers.map((offer) => [offer.name, offer]));
const provider: Provider = {
  source: () => 'connector',
  list: async ({ org }) => (org === '' ? [] : offers),
  find: async (_scope, name) => byName.get(name),
  dispatch: async (_principal, _name, { text }) => ({ content: [{ type: 'text', text }] }),
};
const plane = await createPlane({
  config: readConfig(['--data', folder, '--port', '0', ...(database === undefined ? [] : ['--database', database])], {})
    .config,
  version: '0',
  logger: createLogger({ level: 'error', write: (line) => void process.stderr.write(line) }),
  providers: [provider],
});
process.on('disconnect', () => {
  void plane.close().finally(() => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
});
process.send?.({ url: plane.url, key: plane.firstKey } satisfies Told);

/** What the bench uses of two apps' services. */
interface Services {
  readonly iam: { readonly ingress: { identify(headers: Headers): Promise<Identity | undefined> } };
  readonly tool: { readonly calls: { call(context: OpContext, name: string, args: unknown): Promise<unknown> } };
}
function serviceOf<K extends keyof Services>(name: K): Services[K] {
  return (plane.apps.find((app) => app.name === name) as App & { service: Services[K] }).service;
}

async function measure({ calls, concurrency }: Ask): Promise<Told> {
  const { ingress } = serviceOf('iam');
  const { calls: caller } = serviceOf('tool');
  const headers = new Headers({ authorization: `Bearer ${plane.firstKey}` });
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let n = next++; n < calls; n = next++) {
        const begun = performance.now();
        const identity = await ingress.identify(headers);
        await caller.call(
          {
            ...(identity === undefined ? {} : { identity }),
            requestId: String(n),
            signal: new AbortController().signal,
            method: 'POST',
            path: '/v1/tool/call',
            headers: new Map(),
            setHeader: () => undefined,
          },
          'bench_tool_0',
          { text: 'hello' },
        );
        times.push(performance.now() - begun);
      }
    }),
  );
  return { took: performance.now() - started, times };
}

process.on('message', (ask: Ask) => {
  void measure(ask).then((told) => process.send?.(told));
});
