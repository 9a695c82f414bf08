import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Inverted } from './inverted.ts';
import { FileReader } from './read.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'build-read-'));
  file = path.join(folder, 'file');
  writeFileSync(file, 'some text\n');
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What a reader whose clock shows `now` says. */
function readAt(now: number): FileReader {
  const reader = new FileReader(new Inverted(), 1 << 20, undefined, () => now);
  reader.read(file);
  return reader;
}

it('a file has its stamps, and its text is in the room', () => {
  const stat = statSync(file);
  const { reading } = readAt(stat.ctimeMs + 2001);
  expect(reading).toEqual({ ctime: stat.ctimeMs, size: 10, ino: stat.ino, flags: 0, from: 0, length: 10 });
});

it('a file that changed within two seconds of being read counts as changed, as one from the future does', () => {
  const { ctimeMs } = statSync(file);
  expect(readAt(ctimeMs + 1999).reading.ctime).toBe(0);
  expect(readAt(ctimeMs - 100_000).reading.ctime).toBe(0);
});

it('a file that changes while it is read counts as changed', () => {
  // the room is asked for between the first look at the file and its bytes
  class Meddler extends Inverted {
    override room(bytes: number): Buffer {
      writeFileSync(file, 'some more text\n');
      return super.room(bytes);
    }
  }
  const reader = new FileReader(new Meddler(), 1 << 20, undefined, () => Date.now() + 10_000);
  reader.read(file);
  expect(reader.reading.ctime).toBe(0);
});

it('a file of the system that has content but no size is read, and counts as changed', (context) => {
  file = '/proc/self/status';
  try {
    statSync(file);
  } catch {
    context.skip();
  }
  expect(readAt(Date.now()).reading.ctime).toBe(0);
});
