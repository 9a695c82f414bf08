// Whatever was thrown, as an RFC 9457 document. The one place where errors meet the wire.
import { STATUS_CODES } from 'node:http';
import { ToolFailed } from '../core/failed.ts';
import { Problem } from '../core/problem.ts';

/** Any error as a refusal. What is not one of ours says nothing of itself: its words may hold anything. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ToolFailed) {
    return new Problem(424, error.message, { code: 'tool_failed', more: { result: error.result }, cause: error });
  }
  return new Problem(500, 'The plane failed at this; its log has the cause under the request id.', { cause: error });
}

/** The members of the document; those of the envelope win over an operation's own. */
export function documentOf({ status, code, message, more }: Problem, requestId: string): Record<string, unknown> {
  return { ...more, status, title: STATUS_CODES[status] ?? 'Error', detail: message, code, requestId, error: message };
}
