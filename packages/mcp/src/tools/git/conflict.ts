// What merge, rebase, cherry_pick, pull, stash and apply answer when both sides changed the same lines.
import { shorten, ToolError } from '@hanzo/tool';
import type { Conflict, Status } from './status.ts';

/** True while a commit can only be made of the whole index. */
export function isPaused(operation: string | null): boolean {
  return operation === 'merge' || operation === 'cherry_pick' || operation === 'revert' || operation === 'rebase';
}

/** The refusal with every conflicted path, and the way on. */
export function conflictError(operation: string, conflicts: readonly Conflict[], said?: string): ToolError {
  const names = conflicts.slice(0, 10).map((each) => `${shorten(each.path, 200)} (${each.code})`);
  const rest = conflicts.length > 10 ? ` and ${conflicts.length - 10} more` : '';
  const on = /^(merge|rebase|cherry_pick)$/.test(operation)
    ? `edit them, then ${operation} with sub_action continue and files naming the resolved ones, or sub_action abort`
    : 'edit them, then commit with files naming the resolved ones';
  return new ToolError('CONFLICT', `${operation} has conflicts in ${names.join(', ')}${rest}; ${on}`, {
    operation,
    conflicts: conflicts.slice(0, 200),
    ...(conflicts.length > 200 ? { conflicts_total: conflicts.length } : {}),
    ...(said ? { git: said } : {}),
  });
}

/** The error of a command that stopped: the conflicts if there are any, else `error` itself. */
export function stopped(operation: string, status: Status, error: ToolError): ToolError {
  return status.conflicts.length > 0 ? conflictError(operation, status.conflicts) : error;
}
