// Reads the edit corpus, spells its bytes, lays a case out on disk and compares what is there afterwards. Knows no tool.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, link, lstat, mkdir, mkdtemp, open, readdir, readFile, readlink, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How bytes are written in the corpus; see `edit/README.md`. */
export type Spelling =
  | string
  | { hex: string }
  | { base64: string }
  | { latin1: string }
  | { utf16le: string }
  | { utf16be: string }
  | { repeat: [text: string, times: number] }
  | { numbers: [before: string, from: number, to: number, after: string] }
  | { concat: Spelling[] };

/** A file so large that only its size and its first bytes are kept. */
export type Sparse = { sparse: { size: number; head: string } };

export interface FileSpec {
  path: string;
  bytes?: Spelling | Sparse;
  mode?: string;
  owner?: string;
  link?: string;
  hardlink?: string;
  dir?: boolean;
  fifo?: boolean;
}

export interface AfterSpec {
  path: string;
  bytes?: Spelling;
  mode?: string;
  absent?: boolean;
  symlink?: string;
  dir?: boolean;
}

export interface Expectation {
  ok: boolean;
  code?: string | string[];
  strategy?: 'exact' | 'lenient';
  changed?: boolean;
  data?: Record<string, unknown>;
  error?: Record<string, unknown>;
  message_includes?: string[];
  message_matches?: string;
}

export interface Outcome {
  expect: Expectation[];
  after: AfterSpec[];
}

export type Call = { action: string } & Record<string, unknown>;
export type Step = Call | { outside: { path: string; bytes: Spelling | null } } | { parallel: Call[] };

export interface Case extends Partial<Outcome> {
  name: string;
  why: string;
  tags?: string[];
  access?: 'read-only' | 'workspace-write' | 'full';
  files: FileSpec[];
  calls: Step[];
  outcomes?: Outcome[];
}

export interface Group {
  name: string;
  cases: Case[];
}

/** Every group of the corpus, by file name. */
export function loadCorpus(): Group[] {
  const folder = fileURLToPath(new URL('edit/', import.meta.url));
  const files = readdirSync(folder).filter((each) => each.endsWith('.json')).sort();
  return files.map((file) => ({
    name: path.basename(file, '.json'),
    cases: JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Case[],
  }));
}

/** The outcomes a case permits; nearly always one. */
export function outcomes(each: Case): Outcome[] {
  return each.outcomes ?? [{ expect: each.expect ?? [], after: each.after ?? [] }];
}

/** The bytes a spelling means. Text is UTF-8. */
export function spell(bytes: Spelling): Buffer {
  if (typeof bytes === 'string') return Buffer.from(bytes, 'utf8');
  if ('hex' in bytes) return Buffer.from(bytes.hex, 'hex');
  if ('base64' in bytes) return Buffer.from(bytes.base64, 'base64');
  if ('latin1' in bytes) return Buffer.from(bytes.latin1, 'latin1');
  if ('utf16le' in bytes) return Buffer.from(bytes.utf16le, 'utf16le');
  if ('utf16be' in bytes) return Buffer.from(bytes.utf16be, 'utf16le').swap16();
  if ('repeat' in bytes) return Buffer.from(bytes.repeat[0].repeat(bytes.repeat[1]), 'utf8');
  if ('concat' in bytes) return Buffer.concat(bytes.concat.map(spell));
  const [before, from, to, after] = bytes.numbers;
  return Buffer.from(Array.from({ length: to - from + 1 }, (_, i) => `${before}${from + i}${after}`).join(''), 'utf8');
}

