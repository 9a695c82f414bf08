// Clients of databases: their own commands can start a shell; of SQL only plain questions are let through.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact, type Field, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

const nameOf = (bench: Bench): string => (exact(bench.invocation.fields[0]) ?? '').replace(/.*\//, '');
const DOTS =
  /^\.(tables?|schema|headers?|mode|databases|indexes|indices|width|nullvalue|separator|show|timer|stats|explain|eqp|echo|bail|quit|exit|help|fullschema|dump|dbinfo|changes|limit|version|print)\b[^|]*$/;
const QUESTION = /^(\s*(select|with|explain|values)\b|\s*pragma\s+[\w.]+\s*(\(\s*[\w'".]+\s*\))?\s*$)/i;
const NOT_PLAIN =
  /\b(insert|update|delete|drop|alter|create|replace|attach|detach|vacuum|reindex|copy|install|load|export|import|truncate|set|into|call|grant)\b|\b(load_extension|writefile|edit|readfile|fts3_tokenizer|getenv|eval|read_\w+)\s*\(|:\/\//i;

function question(text: string, field: Field, bench: Bench): void {
  for (const line of text.split('\n')) {
    const runs = /^\s*\.(?:shell|system|sh)\s+(.*)$/.exec(line);
    if (runs) bench.shell(textField(runs[1] as string, field.span));
    else if (/^\s*\./.test(line) && !DOTS.test(line.trim()))
      bench.report('ask', 'runs-code', `${line.trim().slice(0, 60)} runs code, or reads or writes other files`);
  }
  const sql = text
    .split('\n')
    .filter((line) => !/^\s*\./.test(line))
    .join('\n');
  // whichever of text and comment begins first holds the other
  const bare = sql.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith("'") ? "''" : ' ',
  );
  for (const each of bare.split(';')) {
    if (each.trim() === '') continue;
    if (!QUESTION.test(each) || NOT_PLAIN.test(each) || sql.includes('://'))
      return bench.report('ask', 'changes-data', `${each.trim().slice(0, 60)} may change or drop data`);
  }
}

export const sqlite: Special = (bench): Stream => {
  const args = bench.invocation.fields.slice(1);
  const { stdin, span } = bench.invocation;
  const plain: Field[] = [];
  for (let i = 0; i < args.length; i++) {
    const text = exact(args[i]);
    const option = text?.replace(/^--/, '-');
    if (option !== undefined && /^-(version|help)$/.test(option)) return UNKNOWN;
    if (option === undefined || !option.startsWith('-')) {
      plain.push(args[i]!);
      continue;
    }
    const value = args[i + 1];
    if (/^-(cmd|c|s)$/.test(option) && value) {
      i++;
      const code = exact(value);
      if (code === undefined) bench.report('ask', 'code-unknown', `what ${value.source} asks is not known`);
      else question(code, value, bench);
    } else if (/^-(separator|newline|nullvalue|mmap|maxsize|lookaside|heap|pagecache|vfs)$/.test(option)) i++;
    else if (
      !/^-(header|noheader|csv|json|column|line|list|table|box|markdown|html|quote|ascii|tabs|readonly|batch|bail|echo|stats|interactive|safe|nofollow)$/.test(
        option,
      )
    )
      bench.report('ask', 'option-unlisted', `no rule says what ${text} means to ${nameOf(bench)}`);
  }
  const [file, ...texts] = plain;
  if (file && exact(file) !== ':memory:') bench.role('read', file);
  for (const field of texts) {
    const text = exact(field);
    if (text === undefined)
      bench.report('ask', 'code-unknown', `what ${field.source} asks is not known before it runs`);
    else question(text, field, bench);
  }
  if (texts.length === 0) {
    if (stdin.text === undefined || stdin.none)
      bench.report('ask', 'code-unknown', `${nameOf(bench)} takes its commands from its input`);
    else question(stdin.text, textField(stdin.text, span), bench);
  }
  return UNKNOWN;
};

/** Clients of a server: always ask; the commands among them are judged. */
export const server: Special = (bench): Stream => {
  const { fields, stdin, span } = bench.invocation;
  const name = nameOf(bench);
  if (fields.length === 2 && /^(--version|-V|--help|-\?|-l|--list)$/.test(exact(fields[1]) ?? '')) return UNKNOWN;
  bench.report('ask', 'changes-data', `${name} works on a database of its own`);
  const texts = [...fields.slice(1).map((field) => exact(field) ?? ''), stdin.none ? '' : (stdin.text ?? '')];
  for (const text of texts) {
    for (const [, code] of text.matchAll(/(?:^|\n|;)\s*(?:-\w|--\w+=)?(?:\\!|\bsystem\s|!!)\s*(.*)/g))
      bench.shell(textField(code as string, span));
    for (const [, code] of text.matchAll(/\bprogram\s+\$?'((?:[^']|'')*)'/gi))
      bench.shell(textField((code as string).replaceAll("''", "'"), span));
  }
  return { network: true, secret: false };
};

export const redis: Special = (bench): Stream => {
  const args = bench.invocation.fields.slice(1);
  let at = 0;
  while (/^(-n|--raw|--no-raw|--json|--csv|-3|-2)$/.test(exact(args[at]) ?? '')) at += exact(args[at]) === '-n' ? 2 : 1;
  const verb = exact(args[at])?.toLowerCase();
  if (
    !/^(ping|info|dbsize|get|mget|keys|exists|ttl|pttl|type|scan|hget|hgetall|hkeys|hlen|lrange|llen|smembers|scard|zrange|zcard|strlen|time|--version|-v|--help|memory|role|lastsave)$/.test(
      verb ?? '',
    )
  )
    bench.report('ask', 'changes-data', `${nameOf(bench)} ${verb ?? ''} may change data, or works on another machine`);
  return { network: true, secret: false };
};
