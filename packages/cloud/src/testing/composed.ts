// The apps of a plane on an empty store in memory: what is generated from the operations, and tests that need them all.
import { createClient } from '@hanzo/net';
import { compose, type Composed } from '../compose.ts';
import { createLogger } from '../http/log.ts';
import { createStore } from '../store/index.ts';
import { systemClock, systemIds } from '../verbs/context.ts';

export async function composedInMemory(): Promise<Composed> {
  const store = await createStore({ database: ':memory:' });
  const net = createClient();
  const composed = compose({
    store,
    clock: systemClock,
    ids: systemIds,
    keks: [],
    logger: createLogger({ level: 'error' }),
    net,
    version: '0.0.0',
    env: {},
    charger: 'none',
    registry: 'https://registry.modelcontextprotocol.io',
    allowPrivate: [],
  });
  return {
    ...composed,
    async close() {
      await composed.close();
      await net.close();
      await store.close();
    },
  };
}
