// The command line: finds the verb, prints what went wrong in one line, and ends with the right code.
import process from 'node:process';
import { closest, readFlags, SERVE_FLAGS, SERVER_FLAGS, toConfig, toServeOptions, UsageError } from './flags.ts';
import { loadCatalog } from './catalog.ts';
import { serve } from './verbs/serve.ts';

const VERBS = [
  'serve',
  'list-tools',
  'call',
  'search',
  'verdict',
  'install',
  'uninstall',
  'doctor',
  'version',
  'help',
] as const;
type Verb = (typeof VERBS)[number];

const catalog = loadCatalog(new URL('./catalog.json', import.meta.url));

/** Runs one command line; resolves to the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const { verb, rest } = route(argv);
  // The door has its own listener: to a server the end of its reader is the end.
  if (verb !== 'serve' && verb !== 'search') process.stdout.on('error', ignoreClosedOutput);
  switch (verb) {
    case 'serve': {
      const { values, positionals } = readFlags(rest, SERVE_FLAGS);
      noMore(positionals, argv);
      return serve(toConfig(values, catalog.version), toServeOptions(values), catalog);
    }
    case 'list-tools': {
      const { values, positionals } = readFlags(rest, { ...SERVER_FLAGS, json: { type: 'boolean' } });
      noMore(positionals, argv);
      const { listTools } = await import('./verbs/list-tools.ts');
      return listTools(toConfig(values, catalog.version), catalog, values['json'] === true);
    }
    case 'call': {
      const { call } = await import('./verbs/call.ts');
      return call(rest, catalog);
    }
    case 'search': {
      const { searchVerb } = await import('./verbs/search/verb.ts');
      return searchVerb(rest);
    }
    case 'verdict': {
      const { verdictVerb } = await import('./verbs/verdict.ts');
      return verdictVerb(rest);
    }
    case 'install':
    case 'uninstall': {
      const { installVerb } = await import('./verbs/install/verb.ts');
      return installVerb(verb, rest);
    }
    case 'doctor': {
      const { doctorVerb } = await import('./verbs/doctor/verb.ts');
      return doctorVerb(rest);
    }
    case 'version':
      process.stdout.write(`${catalog.version}\n`);
      return 0;
    case 'help': {
      const { HELP } = await import('./verbs/help.ts');
      process.stdout.write(HELP);
      return 0;
    }
  }
}

/** No verb means `serve`; `--version` and `--help` are verbs too, and stand for the one they follow. */
function route(argv: readonly string[]): { verb: Verb; rest: readonly string[] } {
  const [first, ...rest] = argv;
  // Its pattern may be any word, and it has a help of its own.
  if (first === 'search') return { verb: 'search', rest };
  const asks = (...names: readonly string[]): boolean => argv.some((each) => names.includes(each));
  if (asks('--help', '-h')) return { verb: 'help', rest };
  if (asks('--version', '-V', '-v')) return { verb: 'version', rest };
  if (first === undefined || first.startsWith('-')) return { verb: 'serve', rest: argv };
  const verb = VERBS.find((each) => each === first);
  if (verb) return { verb, rest };
  throw new UsageError(unknownVerb(first));
}

function unknownVerb(given: string): string {
  const bare = given.replaceAll(/^['"]|['"]$/g, '');
  if (bare.trimStart().startsWith('{')) {
    return "a configuration is no argument: it belongs into the client's own file, and `hanzo-mcp install --client NAME` writes it there";
  }
  if (bare !== given || /\s/.test(given)) {
    return (
      `'${given}' arrived as one quoted word. In a client's configuration the command is the program alone and every ` +
      'argument is an element of "args"; on Windows use double quotes. `hanzo-mcp install` writes it right'
    );
  }
  const meant = closest(given, VERBS);
  return `unknown verb '${given}'${meant ? `; did you mean '${meant}'?` : '.'} The verbs are: ${VERBS.join(', ')}`;
}

function noMore([word]: readonly string[], argv: readonly string[]): void {
  if (word === undefined) return;
  const verb = VERBS.find((each) => each === word);
  if (verb !== undefined) {
    const rest = argv.toSpliced(argv.lastIndexOf(word), 1).filter((each, index) => index > 0 || each !== 'serve');
    throw new UsageError(`the verb comes first: hanzo-mcp ${[verb, ...rest].join(' ')}`);
  }
  throw new UsageError(`unexpected '${word}'; flags are written --name value, and lists with commas (--tools fs,exec)`);
}

/** A reader that has seen enough (`| head`) is no fault: what is left to say is lost, and the exit code stands. */
function ignoreClosedOutput(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // By name: a verb is built apart from this file and has a class of its own.
  if (error instanceof Error && error.name === 'UsageError') {
    process.stderr.write(`hanzo-mcp: ${error.message}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`hanzo-mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
}
