// `subscriptions/listen`: one long request that carries the changes its client asked for, and no others.
import type { Caller } from '@hanzo/tool';
import { type Change, concerns } from '../../host.ts';
import type { Lane } from '../../core/lane.ts';
import { CODES, isObject, notificationText, type Params, type Request, RpcError } from '../../core/rpc.ts';
import type { Service } from '../../core/service.ts';
import { META } from './names.ts';

/** Streams one door keeps open at a time (the reference SDK's limit per connection). */
const MAX_STREAMS = 1024;
/** Resources one stream may name. */
const MAX_WATCHED = 4096;

const FLAGS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const;

export interface Listening {
  /** resolves to the closing result when the door closes; rejects nothing; ends silently with its lane */
  listen(message: Request, caller: Caller, lane: Lane): Promise<Record<string, unknown>>;
  /** ends every stream with its closing result */
  close(): void;
}

export function createListening(service: Service): Listening {
  const streams = new Set<() => void>();
  return {
    async listen({ id, params }, caller, lane) {
      const { capabilities } = await service.face();
      const filter = honoured(readFilter(params), capabilities);
      if (streams.size >= MAX_STREAMS) {
        throw new RpcError(CODES.internal, `At most ${MAX_STREAMS} subscriptions can be open`);
      }
      const mark = { _meta: { [META.subscriptionId]: id } };
      const watched = new Set(filter.resourceSubscriptions);
      const wanted = (change: Change): boolean =>
        change.kind === 'resource' ? watched.has(change.uri) : filter[FLAGS[change.kind]] === true;

      // Acknowledged before anything can be heard, in one turn of the loop: no change slips in between or ahead.
      lane.send(notificationText('notifications/subscriptions/acknowledged', { ...mark, notifications: filter }));
      const unlisten = service.onChange((change) => {
        if (!wanted(change) || !concerns(change, caller)) return;
        const method =
          change.kind === 'resource' ? 'notifications/resources/updated' : `notifications/${change.kind}/list_changed`;
        lane.send(notificationText(method, { ...mark, ...(change.kind === 'resource' ? { uri: change.uri } : {}) }));
      });
      if (watched.size > 0) service.host().catch(() => {});
      await new Promise<void>((resolve) => {
        const end = (): void => {
          streams.delete(end);
          unlisten();
          resolve();
        };
        streams.add(end);
        if (lane.signal.aborted) end();
        else lane.signal.addEventListener('abort', end, { once: true });
      });
      return mark;
    },
    close() {
      for (const end of streams) end();
    },
  };
}

interface Filter {
  toolsListChanged?: true;
  promptsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

function readFilter(params: Params | undefined): Filter {
  const asked = params?.['notifications'];
  if (!isObject(asked)) throw new RpcError(CODES.invalidParams, 'notifications must be an object');
  const filter: Filter = {};
  for (const flag of Object.values(FLAGS)) {
    if (asked[flag] === true) filter[flag] = true;
    else if (asked[flag] !== undefined && asked[flag] !== false) {
      throw new RpcError(CODES.invalidParams, `notifications.${flag} must be a boolean`);
    }
  }
  const uris = asked['resourceSubscriptions'];
  if (uris === undefined) return filter;
  if (!Array.isArray(uris) || uris.length > MAX_WATCHED || uris.some((uri) => typeof uri !== 'string')) {
    throw new RpcError(
      CODES.invalidParams,
      `notifications.resourceSubscriptions must be an array of at most ${MAX_WATCHED} uris`,
    );
  }
  return { ...filter, resourceSubscriptions: uris as string[] };
}

/** What of a filter the server's capabilities cover. */
function honoured(filter: Filter, capabilities: Readonly<Record<string, unknown>>): Filter {
  const offers = (area: string, what: string): boolean => {
    const capability = capabilities[area];
    return isObject(capability) && capability[what] === true;
  };
  const kept: Filter = {};
  for (const [area, flag] of Object.entries(FLAGS)) if (filter[flag] && offers(area, 'listChanged')) kept[flag] = true;
  if (filter.resourceSubscriptions && offers('resources', 'subscribe')) {
    kept.resourceSubscriptions = filter.resourceSubscriptions;
  }
  return kept;
}
