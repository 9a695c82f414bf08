// A process that holds the engine open, as a server does: the bench asks it over IPC and reads its memory from outside.
import process from 'node:process';
import { type IndexOptions, openIndex, type Query, type SearchIndex } from '@hanzo/search';

export type Ask =
  | { readonly open: string; readonly options: IndexOptions }
  | { readonly search: Query; readonly counts?: boolean }
  | { readonly build: true }
  | { readonly status: true }
  | { readonly fill: number }
  | { readonly close: true };

/** `took`: milliseconds of the call alone */
export interface Told {
  readonly took: number;
  readonly by?: string;
  readonly total?: number;
  readonly partial?: boolean;
  readonly counts?: readonly (readonly [file: string, lines: number])[];
  readonly bytes?: number | undefined;
  readonly files?: number | undefined;
  readonly freshness?: string;
  readonly error?: string;
}

let index: SearchIndex | undefined;
let filled = 0;

async function answer(ask: Ask): Promise<Omit<Told, 'took'>> {
  if ('open' in ask) {
    index = await openIndex(ask.open, ask.options);
    return {};
  }
  if (index === undefined) throw new Error('no tree is open');
  if ('close' in ask) {
    await index.close();
    index = undefined;
    return {};
  }
  if ('build' in ask) await index.build();
  if ('fill' in ask) for (let i = 0; i < ask.fill; i++) await index.search({ pattern: `zzqq${filled++}xyzzy` });
  if ('search' in ask) {
    const { by, total, partial, files } = await index.search(ask.search, { deadlineMs: 600_000 });
    return {
      by,
      total,
      partial,
      ...(ask.counts ? { counts: files.map(({ file, count }) => [file, count] as const) } : {}),
    };
  }
  const { bytes, files, freshness } = index.status();
  return { bytes, files, freshness };
}

process.on('message', (ask: Ask) => {
  void (async () => {
    const started = performance.now();
    try {
      const told = await answer(ask);
      process.send?.({ took: performance.now() - started, ...told } satisfies Told);
    } catch (error) {
      process.send?.({ took: performance.now() - started, error: String(error) } satisfies Told);
    }
  })();
});
