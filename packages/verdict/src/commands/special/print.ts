// Commands whose output is known because their input is: `echo`, `printf`, `cat` of what is piped in.
import { NOTHING, type Stream } from '../../shell/state.ts';
import { exact, type Field, possible } from '../../shell/value.ts';
import type { Special } from '../types.ts';

function textOf(fields: readonly Field[]): string | undefined {
  const texts = fields.map((field) => exact(field));
  return texts.every((text) => text !== undefined) ? texts.join(' ') : undefined;
}

function secret(fields: readonly Field[], bench: Parameters<Special>[0]): boolean {
  return fields.some((field) => bench.walker.findings.tainted(field.span));
}

export const echo: Special = (bench) => {
  const args = bench.invocation.fields.slice(1);
  let escapes = false;
  while (args.length > 0 && /^-[neE]+$/.test(exact(args[0]!) ?? '')) escapes ||= exact(args.shift()!)!.includes('e');
  const text = textOf(args);
  return {
    network: false,
    secret: secret(args, bench),
    ...(text === undefined || (escapes && text.includes('\\')) ? {} : { text: `${text}\n` }),
  };
};

/** Only formats of `%s` and plain text are put together; others are not known. */
export const printf: Special = (bench) => {
  let args = bench.invocation.fields.slice(1);
  if (exact(args[0]) === '-v') {
    const name = exact(args[1]);
    if (/[$]\(|`/.test(name ?? '')) bench.report('ask', 'runs-code', `${name} is evaluated, with the command in it`);
    if (name !== undefined) bench.invocation.state.variables.set(name.replace(/\[.*/, ''), 'unknown');
    return { ...NOTHING, none: false };
  }
  if (exact(args[0]) === '--') args = args.slice(1);
  const [format, ...values] = args;
  const text = format && exact(format);
  const known = values.map((value) => exact(value));
  let made: string | undefined;
  if (text !== undefined && known.every((value) => value !== undefined) && /^([^%\\]|%s|%%|\\n|\\t)*$/.test(text)) {
    made = '';
    // values beyond the last slot start the format anew; without a slot they are not used
    const rest = text.includes('%s') ? [...(known as string[])] : [];
    do {
      made += text.replaceAll(/%s|%%|\\n|\\t/g, (each) =>
        each === '%s' ? (rest.shift() ?? '') : each === '%%' ? '%' : each === '\\n' ? '\n' : '\t',
      );
    } while (rest.length > 0);
  }
  return { network: false, secret: secret(args, bench), ...(made === undefined ? {} : { text: made }) };
};

/** `less +COMMAND FILE`: only places in the text are let through. */
export const pager: Special = (bench): Stream => {
  const { fields, stdin } = bench.invocation;
  const commands = fields.slice(1).filter((field) => (exact(field) ?? '').startsWith('+'));
  for (const field of commands)
    if (!/^\+{1,2}(\d*[gGF%]?)$/.test(exact(field) ?? ''))
      bench.report('ask', 'runs-code', `${field.source} may be a command of the pager`);
  bench.with(fields.filter((field) => !commands.includes(field))).ordinary();
  return { network: stdin.network, secret: stdin.secret };
};

/** `pwd`: where it runs, if that is one place. */
export const pwd: Special = (bench): Stream => {
  const { cwds } = bench.invocation.state;
  return {
    network: false,
    secret: false,
    ...(cwds?.length === 1 && !bench.invocation.state.remote ? { text: `${cwds[0]}\n` } : {}),
  };
};

/** Without operands what is piped in comes out. */
export const cat: Special = (bench): Stream => {
  const { operands } = bench.ordinary();
  const { stdin } = bench.invocation;
  const through = operands.every((field) => possible(field)?.every((text) => text === '-'));
  return through && operands.length <= 1 ? { ...stdin, none: false } : { network: false, secret: false };
};
