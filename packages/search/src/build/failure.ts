// Why a build ended without a segment.

/** `MEMORY`: there was not enough; `DISK`: no space, no quota, or the folder cannot be written; `FAILED`: anything else. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly code: 'MEMORY' | 'DISK' | 'FAILED';

  constructor(code: BuildError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Files are read without throwing, so that an error of a system call comes from writing the index. */
export function asBuildError(error: unknown): BuildError {
  if (error instanceof BuildError) return error;
  const { code, message, name, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) return new BuildError('DISK', `the index cannot be written: ${message}`);
  // the kernel traps where memory cannot grow; the thread's heap has a limit of its own
  if (name === 'RangeError' || name === 'RuntimeError' || code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new BuildError('MEMORY', `not enough memory to build the index: ${message}`);
  }
  return new BuildError('FAILED', `the index cannot be built: ${message}`);
}
