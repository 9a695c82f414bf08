// External servers where none can be reached: they are kept and shown, and say why they list nothing.
import { Problem } from './core/problem.ts';
import type { Remote } from './ports/remote.ts';

const REASON = 'this plane does not reach external servers';

export function remoteOff(): Remote {
  return {
    list: async () => ({ status: 'unreachable', reason: REASON, tools: [] }),
    call: async () => {
      throw new Problem(424, `The server was not asked: ${REASON}.`);
    },
    forget: () => undefined,
    close: async () => undefined,
  };
}
