// How the program ends: 0 done, 1 refused or not reachable, 2 the command line is to be mended.

/** What the person has to mend in the command line, the environment or the profile. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What ends a verb that calls no operation. */
export class FailedError extends Error {
  override readonly name = 'FailedError';
}
