// What a command is when it is judged, and what those who judge it are given.
import type { Field } from '../shell/value.ts';
import type { Invocation } from '../shell/invocation.ts';
import type { State, Stream } from '../shell/state.ts';
import type { Decision, Question } from '../types.ts';
import type { Role } from '../rules/types.ts';
import type { Walker } from '../shell/walk.ts';
import type { Zone } from '../places/zones.ts';
import type { Arguments } from './read.ts';

/** What a reader of arguments (commands/special) can do. */
export interface Bench {
  readonly question: Question;
  readonly walker: Walker;
  readonly invocation: Invocation;
  /** from here on `link` leads to `target`, which the machine cannot tell yet */
  linked(link: Field, target: Field): void;
  /** a rule is known for a program of this name */
  knows(program: string): boolean;
  /** says something of this command */
  report(decision: Decision, rule: string, message: string): void;
  note(text: string): void;
  /** judges an argument as what it is for the program */
  role(role: Role, field: Field, how?: { readonly recursive?: boolean; readonly network?: boolean }): void;
  /** the zones an argument's path may be in; undefined if nothing is known of it */
  zones(
    field: Field,
  ):
    | readonly { readonly zone: Zone; readonly path: string; readonly all: boolean; readonly open: boolean }[]
    | undefined;
  /** judges a command made of these words, in another state where `change` says so */
  command(fields: readonly Field[], change?: Partial<State>): Stream;
  /** judges shell code that is a word */
  shell(field: Field, change?: Partial<State>): Stream;
  /** judges shell code that was read from a file or put together */
  shellText(text: string, change?: Partial<State>): Stream;
  /** reads the arguments by the rule the command has, and judges each as the rule says; specials call it for the ordinary part */
  ordinary(): Arguments;
  /** same, for wrappers: options are judged, operands are left to the caller */
  ordinaryWithoutOperands(): Arguments;
  /** the same bench for other words of the same command */
  with(fields: readonly Field[]): Bench;
  /** only reads, judges nothing */
  read(): Arguments;
}

/** A reader of arguments: gives what the command prints. */
export type Special = (bench: Bench) => Stream;
