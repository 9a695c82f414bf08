// The one error of a file that is not what was written: its owner drops the index and builds it again.

/** An index file is short, altered, or of another kind. Nothing that was read from it may be trusted. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
  readonly file: string;

  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.file = file;
  }
}
