// Package managers: scripts are followed into the project's own manifest; fetching code to run it asks.
import { type Stream, UNKNOWN } from '../../shell/state.ts';
import { exact, textField } from '../../shell/value.ts';
import type { Bench, Special } from '../types.ts';

/** The scripts of the nearest package.json, or undefined if it cannot be read. */
function scriptsOf(bench: Bench): ReadonlyMap<string, string> | undefined {
  const { cwds } = bench.invocation.state;
  const [cwd] = cwds ?? [];
  if (cwd === undefined) return undefined;
  const text = bench.question.machine?.read?.(`${cwd}/package.json`);
  if (text === undefined) return undefined;
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    if (typeof scripts !== 'object' || scripts === null) return new Map();
    return new Map(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return undefined;
  }
}

const OWN_VERBS = /^(test|t|tst|start|stop|restart|build|lint|dev)$/;
const DEPTH = 4;

/** `npm run NAME`: the script, the one before it and the one after it are shell code with known text. */
export const npm: Special = (bench): Stream => {
  const args = bench.ordinary();
  const { state, fields } = bench.invocation;
  const [sub] = args.path;
  const tool = exact(fields[0])?.replace(/.*\//, '');
  if (tool === 'bun' && fields.some((field) => /^(-e|-p|--eval|--print)/.test(exact(field) ?? '')))
    bench.report('ask', 'runs-code', 'bun runs code given on the line');
  if (sub === undefined && args.unknownSub === undefined) return UNKNOWN;
  let name: string | undefined;
  if (sub === 'run' || sub === 'run-script') name = args.operands[0] && exact(args.operands[0]);
  else if (sub !== undefined && OWN_VERBS.test(sub) && !(tool === 'bun' && sub === 'test'))
    name = sub === 't' || sub === 'tst' ? 'test' : sub;
  else if (sub === undefined && args.unknownSub) {
    name = exact(args.unknownSub);
    if (name === undefined || tool === 'npm' || tool === 'cnpm') {
      bench.report('ask', 'subcommand-unlisted', `no rule says what ${tool} ${args.unknownSub.source} does`);
      return UNKNOWN;
    }
  } else return { network: true, secret: false };
  if (name === undefined) {
    if (args.operands.length > 0)
      bench.report('ask', 'script-unknown', `which script ${tool} runs is not known before`);
    return UNKNOWN;
  }
  if ([...bench.walker.findings.written].some((file) => file.endsWith('/package.json')))
    bench.report('ask', 'runs-written', `${tool} runs scripts that this program itself has written`);
  const scripts = scriptsOf(bench);
  // a manifest that is not there to be read: the project's own script, whatever it is
  if (scripts === undefined) return UNKNOWN;
  const known = [`pre${name}`, name, `post${name}`].flatMap((each) => scripts.get(each) ?? []);
  if (!scripts.has(name)) {
    // yarn, pnpm and bun run programs of node_modules/.bin by their name
    if (sub === undefined) return bench.command([textField(name, bench.invocation.span), ...args.operands]);
    return UNKNOWN;
  }
  if (state.depth > DEPTH) return UNKNOWN;
  for (const code of known) {
    bench.note(`runs the script "${code}"`);
    bench.shellText(code);
  }
  return UNKNOWN;
};

/** `npx NAME`: a program this package has rules for is taken for that program; any other may be fetched. */
export const npx: Special = (bench): Stream => {
  const args = bench.ordinaryWithoutOperands();
  const { options, operands } = args;
  if (options.some(({ rule }) => rule.dry)) return UNKNOWN;
  const fetched = options.some(({ name }) => /^(-p|--package)$/.test(name));
  if (fetched) bench.report('ask', 'fetches-code', 'npx fetches a package and runs it');
  const [program, ...rest] = operands;
  if (program === undefined) return UNKNOWN;
  const name = exact(program);
  if (name === undefined || !bench.knows(name)) {
    bench.report('ask', 'fetches-code', `npx may fetch ${program.source} and run it`);
    return UNKNOWN;
  }
  return bench.command([program, ...rest]);
};

const PYTHON_LOOKS =
  /^(list|freeze|show|check|search|index|config|debug|help|--version|-V|version|info|tree|env|lock|export|inspect|hash|completion|outdated|graph|--help|-h|cache)$/;
const PYTHON_LOCAL = /^(sync|add|remove|lock|install|update|init|venv|build|new|upgrade|download|wheel|fetch|pin)$/;

/** Python's package managers: inside the project's own environment they write there, else for the whole machine. */
export const pythonPackages: Special = (bench): Stream => {
  const { fields, state } = bench.invocation;
  const words = fields.slice(1).map((field) => exact(field));
  const spelled = exact(fields[0]) ?? '';
  const tool = spelled.replace(/.*\//, '');
  const at = words.findIndex((word) => word !== undefined && !word.startsWith('-'));
  const verb = at < 0 ? (words[0] ?? '--help') : words[at];
  const inside =
    /(^|\/)\.?v?env\/bin\//.test(spelled) ||
    state.variables.has('VIRTUAL_ENV') ||
    tool === 'uv' ||
    tool === 'poetry' ||
    tool === 'pdm' ||
    tool === 'pipenv' ||
    tool === 'rye' ||
    tool === 'hatch';
  if (words.some((word) => word === undefined) && verb !== 'run') {
    if (verb === undefined) bench.report('ask', 'subcommand-unlisted', `what ${tool} does is not known before it runs`);
  }
  if (tool === 'virtualenv') {
    for (const field of fields.slice(1)) if (!(exact(field) ?? '').startsWith('-')) bench.role('into', field);
    return UNKNOWN;
  }
  if (verb === 'run' && inside) {
    const rest = fields.slice(at + 2);
    const start = rest.findIndex((field) => !(exact(field) ?? 'x').startsWith('-'));
    if (
      rest
        .slice(0, Math.max(0, start))
        .some((field) => /^--(with|from|script|python|directory|project)/.test(exact(field) ?? ''))
    )
      bench.report('ask', 'fetches-code', `${tool} may fetch code and run it`);
    return start < 0 ? UNKNOWN : bench.command(rest.slice(start));
  }
  if (tool === 'uv' && verb === 'pip') return { network: true, secret: false };
  if (
    tool !== 'uvx' &&
    verb !== undefined &&
    PYTHON_LOOKS.test(verb) &&
    !(verb === 'config' && words.length > at + 2) &&
    !(verb === 'cache' && /purge|remove|clean|prune/.test(words.join(' ')))
  )
    return { network: true, secret: false };
  if (inside && tool !== 'uvx' && verb !== undefined && PYTHON_LOCAL.test(verb)) {
    if (words.some((word) => /^--(system|break-system-packages|user|target|prefix)$/.test(word ?? '')))
      bench.report('ask', 'installs', `${tool} installs outside the project`);
    return { network: true, secret: false };
  }
  bench.report(
    'ask',
    'installs',
    `${tool} ${verb ?? ''} installs for the whole account, publishes, or runs fetched code`,
  );
  return { network: true, secret: false };
};

const SYSTEM_LOOKS =
  /^(list|ls|search|show|info|policy|depends|rdepends|outdated|deps|uses|leaves|doctor|config|home|desc|cat|formulae|casks|why|what|which|where|whereis|current|help|version|--version|-V|-v|--help|-h|check|check-update|repolist|provides|-q\w*|-l|-L|-s|-S|-W|-Q\w*|-Si|-Ss|--list|--status|--listfiles|--search|--print-architecture|query|env|contents|environment|specification|releases|--prefix|--repository|--cellar|--cache|versions|prefix|root|toolchain|target|component|default|active-toolchain|docs?|list-all|plugin)$/;
const SYSTEM_CHANGES = /^(add|install|remove|set|default|link|uninstall|update|clean)$/;

/** System package managers: looking is a read, everything else changes the machine. */
export const systemPackages: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const words = fields.slice(1).map((field) => exact(field));
  const tool = exact(fields[0])?.replace(/.*\//, '') ?? '';
  const at = words.findIndex((word) => word !== undefined && !word.startsWith('-'));
  const verb = words[0]?.startsWith('-') && /^(dpkg|rpm|pacman)$/.test(tool) ? words[0] : at < 0 ? words[0] : words[at];
  const known = words.every((word) => word !== undefined);
  const looks =
    verb !== undefined &&
    SYSTEM_LOOKS.test(verb) &&
    !/^(-S|-s)$/.test(tool === 'pacman' ? verb : '') &&
    !(at >= 0 && SYSTEM_CHANGES.test(words[at + 1] ?? ''));
  const settings = words.some((word) => /^(-o|-c|--option|--config-file|--eval)/.test(word ?? ''));
  if (!looks || settings || (!known && !/^(search|show|info|list)$/.test(verb)))
    bench.report('ask', 'changes-machine', `${tool} ${verb ?? ''} changes what is installed on the machine`);
  return { network: true, secret: false };
};

const PUBLISHES =
  /(^|[:./_-])(deploy|publish|release|upload|push|drop|destroy|reset|purge|uninstall|bintrayUpload|archive-upload)([:A-Z./_-]|$)/i;

/** Build tools: goals and tasks are the project's own; those that publish or drop ask. */
export const builds: Special = (bench): Stream => {
  const { fields } = bench.invocation;
  const tool = exact(fields[0])?.replace(/.*\//, '') ?? '';
  for (const field of fields.slice(1)) {
    const text = exact(field);
    if (text === undefined)
      bench.report('ask', 'option-unknown', `${field.source} may be a task of ${tool} that is not known before`);
    else if (PUBLISHES.test(text) && !/^-D?skip/i.test(text))
      bench.report('ask', 'publishes', `${tool} ${text} may publish or delete`);
    else if (
      /^(-I|--init-script|-f|--file|--build-file|--settings|-s|--gs)$/.test(text) &&
      /^(gradle|mvn|mvnw|gradlew)$/.test(tool)
    )
      bench.report('ask', 'option', `${tool} ${text} takes its tasks from another file`);
    else if (
      /^(exec:(java|exec)|-e|--eval|eval|repl|global|--command|activate|install)$/.test(text) &&
      !/^(mvn|mvnw|flutter)$/.test(tool)
    )
      bench.report('ask', 'runs-code', `${tool} ${text} runs code or installs`);
    else if (/^https?:\/\//.test(text)) bench.report('ask', 'network-code', `${tool} runs what ${text} is`);
  }
  return { network: true, secret: false };
};
