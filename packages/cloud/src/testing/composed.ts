// The apps of a plane on an empty store in memory: what is generated from the operations, and tests that need them all.
import { compose, type Composed } from '../compose.ts';
import { createLogger } from '../http/log.ts';
import { remoteOff } from '../remote-off.ts';
import { createStore } from '../store/index.ts';
import { systemClock, systemIds } from '../verbs/context.ts';

export async function composedInMemory(): Promise<Composed & { close(): Promise<void> }> {
  const store = await createStore({ database: ':memory:' });
  const composed = compose({
    store,
    clock: systemClock,
    ids: systemIds,
    keks: [],
    logger: createLogger({ level: 'error' }),
    remote: remoteOff(),
    version: '0.0.0',
    env: {},
    charger: 'none',
    registry: 'https://registry.modelcontextprotocol.io',
    allowPrivate: [],
  });
  return { ...composed, close: () => store.close() };
}
