// `hanzo-mcp serve`: the local tools behind a door, over stdio or HTTP, until the client or a signal ends it.
import process from 'node:process';
import { type Host, type Prepared, serveStdio } from '@hanzo/door';
import { type Catalog, listing } from '../catalog.ts';
import type { Config } from '../config.ts';
import type { ServeOptions } from '../flags.ts';
import { describeServer } from '../identity.ts';
import { createModes } from '../lib/modes/current.ts';
import { createSurface } from '../surface.ts';
import { leaveNow, leaveSoon, within } from './leave.ts';
import { checkStart } from './start.ts';

/** Milliseconds in which every process the tools started is ended; it takes one unless a file system has stalled. */
const CLOSING = 10_000;

/** A host that can be ended; the conformance fixtures have nothing to end. */
interface Ending {
  close?(): Promise<void>;
}

/** Serves until the end; resolves to the exit code. Every process the tools started is ended first, and this one follows for certain. */
export async function serve(config: Config, options: ServeOptions, catalog: Catalog): Promise<number> {
  if (!options.conformance) await checkStart(config);
  const surface = createSurface(config.tools, config.dataDir);
  const modes = createModes();
  const prepared: Prepared = {
    ...describeServer(config.version),
    tools: ({ connection }) => listing(catalog, modes.listed(connection, surface.listed())),
  };
  let started: Promise<Host & Ending> | undefined;
  const host = (): Promise<Host & Ending> => {
    started ??= options.conformance
      ? import('@hanzo/door/fixtures').then(({ createConformanceHost }) => createConformanceHost())
      : import('../host.ts').then(({ createLocalHost }) => createLocalHost(config, prepared, surface, modes));
    return started;
  };
  const close = async (): Promise<void> => {
    await (await started)?.close?.();
  };

  const ending = new AbortController();
  let code = 0;
  const end = (exitCode: number): void => {
    code = exitCode;
    ending.abort();
  };
  // 128 + the signal's number, as shells report it; the second signal does not wait.
  for (const [signal, exitCode] of [
    ['SIGTERM', 0],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => (ending.signal.aborted ? leaveNow(exitCode) : end(exitCode)));
  }
  process.on('uncaughtException', (error) => {
    process.stderr.write(`hanzo-mcp: ${error.stack ?? error.message}\n`);
    end(1);
  });

  if (options.transport === 'stdio') {
    await serveStdio({ ...(options.conformance ? {} : { prepared }), host, signal: ending.signal });
  } else {
    const { serveOverHttp } = await import('./serve-http.ts');
    await serveOverHttp(config, options, { ...(options.conformance ? {} : { prepared }), host }, ending.signal);
  }
  await within(CLOSING, close());
  leaveSoon(code);
  return code;
}
