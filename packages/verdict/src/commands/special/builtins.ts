// The shell's own commands that change what the rest of the program means.
import { isDangerousVariable } from '../../shell/env.ts';
import { joinPlaces, NOTHING, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, possible, textField } from '../../shell/value.ts';
import type { Special } from '../types.ts';
import { judgeVariable } from '../variables.ts';

const DONE = { ...NOTHING, none: false };

/** `test -v 'a[$(id)]'`, `let`, `read 'a[...]'`: an index is evaluated, and what stands in it runs. */
function evaluated(fields: readonly Field[], bench: Parameters<Special>[0]): void {
  for (const field of fields)
    if (/\[[^\]]*([$]\(|`)/.test(exact(field) ?? ''))
      bench.report('ask', 'runs-code', `${field.source} is evaluated, with the command in it`);
}

/** Builtins that mostly look, of which some options load, run or write. */
const CHANGES: Readonly<Record<string, RegExp>> = {
  bind: /^-(x|f|\w*x)/,
  enable: /^-[a-z]*[fd]/,
  hash: /^-[a-z]*p/,
  complete: /^-[CF]/,
  compgen: /^-[CF]/,
  fc: /^(?!-\w*l)/,
  history: /^-[a-z]*[wranp]/,
};

export const quiet: Special = (bench) => {
  const [program, ...args] = bench.invocation.fields;
  const name = exact(program) ?? '';
  const pattern = CHANGES[name];
  if (pattern && (args.some((field) => pattern.test(exact(field) ?? '')) || (name === 'fc' && args.length === 0)))
    bench.report('ask', 'runs-code', `${name} loads, runs or writes what is not judged here`);
  if (/^(test|\[|\[\[|let|expr)$/.test(name)) evaluated(args, bench);
  return DONE;
};

/** `cd DIR`: from here on the program runs there. */
export const cd: Special = (bench) => {
  const { fields, state } = bench.invocation;
  const [target] = fields.slice(1).filter((field) => !/^-[LPe@]*$/.test(exact(field) ?? '') || exact(field) === '-');
  if (target === undefined) {
    const { home } = bench.question.machine ?? {};
    state.cwds = home === undefined ? undefined : [home];
    return DONE;
  }
  const places = exact(target) === '-' || state.variables.has('CDPATH') ? undefined : bench.zones(target);
  const open = places === undefined || places.length === 0 || places.some((each) => each.open || each.all);
  // both where it says and where its links lead; a pattern may be any directory below
  state.cwds = open ? undefined : places.map((each) => each.path);
  bench.note(state.cwds === undefined ? 'goes to a directory that is not known' : `goes to ${state.cwds[0]}`);
  return DONE;
};

export const popd: Special = (bench) => {
  bench.invocation.state.cwds = undefined;
  return DONE;
};

/** `eval WORDS`: the words, joined by blanks, are code. */
export const evaluate: Special = (bench) => {
  const [, ...args] = bench.invocation.fields;
  const [first] = args;
  if (first === undefined) return DONE;
  if (args.length === 1) return bench.walker.codeOf(first, bench.invocation.source, bench.invocation.state);
  const texts = args.map((field) => exact(field));
  if (texts.some((text) => text === undefined)) {
    bench.report('ask', 'code-unknown', 'the code given to eval is not known before it runs');
    return UNKNOWN;
  }
  return bench.walker.codeOf(
    textField(texts.join(' '), bench.invocation.span),
    bench.invocation.source,
    bench.invocation.state,
  );
};

/** `source FILE`, `. FILE`: its code runs here. */
export const source: Special = (bench) => {
  const [, file, ...args] = bench.invocation.fields;
  if (file === undefined) return DONE;
  const places = bench.zones(file);
  const only = places?.length === 1 && !places[0]!.open && !places[0]!.all ? places[0] : undefined;
  // a virtual environment's own script, which sets PATH and a prompt
  if (
    only &&
    /(^|\/)(\.?v?env|\.venv)\/bin\/activate(\.fish|\.csh)?$/.test(only.path) &&
    (only.zone === 'inside' || only.zone === 'temporary')
  )
    return DONE;
  const text =
    only && !bench.walker.findings.written.has(only.path) ? bench.question.machine?.read?.(only.path) : undefined;
  if (text === undefined) {
    bench.report('ask', 'script-unknown', `what is in ${file.source} is not known`);
    return UNKNOWN;
  }
  bench.note(`reads ${only?.path}`);
  return bench.shellText(text, args.length > 0 ? { positional: args } : {});
};

/** `exec CMD`: runs it in place of the shell; without one it only redirects. */
export const exec: Special = (bench) => {
  const { operands, options } = bench.read();
  // `command -v git` only says where it is
  if (options.some(({ name }) => /^-[vV]$/.test(name))) return DONE;
  return operands.length === 0 ? DONE : bench.command(operands);
};

/** `trap CODE SIGNAL`: the code runs later. */
export const trap: Special = (bench) => {
  const args = bench.invocation.fields.slice(1).filter((field) => exact(field) !== '--');
  const [code] = args;
  const text = code && exact(code);
  if (code === undefined || args.length < 2 || text === '-' || text === '' || /^-[lp]+$/.test(text ?? '')) return DONE;
  bench.shell(code);
  return DONE;
};

/** `alias NAME=CODE`: from here on NAME is that code. */
export const alias: Special = (bench) => {
  const { state } = bench.invocation;
  for (const field of bench.invocation.fields.slice(1)) {
    const text = exact(field);
    if (text === undefined) bench.report('ask', 'alias-unknown', `${field.source} names a command that is not known`);
    const cut = text?.indexOf('=') ?? -1;
    if (text !== undefined && cut > 0) state.aliases.set(text.slice(0, cut), text.slice(cut + 1));
  }
  return DONE;
};

/** `export`, `declare`, `local`, `readonly`, `typeset`: NAME=VALUE words set variables. */
export const variables: Special = (bench) => {
  const { state } = bench.invocation;
  evaluated(bench.invocation.fields.slice(1), bench);
  for (const field of bench.invocation.fields.slice(1)) {
    const [first] = field.pieces;
    const match = first?.kind === 'text' ? /^(\w+)(\+?)=/.exec(first.text) : null;
    if (!match) {
      // the name itself is not known: any variable may be meant
      if (first?.kind === 'hole') bench.report('ask', 'variable', `${field.source} may set any variable`);
      continue;
    }
    const [whole, name = '', plus] = match;
    const value = after(field, whole.length);
    if (isDangerousVariable(name)) judgeVariable(name, value, bench);
    if (bench.walker.findings.tainted(field.span)) state.variables.secrets.add(name);
    state.variables.set(name, plus === '+' ? 'unknown' : (possible(value) ?? 'unknown'));
  }
  return DONE;
};

/** `read NAME`, `mapfile NAME`, `getopts SPEC NAME`, `unset NAME`: what the names hold is not known any more. */
export const unknownVariables: Special = (bench) => {
  const { state } = bench.invocation;
  evaluated(bench.invocation.fields.slice(1), bench);
  for (const field of bench.invocation.fields.slice(1)) {
    const text = exact(field);
    if (text === undefined || !/^\w+$/.test(text)) continue;
    if (isDangerousVariable(text) && text !== 'IFS') bench.report('ask', 'variable', `${text} changes which code runs`);
    state.variables.set(text, 'unknown');
  }
  return DONE;
};

/** `set -- A B` gives new `$1 $2`; options of the shell change nothing that matters. */
export const set: Special = (bench) => {
  const { fields, state } = bench.invocation;
  const at = fields.findIndex((field) => exact(field) === '--');
  if (at > 0) (state as { positional: readonly Field[] | undefined }).positional = fields.slice(at + 1);
  return DONE;
};

export const shift: Special = (bench) => {
  const { fields, state } = bench.invocation;
  const count = Number(exact(fields[1]) ?? 1);
  (state as { positional: readonly Field[] | undefined }).positional = Number.isInteger(count)
    ? state.positional?.slice(count)
    : undefined;
  state.cwds = joinPlaces(state.cwds, state.cwds);
  return DONE;
};
