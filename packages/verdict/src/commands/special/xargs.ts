// `xargs COMMAND`: what is read becomes arguments, and nothing is known of it.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact, type Field, textField } from '../../shell/value.ts';
import type { Special } from '../types.ts';

export const xargs: Special = (bench): Stream => {
  const { options, operands } = bench.ordinaryWithoutOperands();
  const { stdin, span } = bench.invocation;
  const hole: Field = {
    pieces: [{ kind: 'hole', why: 'a line of input', quoted: true }],
    many: true,
    span,
    source: '{}',
  };
  const replaced = options.find(({ name }) => /^(-I|-i|--replace|-J)$/.test(name));
  const mark = replaced ? ((replaced.value && exact(replaced.value)) ?? '{}') : undefined;
  const lines =
    stdin.text === undefined || stdin.none
      ? undefined
      : stdin.text.split(mark === undefined ? /[\s\0]+/ : /[\n\0]+/).filter((each) => each !== '');
  const command = operands.length > 0 ? operands : [textField('echo', span)];
  const quoted = lines?.some((line) => /['"\\]/.test(line)) ?? true;
  const given = lines && !quoted && lines.length <= 64 ? lines.map((line) => textField(line, span)) : [hole];
  if (mark === undefined) return bench.command([...command, ...given], { stdin: UNKNOWN });
  let made: Stream = UNKNOWN;
  for (const each of given) {
    const fields = command.map((word): Field => {
      const text = exact(word);
      if (text === undefined || !text.includes(mark)) return word;
      if (text === mark) return each;
      const value = exact(each);
      return value === undefined
        ? {
            ...word,
            pieces: text
              .split(mark)
              .flatMap((part, i) => [
                ...(i > 0 ? each.pieces : []),
                ...(part === '' ? [] : [{ kind: 'text' as const, text: part, quoted: true }]),
              ]),
          }
        : { ...word, pieces: [{ kind: 'text', text: text.replaceAll(mark, value), quoted: true }] };
    });
    made = bench.command(fields, { stdin: UNKNOWN });
  }
  return made;
};
