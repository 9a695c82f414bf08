// Archivers: which file is the archive, where what is in it goes, and which of their options are commands.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, hasHole, heads, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

/** `tar xfC a.tgz out`: letters without a dash take their values from the words that follow, in order. */
function modern(fields: readonly Field[]): readonly Field[] {
  const [program, letters, ...rest] = fields;
  const text = letters && exact(letters);
  if (!program || !letters || text === undefined || !/^[A-Za-z0-9]+$/.test(text)) return fields;
  const words = [...rest];
  const made = [...text].flatMap((letter) => {
    const option = textField(`-${letter}`, letters.span);
    const value = 'fCbHLNVKXTgFIe'.includes(letter) && letter !== 'e' ? words.shift() : undefined;
    return value ? [option, value] : [option];
  });
  return [program, ...made, ...words];
}

const below = (directory: Field | undefined, field: Field): Field =>
  directory === undefined || (exact(field) ?? heads(field)[0] ?? '').startsWith('/')
    ? field
    : { ...field, pieces: [...directory.pieces, { kind: 'text', text: '/', quoted: true }, ...field.pieces] };

export const tar: Special = (bench): Stream => {
  const inner = bench.with(modern(bench.invocation.fields));
  const { options, operands } = inner.ordinaryWithoutOperands();
  const has = (names: RegExp): boolean => options.some(({ name }) => names.test(name));
  const values = (names: RegExp): Field[] =>
    options.flatMap(({ name, value }) => (names.test(name) && value ? [value] : []));
  for (const each of values(/^--checkpoint-action$/)) {
    const text = exact(each);
    if (text === undefined) bench.report('ask', 'option-unknown', `${each.source} may run a command`);
    else if (text.startsWith('exec=')) bench.shell(after(each, 5));
  }
  const archives = values(/^(-f|--file)$/);
  const directories = values(/^(-C|--directory|--cd)$/);
  const directory = directories.at(-1);
  const local = archives.filter((each) => exact(each) !== '-');
  for (const each of local)
    if (/^[^/]*:/.test(exact(each) ?? heads(each)[0] ?? '') && !has(/^--force-local$/))
      bench.report('ask', 'remote', `the archive ${each.source} is on another machine`);
  if (has(/^(-x|--extract|--get)$/)) {
    for (const each of local) bench.role('read', each);
    if (has(/^(-O|--to-stdout|--to-command)$/)) return UNKNOWN;
    for (const each of directories.length > 0 ? directories : [textField('.', bench.invocation.span)])
      bench.role('into', each);
    for (const each of values(/^--one-top-level$/)) bench.role('into', below(directory, each));
    return UNKNOWN;
  }
  if (has(/^(-c|--create|-r|--append|-u|--update|-A|--concatenate|--catenate|--delete)$/)) {
    for (const each of local) bench.role('write', each);
    for (const each of operands) {
      bench.role('read', below(directory, each), { recursive: true });
      if (has(/^--remove-files$/)) bench.role('delete', below(directory, each), { recursive: true });
    }
    return UNKNOWN;
  }
  for (const each of local) bench.role('read', each);
  return UNKNOWN;
};

/** `zip`: what is to test the archive may be attached to its option. */
export const zip: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const attached = fields.filter((field) => /^-TT./.test(exact(field) ?? heads(field)[0] ?? ''));
  for (const field of attached) bench.shell(after(field, 3));
  bench.with(fields.filter((field) => !attached.includes(field))).ordinary();
  return UNKNOWN;
};

const LISTS = /^-[a-zA-Z]*[lvtpcZz]/;

/** `unzip`, `7z` and their like: they extract here, or where one option says. */
export const unpack: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const name = (exact(fields[0]) ?? '').replace(/.*\//, '');
  const args = fields.slice(1);
  for (const each of args)
    if (hasHole(each) && each.pieces[0]?.kind === 'hole' && !each.pieces[0].quoted)
      bench.report('ask', 'option-unknown', `${each.source} may be an option of ${name}`);
  if (name === 'unzip') return unzip(args, bench);
  const [verb, ...rest] = args;
  const what = exact(verb);
  const into = rest.find((field) => /^-(o|op)./.test(exact(field) ?? heads(field)[0] ?? ''));
  const plain = rest.filter((field) => !(exact(field) ?? heads(field)[0] ?? '').startsWith('-'));
  if (!/^(7z|7za|7zr|7zz|rar|unrar)$/.test(name)) {
    if (!args.some((field) => /^(-l|-h|--help|--version|-V|-t)$/.test(exact(field) ?? '')))
      bench.report('ask', 'extracts', `${name} writes what is in the archive`);
    return UNKNOWN;
  }
  if (what === undefined) {
    if (verb) bench.report('ask', 'subcommand-unlisted', `what ${name} ${verb.source} does is not known`);
    return UNKNOWN;
  }
  const at = (i: number): void => {
    if (plain[i]) bench.role(i === 0 && /^[aud]|rn/.test(what) ? 'write' : 'read', plain[i], { recursive: true });
  };
  if (/^[altbihvpudexP]$|^(rn|vb|vt|lb|lt)$/.test(what)) for (let i = 0; i < plain.length; i++) at(i);
  else bench.report('ask', 'subcommand-unlisted', `no rule says what ${name} ${what} does`);
  if (rest.some((field) => /^-(sdel|df|dw|si|sfx|scs|ilog|x@|i@)/.test(exact(field) ?? '')))
    bench.report('ask', 'option', `${name} deletes what it packed, or takes names from elsewhere`);
  if (/^[xe]$/.test(what)) {
    const last = plain.length > 1 && name.endsWith('rar') ? plain.at(-1) : undefined;
    bench.role('into', into ? after(into, 2) : (last ?? textField('.', bench.invocation.span)));
  }
  return UNKNOWN;
};

function unzip(args: readonly Field[], bench: Bench): Stream {
  let into: Field | undefined;
  let lists = false;
  for (let i = 0; i < args.length; i++) {
    const text = exact(args[i]) ?? heads(args[i]!)[0] ?? '';
    if (text === '-d') into = args[++i];
    else if (/^-[a-zA-Z]*d/.test(text)) {
      const at = text.indexOf('d') + 1;
      into = at < text.length ? after(args[i]!, at) : args[++i];
    } else if (text === '-P' || text === '-x') i++;
    else if (text.includes(':') && text.startsWith('-'))
      bench.report('ask', 'option', 'unzip lets the archive say where its files go');
    else if (text.startsWith('-')) lists ||= LISTS.test(text);
    else if (i === 0 || exact(args[i - 1])?.startsWith('-')) bench.role('read', args[i]!);
  }
  if (!lists && args.length > 0) bench.role('into', into ?? textField('.', bench.invocation.span));
  else if (into) bench.role('into', into);
  return UNKNOWN;
}
