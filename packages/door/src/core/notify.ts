// The two things a running call may say on its own: progress and log messages. The same words in every revision.
import type { CallContext, LogLevel } from '@hanzo/tool';
import type { Lane } from './lane.ts';
import { isObject, notificationText, type Params } from './rpc.ts';

/** Severity order of RFC 5424, as MCP uses it. */
const LEVELS: readonly string[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === 'string' && LEVELS.includes(value);
}

export const LOG_LEVELS = LEVELS.join(', ');

/** The request's `_meta`, or an empty object. */
export function metaOf(params: Params | undefined): Params {
  const meta = params?.['_meta'];
  return isObject(meta) ? meta : {};
}

/** Progress under the request's own token; values that do not increase are left out (specification, progress). */
export function progressOn(lane: Lane, params: Params | undefined): CallContext['progress'] {
  const progressToken = metaOf(params)['progressToken'];
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => {};
  let last = -Infinity;
  return ({ progress, total, message }) => {
    if (!Number.isFinite(progress) || progress <= last) return;
    last = progress;
    lane.send(
      notificationText('notifications/progress', {
        progressToken,
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      }),
      true,
    );
  };
}

/** Log messages at `level()` and above; none while it gives undefined. */
export function logOn(lane: Lane, level: () => LogLevel | undefined): CallContext['log'] {
  return (severity, data, logger) => {
    const floor = level();
    if (floor === undefined || LEVELS.indexOf(severity) < LEVELS.indexOf(floor)) return;
    const params = { level: severity, ...(logger ? { logger } : {}), data: data ?? null };
    lane.send(notificationText('notifications/message', params), true);
  };
}
