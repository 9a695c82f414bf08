// Short forms for rules of many programs alike: those that only look, those that ask, those whose verbs tell.
import type { CommandRule, OptionRule, ProgramRule, Role } from './types.ts';
import type { Decision } from '../types.ts';

/** Nothing it is given changes anything. */
export const LOOKS = { otherOptions: 'harmless', operands: 'data' } as const satisfies CommandRule;

export function ASK(why: string): CommandRule {
  return { otherOptions: 'harmless', operands: 'data', decision: 'ask', why };
}

/** Programs, by name, that ask whatever they are given. */
export function asks(why: string, names: string, examples: ProgramRule['examples']): ProgramRule {
  return { names: names.split(' '), ...ASK(why), examples };
}

export type Verbs = Readonly<Record<string, CommandRule>>;

/** Verbs that only look; `group: verb verb` is a verb below another. */
export function looks(text: string): Verbs {
  return Object.fromEntries(text.split(' ').map((verb): [string, CommandRule] => [verb, LOOKS]));
}

/** Verbs below a noun: `groups('image volume', 'ls inspect')`. */
export function groups(nouns: string, verbs_: string): Verbs {
  const sub = looks(verbs_);
  return Object.fromEntries(
    nouns.split(' ').map((noun): [string, CommandRule] => [noun, { otherOptions: 'harmless', sub }]),
  );
}

/** A program of which the listed verbs look, and every other asks. */
export function verbs(
  names: readonly string[],
  sub: Verbs,
  examples: Readonly<Record<string, Decision>>,
  options: Readonly<Record<string, OptionRule | Role | 'flag'>> = {},
): ProgramRule {
  return {
    names,
    otherOptions: 'harmless',
    network: true,
    options: { '-h, --help, --version': { dry: true }, ...options },
    sub,
    examples,
  };
}
