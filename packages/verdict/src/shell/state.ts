// What holds at a point of a program: variables, where it runs and as whom, what it reads.
import type { Function as FunctionNode } from 'unbash';
import type { Variables } from './env.ts';
import type { Source } from './source.ts';
import type { Field } from './value.ts';

/** What flows through a pipe. */
export interface Stream {
  /** exactly what is in it, if that is known */
  readonly text?: string;
  /** it came from another machine */
  readonly network: boolean;
  /** it holds key material, or may */
  readonly secret: boolean;
  /** nothing is piped in: the command's own standard input */
  readonly none?: boolean;
}

export const NOTHING: Stream = { network: false, secret: false, none: true, text: '' };
export const UNKNOWN: Stream = { network: false, secret: false };

export interface Definition {
  readonly node: FunctionNode;
  readonly source: Source;
}

export interface State {
  readonly variables: Variables;
  /** where it may be running; undefined if that is not known */
  cwds: readonly string[] | undefined;
  readonly functions: Map<string, Definition>;
  /** alias name to its text */
  readonly aliases: Map<string, string>;
  readonly positional: readonly Field[] | undefined;
  readonly asRoot: boolean;
  /** on another machine: no path of this one means anything */
  readonly remote: boolean;
  /** definitions of the functions being run, outermost first */
  readonly calls: readonly object[];
  readonly stdin: Stream;
  /** levels of code within code */
  readonly depth: number;
}

/** A state of its own, as a subshell has it. */
export function fork(state: State, change: Partial<State> = {}): State {
  return {
    ...state,
    variables: state.variables.copy(),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
    ...change,
  };
}

/** What holds after `state` went on in one of two ways. */
export function joinInto(state: State, other: State): void {
  state.variables.join(other.variables);
  state.cwds = joinPlaces(state.cwds, other.cwds);
  for (const [name, definition] of other.functions) state.functions.set(name, definition);
  for (const [name, text] of other.aliases) state.aliases.set(name, text);
}

export function joinPlaces(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return undefined;
  const both = [...new Set([...a, ...b])];
  return both.length > 8 ? undefined : both;
}
