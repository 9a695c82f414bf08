// A process of its own that uses the engine: one JSON command a line in, one JSON answer a line out. For tests that kill it.
import { createInterface } from 'node:readline';
import process from 'node:process';
import { type IndexOptions, openIndex, type Query, type SearchIndex } from '../src/index.ts';

/**
 * What is asked of the process. `settle` waits until a build that runs by itself is done; `once` opens the tree another time, asks, and
 * closes it.
 */
export type Command =
  | { readonly build: true }
  | { readonly search: Query }
  | { readonly once: Query }
  | { readonly settle: true }
  | { readonly close: true };

export interface Answer {
  readonly by?: string;
  readonly total?: number;
  readonly files?: Readonly<Record<string, number>>;
  readonly index?: string;
  readonly reason?: string | undefined;
  readonly generation?: number | undefined;
  readonly dirty?: number;
  readonly error?: string;
}

const { root, options } = JSON.parse(process.argv[2] as string) as { root: string; options: IndexOptions };
const index = await openIndex(root, options);
process.stdout.write('{}\n');
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as Command;
  process.stdout.write(
    `${JSON.stringify(await obey(command).catch((error: unknown) => ({ error: String(error) })))}\n`,
  );
  if ('close' in command) break;
}

async function obey(command: Command): Promise<Answer> {
  if ('build' in command) await index.build();
  if ('close' in command) await index.close();
  if ('settle' in command) {
    for (let i = 0; i < 600 && !isSettled(); i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      // looked at again, a change is counted, and a build is begun
      await index.search({ pattern: 'zzqqxyzzyplugh' });
    }
  }
  if ('once' in command) {
    const other = await openIndex(root, options);
    try {
      return await search(other, command.once);
    } finally {
      await other.close();
    }
  }
  return 'search' in command ? search(index, command.search) : statusOf(index);
}

function statusOf(of: SearchIndex): Answer {
  const { index: state, reason, generation, dirty } = of.status();
  return { index: state, reason, generation, dirty };
}

async function search(of: SearchIndex, query: Query): Promise<Answer> {
  const { by, total, files } = await of.search(query);
  const status = statusOf(of);
  return { ...status, by, total, files: Object.fromEntries(files.map(({ file, count }) => [file, count])) };
}

function isSettled(): boolean {
  const { index: state, dirty } = index.status();
  return state === 'off' || (state === 'ready' && dirty <= 256);
}
