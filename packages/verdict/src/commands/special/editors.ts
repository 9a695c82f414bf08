// Editors with a command language: what they are told to run is judged, and what is not surely an edit asks.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact, type Field, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

/** Ex commands that only move, show, set what is seen, or edit the text that is open. */
const HARMLESS =
  /^(q|qa|qall|quit|wq|wqa|x|xa|xit|exit|w|wa|wall|write|update|up|noh|nohlsearch|syntax (on|off)|set? (no)?(nu|number|rnu|wrap|list|ai|et|expandtab|hls|ic|paste|ts|sw|sts|tabstop|shiftwidth|ff|fileformat|ft|filetype|encoding|fileencoding|tw|nocp|bomb)(=\w+)?|retab|d|delete|j|join|p|print|number|u|undo|redo|\$|\d+|s(?<d>[/#|,])(?:[^\\\n=]|\\[^=\n])*)[!]?$/;

function exCommand(text: string, field: Field, bench: Bench): void {
  const line = text
    .trim()
    .replace(/^:+\s*/, '')
    .replace(/^(%|[\d.,$+-]+|'<,'>|g?\/[^/]*\/)\s*/, '');
  const runs = /^!!?\s*([\s\S]*)$/.exec(line) ?? /^(?:r|read|w|write)\s*!\s*([\s\S]*)$/.exec(line);
  if (runs) {
    bench.shell(textField(runs[1] as string, field.span));
    return;
  }
  if (line === '' || HARMLESS.test(line)) return;
  const file = /^(?:w|write|e|edit|sav|saveas|wq|x|tabe|sp|vs)!?\s+([^\s|!`$*?[{<>#%=]+)$/.exec(line);
  if (file) return bench.role('write', textField(file[1] as string, field.span));
  bench.report('ask', 'runs-code', `the editor's command ${text.trim().slice(0, 60)} may run code or write elsewhere`);
}

/** Parts between bars; what follows `!` is the shell's, with its bars. */
function exCommands(field: Field, bench: Bench): void {
  const text = exact(field);
  if (text === undefined)
    return bench.report('ask', 'code-unknown', `the editor's command ${field.source} is not known before it runs`);
  for (const line of text.split('\n')) {
    const bang = line.indexOf('!');
    const head = bang < 0 ? line : line.slice(0, bang);
    const parts = /(^|[^a-z])s[|]/.test(head) ? [head] : head.split('|');
    const last = (parts.pop() ?? '') + (bang < 0 ? '' : line.slice(bang));
    for (const each of [...parts, last]) exCommand(each, field, bench);
  }
}

export const vim: Special = (bench): Stream => {
  const { options, operands, unlisted, unsure } = bench.read();
  const { stdin, span } = bench.invocation;
  const name = (exact(bench.invocation.fields[0]) ?? '').replace(/.*\//, '');
  for (const each of [...unlisted, ...unsure])
    bench.report('ask', 'option-unlisted', `no rule says what ${each.source} means to ${name}`);
  let ex = name === 'ex';
  const files = [...operands];
  for (const { name: option, rule, value } of options) {
    if (rule.decision) bench.report(rule.decision, 'option', `${option} ${rule.why}`);
    if (/^-[eE]s?$/.test(option)) ex = true;
    // in Ex mode `-s` takes no value: it is silent
    if (option === '-s' && ex && value) files.push(value);
    else if (/^(-c|--cmd)$/.test(option) && value) exCommands(value, bench);
    else if (/^(-S|-s|-l|-u|-U)$/.test(option) && value && !/^(NONE|NORC|DEFAULTS)$/.test(exact(value) ?? ''))
      bench.report('ask', 'script-unknown', `${name} runs the commands in ${value.source}`);
    else if (rule.value === 'write' && value) bench.role('write', value);
  }
  for (const each of files) {
    const text = exact(each);
    if (text?.startsWith('+')) exCommands({ ...textField(text.slice(1), each.span), source: each.source }, bench);
    else if (text !== '-') bench.role('write', each);
  }
  if (ex && !stdin.none) {
    if (stdin.text === undefined) bench.report('ask', 'code-unknown', `${name} takes its commands from its input`);
    else exCommands(textField(stdin.text, span), bench);
  }
  return UNKNOWN;
};

/** `ed`: its commands come from its input; a line beginning with `!` is judged even where it may be text. */
export const ed: Special = (bench): Stream => {
  const { operands } = bench.ordinaryWithoutOperands();
  const { stdin, span } = bench.invocation;
  for (const each of operands) {
    const text = exact(each);
    if (text?.startsWith('!')) bench.shell(textField(text.slice(1), each.span));
    else bench.role('write', each);
  }
  if (stdin.text === undefined || stdin.none) {
    bench.report('ask', 'code-unknown', 'ed takes its commands from an input that is not known before');
    return UNKNOWN;
  }
  for (const line of stdin.text.split('\n')) {
    const runs = /^\s*[\d.,$%;+-]*\s*(?:[rwe]\s*)?!\s*(.*)$/i.exec(line);
    if (runs) bench.shell(textField(runs[1] as string, span));
    const file = /^\s*[\d.,$%;]*\s*(?:w|wq|W|e|E|f)\s+([^!].*)$/.exec(line);
    if (file) bench.role('write', textField((file[1] as string).trim(), span));
    if (/^\s*[\d.,$%;]*\s*[gGvV]\b|^\s*[\d.,$%;]*\s*[gGvV][^\w\s].*!/.test(line))
      bench.report('ask', 'runs-code', 'ed runs commands on lines that are found');
  }
  return UNKNOWN;
};
