// Programs that run another: their own options come first, then the command. The rule says how many words stand before it.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact } from '../../shell/value.ts';
import type { Special } from '../types.ts';

/** Wrappers that run the command as root, or elsewhere. */
const AS_ROOT: ReadonlySet<string> = new Set(['sudo', 'doas', 'pkexec', 'run0', 'su']);

export const wrapper: Special = (bench): Stream => {
  const { operands, options, rule } = bench.ordinaryWithoutOperands();
  const name = exact(bench.invocation.fields[0])?.replace(/.*\//, '') ?? '';
  const before = typeof rule.operands === 'object' ? (rule.operands.first ?? []) : [];
  for (const [i, role] of before.entries()) if (operands[i] && role !== 'command') bench.role(role, operands[i]);
  const command = operands.slice(before.filter((role) => role !== 'command').length);
  const asRoot = AS_ROOT.has(name);
  const change = asRoot ? { asRoot: true } : {};
  if (asRoot) bench.report('ask', 'as-root', `${name} runs a command as another user`);
  // the value of an option is code: `su -c`, `script -c`, `flock -c`
  let made: Stream = UNKNOWN;
  for (const { rule: option, value } of options)
    if (option.value === 'shell' && value) made = bench.shell(value, change);
  if (command.length === 0) return made;
  return bench.command(command, change);
};
