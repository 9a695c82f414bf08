// The store: what it keeps, what it refuses, and what becomes of a file that is not what it was.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { createStore, type Db, type Store, type Tables } from './index.ts';
import { loadSqlite } from './sqlite.ts';

const NOTES: Tables = { name: 'notes', migrations: ['CREATE TABLE notes_note (text TEXT NOT NULL) STRICT'] };
const OTHER: Tables = { name: 'other', migrations: ['CREATE TABLE other_thing (text TEXT NOT NULL) STRICT'] };

let dataDir: string;
let file: string;
const open: Store[] = [];

beforeEach(() => {
  dataDir = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'store-'))), '.hanzo');
  file = path.join(dataDir, 'db', 'store.db');
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

function make(readOnly = false): Store {
  const store = createStore({ dataDir, readOnly });
  open.push(store);
  return store;
}
const add = (db: Db, text: string): Promise<unknown> =>
  db.write((tx) => tx.run('INSERT INTO notes_note (text) VALUES (?)', text));
const texts = (db: Db, table = 'notes_note'): Promise<unknown[]> =>
  db.read((tx) => tx.all<{ text: string }>(`SELECT text FROM ${table} ORDER BY rowid`).map(({ text }) => text));
const aside = (): string[] =>
  readdirSync(path.dirname(file)).filter((name) => /\.corrupt-\d{8}T\d{6}Z(-\d+)?$/.test(name));

test('nothing is made before the first use, and then for its owner alone', async () => {
  const store = make();
  expect(existsSync(dataDir)).toBe(false);
  await add(await store.open(NOTES), 'a');
  const mode = (each: string): number => statSync(each).mode & 0o777;
  expect(mode(dataDir)).toBe(0o700);
  expect(mode(path.dirname(file))).toBe(0o700);
  for (const each of readdirSync(path.dirname(file)))
    expect([each, mode(path.join(dataDir, 'db', each))]).toEqual([each, 0o600]);
});

test('a file that others could read is closed to them', async () => {
  await add(await make().open(NOTES), 'a');
  await open.pop()?.close();
  chmodSync(file, 0o644);
  await make().open(NOTES);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a transaction is kept as a whole or not at all', async () => {
  const db = await make().open(NOTES);
  await add(db, 'a');
  const failing = db.write((tx) => {
    tx.run("INSERT INTO notes_note (text) VALUES ('b')");
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await texts(db)).toEqual(['a']);
});

test('texts come back as they were, and null stays null', async () => {
  const db = await make().open(NOTES);
  const strange = ['', 'a\0b', '\u0001', '😀', "'; DROP TABLE notes_note; --"];
  for (const text of strange) await add(db, text);
  expect(await texts(db)).toEqual(strange);
  expect(await db.read((tx) => tx.get('SELECT NULL AS n')?.['n'])).toBeNull();
});

test('what one store wrote another reads, and two tools share the file', async () => {
  const [one, two] = [make(), make()];
  await add(await one.open(NOTES), 'a');
  const other = await two.open(OTHER);
  await other.write((tx) => tx.run("INSERT INTO other_thing (text) VALUES ('b')"));
  expect(await texts(await two.open(NOTES))).toEqual(['a']);
  expect(await texts(await one.open(OTHER), 'other_thing')).toEqual(['b']);
});

test('a closed store opens no more', async () => {
  const store = make();
  const db = await store.open(NOTES);
  await store.close();
  await expect(store.open(NOTES)).rejects.toThrow(/ending/);
  await expect(texts(db)).rejects.toThrow(/ending/);
});

describe('versions', () => {
  const NEXT: Tables = {
    ...NOTES,
    migrations: [...NOTES.migrations, "ALTER TABLE notes_note ADD COLUMN kind TEXT NOT NULL DEFAULT 'plain'"],
  };

  test('missing migrations run in order, once', async () => {
    await add(await make().open(NOTES), 'a');
    await open.pop()?.close();
    for (let i = 0; i < 2; i++) {
      const db = await make().open(NEXT);
      expect(await db.read((tx) => tx.all('SELECT text, kind FROM notes_note'))).toEqual([
        { text: 'a', kind: 'plain' },
      ]);
      await open.pop()?.close();
    }
  });

  test('a newer version is refused with a sentence', async () => {
    await make().open(NEXT);
    await expect(make().open(NOTES)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `${file} holds version 2 of notes, made by a newer hanzo-mcp; this one knows up to 1. Update it`,
    });
  });

  test('a newer server moves the tables on under an older one, which then writes no more', async () => {
    const old = await make().open(NOTES);
    await make().open(NEXT);
    await expect(add(old, 'a')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a migration that fails leaves nothing behind', async () => {
    const bad: Tables = { ...NOTES, migrations: [`${NOTES.migrations[0]}; INSERT INTO nowhere VALUES (1)`] };
    await expect(make().open(bad)).rejects.toThrow(/nowhere/);
    expect(await texts(await make().open(NOTES))).toEqual([]);
  });

  test("another program's database is refused", async () => {
    mkdirSync(path.dirname(file), { recursive: true });
    const { DatabaseSync } = loadSqlite();
    const foreign = new DatabaseSync(file);
    foreign.exec('CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)');
    foreign.close();
    await expect(make().open(NOTES)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/another program/),
    });
  });
});

