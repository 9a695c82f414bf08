// Extracted text on disk: one file for each document, told apart by path and state, checked before it is believed.
import { createHash } from 'node:crypto';
import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { crc32 } from 'node:zlib';
import type { DocumentParts, Identity } from './types.ts';

/** Raised whenever readers give another text for the same bytes. */
const VERSION = 1;
const MAGIC = 'HZDC';
/** magic, version, checksum of all that follows, length of the JSON that follows */
const HEADER = 16;
/** Most bytes of all kept documents of one folder together, and what is left when that is passed. */
const MOST = 256 * 1024 * 1024;
const LEFT = MOST * 0.75;
/** Bytes written between two looks at the whole folder. */
const MEASURED_EVERY = MOST / 16;
/** A text larger than this would push out everything else. */
const LARGEST = MOST / 8;
/** Milliseconds between two marks that a kept document is in use. */
const TOUCH_MS = 60 * 60 * 1000;
const SUFFIX = '.text';

interface Described {
  readonly path: string;
  readonly identity: Identity;
  readonly parts: DocumentParts['parts'];
  readonly skipped: DocumentParts['skipped'];
}

/** What `remember` kept of the file in this very state; undefined for anything else, damaged entries included. */
export function recall(folder: string, file: string, identity: Identity): DocumentParts | undefined {
  const entry = entryOf(folder, file);
  try {
    const bytes = readFileSync(entry);
    if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== MAGIC || bytes.readUInt32LE(4) !== VERSION) return;
    if (crc32(bytes.subarray(HEADER)) !== bytes.readUInt32LE(8)) return;
    const length = bytes.readUInt32LE(12);
    const known = JSON.parse(bytes.toString('utf8', HEADER, HEADER + length)) as Described;
    const { size, ctime, ino } = known.identity;
    if (known.path !== file || size !== identity.size || ctime !== identity.ctime || ino !== identity.ino) return;
    touch(entry);
    return { text: bytes.subarray(HEADER + length), parts: known.parts, skipped: known.skipped };
  } catch {
    // Not there, not readable, not ours: extracted again.
    return undefined;
  }
}

/** Keeps the text of a file. A full or read-only disk keeps nothing, and is no fault. */
export function remember(folder: string, file: string, identity: Identity, found: DocumentParts): void {
  const described: Described = { path: file, identity, parts: found.parts, skipped: found.skipped };
  const json = Buffer.from(JSON.stringify(described));
  if (json.length + found.text.length > LARGEST) return;
  const body = Buffer.concat([json, found.text]);
  const header = Buffer.alloc(HEADER);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(VERSION, 4);
  header.writeUInt32LE(crc32(body), 8);
  header.writeUInt32LE(json.length, 12);
  const entry = entryOf(folder, file);
  const temporary = `${entry}.${process.pid}-${count++}.tmp`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Not synchronised: what a power cut leaves of it fails its checksum.
    writeFileSync(temporary, Buffer.concat([header, body]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, entry);
    const unmeasured = (written.get(folder) ?? MEASURED_EVERY) + body.length;
    written.set(folder, unmeasured < MEASURED_EVERY ? unmeasured : 0);
    if (unmeasured >= MEASURED_EVERY) prune(folder, MOST, LEFT);
  } catch {
    drop(temporary);
  }
}

function drop(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // In a folder that is none there is nothing to drop.
  }
}

let count = 0;
/** Bytes written to a folder by this process since it was last measured. */
const written = new Map<string, number>();

/** Deletes what was not used for longest until at most `left` bytes stay, if there are more than `most`. */
export function prune(folder: string, most: number, left: number): void {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(isOurs)
    .flatMap((each) => {
      const file = path.join(folder, each.name);
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat ? [{ file, size: stat.size, used: stat.mtimeMs }] : [];
    });
  let total = entries.reduce((sum, each) => sum + each.size, 0);
  if (total <= most) return;
  for (const { file, size } of entries.sort((a, b) => a.used - b.used)) {
    if (total <= left) return;
    rmSync(file, { force: true });
    total -= size;
  }
}

/** Entries, and what was left of ones that were being written. */
function isOurs(each: Dirent): boolean {
  return each.isFile() && /^[0-9a-f]{32}\.text(\.[\d-]+\.tmp)?$/.test(each.name);
}

function touch(entry: string): void {
  const now = Date.now();
  if (now - statSync(entry).mtimeMs > TOUCH_MS) utimesSync(entry, now / 1000, now / 1000);
}

function entryOf(folder: string, file: string): string {
  return path.join(folder, createHash('sha256').update(file).digest('hex').slice(0, 32) + SUFFIX);
}
