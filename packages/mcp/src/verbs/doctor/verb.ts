// `hanzo-mcp doctor`: the findings on a terminal, or as JSON; exit code 1 when something is broken.
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { readFlags, toServeOptions, UsageError } from '../../flags.ts';
import { doctor, renderChecks } from './index.ts';

/** Runs the verb; returns the exit code. */
export async function doctorVerb(argv: readonly string[]): Promise<number> {
  const { values, positionals } = readFlags(argv, {
    json: { type: 'boolean' },
    port: { type: 'string', short: 'p' },
  });
  if (positionals.length > 0) throw new UsageError(`doctor takes no '${positionals[0]}'; it has --json and --port`);
  const home = homedir();
  const checks = await doctor({
    home,
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    nodePath: process.execPath,
    nodeVersion: process.versions.node,
    binPath: realpathSync(process.argv[1] ?? ''),
    dataDir: path.resolve(process.env['HANZO_CONFIG_HOME'] ?? path.join(home, '.hanzo')),
    tempDir: tmpdir(),
    port: toServeOptions(values).port,
    proc: '/proc',
    timeoutMs: 10_000,
  });
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  process.stdout.write(values['json'] === true ? `${JSON.stringify(checks, null, 2)}\n` : renderChecks(checks, colour));
  return checks.some((each) => each.status === 'fail') ? 1 : 0;
}
