// A PostgreSQL cluster for tests and the bench: in a temporary folder, on a socket of its own, gone with whoever started it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

export interface Cluster {
  /** a new, empty database's URL */
  database(): Promise<string>;
  /** ends the server abruptly and starts it again on the same data */
  stop(): Promise<void>;
}

const ROOT_OF_BINARIES = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs, the newest: of HANZO_TEST_POSTGRES_BIN, Debian's place, or the PATH. */
export function postgresBinaries(): string | undefined {
  const given = process.env.HANZO_TEST_POSTGRES_BIN;
  const debian = existsSync(ROOT_OF_BINARIES)
    ? readdirSync(ROOT_OF_BINARIES)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => path.join(ROOT_OF_BINARIES, version, 'bin'))
    : [];
  const folders = given ? [given] : [...debian, ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(path.join(folder, program))));
}

/** PostgreSQL refuses to run as root: then it runs as `postgres` or `nobody`. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return undefined;
}

/** Nothing of a test's data must survive a power failure. */
const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  logging_collector: 'off',
  log_min_messages: 'fatal',
};

/**
 * `sh` holds the server: when its standard input ends, because it is told to or because whoever started it is gone in whatever way, the
 * server is ended and the folder removed.
 */
const KEEPER =
  'server=$1; data=$2; shift 2; "$server" "$@" & pid=$!; cat >/dev/null; kill -QUIT $pid; wait $pid; rm -rf "$data"';

/** Starts a cluster; takes one to three seconds. Rejects where there are no binaries. */
export async function startCluster(): Promise<Cluster> {
  const binaries = postgresBinaries();
  if (binaries === undefined) throw new Error('no PostgreSQL on this machine');
  const user = ordinaryUser();
  const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  const made = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'plane', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...user, cwd: folder, env, encoding: 'utf8' },
  );
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`initdb failed: ${made.stderr || String(made.error)}`);
  }
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const keeper = spawn(
    'sh',
    ['-c', KEEPER, 'sh', path.join(binaries, 'postgres'), folder, '-D', data, '-k', folder, ...settings],
    { ...user, cwd: folder, env, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  keeper.unref();
  (keeper.stdin as unknown as { unref?(): void }).unref?.();
  const address = (name: string): string => `postgres://plane@localhost/${name}?host=${encodeURIComponent(folder)}`;
  await answering(address('postgres'), keeper);
  let count = 0;
  return {
    async database() {
      count += 1;
      const name = `t${process.pid}_${count}_${Date.now().toString(36)}`;
      const { Client } = (await import('pg')).default;
      const client = new Client(address('postgres'));
      await client.connect();
      try {
        await client.query(`create database ${name}`);
      } finally {
        await client.end();
      }
      return address(name);
    },
    async stop() {
      const ended = new Promise((resolve) => keeper.once('exit', resolve));
      keeper.ref();
      keeper.stdin?.end();
      await ended;
    },
  };
}

async function answering(url: string, keeper: ChildProcess): Promise<void> {
  const { Client } = (await import('pg')).default;
  for (let attempt = 1; ; attempt += 1) {
    const client = new Client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (keeper.exitCode !== null || attempt > 600) throw new Error('PostgreSQL does not start', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
