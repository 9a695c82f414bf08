// The form of a rule: what a program's options, subcommands and operands mean. Rules are plain data; code only reads them.
import type { Decision } from '../decision.ts';

/**
 * What an argument is for the program that gets it.
 * - `data`: text without an effect of its own (a pattern, a number, a format)
 * - `read`, `write`, `delete`: a path that is read; created or changed; removed. `move`: removed there, as `mv` does
 * - `into`: a path written to, and a directory written into when it is one (the last operand of `cp`)
 * - `execute`: a path of a program or script that is run; `script`: one that is a shell script and is read and judged
 * - `shell`: a string of shell code; `code`: code of another language; `command`: the first word of a command that takes all the rest
 * - `url`: an address that is fetched from; `upload`: a path whose content leaves the machine; `remote`: a host or a path on one
 * - `mode`: permission bits or an owner; `device`: a disk or partition; `pid`: a process; `package`: a name that is fetched and may run code
 */
export type Role =
  | 'data'
  | 'read'
  | 'write'
  | 'delete'
  | 'move'
  | 'into'
  | 'execute'
  | 'script'
  | 'shell'
  | 'code'
  | 'command'
  | 'url'
  | 'upload'
  | 'remote'
  | 'mode'
  | 'device'
  | 'pid'
  | 'package';

/** What an option does. A bare role stands for `{ value: role }`, `flag` for `{}`. */
export interface OptionRule {
  /** the option takes a value of this role; absent: it takes none */
  readonly value?: Role;
  /** the value can only be attached (`-i.bak`, `--color=auto`) */
  readonly attached?: boolean;
  /** with this option the operands are this instead */
  readonly operands?: Operands;
  /** with this option it works on whole trees */
  readonly recursive?: boolean;
  readonly network?: boolean;
  /** with this option nothing is changed: the whole command is at most a read */
  readonly dry?: boolean;
  readonly decision?: Decision;
  /** why, for people: completes "`git push --force` ..." */
  readonly why?: string;
}

/** Roles by place: `first` from the left, `last` from the right, `rest` for those between. */
export interface Places {
  readonly first?: readonly Role[];
  readonly last?: readonly Role[];
  readonly rest?: Role;
}
/** One role for all, `none` where operands are not expected (they ask), or roles by place. */
export type Operands = Role | 'none' | Places;

export interface CommandRule {
  /** keys are spellings separated by `, `, as in a manual: `'-o, --output': 'write'` */
  readonly options?: Readonly<Record<string, OptionRule | Role | 'flag'>>;
  /** what an option that is not listed means: `ask` (default), or `harmless` where no option of the program has an effect that matters */
  readonly otherOptions?: 'ask' | 'harmless';
  /** options may be bundles of single letters (default true); false for programs like `find` and `java` whose options are words after one dash */
  readonly bundles?: boolean;
  /** options end at the first operand (wrappers); default false */
  readonly optionsFirst?: boolean;
  readonly operands?: Operands;
  /** the decision where nothing in the arguments says more; default allow */
  readonly decision?: Decision;
  readonly why?: string;
  readonly network?: boolean;
  readonly recursive?: boolean;
  /** what it prints is not known even where its arguments are; default true. `echo` and `printf` are evaluated. */
  readonly sub?: Readonly<Record<string, CommandRule>>;
  /** the decision for a subcommand that is not listed; default ask */
  readonly otherSub?: Decision;
  /** the name of a reader in commands/special/ that reads the arguments of programs with a language of their own */
  readonly special?: string;
}

/** The rule of one program. `examples` are run by the tests: each command with the decision it must get. */
export interface ProgramRule extends CommandRule {
  readonly names: readonly string[];
  readonly examples: Readonly<Record<string, Decision>>;
}
