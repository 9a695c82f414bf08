// The sectioned patch form: `*** Add File:`, `*** Update File:`, `*** Delete File:` and hunks opened by `@@`.
import { shorten } from '@hanzo/tool';
import { readHash } from '../disk/hash.ts';
import { badPatch, type Change, type Hunk, type HunkLine } from './change.ts';

const SECTION = /^\*\*\* (Add|Update|Delete) File: ?(.*)$/;
const MARKER = /^\*\*\* (Begin Patch|End Patch)\s*$/;

/** True if the text is in this form. */
export function hasSections(lines: readonly string[]): boolean {
  return lines.some((line) => SECTION.test(line));
}

/** Reads a whole patch; `lines` are without line ends. Throws INVALID_PARAMS naming the line. */
export function parseSections(lines: readonly string[]): Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const section = SECTION.exec(line);
    if (!section) {
      if (line.trim() === '' || MARKER.test(line)) {
        at++;
        continue;
      }
      throw badPatch(
        at + 1,
        `${JSON.stringify(shorten(line))} belongs to no file; a file starts with *** Add File:, *** Update File: or *** Delete File:`,
      );
    }
    const path = section[2]!.trim();
    if (path === '') throw badPatch(at + 1, 'names no file');
    const end = endOfSection(lines, at + 1);
    const body = lines.slice(at + 1, end);
    const spare = section[2] === path ? {} : { otherwise: section[2]! };
    if (section[1] === 'Add') changes.push(added(path, body));
    else if (section[1] === 'Delete') changes.push({ ...deleted(path, body, at + 2), ...spare });
    else changes.push({ ...updated(path, body, at + 2), ...spare });
    at = end;
  }
  return changes;
}

function endOfSection(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && !SECTION.test(lines[at]!) && !MARKER.test(lines[at]!)) at++;
  return at;
}

function added(path: string, body: readonly string[]): Change {
  const lines = body
    .filter((line) => line !== '*** End of File')
    .map((line) => (line.startsWith('+') ? line.slice(1) : line));
  return { op: 'add', path, lines, open: false, executable: false };
}

function deleted(path: string, body: readonly string[], from: number): Change {
  let base: string | undefined;
  for (const [i, line] of body.entries()) {
    const hash = baseHash(line, from + i);
    if (hash === undefined && line.trim() !== '') throw badPatch(from + i, 'a deleted file has no content');
    base ??= hash;
  }
  return { op: 'delete', path, ...(base === undefined ? {} : { base }) };
}

/** `*** Base Hash: sha256:...`: what the file was when the patch was made. */
function baseHash(line: string, at: number): string | undefined {
  const given = /^\*\*\* Base Hash: ?(.*)$/.exec(line)?.[1];
  if (given === undefined) return undefined;
  const hash = readHash(given);
  if (hash === undefined) throw badPatch(at, 'is no hash; give sha256: and 64 hex digits');
  return hash;
}

function updated(path: string, body: readonly string[], from: number): Change {
  const hunks = new Hunks();
  let to: string | undefined;
  let base: string | undefined;
  for (const [i, line] of body.entries()) {
    const at = from + i;
    const move = /^\*\*\* Move to: ?(.*)$/.exec(line)?.[1]?.trim();
    const hash = baseHash(line, at);
    if (move !== undefined) {
      if (move === '') throw badPatch(at, 'names no file');
      to = move;
    } else if (hash !== undefined) base = hash;
    else if (line === '*** End of File') hunks.end();
    else if (line.startsWith('*** ')) throw badPatch(at, `${JSON.stringify(shorten(line))} is no marker of this form`);
    else if (line.startsWith('@@')) hunks.open(line, at);
    else if (line.startsWith('\\')) hunks.markOpen(at);
    else if (line === '') hunks.push({ sign: ' ', text: '' }, at);
    else if (line[0] === ' ' || line[0] === '-' || line[0] === '+')
      hunks.push({ sign: line[0], text: line.slice(1) }, at);
    else
      throw badPatch(at, `${JSON.stringify(shorten(line))} must begin with a space (kept), - (removed) or + (added)`);
  }
  const all = hunks.finish();
  if (all.length === 0 && to === undefined) throw badPatch(from - 1, 'changes nothing: it has no hunk');
  return {
    op: 'update',
    path,
    hunks: all,
    ...(to === undefined ? {} : { to }),
    ...(base === undefined ? {} : { base }),
  };
}

type Draft = { contexts: string[]; lines: HunkLine[]; at?: number; atEnd: boolean; from: number };

/** Collects the hunks of one file. */
class Hunks {
  #done: Draft[] = [];
  #current: Draft | undefined;

  open(line: string, from: number): void {
    const numbers = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(line);
    const context = numbers
      ? ''
      : line
          .slice(2)
          .replace(/^ /, '')
          .replace(/\s*@@$/, '');
    const named = this.#current;
    // Contexts that follow one another lead to one place: a class, then a method of it.
    if (named && named.lines.length === 0 && named.contexts.length > 0) {
      if (context.trim() !== '') named.contexts.push(context);
      return;
    }
    this.#close();
    this.#current = { contexts: context.trim() === '' ? [] : [context], lines: [], atEnd: false, from };
    if (numbers) this.#current.at = Number(numbers[1]);
  }

  push(line: HunkLine, from: number): void {
    this.#current ??= { contexts: [], lines: [], atEnd: false, from };
    this.#current.lines.push(line);
  }

  markOpen(from: number): void {
    const last = this.#current?.lines.pop();
    if (!last) throw badPatch(from, 'a mark of a missing newline follows no line');
    this.#current?.lines.push({ ...last, open: true });
  }

  end(): void {
    if (this.#current) this.#current.atEnd = true;
  }

  finish(): Hunk[] {
    this.#close();
    return this.#done;
  }

  #close(): void {
    const hunk = this.#current;
    if (!hunk) return;
    // Empty lines before the next marker are how patches are spaced, not context.
    while (hunk.lines.at(-1)?.sign === ' ' && hunk.lines.at(-1)?.text === '') hunk.lines.pop();
    if (hunk.lines.length === 0) {
      if (hunk.contexts.length === 0) return;
      throw badPatch(hunk.from, 'the hunk is empty: it names a context and changes nothing');
    }
    this.#done.push(hunk);
  }
}
