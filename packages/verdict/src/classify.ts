// The two questions that are answered: what is the verdict on a command, and what was understood of it.
import { createJudge } from './commands/judge.ts';
import { Findings } from './findings.ts';
import { standardRules } from './rules/index.ts';
import { Variables } from './shell/env.ts';
import { wholeText } from './shell/source.ts';
import { NOTHING, type Stream, UNKNOWN } from './shell/state.ts';
import { Walker } from './shell/walk.ts';
import type { Explanation, Question, Verdict } from './types.ts';

/** Longest command that is looked at; longer ones ask. */
const MOST_CHARACTERS = 100_000;

/**
 * Judges a whole shell program without running it. Never throws for what the command is; whatever cannot be decided asks.
 * Looks at the machine only through `question.machine`.
 */
export function classify(question: Question): Verdict {
  return look(question).verdict();
}

/** The same, with the tree of what was understood. */
export function explain(question: Question): Explanation {
  return look(question).explanation();
}

function look(question: Question): Findings {
  const findings = new Findings();
  const { command, cwd, machine = {} } = question;
  const ask = (rule: string, message: string): void =>
    findings.report({ rule, decision: 'ask', message, command, span: [0, command.length] });
  if (command.length > MOST_CHARACTERS) {
    ask('too-long', `the command has more than ${MOST_CHARACTERS} characters`);
    return findings;
  }
  if (command.includes('\0')) {
    ask('not-parsed', 'the command holds a NUL character');
    return findings;
  }
  const variables = new Variables(machine);
  variables.set('PWD', [cwd]);
  const judge = createJudge(question, question.rules ?? standardRules());
  const walker = new Walker(judge, findings, machine.home);
  try {
    walker.code(wholeText(command), {
      variables,
      cwds: [cwd],
      functions: new Map(),
      aliases: new Map(),
      positional: [],
      asRoot: machine.root ?? false,
      remote: false,
      calls: [],
      stdin: stdinOf(question),
      depth: 0,
    });
  } catch (error) {
    // deep recursion over hostile input is the only thing that may end here
    ask(
      'too-deep',
      `the command could not be followed to its end: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return findings;
}

function stdinOf({ stdin }: Question): Stream {
  if (stdin === undefined) return NOTHING;
  return stdin === 'unknown' ? UNKNOWN : { text: stdin.text, network: false, secret: false };
}
