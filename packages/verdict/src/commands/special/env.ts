// `env NAME=VALUE... COMMAND`, and `env -S 'one string'`.
import { isDangerousVariable } from '../../shell/env.ts';
import { NOTHING, type Stream } from '../../shell/state.ts';
import { after, exact, type Field } from '../../shell/value.ts';
import type { Special } from '../types.ts';
import { judgeVariable } from '../variables.ts';

export const environment: Special = (bench): Stream => {
  const { options, operands, unlisted, unsure } = bench.read();
  for (const each of [...unlisted, ...unsure])
    bench.report('ask', 'option-unlisted', `no rule says what ${each.source} means to env`);
  for (const { name, value } of options) {
    if (/^(-S|--split-string)$/.test(name) && value) return bench.shell(value);
    if (/^(-C|--chdir)$/.test(name) && value)
      bench.report('ask', 'directory', `env changes the directory to ${value.source}`);
  }
  const rest: Field[] = [...operands];
  while (rest.length > 0) {
    const [first] = rest[0]!.pieces;
    const match = first?.kind === 'text' ? /^([^=]+)=/.exec(first.text) : null;
    if (!match) break;
    const name = match[1] as string;
    if (isDangerousVariable(name)) judgeVariable(name, after(rest[0]!, name.length + 1), bench);
    rest.shift();
  }
  if (rest.length === 0) return { ...NOTHING, none: false, secret: false };
  if (rest[0] && exact(rest[0]) === undefined) bench.note('the command is not known');
  return bench.command(rest);
};
