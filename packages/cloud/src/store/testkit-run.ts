// Of one run of the tests: a cluster that is started when the first test file asks for it, and ended with the run.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type Cluster, startCluster } from './cluster.ts';

/** Where test files find it: the path of a socket that answers each connection with a new database's URL. */
export const CLUSTER_SOCKET = 'HANZO_TEST_CLUSTER';

/** Vitest's global setup; answers the teardown. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-run-'));
  const socket = path.join(folder, 'cluster');
  let cluster: Promise<Cluster> | undefined;
  const server: Server = createServer((connection) => {
    connection.on('error', () => undefined);
    cluster ??= startCluster();
    cluster
      .then((started) => started.database())
      .then(
        (url) => connection.end(JSON.stringify({ url })),
        (error: unknown) => connection.end(JSON.stringify({ error: String(error) })),
      );
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  server.unref();
  process.env[CLUSTER_SOCKET] = socket;
  return async () => {
    server.close();
    await (await cluster?.catch(() => undefined))?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
