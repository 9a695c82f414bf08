// `hanzo-mcp serve`: the local tools behind a door, over stdio or HTTP, until the client or a signal ends it.
import process from 'node:process';
import type { Host, Prepared } from '@hanzo/door';
import { type Catalog, listing } from '../catalog.ts';
import type { Config } from '../config.ts';
import { type ServeOptions, UsageError } from '../flags.ts';
import { describeServer } from '../identity.ts';
import { createSurface } from '../surface.ts';

/** A host that can be ended; the conformance fixtures have nothing to end. */
interface Ending {
  close?(): Promise<void>;
}

/** Serves until the end; resolves to the exit code. Every process the tools started is ended first. */
export async function serve(config: Config, options: ServeOptions, catalog: Catalog): Promise<number> {
  const surface = createSurface(config.tools, config.dataDir);
  const prepared: Prepared = {
    ...describeServer(config.version),
    tools: () => listing(catalog, surface.listed()),
  };
  let started: Promise<Host & Ending> | undefined;
  const host = (): Promise<Host & Ending> => {
    started ??= options.conformance
      ? import('@hanzo/door/fixtures').then(({ createConformanceHost }) => createConformanceHost())
      : import('../host.ts').then(({ createLocalHost }) => createLocalHost(config, prepared, surface));
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
    process.on(signal, () => (ending.signal.aborted ? process.exit(exitCode) : end(exitCode)));
  }
  process.on('uncaughtException', (error) => {
    process.stderr.write(`hanzo-mcp: ${error.stack ?? error.message}\n`);
    end(1);
  });

  if (options.transport === 'stdio') {
    const { serveStdio } = await import('@hanzo/door');
    await serveStdio({ ...(options.conformance ? {} : { prepared }), host, signal: ending.signal });
  } else {
    await serveOverHttp(config, options, { ...(options.conformance ? {} : { prepared }), host }, ending.signal);
  }
  await close();
  return code;
}

/** Listens, says where and how to connect, and resolves when `signal` is aborted and the door is closed. */
async function serveOverHttp(
  config: Config,
  options: ServeOptions,
  served: { prepared?: Prepared; host: () => Promise<Host> },
  signal: AbortSignal,
): Promise<void> {
  const { serveHttp } = await import('@hanzo/door');
  const token = options.token === undefined ? await newToken() : options.token;
  const door = await serveHttp({ ...served, hostname: options.host, port: options.port, token }).catch(
    (error: unknown) => {
      throw listenError(error, options);
    },
  );
  const { connectionNotes } = await import('./notes.ts');
  process.stdout.write(connectionNotes(door.url, token, config));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await door.close();
}

/** 24 random bytes. node:crypto costs a stdio start a third of its time, so it is loaded only here. */
async function newToken(): Promise<string> {
  const { randomBytes } = await import('node:crypto');
  return randomBytes(24).toString('base64url');
}

function listenError(error: unknown, { host, port }: ServeOptions): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new UsageError(`port ${port} on ${host} is taken; name another with --port, or --port 0 for a free one`);
    case 'EACCES':
      return new UsageError(`port ${port} may not be opened by this user; name one above 1023 with --port`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError(`--host ${host} is not an address of this machine; 127.0.0.1 is the default`);
    default:
      return error;
  }
}
