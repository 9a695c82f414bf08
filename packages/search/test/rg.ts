// Asking the real ripgrep, and nothing of what the machine configures it to. Tests only: the engine starts no process.
import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import type { Query } from '../src/index.ts';

/** Lines by file, both as ripgrep has them: absolute paths if the roots were, line numbers ascending. */
export type Lines = ReadonlyMap<string, readonly number[]>;

/** What ripgrep said: lines, or why it takes no such pattern. */
export type Answer = { readonly lines: Lines } | { readonly refused: string };

/** A match message of `--json`: the bytes of the lines, and spans of bytes in them. */
export interface Match {
  readonly file: string;
  readonly line: number;
  readonly bytes: Buffer;
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** The flags that say what a query says. */
export function flagsOf(query: Query): string[] {
  const flags: string[] = [];
  if (query.literal) flags.push('-F');
  if (query.ignoreCase) flags.push('-i');
  if (query.word) flags.push('-w');
  if (query.multiline) flags.push('-U');
  for (const glob of query.globs ?? []) flags.push('-g', glob);
  return [...flags, '-e', query.pattern];
}

/**
 * Lines of all trees below `roots`. A file with a NUL anywhere is left out, as `rg -c` leaves it out: of some, ripgrep would
 * print what stands before the NUL.
 */
export async function linesOf(roots: readonly string[], query: Query): Promise<Answer> {
  const flags = ['-n', '-0', '--heading', '--color=never', '--max-columns=1', ...flagsOf(query), '--', ...roots];
  const { code, out, err } = await run(flags);
  if (code === 2 && (await refuses(query))) return { refused: err };
  const lines = new Map<string, number[]>();
  for (let at = 0; at < out.length; at++) {
    const start = at;
    const nul = out.indexOf(0, at);
    const own: number[] = [];
    let binary = false;
    for (at = nul + 1; at < out.length && out[at] !== 10;) {
      let line = 0;
      // what is not a number is the warning that a NUL ended the search of this file
      for (; out[at] !== 58 && !binary; at++) {
        const digit = (out[at] as number) - 48;
        if (digit < 0 || digit > 9) binary = true;
        else line = line * 10 + digit;
      }
      if (own.at(-1) !== line) own.push(line);
      at = out.indexOf(10, at) + 1;
    }
    if (!binary) lines.set(out.toString('utf8', start, nul), own);
  }
  return { lines };
}

/** Every match below a root with its bytes; binary files are left out, as `rg -c` leaves them out. */
export async function matchesOf(root: string, query: Query): Promise<readonly Match[] | { readonly refused: string }> {
  const { code, out, err } = await run(['--json', ...flagsOf(query), '--', root]);
  if (code === 2 && (await refuses(query))) return { refused: err };
  const all: Match[] = [];
  let own: Match[] = [];
  for (let at = 0; at < out.length;) {
    const end = out.indexOf(10, at);
    const { type, data } = JSON.parse(out.toString('utf8', at, end)) as Message;
    at = end + 1;
    if (type === 'begin') own = [];
    else if (type === 'match') {
      own.push({
        file: decode(data.path).toString(),
        line: data.line_number,
        bytes: decode(data.lines),
        spans: data.submatches.map(({ start, end: stop }) => [start, stop]),
      });
    } else if (type === 'end' && data.binary_offset === null) all.push(...own);
  }
  return all;
}

/** The lines that matches touch. */
export function linesOfMatches(matches: readonly Match[]): Lines {
  const lines = new Map<string, number[]>();
  for (const { file, line, bytes } of matches) {
    const own = lines.get(file) ?? [];
    lines.set(file, own);
    let last = bytes.length - 1;
    if (bytes[last] === 10) last--;
    own.push(line);
    for (let at = bytes.indexOf(10), next = line + 1; at >= 0 && at <= last; at = bytes.indexOf(10, at + 1))
      own.push(next++);
  }
  return lines;
}

/** `-c`: lines by file. Under -U ripgrep counts matches instead, so it is not for that. */
export async function countsOf(root: string, query: Query): Promise<ReadonlyMap<string, number>> {
  const { out } = await run(['-c', '-0', ...flagsOf(query), '--', root]);
  const counts = new Map<string, number>();
  for (const [, file, count] of out.toString().matchAll(/([^\0]+)\0(\d+)\n/g))
    counts.set(file as string, Number(count));
  return counts;
}

/** What it would search. */
export async function filesOf(root: string, globs: readonly string[] = []): Promise<string[]> {
  const { out } = await run(['--files', '-0', ...globs.flatMap((glob) => ['-g', glob]), '--', root]);
  return out.toString().split('\0').slice(0, -1).sort();
}

interface Message {
  readonly type: string;
  readonly data: {
    readonly path: Text;
    readonly lines: Text;
    readonly line_number: number;
    readonly binary_offset: number | null;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}
type Text = { readonly text: string } | { readonly bytes: string };

const decode = (text: Text): Buffer => ('text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64'));

/** Exit code 2 is also that of a file that cannot be read: an empty text tells whether the pattern is meant. */
async function refuses(query: Query): Promise<boolean> {
  return (await run([...flagsOf({ ...query, globs: [] }), '--', '-'])).code === 2;
}

function run(flags: readonly string[]): Promise<{ readonly code: number; readonly out: Buffer; readonly err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ['--no-config', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? -1, out: Buffer.concat(out), err: Buffer.concat(err).toString() }),
    );
  });
}
