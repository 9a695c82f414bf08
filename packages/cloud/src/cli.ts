// The program `hanzo-cloud`: which verb, with which settings. Verbs are loaded when they are asked for.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { readConfig, SETTINGS } from './config.ts';
import { VerbError, type VerbContext } from './verbs/context.ts';

const HELP = `hanzo-cloud: a tool plane for agents, on your own machines

  hanzo-cloud serve                 runs the plane; without a verb too
  hanzo-cloud doctor [--json]       what works here, and what would mend the rest
  hanzo-cloud keys create|list|revoke
  hanzo-cloud audit verify|export
  hanzo-cloud backup FILE, restore FILE
  hanzo-cloud version, help

Settings are flags, environment variables, or members of a JSON object in a file (--config FILE, HANZO_CONFIG); the former win.

${SETTINGS.map(([name, flag, variable, help]) => `  --${flag} (${variable}; ${name})\n      ${help}`).join('\n')}

  HANZO_KEK                the vault's key: base64 of 32 random bytes; HANZO_KEK_PREVIOUS while it is changed
  CLOUD_TOOLS_FEE_CENTS    the fee of one tool call, in cents; default none
`;

function version(): string {
  // beside both src/ and dist/
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const warn = (line: string): void => void process.stderr.write(`${line}\n`);

/** Answers the exit code. Throws VerbError for what the person has to mend. */
async function main(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (argv.some((each) => each === '--help' || each === '-h')) return say(HELP);
  if (argv.some((each) => each === '--version' || each === '-V')) return say(`${version()}\n`);
  const { config, rest } = readConfig(argv, env);
  const verb = rest[0] === undefined || rest[0].startsWith('-') ? 'serve' : rest[0];
  const args = verb === rest[0] ? rest.slice(1) : rest;
  const context: VerbContext = { database: config.database, print, warn };
  switch (verb) {
    case 'serve':
      return (await import('./verbs/serve.ts')).serveVerb(args, context, config, version());
    case 'doctor':
      return (await import('./verbs/doctor.ts')).doctorVerb(args, context, config);
    case 'keys':
      return (await import('./verbs/keys.ts')).keysVerb(args, context);
    case 'audit':
      return (await import('./verbs/audit.ts')).auditVerb(args, context);
    case 'backup':
      return (await import('./verbs/backup.ts')).backupVerb(args, context);
    case 'restore':
      return (await import('./verbs/backup.ts')).restoreVerb(args, context);
    case 'version':
      return say(`${version()}\n`);
    case 'help':
      return say(HELP);
    default:
      throw new VerbError(
        `unknown verb '${verb}'. The verbs are: serve, doctor, keys, audit, backup, restore, version, help`,
        2,
      );
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  // a mistake of the person's, or of the machine's; the stack helps with neither
  const known = error instanceof VerbError;
  process.stderr.write(`hanzo-cloud: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = known ? error.exitCode : 1;
}
