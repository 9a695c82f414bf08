// One simple command as the walk meets it.
import type { Source } from './source.ts';
import type { State, Stream } from './state.ts';
import type { Field, Span } from './value.ts';

/** One simple command, with its words as they are known. */
export interface Invocation {
  /** the program and its arguments; never empty */
  readonly fields: readonly Field[];
  /** variables set for it alone */
  readonly own: ReadonlyMap<string, Field>;
  readonly state: State;
  readonly stdin: Stream;
  readonly source: Source;
  readonly span: Span;
  /** as written */
  readonly written: string;
}
