// Revision 2026-07-28: no handshake, no session; every request is answered from what it carries itself.
import type { CallContext, Caller } from '@hanzo/tool';
import type { Face } from '../../host.ts';
import { finishable, type Lane } from '../../core/lane.ts';
import { logOn, progressOn } from '../../core/notify.ts';
import { OPERATIONS, type Operation, type Outcome } from '../../core/operations.ts';
import {
  CODES,
  errorReply,
  isNamed,
  isObject,
  type Params,
  type Reply,
  type Request,
  resultText,
  RpcError,
  shown,
  toRpcError,
} from '../../core/rpc.ts';
import type { Service } from '../../core/service.ts';
import { listText } from '../../core/text.ts';
import { MODERN_VERSIONS } from '../revisions.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { checkParameterHeaders, checkStandardHeaders, header, type Headers } from './headers.ts';
import { createListening } from './listen.ts';
import { META } from './names.ts';
import { declarations } from './param-headers.ts';
import { openRounds } from './rounds.ts';

export { header } from './headers.ts';

/** Not to be kept by anyone: lists depend on the caller and may change at any time. */
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' };

export interface Modern {
  /** answers one request; never rejects. `headers` only where the transport has them: then they have to agree */
  request(message: Request, caller: Caller, lane: Lane, headers?: Headers): Promise<Reply>;
  /** ends the listening streams with their closing result */
  close(): void;
}

export function createModern(service: Service): Modern {
  const listening = createListening(service);

  const operate = async (
    operation: Operation,
    message: Request,
    caller: Caller,
    lane: Lane,
    { capabilities, logLevel }: Envelope,
    face: Face,
  ): Promise<string> => {
    const params = message.params ?? {};
    const rounds = openRounds(service, { caller, method: message.method, params }, capabilities);
    const context: CallContext = {
      signal: lane.signal,
      progress: progressOn(lane, params),
      log: logOn(lane, () => (face.capabilities['logging'] ? logLevel : undefined)),
      clientCapabilities: capabilities,
      ask: (questions) => rounds.ask(questions),
      ...(rounds.inputResponses ? { inputResponses: rounds.inputResponses } : {}),
      ...(rounds.state === undefined ? {} : { requestState: rounds.state }),
    };
    const outcome = await operation.run(service, { caller, params, context });
    if (outcome.kind !== 'input') return write(outcome, operation, face);
    if (!operation.asks) throw new RpcError(CODES.internal, `${message.method} cannot ask the client`);
    return JSON.stringify(withServer(rounds.result(outcome.required), face));
  };

  const answer = async (message: Request, caller: Caller, lane: Lane, headers?: Headers): Promise<string> => {
    const version = headers && { version: header(headers, 'mcp-protocol-version') };
    const envelope = readEnvelope(message.params, version);
    if (headers) checkStandardHeaders(message, headers);
    const face = await service.face();
    if (message.method === 'server/discover') return discover(face);
    if (message.method === 'subscriptions/listen') {
      const closing = await listening.listen(message, caller, lane);
      return JSON.stringify(withServer({ resultType: 'complete', ...closing }, face));
    }
    const operation = OPERATIONS.get(message.method);
    if (!operation || !face.capabilities[operation.capability]) {
      throw new RpcError(CODES.methodNotFound, `Method not found: ${shown(message.method)}`, { status: 404 });
    }
    if (headers && message.method === 'tools/call') await checkDeclared(service, message.params ?? {}, caller, headers);
    return operate(operation, message, caller, lane, envelope, face);
  };

  return {
    async request(message, caller, lane, headers) {
      const way = finishable(lane);
      try {
        return { text: resultText(message.id, await answer(message, caller, way, headers)), status: 200 };
      } catch (error) {
        return errorReply(message.id, inWords(error));
      } finally {
        way.finish();
      }
    },
    close: () => listening.close(),
  };
}

function discover(face: Face): string {
  return JSON.stringify(
    withServer(
      {
        resultType: 'complete',
        supportedVersions: MODERN_VERSIONS,
        capabilities: face.capabilities,
        ...(face.instructions === undefined ? {} : { instructions: face.instructions }),
        ...NO_CACHE,
      },
      face,
    ),
  );
}

function write(outcome: Exclude<Outcome, { kind: 'input' }>, { cacheable }: Operation, face: Face): string {
  const hints = cacheable ? NO_CACHE : {};
  if (outcome.kind === 'value') {
    return JSON.stringify(withServer({ ...outcome.value, resultType: 'complete', ...hints }, face));
  }
  const { key, items, text, nextCursor, meta } = outcome;
  const rest = {
    resultType: 'complete',
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...(meta ? { _meta: meta } : {}),
    ...hints,
  };
  const tail = JSON.stringify(withServer(rest, face)).slice(1);
  return `{${JSON.stringify(key)}:${text ?? listText(items)},${tail}`;
}

/** Every result names the server; a name the handler wrote itself wins. */
function withServer(result: Record<string, unknown>, face: Face): Record<string, unknown> {
  const meta = result['_meta'];
  return { ...result, _meta: { [META.serverInfo]: face.info, ...(isObject(meta) ? meta : {}) } };
}

async function checkDeclared(service: Service, params: Params, caller: Caller, headers: Headers): Promise<void> {
  const { name, arguments: args } = params;
  if (typeof name !== 'string' || !isObject(args)) return;
  const host = await service.host();
  const tool = host.find ? await host.find(caller, name) : (await host.list(caller)).find((each) => each.name === name);
  if (tool) checkParameterHeaders(declarations(tool), args, headers);
}

/** Errors in the words of this revision. */
function inWords(error: unknown): RpcError {
  if (isNamed(error, 'UnknownToolError')) return new RpcError(CODES.invalidParams, shown(error.message));
  if (isNamed(error, 'UnknownResourceError')) {
    return new RpcError(CODES.invalidParams, error.message, {
      data: { uri: (error as Error & { uri?: unknown }).uri },
    });
  }
  if (isNamed(error, 'MissingCapabilityError')) {
    const { required } = error as Error & { required?: unknown };
    return new RpcError(CODES.missingCapability, error.message, {
      data: { requiredCapabilities: required },
      status: 400,
    });
  }
  return toRpcError(error);
}
