// The table of the commands this server runs: one entry per command, ended with the server. Knows nothing of tools or answers.
import type { Capture } from './capture.ts';

/** What is to be started. */
export interface StartRequest {
  /** program and arguments; no shell is added */
  readonly argv: readonly string[];
  /** how the command is shown; default the argv joined */
  readonly command?: string;
  /** absolute path of a directory */
  readonly cwd: string;
  /** laid over the server's environment */
  readonly env?: Readonly<Record<string, string>>;
  /** a name for the entry; default `proc_N`. CONFLICT while a process of that name runs */
  readonly id?: string;
  /** text the command reads */
  readonly input?: string;
  /** keep its standard input open for `write`; without it the input ends at once */
  readonly stdin?: boolean;
  /** carried along for whoever reads the entry */
  readonly verdict?: unknown;
}

/** One command, while it runs and after. */
export interface Proc {
  readonly id: string;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  /** milliseconds since the epoch */
  readonly started: number;
  readonly verdict: unknown;
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** undefined while the command's own process runs */
  readonly ended: Ended | undefined;
  /** resolves when the command's own process has ended and its output is in */
  readonly done: Promise<Ended>;
  /** true where `write` is possible */
  readonly takesInput: boolean;
}

export interface Ended {
  /** 128 + number of the signal when one ended it, as shells do */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  /** milliseconds since the epoch */
  readonly at: number;
}

export interface ProcessTableOptions {
  /** run each command in a PID namespace of its own (bubblewrap) where that works; default false */
  readonly sandboxPid?: boolean;
  /** finished commands kept; default 100 */
  readonly keep?: number;
  /** most bytes of log on disk per command and stream; default 256 MiB */
  readonly maxLog?: number;
  /** names of the server's own credentials that children may have; default none */
  readonly passEnv?: readonly string[];
}

export interface ProcessTable {
  /** Rejects with CONFLICT (name in use, too many running), NOT_FOUND (program, directory), INTERNAL_ERROR (the system refuses). */
  start(request: StartRequest): Promise<Proc>;
  /** NOT_FOUND for an unknown name, with the nearest one. */
  get(id: string): Proc;
  /** in order of start */
  list(): readonly Proc[];
  /** how many of its processes live; 0 once all are gone */
  alive(proc: Proc): number;
  /** Ends its whole tree (TERM, KILL) or delivers the signal to it (any other). Resolves to the pids that could not be ended. */
  kill(proc: Proc, signal: NodeJS.Signals): Promise<readonly number[]>;
  /** Sends text to its standard input; `eof` closes it. CONFLICT where that is not possible. */
  write(proc: Proc, input: string, eof: boolean): Promise<void>;
  /** Ends every process of every command and removes the logs. */
  close(): Promise<void>;
}

/** Makes the table. Nothing is started or written before the first command. */
export function createProcessTable(_options: ProcessTableOptions = {}): ProcessTable {
  throw new Error('not yet');
}
