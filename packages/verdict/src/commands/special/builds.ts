// Build and test tools that start commands, delete, or publish in some of their forms.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

const nameOf = (bench: Bench): string => exact(bench.invocation.fields[0])?.replace(/.*\//, '') ?? '';

/** Node's tools: some run what they are given, one deletes. */
export const nodeTools: Special = (bench): Stream => {
  const name = nameOf(bench);
  const args = bench.invocation.fields.slice(1);
  const plain = args.filter((field) => !(exact(field) ?? '').startsWith('-'));
  if (name === 'rimraf') {
    for (const field of plain) bench.role('delete', field, { recursive: true });
    return UNKNOWN;
  }
  if (name === 'cross-env') {
    const at = args.findIndex((field) => !/^\w+=/.test(exact(field) ?? field.source));
    return at < 0 ? UNKNOWN : bench.command(args.slice(at));
  }
  if (/^(concurrently|npm-run-all|run-s|run-p)$/.test(name)) {
    for (const field of plain) if (name === 'concurrently') bench.shell(field);
    return UNKNOWN;
  }
  if (/^(tsx|ts-node)$/.test(name)) {
    if (args.some((field) => /^(-e|-p|--eval|--print|-pe|-i)$/.test(exact(field) ?? '')))
      bench.report('ask', 'runs-code', `${name} runs code given on the line`);
    const [script] = plain.filter((field) => exact(field) !== 'watch');
    if (script) bench.role('execute', script);
    return UNKNOWN;
  }
  for (const [i, field] of args.entries()) {
    const text = exact(field) ?? '';
    if (
      /^(-x|--exec|--onSuccess|--on-success)$/.test(text) &&
      args[i + 1] &&
      /^(nodemon|tsup|tsdown|c8|nyc|cpx)$/.test(name)
    )
      bench.shell(args[i + 1]!);
    if (/^(publish|deploy|version|login|eject|telemetry|global|release)$/.test(text))
      bench.report('ask', 'publishes', `${name} ${text} publishes or changes what cannot be taken back`);
  }
  if (/^(c8|nyc)$/.test(name)) {
    const at = args.findIndex((field) => !(exact(field) ?? '-').startsWith('-'));
    if (at >= 0 && !/^(report|check-coverage|merge|instrument)$/.test(exact(args[at]) ?? ''))
      return bench.command(args.slice(at));
  }
  const formats = args.some((field) => /^(--write|-w|--fix|--apply|--in-place)$/.test(exact(field) ?? ''));
  const { operands } = bench.ordinary();
  // what is formatted in place is written
  if (formats) for (const field of operands) bench.role('write', field);
  return UNKNOWN;
};

/** Python's tools and modules that are run by `-m`. */
export const pythonTools: Special = (bench): Stream => {
  const name = nameOf(bench);
  const args = bench.invocation.fields.slice(1);
  const words = args.map((field) => exact(field) ?? '');
  const plain = args.filter((field) => !(exact(field) ?? '').startsWith('-'));
  if (
    /^(http\.server|smtpd|webbrowser|ipython|jupyter|twine|cookiecutter|celery|gunicorn|uvicorn|alembic|ensurepip|pdb|flask)$/.test(
      name,
    ) &&
    !words.some((word) => /^(--version|--help|routes|check|current|history|heads|show)$/.test(word))
  ) {
    bench.report('ask', 'serves-or-publishes', `${name} serves, publishes, or runs code that is not known`);
  }
  if (name === 'pre-commit' && words.some((word) => /install|autoupdate|init-templatedir|uninstall/.test(word)))
    bench.report('ask', 'installs', 'pre-commit installs hooks');
  if (name === 'venv') for (const field of plain) bench.role('into', field);
  if (/^(zipfile|tarfile)$/.test(name) && words.some((word) => /^(-e|-c|--extract|--create)$/.test(word)))
    for (const field of plain) bench.role('write', field);
  if (
    /^(cProfile|trace|timeit)$/.test(name) &&
    words.some((word) => word === '-m' || word === '-s' || name === 'timeit')
  )
    bench.report('ask', 'runs-code', `${name} runs code`);
  const { operands } = bench.ordinary();
  const formats =
    /^(black|isort|autopep8|yapf|pyupgrade)$/.test(name) ||
    (name === 'ruff' && (words.includes('format') || words.includes('--fix')));
  if (formats && !words.some((word) => /^(--check|--check-only|--diff|-d)$/.test(word))) {
    for (const field of operands)
      if (!/^(check|format|rule|linter)$/.test(exact(field) ?? '')) bench.role('write', field);
  }
  return UNKNOWN;
};

const TARGETS =
  /(^|[-_:.])(install|uninstall|deploy|publish|release|push|destroy|upload|purge|nuke|reset-db|dropdb|distclean-all)([-_:.]|$)/;

/** `make`: targets are the project's own; installing and publishing asks, and so does a makefile from elsewhere. */
export const make: Special = (bench): Stream => {
  const args = bench.ordinary();
  const { fields } = bench.invocation;
  const name = nameOf(bench);
  const dry = args.options.some(({ rule }) => rule.dry);
  if (
    [...bench.walker.findings.written].some((file) =>
      /(makefile|CMakeLists\.txt|justfile|\.mk|Taskfile\.\w+)$/i.test(file),
    )
  )
    bench.report('ask', 'runs-written', `${name} runs rules that this program itself has written`);
  const script = fields.findIndex((field) => exact(field) === '-P');
  if (name === 'cmake' && script > 0 && fields[script + 1]) bench.role('execute', fields[script + 1]!);
  for (const { name: option, value } of args.options) {
    if (!/^(-f|--file|--makefile)$/.test(option) || !value) continue;
    const inside = bench.zones(value)?.every(({ zone, open }) => !open && (zone === 'inside' || zone === 'root'));
    if (!inside || exact(value) === '-')
      bench.report('ask', 'script-unknown', `${name} takes its rules from ${value.source}`);
  }
  if (fields.some((field) => /^(-E|--install|--open)$/.test(exact(field) ?? '')) && name === 'cmake')
    bench.report('ask', 'installs', 'cmake installs or runs commands');
  for (const field of args.operands) {
    const text = exact(field);
    if (text === undefined) bench.report('ask', 'operand-unknown', `${field.source} may be any target of ${name}`);
    else if (/^(SHELL|\.SHELLFLAGS|MAKE|PATH)=/.test(text))
      bench.report('ask', 'variable', `${text} changes what ${name} runs`);
    else if (/^[A-Z_]+=/.test(text)) continue;
    else if (!dry && TARGETS.test(text))
      bench.report('ask', 'publishes', `${name} ${text} installs, publishes or deletes`);
  }
  return UNKNOWN;
};

/** Tools around a program: what they start is judged as if it stood alone. */
const STARTS = /^(valgrind|strace|ltrace|perf|ccache|sccache|bear|gdb|lldb|watchexec|entr)$/;

export const compilers: Special = (bench): Stream => {
  const name = nameOf(bench);
  const args = bench.invocation.fields.slice(1);
  const words = args.map((field) => exact(field));
  if (name === 'ldconfig' && !words.some((word) => /^(-p|--print-cache|-v|-V|--version)$/.test(word ?? '')))
    bench.report('ask', 'changes-machine', 'ldconfig changes what programs load');
  if (/^(gdb|lldb|iex)$/.test(name)) bench.report('ask', 'runs-code', `${name} runs commands of its own language`);
  if (
    /^(forge|hardhat|truffle|anchor|cdk|sam|nimble|dub|elm|crystal|gleam|buf)$/.test(name) &&
    words.some((word) =>
      /^(deploy|publish|destroy|bootstrap|script|run|send|create|push|migrate|broadcast|--broadcast)$/.test(word ?? ''),
    )
  )
    bench.report('ask', 'publishes', `${name} changes something elsewhere`);
  if (words.some((word) => /^(-wrapper|-fplugin|-specs|-B|--config-file|--plugin|-Xclang)/.test(word ?? '')))
    bench.report('ask', 'option', `${name} loads or starts code by an option`);
  if (name === 'hyperfine') {
    for (const field of args)
      if (!(exact(field) ?? '-').startsWith('-') && !/^\d+$/.test(exact(field) ?? '')) bench.shell(field);
    return UNKNOWN;
  }
  if (STARTS.test(name)) {
    for (const [i, word] of words.entries())
      if (/^(-o|--output|--log-file)$/.test(word ?? '') && args[i + 1]) bench.role('write', args[i + 1]!);
    const takes = /^(-o|-e|-s|-a|-P|-u|-p|-E|-F|-c|--output|--event)$/;
    let at = 0;
    if (name === 'perf') at = 1;
    while (at < args.length && (words[at] ?? '').startsWith('-')) at += takes.test(words[at] ?? '') ? 2 : 1;
    if (name === 'perf' && !/^(stat|record|trace|mem|c2c|sched|kvm|lock)$/.test(words[0] ?? '')) return UNKNOWN;
    if (args[at] && !/^(gdb|lldb)$/.test(name)) return bench.command(args.slice(at));
    return UNKNOWN;
  }
  const { operands } = bench.ordinary();
  const formats =
    words.some((word) => /^(-w|-i|--write|--in-place|-a|-A|--fix|--autocorrect)$/.test(word ?? '')) &&
    /fmt|format|rubocop|pint|fixer|imports|lint|stylua|taplo|dprint|standardrb/.test(name);
  if (formats) for (const field of operands) bench.role('write', field);
  return UNKNOWN;
};
