// The command line: finds the verb, prints what went wrong in one line, and ends with the right code.
import process from 'node:process';
import { closest, readFlags, SERVE_FLAGS, SERVER_FLAGS, toConfig, toServeOptions, UsageError } from './flags.ts';
import { loadCatalog } from './catalog.ts';
import { serve } from './verbs/serve.ts';

const VERBS = ['serve', 'list-tools', 'call', 'install', 'uninstall', 'doctor', 'version', 'help'] as const;
type Verb = (typeof VERBS)[number];

const catalog = loadCatalog(new URL('./catalog.json', import.meta.url));

/** Runs one command line; resolves to the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const { verb, rest } = route(argv);
  switch (verb) {
    case 'serve': {
      const { values, positionals } = readFlags(rest, SERVE_FLAGS);
      noMore(positionals);
      return serve(toConfig(values, catalog.version), toServeOptions(values), catalog);
    }
    case 'list-tools': {
      const { values, positionals } = readFlags(rest, { ...SERVER_FLAGS, json: { type: 'boolean' } });
      noMore(positionals);
      const { listTools } = await import('./verbs/list-tools.ts');
      return listTools(toConfig(values, catalog.version), catalog, values['json'] === true);
    }
    case 'call': {
      const { call } = await import('./verbs/call.ts');
      return call(rest, catalog);
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

/** No verb means `serve`; `--version` and `--help` are verbs too. */
function route(argv: readonly string[]): { verb: Verb; rest: readonly string[] } {
  const [first, ...rest] = argv;
  if (first === '--version' || first === '-V') return { verb: 'version', rest };
  if (argv.includes('--help') || argv.includes('-h')) return { verb: 'help', rest };
  if (first === undefined || first.startsWith('-')) return { verb: 'serve', rest: argv };
  const verb = VERBS.find((each) => each === first);
  if (verb) return { verb, rest };
  throw new UsageError(unknownVerb(first));
}

function unknownVerb(given: string): string {
  const bare = given.replaceAll(/^['"]|['"]$/g, '');
  if (bare !== given || /\s/.test(given)) {
    return (
      `'${given}' arrived as one quoted word. In a client's configuration the command is the program alone and every ` +
      'argument is an element of "args"; on Windows use double quotes. `hanzo-mcp install` writes it right'
    );
  }
  const meant = closest(given, VERBS);
  return `unknown verb '${given}'${meant ? `; did you mean '${meant}'?` : ''} The verbs are: ${VERBS.join(', ')}`;
}

function noMore(positionals: readonly string[]): void {
  if (positionals.length > 0) {
    throw new UsageError(
      `unexpected '${positionals[0]}'; flags are written --name value, and lists with commas (--tools fs,exec)`,
    );
  }
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
