// `sed` and `awk`: small languages that can write files and run commands. What is not surely harmless asks.
import type { Stream } from '../../shell/state.ts';
import { exact, type Field, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

export const sed: Special = (bench): Stream => {
  const args = bench.ordinaryWithoutOperands();
  const { options, operands } = args;
  const scripts = options.filter(({ name }) => /^(-e|--expression)$/.test(name)).map(({ value }) => value);
  const files = [...operands];
  const inFile = options.some(({ name }) => /^(-f|--file)$/.test(name));
  if (inFile) bench.report('ask', 'script-unknown', 'sed takes its script from a file');
  else if (scripts.length === 0) scripts.push(files.shift());
  const inPlace = options.some(({ rule }) => rule.operands === 'write');
  for (const each of scripts) if (each) sedScript(each, bench);
  for (const each of files) bench.role(inPlace ? 'write' : 'read', each);
  const { stdin } = bench.invocation;
  return { network: stdin.network, secret: stdin.secret };
};

function sedScript(field: Field, bench: Bench): void {
  const text = exact(field);
  if (text === undefined) {
    // an unknown replacement can be code for the `e` flag
    return bench.report('ask', 'script-unknown', `the sed script ${field.source} is not known before it runs`);
  }
  let at = 0;
  const place = (): void => {
    const rest = /^[^\n;}]*/.exec(text.slice(at))?.[0] ?? '';
    bench.role('write', { ...textField(rest.trim(), field.span, rest.trim()) });
    at += rest.length;
  };
  const delimited = (end: string): boolean => {
    for (; at < text.length; at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '[') {
        const close = text.indexOf(']', at + 2);
        if (close > 0 && !text.slice(at, close).includes('\n') && text.slice(at, close).includes(end)) at = close;
      } else if (text[at] === end) {
        at++;
        return true;
      }
    }
    return false;
  };
  const unclear = (): void => {
    bench.report('ask', 'script-unknown', `the sed script ${field.source} is not understood`);
    at = text.length;
  };
  while (at < text.length) {
    // addresses
    const sign = text[at]!;
    if (/[\s;{},!0-9$~+]/.test(sign) || sign === '}') at++;
    else if (sign === '/') {
      at++;
      if (!delimited('/')) return unclear();
      while (/[IM]/.test(text[at] ?? '')) at++;
    } else if (sign === '\\' && at + 1 < text.length) {
      const end = text[at + 1]!;
      at += 2;
      if (!delimited(end)) return unclear();
    } else if (sign === 's' || sign === 'y') {
      const end = text[at + 1];
      if (end === undefined || end === '\n' || end === '\\') return unclear();
      at += 2;
      if (!delimited(end) || !delimited(end)) return unclear();
      if (sign === 's') {
        for (; /[gpimMIe0-9w]/.test(text[at] ?? ''); at++) {
          if (text[at] === 'e') bench.report('ask', 'runs-code', 'the e flag of sed runs what it made as a command');
          if (text[at] === 'w') {
            at++;
            place();
            break;
          }
        }
      }
    } else if (sign === 'w' || sign === 'W') {
      at++;
      place();
    } else if (sign === 'e') {
      at++;
      const code = /^[^\n]*/.exec(text.slice(at))?.[0] ?? '';
      at += code.length;
      if (code.trim() === '') bench.report('ask', 'runs-code', 'the e command of sed runs its input');
      else bench.shell(textField(code.trim(), field.span));
    } else if (sign === 'r' || sign === 'R') {
      at++;
      const file = /^[^\n]*/.exec(text.slice(at))?.[0] ?? '';
      bench.role('read', textField(file.trim(), field.span));
      at += file.length;
    } else if (/[aic]/.test(sign)) {
      // text up to a line end that is not escaped
      while (at < text.length && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
    } else if (/[bTt:]/.test(sign)) at += /^[^\n;}]*/.exec(text.slice(at))![0].length;
    else if (sign === '#') at += /^[^\n]*/.exec(text.slice(at))![0].length;
    else if (/[dDgGhHlnNpPqQx=FvzL]/.test(sign)) at++;
    else return unclear();
  }
}

/** Anything in an awk program that leaves it: commands, pipes, files, loaded code. */
const LEAVES = /\bsystem\s*\(|\|&?|(?<![=<>!]) ?>>?(?!=)|\bgetline\b|@(load|include)|\bclose\s*\(|\bfflush\b/;

export const awk: Special = (bench): Stream => {
  const { options, operands } = bench.ordinaryWithoutOperands();
  const files = [...operands];
  const sources = options.filter(({ name }) => /^(-e|--source)$/.test(name)).map(({ value }) => value);
  const inFile = options.some(({ name }) => /^(-f|--file|-E|--exec)$/.test(name));
  if (inFile) bench.report('ask', 'script-unknown', 'awk takes its program from a file');
  else if (sources.length === 0) sources.push(files.shift());
  for (const field of sources) if (field) awkProgram(field, bench);
  for (const field of files) if (!/^\w+=/.test(exact(field) ?? '')) bench.role('read', field);
  const { stdin } = bench.invocation;
  return { network: stdin.network, secret: stdin.secret };
};

function awkProgram(field: Field, bench: Bench): void {
  const text = exact(field);
  if (text === undefined)
    return bench.report('ask', 'script-unknown', `the awk program ${field.source} is not known before it runs`);
  // commands that stand there literally are judged as such
  for (const [, code] of text.matchAll(/\bsystem\s*\(\s*"((?:[^"\\]|\\.)*)"\s*\)/g)) {
    bench.shell(textField((code as string).replaceAll(/\\(.)/g, '$1'), field.span));
  }
  const bare = withoutTexts(text);
  if (!LEAVES.test(bare)) return;
  // `a || b`, and `>` in a pattern or a condition, compare
  const compared = bare.replaceAll('||', ' ').replaceAll(/\([^(){}]*\)/g, (part) => part.replaceAll('>', ' '));
  const outside = compared
    .replaceAll(/\{[^{}]*\}/g, (part) => part.replaceAll(/\b(if|while)\s*\([^)]*\)/g, ' '))
    .replaceAll(/[^{}]*(?=\{|$)/g, (part, at: number) =>
      depthAt(compared, at) === 0 ? part.replaceAll(/>=?/g, ' ') : part,
    );
  if (LEAVES.test(outside)) bench.report('ask', 'runs-code', 'the awk program runs commands or writes files');
}

function depthAt(text: string, end: number): number {
  let depth = 0;
  for (let i = 0; i < end; i++) depth += text[i] === '{' ? 1 : text[i] === '}' ? -1 : 0;
  return depth;
}

/** The program without its texts, regular expressions and comments. */
function withoutTexts(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|#[^\n]*|(?<=(?:^|[~!,;&|({\n])\s*)\/(?:[^/\\\n]|\\.)+\//g, (part) =>
    part.startsWith('"') ? '""' : ' ',
  );
}
