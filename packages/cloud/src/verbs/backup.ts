// `hanzo-cloud backup FILE` and `restore FILE`: the embedded database as one file. PostgreSQL has its own tools, and is told so.
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { lockFile } from '../store/lock.ts';
import { isPostgres, VerbError, type VerbContext } from './context.ts';

const WITHOUT_KEY =
  "The vault's key is not in it (HANZO_KEK, or the key file): keep a copy of it elsewhere; without it no secret opens.";

/** Writes a consistent copy to a new file; the plane may be running. Answers the exit code. */
export async function backupVerb(args: readonly string[], { database, print, warn }: VerbContext): Promise<number> {
  const file = onlyFile(args, 'backup FILE');
  if (isPostgres(database)) {
    warn(`PostgreSQL is backed up by its own tools: pg_dump --format=custom --file=${file} "$HANZO_DATABASE"`);
    warn(WITHOUT_KEY);
    return 1;
  }
  if (!existsSync(database)) throw new VerbError(`there is no plane's database at ${database}`);
  if (existsSync(file)) throw new VerbError(`${file} is there already; a backup overwrites nothing`);
  const partial = `${file}.part`;
  rmSync(partial, { force: true });
  // SQLite writes into an empty file that is there, so that nobody else can read it at any time
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    const source = new DatabaseSync(database, { readOnly: true, timeout: 10_000 });
    try {
      source.prepare('VACUUM INTO ?').run(partial);
    } finally {
      source.close();
    }
    const rows = inspect(partial);
    flush(partial);
    renameSync(partial, file);
    flush(path.dirname(path.resolve(file)));
    print(`${file}: ${rows} migrations, checked`);
  } finally {
    rmSync(partial, { force: true });
  }
  warn(WITHOUT_KEY);
  return 0;
}

/** Puts a backup in the database's place; the plane must not be running. What was there stays beside it. Answers the exit code. */
export async function restoreVerb(args: readonly string[], { database, print, warn }: VerbContext): Promise<number> {
  const file = onlyFile(args, 'restore FILE');
  if (isPostgres(database)) {
    warn(`PostgreSQL is restored by its own tools: pg_restore --clean --if-exists --dbname="$HANZO_DATABASE" ${file}`);
    return 1;
  }
  if (!existsSync(file)) throw new VerbError(`there is no file ${file}`);
  inspect(file);
  mkdirSync(path.dirname(path.resolve(database)), { recursive: true, mode: 0o700 });
  let lock: { release(): void };
  try {
    lock = lockFile(database);
  } catch (error) {
    throw new VerbError(`${(error as Error).message}: stop the plane first`);
  }
  const incoming = `${database}.restoring`;
  try {
    rmSync(incoming, { force: true });
    copyFileSync(file, incoming, constants.COPYFILE_EXCL);
    chmodSync(incoming, 0o600);
    flush(incoming);
    if (existsSync(database)) {
      // what its log still holds goes into it, so that it can be put back as one file
      const old = new DatabaseSync(database);
      old.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
      old.close();
      const aside = freeName(`${database}.before-restore`);
      renameSync(database, aside);
      print(`what was there is now ${aside}`);
    }
    for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
    renameSync(incoming, database);
    flush(path.dirname(path.resolve(database)));
  } finally {
    rmSync(incoming, { force: true });
    lock.release();
  }
  print(`${database} is restored from ${file}`);
  warn('Its secrets open with the key that the plane had when the backup was made.');
  return 0;
}

function onlyFile(args: readonly string[], usage: string): string {
  const [file] = args;
  if (file === undefined || args.length !== 1 || file.startsWith('-')) throw new VerbError(`hanzo-cloud ${usage}`, 2);
  return file;
}

/** Throws for what is no whole database of a plane; answers how many migrations it has had. */
function inspect(file: string): number {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const [check] = db.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
    if (check?.integrity_check !== 'ok') throw new Error(check?.integrity_check ?? 'it cannot be checked');
    const [row] = db.prepare('SELECT count(*) AS n FROM plane_migrations').all() as { n: number }[];
    return row?.n ?? 0;
  } catch (error) {
    throw new VerbError(`${file} is no whole database of a plane: ${(error as Error).message}`);
  } finally {
    db?.close();
  }
}

/** Content, or a folder's names, on the disk. */
function flush(file: string): void {
  const opened = openSync(file, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function freeName(name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = `${name}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
