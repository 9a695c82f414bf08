// `hanzo-cloud serve`: runs the plane until it is told to end, and says how to reach it.
import process from 'node:process';
import type { Config } from '../config.ts';
import { createLogger } from '../http/log.ts';
import { createPlane } from '../plane.ts';
import { VerbError, type VerbContext } from './context.ts';

/** Resolves to the exit code when the plane has ended. The first key and the address go to standard output, logs to standard error. */
export async function serveVerb(
  args: readonly string[],
  { print }: VerbContext,
  config: Config,
  version: string,
): Promise<number> {
  if (args.length > 0)
    throw new VerbError(`'${args.join(' ')}' is not understood: hanzo-cloud help lists the settings`, 2);
  const logger = createLogger({ level: config.logLevel });
  // Listened for before anything is printed: whoever reads the address may ask for the end at once.
  const toldToEnd = ended();
  const plane = await createPlane({ config, version, logger });
  const reach = config.publicUrl?.replace(/\/+$/, '') ?? plane.url;
  print(`hanzo-cloud ${version} at ${reach}`);
  if (plane.firstKey !== undefined) {
    print('');
    print('This is the first key, of the operator admin/admin. It is shown this once and kept nowhere:');
    print('');
    print(`  ${plane.firstKey}`);
  }
  print('');
  for (const line of howTo(reach, plane.firstKey === undefined ? '$HANZO_API_KEY' : plane.firstKey)) print(line);
  logger.info('serving', {
    url: plane.url,
    version,
    store: config.database.startsWith('postgres') ? 'postgres' : 'sqlite',
  });
  const signal = await toldToEnd;
  logger.info('ending', { signal, grace: config.grace });
  await plane.close();
  logger.info('ended');
  return 0;
}

function howTo(url: string, key: string): readonly string[] {
  return [
    'Look around:',
    `  curl -H 'Authorization: Bearer ${key}' ${url}/v1/tool`,
    `  curl ${url}/v1/openapi.json`,
    'Connect an agent:',
    `  claude mcp add --transport http hanzo ${url}/v1/mcp --header 'Authorization: Bearer ${key}'`,
    `  codex, cursor, gemini, vscode: an HTTP server at ${url}/v1/mcp with the same header`,
    `Health: ${url}/healthz, ${url}/readyz, ${url}/metrics. It ends cleanly on Ctrl-C or SIGTERM.`,
  ];
}

/** A second signal ends the process at once. */
function ended(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });
}