/** `sha256:` and 64 hexadecimal digits. */
export function sha256(bytes: Buffer | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

type Content = { bytes: Buffer; sparse?: number };
type Entry =
  | { kind: 'file'; content: Content; mode: number; /** undefined: whoever made it */ owner?: string }
  | { kind: 'link'; target: string }
  | { kind: 'dir' }
  | { kind: 'fifo' };

/** A case laid out on disk. */
export interface Stage {
  /** the working directory and only root (besides the temporary folder) */
  readonly dir: string;
  /** a folder under no root */
  readonly outside: string;
  /** replaces `$DIR`, `$OUTSIDE`, `$REL` (from the one to the other) and `$URI` */
  fill(text: string): string;
  /** the absolute path a corpus path means */
  place(name: string): string;
  /** a change by somebody else: null deletes */
  change(name: string, bytes: Spelling | null): Promise<void>;
  /** hash of a file as it was laid out */
  initialHash(name: string): string;
  /** what differs from the layout overlaid by `after`: one sentence each, none when all is right */
  differences(after: readonly AfterSpec[]): Promise<string[]>;
  remove(): Promise<void>;
}

/** Makes the files of a case in new folders. */
export async function layOut(each: Case): Promise<Stage> {
  const dir = await realpath(await mkdtemp(path.join(tmpdir(), 'corpus-')));
  const outside = await realpath(await mkdtemp(path.join(await unrooted(), '.corpus-outside-')));
  const fill = (text: string): string =>
    text
      .replaceAll('$OUTSIDE', () => outside)
      .replaceAll('$REL', () => path.relative(dir, outside))
      .replaceAll('$URI', () => pathToFileURL(dir).href)
      .replaceAll('$DIR', () => dir);
  const place = (name: string): string => (name.startsWith('$OUTSIDE') ? fill(name) : path.join(dir, name));
  const initial = new Map<string, Entry>();
  for (const file of each.files) initial.set(place(file.path), await make(file, place, fill, initial));
  for (const file of each.files) if (file.owner && process.getuid?.() === 0) await giveTo(place(file.path), file.owner);
  for (const file of each.files) if (file.mode) await chmod(place(file.path), Number.parseInt(file.mode, 8));
  for (const [file, entry] of initial) {
    if (entry.kind !== 'file') continue;
    const { mode, uid, gid } = await lstat(file);
    Object.assign(entry, { mode: mode & 0o7777, owner: `${uid}:${gid}` });
  }
  addParents(initial, [dir, outside]);
  return {
    dir,
    outside,
    fill,
    place,
    async change(name, bytes) {
      if (bytes === null) await rm(place(name));
      else await writeFile(place(name), spell(bytes));
    },
    initialHash(name) {
      const entry = initial.get(place(name));
      return sha256(entry?.kind === 'file' ? entry.content.bytes : '');
    },
    async differences(after) {
      const wanted = overlay(initial, after, place, fill);
      addParents(wanted, [dir, outside]);
      return compare(wanted, [dir, outside]);
    },
    async remove() {
      await rm(dir, { recursive: true, force: true });
      await rm(outside, { recursive: true, force: true });
    },
  };
}

/** The temporary folders are roots of every server, so what must be outside lies elsewhere. */
async function unrooted(): Promise<string> {
  const temporary = await Promise.all([tmpdir(), '/tmp'].map((each) => realpath(each).catch(() => each)));
  for (const each of ['/var/tmp', homedir()]) {
    const real = await realpath(each).catch(() => undefined);
    if (real && !temporary.some((root) => real === root || real.startsWith(`${root}/`))) return real;
  }
  throw new Error('no folder outside the temporary one is there for the corpus');
}

async function make(
  file: FileSpec,
  place: (name: string) => string,
  fill: (text: string) => string,
  made: ReadonlyMap<string, Entry>,
): Promise<Entry> {
  const at = place(file.path);
  await mkdir(path.dirname(at), { recursive: true });
  if (file.dir) {
    await mkdir(at, { recursive: true });
    return { kind: 'dir' };
  }
  if (file.fifo) {
    execFileSync('mkfifo', [at]);
    return { kind: 'fifo' };
  }
  if (file.link !== undefined) {
    await symlink(fill(file.link), at);
    return { kind: 'link', target: fill(file.link) };
  }
  if (file.hardlink !== undefined) {
    const other = made.get(place(file.hardlink));
    if (other?.kind !== 'file') throw new Error(`${file.path}: ${file.hardlink} has to come before it`);
    await link(place(file.hardlink), at);
    return { kind: 'file', content: other.content, mode: 0 };
  }
  const bytes = file.bytes ?? '';
  if (typeof bytes === 'string' || !('sparse' in bytes)) {
    await writeFile(at, spell(bytes));
    return { kind: 'file', content: { bytes: spell(bytes) }, mode: 0 };
  }
  await writeFile(at, bytes.sparse.head);
  await truncate(at, bytes.sparse.size);
  return { kind: 'file', content: { bytes: Buffer.from(bytes.sparse.head), sparse: bytes.sparse.size }, mode: 0 };
}

async function giveTo(file: string, owner: string): Promise<void> {
  const [user, group] = owner.split(':');
  await chown(file, Number(user), Number(group));
}

function addParents(entries: Map<string, Entry>, tops: readonly string[]): void {
  for (const file of entries.keys()) {
    for (let up = path.dirname(file); !tops.includes(up) && up !== path.dirname(up); up = path.dirname(up)) {
      if (!entries.has(up)) entries.set(up, { kind: 'dir' });
    }
  }
}

function overlay(
  initial: ReadonlyMap<string, Entry>,
  after: readonly AfterSpec[],
  place: (name: string) => string,
  fill: (text: string) => string,
): Map<string, Entry> {
  const copies = new Map<Content, Content>();
  const copy = (content: Content): Content => {
    const known = copies.get(content) ?? { ...content };
    copies.set(content, known);
    return known;
  };
  const wanted = new Map<string, Entry>();
  for (const [file, entry] of initial) {
    wanted.set(file, entry.kind === 'file' ? { ...entry, content: copy(entry.content) } : entry);
  }
  for (const each of after) {
    const file = place(each.path);
    if (each.absent) {
      for (const known of wanted.keys()) if (known === file || known.startsWith(`${file}/`)) wanted.delete(known);
      continue;
    }
    if (each.dir) wanted.set(file, { kind: 'dir' });
    else if (each.symlink !== undefined) wanted.set(file, { kind: 'link', target: fill(each.symlink) });
    else {
      const known = wanted.get(file);
      const entry: Entry =
        known?.kind === 'file' ? known : { kind: 'file', content: { bytes: Buffer.alloc(0) }, mode: 0o666 & ~process.umask() };
      entry.content.bytes = spell(each.bytes ?? '');
      if (each.mode !== undefined && each.mode !== 'new') entry.mode = Number.parseInt(each.mode, 8);
      wanted.set(file, entry);
    }
  }
  return wanted;
}

async function compare(wanted: ReadonlyMap<string, Entry>, tops: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const inodes = new Map<Content, number>();
  for (const [file, entry] of wanted) {
    const stat = await lstat(file).catch(() => undefined);
    if (!stat) {
      found.push(`${file} is gone`);
    } else if (entry.kind === 'link') {
      const target = stat.isSymbolicLink() ? await readlink(file) : undefined;
      if (target !== entry.target) found.push(`${file} should link to ${entry.target}, ${target ?? 'is no link'}`);
    } else if (entry.kind === 'dir') {
      if (!stat.isDirectory()) found.push(`${file} is no folder`);
    } else if (entry.kind === 'fifo') {
      if (!stat.isFIFO()) found.push(`${file} is no pipe`);
    } else if (!stat.isFile()) {
      found.push(`${file} is no regular file`);
    } else {
      const mode = stat.mode & 0o7777;
      if (mode !== entry.mode) found.push(`${file} has mode ${mode.toString(8)}, not ${entry.mode.toString(8)}`);
      const owner = `${stat.uid}:${stat.gid}`;
      if (entry.owner !== undefined && owner !== entry.owner) found.push(`${file} belongs to ${owner}, not to ${entry.owner}`);
      found.push(...(await differing(file, entry.content, stat.size)));
      const inode = inodes.get(entry.content);
      if (inode !== undefined && inode !== stat.ino) found.push(`${file} is no longer the same file as its other name`);
      inodes.set(entry.content, stat.ino);
    }
  }
  for (const top of tops) {
    for (const file of await below(top)) if (!wanted.has(file)) found.push(`${file} was left behind`);
  }
  return found;
}

/** Every path under a folder; links are not followed. */
async function below(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const each of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, each.name);
    found.push(file, ...(each.isDirectory() ? await below(file) : []));
  }
  return found;
}

async function differing(file: string, wanted: Content, size: number): Promise<string[]> {
  if (wanted.sparse !== undefined) {
    const head = await firstBytes(file, wanted.bytes.length);
    return size === wanted.sparse && head.equals(wanted.bytes) ? [] : [`${file} has changed (${size} bytes)`];
  }
  const actual = await readFile(file);
  if (actual.equals(wanted.bytes)) return [];
  let at = 0;
  while (at < actual.length && actual[at] === wanted.bytes[at]) at++;
  const around = (bytes: Buffer): string => JSON.stringify(bytes.subarray(Math.max(0, at - 20), at + 60).toString('latin1'));
  return [`${file} differs at byte ${at} (${actual.length} bytes, not ${wanted.bytes.length}): ${around(actual)}, not ${around(wanted.bytes)}`];
}

async function firstBytes(file: string, count: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(count);
    await handle.read(head, 0, count, 0);
    return head;
  } finally {
    await handle.close();
  }
}
