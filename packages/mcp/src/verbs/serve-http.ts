// The HTTP side of `serve`: listens with a token, says how to connect, and turns a refused port into advice.
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { type Host, type Prepared, serveHttp } from '@hanzo/door';
import type { Config } from '../config.ts';
import { type ServeOptions, UsageError } from '../flags.ts';
import { connectionNotes } from './notes.ts';

/** Listens, says where and how to connect, and resolves when `signal` is aborted and the door is closed. */
export async function serveOverHttp(
  config: Config,
  options: ServeOptions,
  served: { prepared?: Prepared; host: () => Promise<Host> },
  signal: AbortSignal,
): Promise<void> {
  const token = options.token === undefined ? randomBytes(24).toString('base64url') : options.token;
  const door = await serveHttp({ ...served, hostname: options.host, port: options.port, token }).catch(
    (error: unknown) => {
      throw listenError(error, options);
    },
  );
  // The notes are for a reader; clients of the door do not need one.
  process.stdout.on('error', () => {});
  process.stdout.write(connectionNotes(door.url, token, config));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await door.close();
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
