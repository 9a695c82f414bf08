// Which era a message belongs to: its body decides, a version header only where the body says nothing.
import { CODES, type Message, RpcError } from '../core/rpc.ts';
import { hasClaim } from './2026-07-28/envelope.ts';
import { isModernVersion } from './revisions.ts';

export type Era = 'legacy' | 'modern';

/**
 * The era of one message. `version` is the HTTP version header, undefined where it is missing.
 * A request that says `modern` may still turn out malformed: it is refused there, never served as legacy.
 */
export function eraOf(message: Exclude<Message, { kind: 'invalid' }>, version: string | undefined): Era {
  if (message.kind === 'response') return 'legacy';
  if (hasClaim(message.params)) return 'modern';
  if (version === undefined || !isModernVersion(version)) return 'legacy';
  if (message.kind === 'request' && message.method === 'initialize') {
    throw new RpcError(CODES.headerMismatch, `initialize does not belong to MCP-Protocol-Version ${version}`, {
      status: 400,
    });
  }
  return 'modern';
}
