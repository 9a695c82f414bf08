// What differs between the revisions that begin with `initialize`. Each folder beside this one is one of them.

/** One dated revision of the session era. */
export interface LegacyRevision {
  readonly version: string;
  /** whether a message may be an array of messages */
  readonly batches: boolean;
  /** a tool list as this revision knows it; the same array where nothing has to change */
  tools(items: readonly unknown[]): readonly unknown[];
  /** a result of `tools/call` or `prompts/get` as this revision knows it */
  result(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
}
