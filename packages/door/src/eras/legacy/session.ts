// One client of the session era: what it said at `initialize`, and the answers to all it asks from then on.
import type { CallContext, Caller, InputRequired, LogLevel } from '@hanzo/tool';
import { type Change, concerns } from '../../host.ts';
import { finishable, type Lane } from '../../core/lane.ts';
import { isLogLevel, LOG_LEVELS, logOn, progressOn } from '../../core/notify.ts';
import { type Call, failedCall, OPERATIONS, type Operation, type Outcome } from '../../core/operations.ts';
import {
  CODES,
  errorReply,
  isNamed,
  isObject,
  type Notification,
  notificationText,
  type Params,
  type Reply,
  type Request,
  type Response,
  resultText,
  RpcError,
  shown,
  toRpcError,
} from '../../core/rpc.ts';
import type { Service } from '../../core/service.ts';
import { listText } from '../../core/text.ts';
import { LEGACY_REVISIONS, legacyRevision, NEWEST_LEGACY } from '../revisions.ts';
import { createQuestions } from './questions.ts';
import { createRoots } from './roots.ts';
import type { LegacyRevision } from './revision.ts';

/** Rounds of questions one call may take where the host answers with questions (the reference SDK's bridge). */
const MAX_ROUNDS = 8;
/** Milliseconds between rounds that carry nothing but state. */
const STATE_PACE = 250;
/** Resources one client may watch. */
const MAX_WATCHED = 4096;

export interface SessionOptions {
  service: Service;
  caller: Caller;
  /** what the client speaks before, or without, an `initialize` */
  revision?: LegacyRevision;
  /** sends what belongs to no request; missing where there is no such way */
  push?: (text: string) => void;
  /** whether the client's later messages come back to this very session */
  lasting: boolean;
}

export interface LegacySession {
  readonly revision: LegacyRevision;
  /** whether `initialize` has been answered */
  readonly initialized: boolean;
  /** answers one request; never rejects. `caller` where it is known anew with every request */
  request(message: Request, lane: Lane, caller?: Caller): Promise<Reply>;
  notify(message: Notification): void;
  /** takes the client's answer to a request of ours */
  settle(message: Response): void;
  close(): void;
}

export function createLegacySession(options: SessionOptions): LegacySession {
  const { service, push, lasting } = options;
  const questions = createQuestions();
  const watched = new Set<string>();
  let revision = options.revision ?? NEWEST_LEGACY;
  let capabilities: Params = {};
  let level: LogLevel = 'info';
  let initialized = false;
  const roots = createRoots();

  const announce = (change: Change): void => {
    if (!initialized || !concerns(change, options.caller)) return;
    if (change.kind !== 'resource') push?.(notificationText(`notifications/${change.kind}/list_changed`));
    else if (watched.has(change.uri)) push?.(notificationText('notifications/resources/updated', { uri: change.uri }));
  };
  const unlisten = push ? service.onChange(announce) : undefined;

  const contextFor = (params: Params, lane: Lane, logging: boolean): CallContext => ({
    signal: lane.signal,
    progress: progressOn(lane, params),
    log: logOn(lane, () => (logging ? level : undefined)),
    clientCapabilities: capabilities,
    ask: (asked) => {
      const way = lasting ? lane : { ...lane, open: false };
      return questions.ask(way, capabilities, asked);
    },
    ...(lasting && lane.open && isObject(capabilities['roots'])
      ? {
          roots: () =>
            roots.get(() => questions.ask(lane, capabilities, { roots: { method: 'roots/list', params: {} } })),
        }
      : {}),
  });

  const operate = async (operation: Operation, call: Call): Promise<string> =>
    write(await settleInput(service, operation, call), revision);

  const initialize = async (params: Params): Promise<string> => {
    const face = await service.face();
    revision = legacyRevision(params['protocolVersion']) ?? NEWEST_LEGACY;
    capabilities = isObject(params['capabilities']) ? params['capabilities'] : {};
    initialized = true;
    return JSON.stringify({
      protocolVersion: revision.version,
      capabilities: face.capabilities,
      serverInfo: face.info,
      ...(face.instructions === undefined ? {} : { instructions: face.instructions }),
    });
  };

  const needLasting = (): void => {
    if (!lasting)
      throw new RpcError(CODES.invalidRequest, 'This needs a session: send initialize first', { status: 400 });
  };

  const watch = (params: Params, on: boolean): string => {
    needLasting();
    const { uri } = params;
    if (typeof uri !== 'string') throw new RpcError(CODES.invalidParams, 'uri must be a string');
    if (!on) watched.delete(uri);
    else if (watched.size < MAX_WATCHED) watched.add(uri);
    else throw new RpcError(CODES.internal, `At most ${MAX_WATCHED} resources can be watched`);
    // A change can only be seen by a host that runs.
    if (on) service.host().catch(() => {});
    return '{}';
  };

  const setLevel = (params: Params): string => {
    needLasting();
    const asked = params['level'];
    if (!isLogLevel(asked)) throw new RpcError(CODES.invalidParams, `level must be one of: ${LOG_LEVELS}`);
    level = asked;
    return '{}';
  };

  const answer = async (message: Request, lane: Lane, caller: Caller): Promise<string> => {
    const params = message.params ?? {};
    if (message.method === 'initialize') return initialize(params);
    if (message.method === 'ping') return '{}';
    const { capabilities: offered } = await service.face();
    const resources = isObject(offered['resources']) ? offered['resources'] : {};
    if (message.method === 'logging/setLevel' && offered['logging']) return setLevel(params);
    if (message.method === 'resources/subscribe' && resources['subscribe']) return watch(params, true);
    if (message.method === 'resources/unsubscribe' && resources['subscribe']) return watch(params, false);
    const operation = OPERATIONS.get(message.method);
    if (!operation || !offered[operation.capability]) {
      throw new RpcError(CODES.methodNotFound, `Method not found: ${shown(message.method)}`);
    }
    return operate(operation, { caller, params, context: contextFor(params, lane, Boolean(offered['logging'])) });
  };

  return {
    get revision() {
      return revision;
    },
    get initialized() {
      return initialized;
    },
    async request(message, lane, caller = options.caller) {
      const way = finishable(lane);
      try {
        return { text: resultText(message.id, await answer(message, way, caller)), status: 200 };
      } catch (error) {
        return refuse(message, error);
      } finally {
        way.finish();
      }
    },
    notify({ method }) {
      // `initialized` needs nothing done, and cancellation is the transport's.
      if (method === 'notifications/roots/list_changed') roots.forget();
    },
    settle: (message) => questions.settle(message),
    close() {
      unlisten?.();
      questions.close();
    },
  };
}

