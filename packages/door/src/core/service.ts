// One served host: loaded once, when a request first needs it; its face, its changes, its keys. Shared by all connections.
import type { Change, Face, Host, Prepared } from '../host.ts';
import { capabilitiesOf } from '../host.ts';

/** Milliseconds a signed request state stays valid; ten-minute answers (the SDK's leg time-out) fit several times. */
const STATE_LIFE = 3_600_000;

export interface ServiceOptions {
  host: Host | (() => Promise<Host>);
  prepared?: Prepared;
  /** entries of one page of a list; default 1000, because some clients read the first page only */
  pageSize?: number;
  /** key that signs request states; random per process where it is missing. Nodes of one service share one */
  stateKey?: Uint8Array;
}

export interface Service {
  readonly prepared: Prepared | undefined;
  readonly pageSize: number;
  readonly stateKey: Uint8Array | undefined;
  readonly stateLife: number;
  face(): Face | Promise<Face>;
  /** loads the host at the first call; a load that failed is tried again at the next */
  host(): Promise<Host>;
  /** hears of changes from the time the host is loaded until the returned function is called */
  onChange(listener: (change: Change) => void): () => void;
  /** stops listening to the host */
  close(): void;
}

export function createService(options: ServiceOptions): Service {
  const listeners = new Set<(change: Change) => void>();
  let loading: Promise<Host> | undefined;
  let unlisten: (() => void) | undefined;
  let face: Face | undefined = options.prepared;

  const attach = (host: Host): Host => {
    unlisten = host.onChange?.((change) => {
      for (const listener of listeners) listener(change);
    });
    face ??= {
      info: host.info,
      ...(host.instructions === undefined ? {} : { instructions: host.instructions }),
      capabilities: capabilitiesOf(host),
    };
    return host;
  };
  const load = (): Promise<Host> => {
    const { host } = options;
    const started = typeof host === 'function' ? Promise.resolve().then(host) : Promise.resolve(host);
    const attached = started.then(attach);
    attached.catch(() => {
      if (loading === attached) loading = undefined;
    });
    return attached;
  };
  const host = (): Promise<Host> => (loading ??= load());
  return {
    prepared: options.prepared,
    pageSize: options.pageSize ?? 1000,
    stateKey: options.stateKey,
    stateLife: STATE_LIFE,
    // Once the host has been attached the face is there.
    face: () => face ?? host().then(() => face as Face),
    host,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      unlisten?.();
      unlisten = undefined;
      listeners.clear();
    },
  };
}
