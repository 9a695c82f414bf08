// What a patch asks for, whichever way it was written.
import { ToolError } from '@hanzo/tool';

/** A line of a hunk: kept, removed or added. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** a "no newline at end of file" mark follows */
  readonly open?: boolean;
}

export interface Hunk {
  /** lines that stand before the place, outermost first (`@@ context`) */
  readonly contexts: readonly string[];
  readonly lines: readonly HunkLine[];
  /** the old file's line the hunk says it starts at, 1-based; for a hunk without old lines the line it goes after */
  readonly at?: number;
  /** the hunk ends where the file ends */
  readonly atEnd: boolean;
  /** line of the patch it starts at, 1-based */
  readonly from: number;
}

export type Change =
  | {
      readonly op: 'add';
      readonly path: string;
      readonly lines: readonly string[];
      readonly open: boolean;
      readonly executable: boolean;
    }
  | {
      readonly op: 'delete';
      readonly path: string;
      readonly otherwise?: string;
      readonly base?: string;
      readonly hunks?: readonly Hunk[];
    }
  | {
      readonly op: 'update';
      readonly path: string;
      /** another reading of the name, used where `path` is not there: a unified diff's other name, or blanks at the end */
      readonly otherwise?: string;
      readonly to?: string;
      readonly base?: string;
      readonly hunks: readonly Hunk[];
    };

/** INVALID_PARAMS about a line of the patch. */
export function badPatch(line: number, why: string): ToolError {
  return new ToolError('INVALID_PARAMS', `'input', line ${line}: ${why}`, { param: 'input', line });
}
