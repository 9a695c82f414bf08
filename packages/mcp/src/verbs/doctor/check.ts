// One finding of the doctor, what it is asked about, and how findings are printed.

export interface Check {
  /** stable, lower case; the clients' are `client:<id>` */
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  /** what was found, one sentence without a full stop */
  readonly found: string;
  /** the command, or the change, that would mend it; absent where nothing is wrong */
  readonly mend?: string;
}

export function ok(name: string, found: string): Check {
  return { name, status: 'ok', found };
}

/** Something is missing that only some work needs. */
export function warn(name: string, found: string, mend: string): Check {
  return { name, status: 'warn', found, mend };
}

/** Something does not work. */
export function fail(name: string, found: string, mend: string): Check {
  return { name, status: 'fail', found, mend };
}

const COLOURS = { ok: '\u001b[32m', warn: '\u001b[33m', fail: '\u001b[31m' } as const;

/** The findings for a terminal: one line each, the mend below it, a count at the end. */
export function renderChecks(checks: readonly Check[], colour: boolean): string {
  const width = Math.max(...checks.map((each) => each.name.length));
  const paint = (status: Check['status']): string =>
    colour ? `${COLOURS[status]}${status.padEnd(4)}\u001b[0m` : status.padEnd(4);
  const lines = checks.flatMap(({ name, status, found, mend }) => [
    `${paint(status)}  ${name.padEnd(width)}  ${found}`,
    ...(mend === undefined ? [] : [`${' '.repeat(width + 8)}mend: ${mend}`]),
  ]);
  const count = (status: Check['status']): number => checks.filter((each) => each.status === status).length;
  lines.push(`${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} broken`);
  return `${lines.join('\n')}\n`;
}

/** What to look at. Paths are absolute. */
export interface DoctorOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  /** the Node and the program of this installation */
  readonly nodePath: string;
  readonly nodeVersion: string;
  readonly binPath: string;
  readonly dataDir: string;
  readonly tempDir: string;
  /** the HTTP port that would be asked for */
  readonly port: number;
  /** where the kernel's settings are read; `/proc` */
  readonly proc: string;
  /** how long one program may take to answer */
  readonly timeoutMs: number;
}
