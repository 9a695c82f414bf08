// The public contract: what is asked about a command, and what is answered.
import type { Decision } from './decision.ts';
import type { ProgramRule } from './rules/types.ts';

export type { Decision } from './decision.ts';

/** Why a verdict is what it is. */
export interface Reason {
  /** stable name of the rule, such as `delete-home` */
  readonly rule: string;
  readonly decision: Decision;
  /** a sentence that quotes what it is about */
  readonly message: string;
  /** the simple command it is about, as written */
  readonly command: string;
  /** where that stands in the text, in UTF-16 units: [start, end) */
  readonly span: readonly [start: number, end: number];
}

export interface Verdict {
  readonly decision: Decision;
  /** the reasons that made it more than `allow`, strictest first, at most 20; empty for `allow` */
  readonly reasons: readonly Reason[];
}

/** What the classifier may learn about the machine. Every part may be left out; what is not known asks. */
export interface Machine {
  /** absolute; default: unknown, so that `~` asks where it matters */
  readonly home?: string;
  /** absolute directories for temporary files; default `/tmp` and `/var/tmp` */
  readonly temporary?: readonly string[];
  /** the command would run as root */
  readonly root?: boolean;
  /** the text of a small file (a script, a package.json), or undefined; must not throw, must bound what it reads */
  readonly read?: (file: string) => string | undefined;
  /** where a path leads once links are followed (of its deepest part that exists), or undefined if that cannot be told */
  readonly real?: (file: string) => string | undefined;
  /** the value of an environment variable; asked only for those that a path commonly starts with */
  readonly variable?: (name: string) => string | undefined;
}

export interface Question {
  /** a whole program for the shell, as it would be given to `bash -c` */
  readonly command: string;
  /** absolute */
  readonly cwd: string;
  /** absolute directories that may be written to; default [cwd] */
  readonly roots?: readonly string[];
  readonly shell?: 'sh' | 'bash' | 'zsh' | 'fish';
  /** what the command reads: a text, or 'unknown' where that comes later; default: nothing */
  readonly stdin?: { readonly text: string } | 'unknown';
  readonly machine?: Machine;
  /** default: the rules of this package */
  readonly rules?: RuleSet;
}

/** Rules by the name of a program. */
export interface RuleSet {
  find(program: string): ProgramRule | undefined;
  /** further rules of a program, judged besides the first: they can only make the decision stricter */
  readonly besides?: (program: string) => readonly ProgramRule[];
  /** a decision an organisation set for a program, subcommand or text; only ever stricter than the rules' own, unless the user said otherwise */
  readonly overrides: readonly Override[];
}

/** A row of a verdict.json file. */
export interface Override {
  /** words of the command from its program on; `*` stands for any one word, a last `**` for any rest */
  readonly match: readonly string[];
  readonly decision: Decision;
  readonly message?: string;
  /** may make it milder: only true for rows of the user's own file */
  readonly mayLoosen: boolean;
  /** where the row stands, for messages */
  readonly source: string;
}

/** What was understood of a command: for people. */
export interface Explanation extends Verdict {
  readonly tree: readonly Node[];
}

/** One simple command, with those it starts. */
export interface Node {
  readonly command: string;
  readonly span: readonly [start: number, end: number];
  readonly decision: Decision;
  /** what it was taken for: `deletes /x`, `runs a command as another user`, `reads src/a` */
  readonly notes: readonly string[];
  readonly children: readonly Node[];
}
