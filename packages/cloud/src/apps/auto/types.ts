// What a connector is: one declaration that is a catalogue entry, a tool, and later a step of a flow (contract, tool plane 6.1).
import type { JsonSchema } from '@hanzo/tool';

export type PropType = 'string' | 'number' | 'boolean' | 'object' | 'array';

export interface PropSpec {
  readonly name: string;
  readonly displayName?: string;
  readonly type: PropType;
  readonly required?: boolean;
  readonly description?: string;
}

/** One request of an action, always through the dial guard: 15 s, and as many bytes and redirects as it says. */
export interface Ask {
  /** default GET */
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** most bytes of the answer; default 5 MiB */
  readonly maxBytes?: number;
  /** redirects followed, each checked anew; default none, because a credential never follows one */
  readonly redirects?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Everything an action can reach. */
export interface RunContext {
  /** validated, from the credential of the caller */
  readonly org: string;
  /** exactly the declared props, of their types; strings are trimmed */
  readonly input: Readonly<Record<string, unknown>>;
  /** outputs of earlier steps by name; absent for a direct call */
  readonly prevOutputs?: ReadonlyMap<string, unknown>;
  readonly signal: AbortSignal;
  /** a credential of this organization for this connector; rejects with `<connector> not connected` */
  token(secretName: string): Promise<string>;
  request(ask: Ask): Promise<Reply>;
}

export interface Action {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly props: readonly PropSpec[];
  run(context: RunContext): Promise<unknown>;
}

/** What can start a flow; metadata only, no code. */
export interface Trigger {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly strategy: 'POLLING' | 'WEBHOOK' | 'APP_WEBHOOK' | 'MANUAL';
  readonly props: readonly PropSpec[];
}

/** `header` is of an organization's own connectors: a value it chose, in a header it named. */
export type AuthType = 'none' | 'bot_token' | 'oauth2' | 'header';

export interface Connector {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly authType: AuthType;
  /** credentials its actions ask for, by the names `token` takes */
  readonly secrets: readonly { readonly name: string; readonly description: string }[];
  readonly actions: readonly Action[];
  readonly triggers: readonly Trigger[];
}

/** An action that did not do its work; the sentence is for whoever called it. */
export class ActionFailed extends Error {
  override readonly name = 'ActionFailed';
}

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'array']);

/** The one mapping for catalogue and tool; `required` is always there, an unknown type is a string (contract 6.1). */
export function schemaOf(props: readonly PropSpec[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      props.map(({ name, type, description }) => [
        name,
        { type: TYPES.has(type) ? type : 'string', ...(description === undefined ? {} : { description }) },
      ]),
    ),
    required: props.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

/** `github_create_issue`: found by exact match, never taken apart, because both halves may hold underscores. */
export function toolName(connector: string, action: string): string {
  return `${connector}_${action}`;
}