describe('a damaged database', () => {
  const fill = async (): Promise<void> => {
    const store = make();
    const db = await store.open(NOTES);
    await db.write((tx) => {
      for (let i = 0; i < 2000; i++) tx.run('INSERT INTO notes_note (text) VALUES (?)', `note ${i} ${'x'.repeat(100)}`);
    });
    await store.close();
  };

  test.each([
    ['that is no database', () => Buffer.from('not a database at all\n'.repeat(500))],
    ['cut in the middle', () => readFileSync(file).subarray(0, 100_000)],
    ['with a page of nothing', () => readFileSync(file).fill(0, 4096, 4096 * 3)],
  ])('%s is set aside under a name that is told, byte for byte, and an empty one begun', async (_name, damage) => {
    await fill();
    const bytes = damage();
    writeFileSync(file, bytes);
    const db = await make().open(NOTES);
    expect(await texts(db)).toEqual([]);
    const [name, ...others] = aside();
    expect(others).toEqual([]);
    const kept = path.join(path.dirname(file), name as string);
    const notices = db.notices();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(`set aside as ${kept}`);
    expect(db.notices()).toEqual([]);
    expect(readFileSync(kept).equals(bytes)).toBe(true);
    await add(db, 'new');
    expect(await texts(await make().open(NOTES))).toEqual(['new']);
  });

  test('every tool is told once', async () => {
    await fill();
    writeFileSync(file, 'broken'.repeat(1000));
    const store = make();
    const notes = await store.open(NOTES);
    const other = await store.open(OTHER);
    expect([notes.notices().length, other.notices().length, notes.notices().length]).toEqual([1, 1, 0]);
  });

  test('two stores that find it set one aside, and both go on with the same new one', async () => {
    await fill();
    writeFileSync(file, 'broken'.repeat(1000));
    const [one, two] = await Promise.all([make().open(NOTES), make().open(NOTES)]);
    await Promise.all([add(one, 'a'), add(two, 'b')]);
    expect(aside()).toHaveLength(1);
    expect((await texts(one)).toSorted()).toEqual(['a', 'b']);
  });

  test('a file that is replaced or deleted under a running store is opened anew', async () => {
    const db = await make().open(NOTES);
    await add(db, 'a');
    for (const name of readdirSync(path.dirname(file))) rmSync(path.join(path.dirname(file), name));
    await add(db, 'b');
    expect(await texts(db)).toEqual(['b']);
    expect(await texts(await make().open(NOTES))).toEqual(['b']);
  });

  test('locks lost to a reader of the files lose no write', async () => {
    const db = await make().open(NOTES);
    await add(db, 'a');
    // As a search through the folder does.
    for (const end of ['', '-wal', '-shm']) closeSync(openSync(`${file}${end}`, 'r'));
    const elsewhere = (work: string): string => {
      const script = `const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
        const db = new DatabaseSync(${JSON.stringify(file)}); ${work}; db.close();`;
      return spawnSync(process.execPath, ['--no-warnings', '-e', script], { encoding: 'utf8' }).stdout;
    };
    elsewhere("db.exec(`INSERT INTO notes_note (text) VALUES ('b')`)");
    expect(existsSync(`${file}-wal`)).toBe(false);
    await add(db, 'c');
    expect(await texts(db)).toEqual(['a', 'b', 'c']);
    expect(elsewhere("console.log(db.prepare('SELECT text FROM notes_note').all().length)")).toBe('3\n');
  });

  test('a log without its database is not thrown away', async () => {
    const db = await make().open(NOTES);
    await add(db, 'a');
    const log = readFileSync(`${file}-wal`);
    await open.pop()?.close();
    rmSync(file);
    writeFileSync(`${file}-wal`, log);
    const fresh = await make().open(NOTES);
    expect(fresh.notices()[0]).toMatch(/only its log was left/);
    const kept = readdirSync(path.dirname(file)).find((name) => /\.corrupt-.*-wal$/.test(name));
    expect(readFileSync(path.join(path.dirname(file), kept as string)).equals(log)).toBe(true);
  });

  test('a lock file with something in it is made anew', async () => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(`${file}-lock`, 'something else'.repeat(100));
    await add(await make().open(NOTES), 'a');
  });
});

