// Unified diffs, with or without git's headers.
import { badPatch, type Change, type Hunk, type HunkLine } from './change.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Draft {
  minus?: string;
  plus?: string;
  from?: string;
  to?: string;
  executable: boolean;
  hunks: Hunk[];
  line: number;
}

/** Reads a whole diff; `lines` are without line ends. Text around the files is passed over. Throws INVALID_PARAMS naming the line. */
export function parseUnified(lines: readonly string[]): Change[] {
  const files: Draft[] = [];
  let current: Draft | undefined;
  const begin = (line: number): Draft => {
    current = { executable: false, hunks: [], line };
    files.push(current);
    return current;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith('diff --git ')) begin(at + 1);
    else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) {
      const file = current && current.minus === undefined && current.hunks.length === 0 ? current : begin(at + 1);
      file.minus = fileName(line.slice(4));
      file.plus = fileName(lines[++at]!.slice(4));
    } else if (HUNK.test(line)) {
      if (!current?.plus) throw badPatch(at + 1, 'a hunk before any file; --- and +++ lines name the file');
      const read = hunk(lines, at);
      current.hunks.push(read.hunk);
      at = read.next - 1;
    } else if (current) header(current, line, at + 1);
  }
  return files.filter((file) => !isEmpty(file)).map(change);
}

function isEmpty(file: Draft): boolean {
  return file.hunks.length === 0 && file.to === undefined && file.plus === undefined;
}

function header(file: Draft, line: string, at: number): void {
  if (line.startsWith('rename from ')) file.from = unquote(line.slice(12));
  else if (line.startsWith('rename to ')) file.to = unquote(line.slice(10));
  else if (line.startsWith('new file mode ')) {
    if (/ (120000|160000)$/.test(line)) throw badPatch(at, 'links and submodules are not made by a patch here');
    file.executable = line.endsWith('755');
  } else if (/^(old|new) mode /.test(line))
    throw badPatch(at, 'a change of mode is not applied here; leave it out and use chmod');
  else if (line.startsWith('copy from '))
    throw badPatch(at, 'a copy is not applied here; add the file with its content');
  else if (line.startsWith('GIT binary patch') || /^Binary files .* differ$/.test(line)) {
    throw badPatch(at, 'binary content is not applied here');
  }
}

/** A file's name as `---` and `+++` give it: a tab ends it, quotes are git's. */
function fileName(given: string): string {
  return unquote(given.startsWith('"') ? given : given.split('\t')[0]!.trimEnd());
}

/** Undoes git's quoting of unusual names: octal bytes and the usual letters. */
function unquote(given: string): string {
  const inner = /^"(.*)"/.exec(given)?.[1];
  if (inner === undefined) return given;
  const letters = new Map([
    ['n', 10],
    ['t', 9],
    ['r', 13],
    ['a', 7],
    ['b', 8],
    ['f', 12],
    ['v', 11],
  ]);
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (letter !== undefined)
      bytes.push(letters.has(letter) ? Buffer.from([letters.get(letter)!]) : Buffer.from(letter));
    else bytes.push(Buffer.from(plain!));
  }
  return Buffer.concat(bytes).toString('utf8');
}

/** Reads one hunk; its counts tell what is content where a line could be a header. */
function hunk(lines: readonly string[], start: number): { hunk: Hunk; next: number } {
  const [, oldAt = '0', oldCount, , newCount] = HUNK.exec(lines[start]!)!;
  let oldLeft = oldCount === undefined ? 1 : Number(oldCount);
  let newLeft = newCount === undefined ? 1 : Number(newCount);
  const read: HunkLine[] = [];
  let at = start + 1;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith('\\')) {
      const last = read.pop();
      if (last) read.push({ ...last, open: true });
      continue;
    }
    const filled = oldLeft <= 0 && newLeft <= 0;
    if (filled && isHeader(lines, at)) break;
    if (!filled && isNextFile(lines, at)) break;
    const sign = line === '' ? ' ' : line[0]!;
    if (sign !== ' ' && sign !== '-' && sign !== '+') break;
    if (filled && (line === '' || sign === ' ')) break;
    if (line === '-- ' && filled) break;
    if (sign !== '+') oldLeft--;
    if (sign !== '-') newLeft--;
    read.push({ sign, text: line.slice(1) });
  }
  // Counts are often wrong; empty lines beyond what the text needs are the patch's spacing.
  if (oldLeft !== 0) while (read.at(-1)?.sign === ' ' && read.at(-1)?.text === '') read.pop();
  if (read.length === 0) throw badPatch(start + 1, 'the hunk is empty');
  return { hunk: { contexts: [], lines: read, at: Number(oldAt), atEnd: false, from: start + 1 }, next: at };
}

function isHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  return (
    HUNK.test(line) ||
    line.startsWith('diff --git ') ||
    (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ '))
  );
}

/** A new file in the middle of a hunk whose counts are wrong. */
function isNextFile(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  if (HUNK.test(line) || line.startsWith('diff --git ')) return true;
  return line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ') && HUNK.test(lines[at + 2] ?? '');
}

function change(file: Draft): Change {
  const { minus, plus, hunks } = file;
  if (file.from !== undefined && file.to !== undefined) return { op: 'update', path: file.from, to: file.to, hunks };
  if (minus === undefined || plus === undefined)
    throw badPatch(file.line, 'names no file; --- and +++ lines are needed');
  if (minus === '/dev/null' && plus === '/dev/null') throw badPatch(file.line, 'names no file');
  if (minus === '/dev/null') {
    const lines = hunks.flatMap((each) => each.lines);
    if (lines.some((line) => line.sign !== '+')) throw badPatch(file.line, 'a new file has only added lines');
    return {
      op: 'add',
      path: stripped(plus),
      lines: lines.map((line) => line.text),
      open: lines.at(-1)?.open === true,
      executable: file.executable,
    };
  }
  if (plus === '/dev/null') return { op: 'delete', path: stripped(minus), hunks };
  if (hunks.length === 0) throw badPatch(file.line, 'changes nothing: it has no hunk');
  const git = minus.startsWith('a/') && plus.startsWith('b/');
  const [old, fresh] = git ? [minus.slice(2), plus.slice(2)] : [minus, plus];
  return { op: 'update', path: fresh, hunks, ...(old === fresh ? {} : { otherwise: old }) };
}

/** Beside /dev/null only one name tells whether git's prefixes are there; git writes them unless told otherwise. */
function stripped(name: string): string {
  return /^[ab]\//.test(name) ? name.slice(2) : name;
}
