// Standard output belongs to the protocol: everything else that is written there goes to standard error.

/** Where protocol lines are written; `process.stdout` and any Writable fit. */
export interface Output {
  write(text: string, done?: (error?: Error | null) => void): boolean;
  readonly writableLength: number;
  on(event: 'drain' | 'error' | 'close', listener: (error?: Error) => void): unknown;
  removeListener(event: 'drain' | 'error' | 'close', listener: (error?: Error) => void): unknown;
}

/** The real standard output, and the way to give it back. */
export interface Diverted extends Output {
  restore(): void;
}

/**
 * From now on `process.stdout.write` and so `console.log` write to standard error; only the returned output writes to
 * standard output. Call it first thing in a program that serves stdio, and hand the result to `serveStdio`.
 */
export function divertStdout(): Diverted {
  const { stdout, stderr } = process;
  const original = stdout.write;
  const real = original.bind(stdout) as Output['write'];
  const stray = stderr.write.bind(stderr) as typeof stdout.write;
  stdout.write = stray;
  return {
    write: real,
    get writableLength() {
      return stdout.writableLength;
    },
    on: (event, listener) => stdout.on(event, listener),
    removeListener: (event, listener) => stdout.removeListener(event, listener),
    restore() {
      if (stdout.write === stray) stdout.write = original;
    },
  };
}
