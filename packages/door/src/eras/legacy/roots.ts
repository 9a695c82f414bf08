// The client's roots: asked for once, kept until the client says that they have changed, never waited for long.
import { isObject } from '../../core/rpc.ts';

/** Milliseconds one call waits for the client to name its roots. */
const PATIENCE = 2000;

export interface Roots {
  /** the roots' uris; empty where the client refuses or takes too long. A late answer serves the next call */
  get(ask: () => Promise<Record<string, unknown>>): Promise<readonly string[]>;
  forget(): void;
}

export function createRoots(): Roots {
  let asked: Promise<readonly string[]> | undefined;
  let tooSlow = false;

  const start = (ask: () => Promise<Record<string, unknown>>): Promise<readonly string[]> => {
    tooSlow = false;
    const started = ask().then(
      ({ roots }) => {
        tooSlow = false;
        return urisOf(roots);
      },
      (): readonly string[] => {
        // Refused, or its call ended first: the next call asks again.
        if (asked === started) asked = undefined;
        return [];
      },
    );
    return started;
  };
  return {
    async get(ask) {
      asked ??= start(ask);
      if (tooSlow) return [];
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<readonly string[]>((resolve) => {
        timer = setTimeout(() => {
          tooSlow = true;
          resolve([]);
        }, PATIENCE);
      });
      const found = await Promise.race([asked, limit]);
      clearTimeout(timer);
      return found;
    },
    forget() {
      asked = undefined;
    },
  };
}

function urisOf(answer: unknown): readonly string[] {
  const roots = isObject(answer) ? answer['roots'] : undefined;
  if (!Array.isArray(roots)) return [];
  return roots.flatMap((root: unknown) => (isObject(root) && typeof root['uri'] === 'string' ? [root['uri']] : []));
}