/** Runs an operation; where the host answers with questions, puts them as requests and runs it again. */
async function settleInput(service: Service, operation: Operation, call: Call): Promise<Outcome> {
  let context = call.context;
  for (let round = 0; ; round++) {
    const outcome = await operation.run(service, { ...call, context });
    if (outcome.kind !== 'input') return outcome;
    if (!operation.asks || round >= MAX_ROUNDS) {
      throw new RpcError(CODES.internal, `The call asked the client more than ${MAX_ROUNDS} times`);
    }
    const { inputRequests, state }: InputRequired['inputRequired'] = outcome.required;
    if (!inputRequests) await new Promise((resolve) => setTimeout(resolve, STATE_PACE));
    const inputResponses = inputRequests ? await call.context.ask(inputRequests) : {};
    context = { ...call.context, inputResponses, ...(state === undefined ? {} : { requestState: state }) };
  }
}

function write(outcome: Outcome, revision: LegacyRevision): string {
  if (outcome.kind === 'list') {
    const items = outcome.key === 'tools' ? revision.tools(outcome.items) : outcome.items;
    const next = outcome.nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(outcome.nextCursor)}`;
    const meta = outcome.meta === undefined ? '' : `,"_meta":${JSON.stringify(outcome.meta)}`;
    return `{${JSON.stringify(outcome.key)}:${outcome.text ?? listText(items)}${next}${meta}}`;
  }
  if (outcome.kind === 'value') return JSON.stringify(revision.result(outcome.value));
  throw new RpcError(CODES.internal, 'A question was left unanswered');
}

/** Errors in the words of the session era. A tool's own failures are results, whatever they are. */
function refuse(message: Request, error: unknown): Reply {
  if (isNamed(error, 'UnknownResourceError')) {
    const { uri } = message.params ?? {};
    return errorReply(message.id, new RpcError(CODES.legacyResourceNotFound, error.message, { data: { uri } }));
  }
  if (message.method === 'tools/call' && !(error instanceof RpcError && error.code !== CODES.internal)) {
    const name = String(message.params?.['name']);
    const unknown = isNamed(error, 'UnknownToolError');
    const result = unknown
      ? { content: [{ type: 'text', text: `Unknown tool: ${shown(name)}` }], isError: true }
      : failedCall(name, error);
    return { text: resultText(message.id, JSON.stringify(result)), status: 200 };
  }
  return errorReply(message.id, toRpcError(error));
}

/** Versions this era offers, for messages to people. */
export const LEGACY_VERSIONS: readonly string[] = LEGACY_REVISIONS.map((each) => each.version);
