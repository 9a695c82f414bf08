// Programs that send: what of this machine goes into them, and what they run on the other.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { after, exact, type Field, heads, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

const BODY = /^(-d|--data|--data-raw|--data-binary|--data-urlencode|--data-ascii|--json|-F|--form|--url-query)$/;

/** `curl`: `@file` in a body, a form or a header is a file that is sent; `-X` other than reads changes something there. */
export const curl: Special = (bench): Stream => {
  const { options, operands } = bench.ordinary();
  const { stdin } = bench.invocation;
  if (options.some(({ name }) => /^(-O|--remote-name|-J)/.test(name)))
    for (const field of operands) {
      const base = (exact(field) ?? '').replace(/[?#].*/, '').replace(/.*\//, '');
      for (const cwd of bench.invocation.state.cwds ?? []) bench.walker.findings.written.add(`${cwd}/${base}`);
    }
  for (const { name, value } of options) {
    if (!value) continue;
    const text = exact(value) ?? heads(value)[0] ?? '';
    const at = BODY.test(name)
      ? /^(?:[^@<=]*=)?[@<]/.exec(text)?.[0].length
      : /^(-H|--header|-b|--cookie|-w|--write-out)$/.test(name) && text.startsWith('@')
        ? 1
        : undefined;
    if (at !== undefined) {
      const file = after(value, at);
      if (exact(file)?.startsWith('-')) sendsInput(bench, stdin);
      else if (!name.startsWith('-w'))
        bench.role(
          'upload',
          /[;,]/.test(exact(file) ?? '')
            ? textField((exact(file) as string).split(/[;,]/)[0] as string, value.span)
            : file,
        );
    }
    if (/^(-X|--request)$/.test(name) && !/^(GET|HEAD|OPTIONS)$/i.test(exact(value) ?? '')) {
      bench.report('ask', 'sends-request', `curl ${name} ${value.source} may change what is on another machine`);
    }
    if (/^(-T|--upload-file)$/.test(name) && exact(value) === '-') sendsInput(bench, stdin);
  }
  return { network: true, secret: false };
};

function sendsInput(bench: Bench, stdin: Stream): void {
  if (stdin.secret) bench.report('deny', 'sends-keys', 'key material is sent to another machine');
}

/** Options of ssh that run a command here. */
const LOCAL =
  /^(ProxyCommand|LocalCommand|KnownHostsCommand|Match|PermitLocalCommand|SecurityKeyProvider|PKCS11Provider|ProxyUseFdpass)\s*[= ]\s*(.*)$/is;

/** `ssh HOST COMMAND`: the words are joined and run by a shell there. */
export const ssh: Special = (bench): Stream => {
  const { options, operands, unlisted, unsure } = bench.ordinaryWithoutOperands();
  const { stdin, span } = bench.invocation;
  if (
    options.some(({ name }) => /^-[VGQ]$/.test(name)) &&
    operands.length <= 1 &&
    unlisted.length + unsure.length === 0
  )
    return UNKNOWN;
  for (const { name, value } of options) {
    if (name !== '-o' || !value) continue;
    const text = exact(value);
    const match = text === undefined ? null : LOCAL.exec(text);
    if (text === undefined) bench.report('ask', 'option-unknown', `ssh -o ${value.source} is not known before it runs`);
    else if (match && match[2] !== 'none') bench.shell(textField(match[2] as string, value.span));
  }
  bench.report('ask', 'remote', `ssh works on another machine`);
  if (stdin.secret) bench.report('deny', 'sends-keys', 'key material is sent to another machine');
  const words = operands.slice(1);
  if (words.length === 0) return { network: true, secret: false };
  const change = { remote: true, asRoot: false, cwds: undefined };
  const texts = words.map((word) => exact(word));
  if (words.length === 1) bench.shell(words[0]!, change);
  else if (texts.every((text) => text !== undefined)) bench.shell(textField(texts.join(' '), span), change);
  else bench.report('ask', 'code-unknown', 'the command for the other machine is not known before it runs');
  return { network: true, secret: false };
};

/** `host:path`. */
const far = (field: Field): boolean => /^[^/]*:/.test(exact(field) ?? heads(field)[0] ?? '');

/** `scp FROM... TO`. */
export const scp: Special = (bench): Stream => {
  const { operands } = bench.ordinaryWithoutOperands();
  const target = operands.at(-1);
  bench.report('ask', 'remote', 'copies between machines');
  for (const each of operands.slice(0, -1))
    if (!far(each)) bench.role('upload', each, { recursive: true, network: true });
  if (target && !far(target)) bench.role('into', target);
  return { network: true, secret: false };
};

const SHELL_ACROSS = /^(-[a-z]*[ec]|--exec|--sh-exec)$/;

/** Connections by hand: key material in, or a shell out, is denied; everything else asks. */
export const sender: Special = (bench): Stream => {
  const { stdin, fields, span } = bench.invocation;
  const name = exact(fields[0]) ?? '';
  bench.ordinary();
  if (stdin.secret) bench.report('deny', 'sends-keys', `${name} gets key material`);
  if (/^(nc|ncat|netcat|socat)$/.test(name.replace(/.*\//, ''))) {
    const shellOut = fields.some((field, i) => {
      const text = exact(field) ?? heads(field)[0] ?? '';
      return /\b(EXEC|SYSTEM|SHELL):/i.test(text) || (SHELL_ACROSS.test(text) && fields[i + 1] !== undefined);
    });
    if (shellOut) bench.report('deny', 'remote-shell', `${name} gives a shell of this machine to another`);
  }
  if (/^(rclone|s3cmd|ftp|tftp|lftp|croc|wormhole|magic-wormhole|ssh-copy-id)$/.test(name)) {
    for (const field of fields.slice(1))
      if (!bench.zones(field)?.every(({ zone }) => zone !== 'key'))
        bench.report('deny', 'sends-keys', `${name} gets ${field.source} (${span[0]})`);
  }
  return { network: true, secret: false };
};
