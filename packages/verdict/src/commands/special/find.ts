// `find`: an expression in which -exec runs commands, -delete deletes and -fprint writes.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact, type Field, mayBeOption } from '../../shell/value.ts';
import type { Special } from '../types.ts';

const RUNS = /^-(exec|execdir|ok|okdir)$/;
const WRITES = /^-(fprint|fprint0|fls|fprintf)$/;
const TAKES =
  /^-(name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|type|xtype|size|mtime|atime|ctime|mmin|amin|cmin|newer|newer..|anewer|cnewer|user|group|uid|gid|perm|maxdepth|mindepth|links|inum|samefile|lname|ilname|printf|fstype|used|D|context|Bmin|Btime|flags)$/;
const ALONE =
  /^(-(print|print0|ls|prune|quit|depth|d|follow|mount|xdev|x|X|H|L|P|E|s|f|empty|executable|readable|writable|true|false|not|and|or|a|o|noleaf|daystart|ignore_readdir_race|noignore_readdir_race|nouser|nogroup|warn|nowarn|O\d|files0-from|acl|xattr|help|version|-help|-version)|[()!,])$/;

/** `fd PATTERN -x COMMAND`: all that follows is the command, which gets each file or all of them. */
export const fd: Special = (bench): Stream => {
  const args = bench.invocation.fields.slice(1);
  const at = args.findIndex((field) => /^(-\w*[xX]|--exec(-batch)?)(=|$)/.test(exact(field) ?? ''));
  for (const field of at < 0 ? args : args.slice(0, at)) {
    const text = exact(field);
    if (field.pieces[0]?.kind === 'hole' && !field.pieces[0].quoted)
      bench.report('ask', 'option-unknown', `${field.source} may be an option of fd`);
    if (text?.startsWith('--exec')) bench.report('ask', 'option', 'fd runs a command');
  }
  if (at < 0) return UNKNOWN;
  const file: Field = {
    ...args[at]!,
    pieces: [{ kind: 'hole', why: 'a file that is found', quoted: true }],
    source: '{}',
  };
  const words = args.slice(at + 1).map((field): Field => (/\{[./]*\}/.test(exact(field) ?? '') ? file : field));
  if (words.length === 0) bench.report('ask', 'option', 'fd runs a command');
  else bench.command(words.includes(file) ? words : [...words, file]);
  return UNKNOWN;
};

export const find: Special = (bench): Stream => {
  const args = bench.invocation.fields.slice(1);
  const starts: Field[] = [];
  let at = 0;
  while (at < args.length && /^-([HLP]+|O\d|D)$/.test(exact(args[at]) ?? '')) at += exact(args[at]) === '-D' ? 2 : 1;
  for (; at < args.length; at++) {
    const text = exact(args[at]);
    if (text !== undefined && /^[-(!,]/.test(text)) break;
    // what may turn out an action must be asked for; a start that is a pattern or has a known beginning may not
    if (text === undefined && mayBeOption(args[at]!))
      bench.report('ask', 'option-unknown', `${args[at]!.source} may be an action of find`);
    starts.push(args[at]!);
  }
  const where =
    starts.length > 0
      ? starts
      : [
          {
            pieces: [{ kind: 'text' as const, text: '.', quoted: true }],
            many: false,
            span: bench.invocation.span,
            source: '.',
          },
        ];
  for (const each of where) bench.role('read', each);
  let narrow = false;
  for (; at < args.length; at++) {
    const field = args[at]!;
    const text = exact(field);
    if (text === undefined) {
      bench.report('ask', 'option-unknown', `${field.source} may be an action of find`);
      continue;
    }
    if (RUNS.test(text)) {
      const end = args.findIndex(
        (each, i) => i > at && (exact(each) === ';' || (exact(each) === '+' && exact(args[i - 1]) === '{}')),
      );
      const words = args.slice(at + 1, end < 0 ? args.length : end);
      run(words, where, narrow);
      at = end < 0 ? args.length : end;
    } else if (text === '-delete') {
      for (const each of where) {
        for (const { path, zone, open } of bench.zones(each) ?? [
          { path: each.source, zone: 'elsewhere' as const, open: true },
        ]) {
          if (open)
            bench.report(
              'ask',
              'place-unknown',
              `find deletes under ${each.source}, which cannot be told before it runs`,
            );
          else if (zone !== 'root' || !narrow) bench.role('delete', each, { recursive: true });
          bench.note(`deletes under ${path}`);
        }
      }
    } else if (WRITES.test(text)) {
      if (args[at + 1]) bench.role('write', args[at + 1]!);
      at += text === '-fprintf' ? 2 : 1;
    } else if (TAKES.test(text)) {
      if (/^-(i?name|i?path|i?wholename|i?regex|type|mtime|mmin|size|newer.*|empty)$/.test(text))
        narrow ||= !/^-(type|size)$/.test(text) && exact(args[at + 1]) !== '*';
      at++;
    } else if (/^-files0-from$/.test(text)) {
      bench.report('ask', 'option', 'find takes its starting points from a file');
      at++;
    } else if (!ALONE.test(text)) bench.report('ask', 'option-unlisted', `no rule says what ${text} means to find`);
  }
  return UNKNOWN;

  /** `{}` is some file below a starting point. */
  function run(words: readonly Field[], starts_: readonly Field[], narrowed: boolean): void {
    for (const start of starts_) {
      const fields = words.map((word): Field => {
        const text = exact(word);
        if (text === undefined || !text.includes('{}')) return word;
        if (text !== '{}') return { ...word, pieces: [{ kind: 'hole', why: text, quoted: true }] };
        return {
          ...word,
          pieces: [
            ...start.pieces,
            { kind: 'text', text: '/', quoted: true },
            { kind: 'glob', text: narrowed ? 'x*' : '*' },
          ],
        };
      });
      bench.command(fields);
    }
  }
};
