// Interpreters of other languages: their code is not read here, so code given on the line or through a pipe asks.
import { NOTHING, type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact } from '../../shell/value.ts';
import type { Special } from '../types.ts';

/** The options of the rule say which take code (`code`) and which name a module; the first operand is a script of the project. */
export const interpreter: Special = (bench): Stream => {
  const { options, operands, unlisted, unsure } = bench.read();
  const { stdin, state } = bench.invocation;
  if (options.some((each) => each.rule.dry)) return { ...NOTHING, none: false };
  for (const each of [...unlisted, ...unsure]) {
    bench.report(
      'ask',
      'option-unlisted',
      `no rule says what ${each.source} means to ${exact(bench.invocation.fields[0]) ?? 'it'}`,
    );
  }
  let code = false;
  for (const { rule, value, name } of options) {
    if (rule.decision) bench.report(rule.decision, 'option', `${name} ${rule.why ?? 'is for a person to decide'}`);
    if (!value || !rule.value) continue;
    if (rule.value === 'command') {
      // `-m module args`: the module is a program by its own name
      return bench.command([value, ...operands]);
    }
    if (rule.value === 'code') code = true;
    bench.role(rule.value, value);
    // `java -jar FILE`: what follows is for the program
    if (name === '-jar') return UNKNOWN;
  }
  if (code) return UNKNOWN;
  const [script] = operands;
  if (script === undefined || exact(script) === '-') {
    if (stdin.none && script === undefined)
      bench.report('ask', 'interactive', 'an interpreter without a program waits for input');
    else if (stdin.network)
      bench.report(state.asRoot ? 'deny' : 'ask', 'network-code', 'an interpreter runs what comes from the network');
    else bench.report('ask', 'runs-code', 'an interpreter runs code from its input');
    return UNKNOWN;
  }
  bench.role('execute', script);
  return UNKNOWN;
};
