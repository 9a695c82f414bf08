// Hits in a row become lines in a row: each file's matching lines, the context asked for, and where there are gaps.
import type { Found, Hit } from '@hanzo/search';
import { bytesBefore, oddBytes } from './bytes.ts';

/** Hits asked of the engine at a time. */
const BATCH = 5000;

export interface ContextLine {
  readonly line: number;
  readonly text: string;
  /** byte offset in the file */
  readonly offset: number;
}

/** What is told, in order: `file` begins a file or a part of a document, `gap` stands between lines that are not neighbours. */
export interface Teller {
  file(hit: Hit): void;
  match(hit: Hit): void;
  context(hit: Hit, line: ContextLine): void;
  gap(): void;
  end(hit: Hit): void;
  /** waits until there is room for more */
  pause(): Promise<void>;
}

/** Tells all hits of a list, with `before` and `after` lines around each. Resolves to whether a file changed meanwhile. */
export async function tellLines(
  found: Found,
  { before, after }: { readonly before: number; readonly after: number },
  teller: Teller,
): Promise<boolean> {
  let changed = false;
  let last: Hit | undefined;
  let shown = 0;
  const context = (hit: Hit, lines: readonly ContextLine[]): void => {
    for (const each of lines) {
      if (shown > 0 && each.line > shown + 1) teller.gap();
      teller.context(hit, each);
      shown = each.line;
    }
  };
  const close = (): void => {
    if (!last) return;
    const from = last;
    context(
      from,
      linesAfter(from).filter(({ line }) => line <= from.line + after),
    );
    teller.end(from);
  };
  for (let offset = 0; offset < found.total; offset += BATCH) {
    const page = await found.page({ offset, limit: BATCH, context: Math.max(before, after) });
    changed ||= page.changed;
    for (const hit of page.hits) {
      if (last && sameFile(last, hit)) {
        const from = last;
        context(
          hit,
          [...linesAfter(from), ...linesBefore(hit)].filter(
            ({ line }) => line <= from.line + after || line >= hit.line - before,
          ),
        );
      } else {
        close();
        shown = 0;
        teller.file(hit);
        context(
          hit,
          linesBefore(hit).filter(({ line }) => line >= hit.line - before),
        );
      }
      if (shown > 0 && hit.line > shown + 1 && before + after > 0) teller.gap();
      teller.match(hit);
      shown = hit.line;
      last = hit;
    }
    await teller.pause();
  }
  close();
  return changed;
}

function sameFile(a: Hit, b: Hit): boolean {
  return a.file === b.file && a.part?.entry === b.part?.entry && a.part?.place === b.part?.place;
}

function linesBefore(hit: Hit): ContextLine[] {
  const first = hit.line - hit.before.length;
  let offset = hit.offset - lengthBefore(hit);
  return hit.before.map((text, i) => {
    const line = { text, line: first + i, offset };
    offset += lengthOf(hit, line) + 1;
    return line;
  });
}

function linesAfter(hit: Hit): ContextLine[] {
  let offset = hit.offset + lengthOf(hit, hit) + 1;
  return hit.after.map((text, i) => {
    const line = { text, line: hit.line + 1 + i, offset };
    offset += lengthOf(hit, line) + 1;
    return line;
  });
}

/** Bytes of a line in its file, which its text does not tell where it stands for bytes that are no UTF-8. */
function lengthOf({ file, part }: Hit, { text, offset }: ContextLine): number {
  return oddBytes({ file, part, text, offset })?.length ?? Buffer.byteLength(text);
}

/** Bytes between the first line before a hit and the hit. */
function lengthBefore(hit: Hit): number {
  const length = hit.before.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
  if (hit.part || !hit.before.some((each) => each.includes('\ufffd'))) return length;
  return bytesBefore(hit.file, hit.offset, hit.before.length, length) ?? length;
}
