// Which client capability a question needs. The same table in both eras.
import type { ClientRequest } from '@hanzo/tool';
import { isObject } from '../core/rpc.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** What the client lacks for `question`, in the form of client capabilities; undefined where it lacks nothing. */
export function missingFor(question: ClientRequest, has: Capabilities): Record<string, object> | undefined {
  switch (question.method) {
    case 'roots/list':
      return isObject(has['roots']) ? undefined : { roots: {} };
    case 'sampling/createMessage': {
      const { sampling } = has;
      const tools = question.params['tools'] !== undefined;
      if (isObject(sampling) && (!tools || isObject(sampling['tools']))) return undefined;
      return { sampling: tools ? { tools: {} } : {} };
    }
    case 'elicitation/create': {
      const mode = question.params['mode'] === 'url' ? 'url' : 'form';
      return offers(has['elicitation'], mode) ? undefined : { elicitation: { [mode]: {} } };
    }
  }
}

/** A bare `elicitation: {}` means form only (specification 2025-11-25, elicitation). */
function offers(elicitation: unknown, mode: 'form' | 'url'): boolean {
  if (!isObject(elicitation)) return false;
  if (isObject(elicitation[mode])) return true;
  return mode === 'form' && !isObject(elicitation['url']);
}
