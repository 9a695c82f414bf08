// What can go wrong with an external server, said without its address and without a credential.
import { NetError } from '@hanzo/net';
import type { RemoteStatus } from '../ports/remote.ts';
import { cleaned } from './text.ts';

/** A JSON-RPC error as it came. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface FailureFacts {
  /** HTTP status that told of it */
  readonly http?: number;
  readonly rpc?: RpcError;
  /** the time was over */
  readonly late?: boolean;
  readonly cause?: unknown;
}

/** A failed exchange; the message is a clause that goes after "the server", such as `answered with the HTTP status 500`. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  readonly status: Exclude<RemoteStatus, 'ok'>;
  readonly http: number | undefined;
  readonly rpc: RpcError | undefined;
  readonly late: boolean;

  constructor(status: Exclude<RemoteStatus, 'ok'>, clause: string, facts: FailureFacts = {}) {
    super(clause, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.status = status;
    this.http = facts.http;
    this.rpc = facts.rpc;
    this.late = facts.late ?? false;
  }
}

/** Whose addresses and credentials may not be in a sentence. */
export interface Hidden {
  readonly url: string;
  readonly secret?: string;
}

const LONGEST_SENTENCE = 500;

/** A sentence of the server, fit to be shown: shortened, nothing invisible, its address and the credential taken out. */
function sentenceOf(message: string, { url, secret }: Hidden): string {
  let text = cleaned(message).text.replaceAll(/\s+/g, ' ').trim();
  const bare = secret?.replace(/^[A-Za-z]+ +/, '');
  for (const part of [secret, bare]) {
    if (part !== undefined && part.length >= 4) text = text.replaceAll(part, '[credential]');
  }
  const { host, hostname } = new URL(url);
  text = text.replaceAll(/https?:\/\/[^\s"'<>)]+/gi, '[address]');
  for (const part of [host, hostname]) text = text.replaceAll(part, '[address]');
  return text.length > LONGEST_SENTENCE ? `${[...text].slice(0, LONGEST_SENTENCE).join('')}…` : text;
}

/** The failure an HTTP status or a JSON-RPC error stands for. */
export function answered(http: number, rpc: RpcError | undefined, hidden: Hidden): RemoteFailure {
  const facts: FailureFacts = { http, ...(rpc === undefined ? {} : { rpc }) };
  if (http === 401 || http === 403) {
    const asked = hidden.secret === undefined ? 'wants a credential' : 'refuses the credential';
    return new RemoteFailure('refused', `${asked} (HTTP status ${http})`, facts);
  }
  if (http >= 300 && http < 400) {
    return new RemoteFailure(
      'error',
      `answered with a redirect (HTTP status ${http}), which is not followed: register where it leads`,
      facts,
    );
  }
  if (rpc !== undefined) {
    const sentence = sentenceOf(rpc.message, hidden);
    return new RemoteFailure(
      'error',
      `answered with the error ${rpc.code}${sentence === '' ? '' : `: ${sentence}`}`,
      facts,
    );
  }
  if (http === 429) return new RemoteFailure('error', 'wants fewer requests (HTTP status 429)', facts);
  if (http >= 400) return new RemoteFailure('error', `answered with the HTTP status ${http}`, facts);
  return new RemoteFailure('error', 'gave no answer to the request', facts);
}

/** What a failure of the network means; its own sentence names addresses and is kept as the cause only. */
export function fromNet(error: unknown, most: number): RemoteFailure {
  const code = error instanceof NetError ? error.code : undefined;
  const cause = { cause: error };
  switch (code) {
    case 'blocked':
      return new RemoteFailure('unreachable', 'is at an address that may not be dialled', cause);
    case 'dns':
      return new RemoteFailure('unreachable', 'has a name that does not resolve', cause);
    case 'connect':
      return new RemoteFailure('unreachable', 'cannot be connected to, or dropped the connection', cause);
    case 'tls':
      return new RemoteFailure('unreachable', 'did not prove its identity (TLS)', cause);
    case 'timeout':
      return new RemoteFailure('unreachable', 'did not answer in time', { ...cause, late: true });
    case 'too-large':
      return new RemoteFailure('error', `gave an answer that is too large: more than ${most / 1_048_576} MiB`, cause);
    case 'invalid':
      return new RemoteFailure('error', 'cannot be asked: its address or credential cannot be sent', cause);
    default:
      return new RemoteFailure('error', 'gave an answer that is not HTTP or does not decode', cause);
  }
}
