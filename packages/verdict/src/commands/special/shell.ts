// Shells: `sh -c CODE`, `bash FILE ARGS`, code on standard input.
import { NOTHING, type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact } from '../../shell/value.ts';
import type { Special } from '../types.ts';

export const shell: Special = (bench): Stream => {
  const { fields, stdin, state } = bench.invocation;
  const args = fields.slice(1);
  let code = false;
  let fromInput = false;
  let at = 0;
  for (; at < args.length; at++) {
    const text = exact(args[at]);
    if (text === undefined) {
      if (!code) {
        bench.role('script', args[at]!);
        return UNKNOWN;
      }
      break;
    }
    if (text === '--') {
      at++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    if (/^--(version|help|dump-(po-)?strings)$/.test(text)) return { ...NOTHING, none: false };
    if (/^--(rcfile|init-file)$/.test(text)) {
      const file = args[++at];
      if (file) bench.role('script', file);
      continue;
    }
    if (
      /^--(login|noprofile|norc|posix|restricted|verbose|noediting|debugger|private|no-config|no-execute|command)$/.test(
        text,
      )
    ) {
      if (text === '--command') code = true;
      continue;
    }
    if (text.startsWith('--')) {
      const attached = /^--(?:command|init-command)=/.test(text);
      bench.report(
        'ask',
        'option-unlisted',
        `no rule says what ${text} means to a shell${attached ? '; it may be code' : ''}`,
      );
      continue;
    }
    // -o and -O take a word; -C is fish's code to begin with
    if (/^[-+][a-zA-Z]*[oO]$/.test(text) && !text.includes('c')) at++;
    if (text.startsWith('-') && text.includes('c')) code = true;
    if (text.startsWith('-') && text.includes('s')) fromInput = true;
    if (/^-[a-zA-Z]*[oO]$/.test(text) && text.includes('c')) at++;
  }
  if (code) {
    const [program, zero, ...rest] = args.slice(at);
    if (program === undefined) return UNKNOWN;
    bench.note('runs shell code');
    return bench.shell(program, { positional: zero === undefined ? [] : rest });
  }
  const [file, ...rest] = args.slice(at);
  if (file !== undefined && !fromInput && exact(file) !== '-' && exact(file) !== '/dev/stdin') {
    const places = bench.zones(file);
    const only = places?.length === 1 && !places[0]!.open && !places[0]!.all ? places[0] : undefined;
    // a process substitution that brings a program from the network
    if (exact(file)?.startsWith('/dev/fd/')) {
      bench.report(state.asRoot ? 'deny' : 'ask', 'code-unknown', 'a shell runs what a command prints');
      return UNKNOWN;
    }
    const text =
      only && !bench.walker.findings.written.has(only.path) ? bench.question.machine?.read?.(only.path) : undefined;
    if (text !== undefined) {
      bench.note(`reads the script ${file.source}`);
      return bench.shellText(text, { positional: rest });
    }
    bench.role('execute', file);
    return UNKNOWN;
  }
  if (stdin.text !== undefined && !stdin.none) {
    bench.note('runs shell code from its input');
    return bench.shellText(stdin.text, { stdin: NOTHING });
  }
  if (stdin.network)
    bench.report(state.asRoot ? 'deny' : 'ask', 'network-code', 'a shell runs what comes from the network');
  else if (stdin.none) bench.report('ask', 'interactive', 'a shell without a command waits for input');
  else bench.report('ask', 'code-unknown', 'a shell runs code that is not known before');
  return UNKNOWN;
};