describe('read-only', () => {
  test('reads what is there, writes nothing, makes nothing', async () => {
    const empty = await make(true).open(NOTES);
    expect(await texts(empty)).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
    await expect(add(empty, 'a')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });

    await add(await make().open(NOTES), 'a');
    expect(await texts(empty)).toEqual(['a']);
  });

  test('a tool that has no tables in the file finds them empty', async () => {
    await add(await make().open(NOTES), 'a');
    const store = make(true);
    expect(await texts(await store.open(OTHER), 'other_thing')).toEqual([]);
    expect(await texts(await store.open(NOTES))).toEqual(['a']);
  });
});

describe('what the system refuses is said', () => {
  test('a full disk changes nothing', async () => {
    const db = await make().open(NOTES);
    await add(db, 'a');
    await db.write((tx) => tx.get('PRAGMA max_page_count = 8'));
    const failing = db.write((tx) => {
      for (let i = 0; i < 100; i++) tx.run('INSERT INTO notes_note (text) VALUES (?)', 'x'.repeat(4000));
    });
    await expect(failing).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: `no space left for ${file}; nothing was changed`,
    });
    expect(await texts(db)).toEqual(['a']);
  });

  test('a file in the place of the folder', async () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(path.join(dataDir, 'db'), '');
    await expect(make().open(NOTES)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test.skipIf(process.getuid?.() === 0)('a folder that may not be written', async () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o500 });
    await expect(make().open(NOTES)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    chmodSync(dataDir, 0o700);
  });

  test('others that hold the database for too long', async () => {
    await make().open(NOTES);
    const database = openDatabase({ file, readOnly: false, patience: 50 });
    const db = await database.use(NOTES);
    const { DatabaseSync } = loadSqlite();
    const holder = new DatabaseSync(file);
    holder.exec('BEGIN IMMEDIATE');
    await expect(add(db, 'a')).rejects.toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining(file) });
    expect(await texts(db)).toEqual([]);
    holder.exec('COMMIT');
    await add(db, 'a');
    holder.close();
    await database.close();
  });
});

test('Node does not warn of its own SQLite, on either stream', () => {
  const script = `const { loadSqlite } = await import(${JSON.stringify(path.join(import.meta.dirname, 'sqlite.ts'))});
    const before = process.emitWarning; loadSqlite(); process.emitWarning === before || process.exit(3);
    console.log(typeof loadSqlite().DatabaseSync)`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  expect({ stdout, stderr, status }).toEqual({ stdout: 'function\n', stderr: '', status: 0 });
});
