// One command as its readers see it, and what it takes to start one.
import type { Capture } from './capture.ts';
import type { Snapshot } from './scan.ts';

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
  /** puts the argv into a namespace, whose first process is a keeper; in place of the table's own way */
  readonly wrap?: (argv: readonly string[]) => readonly string[] | Promise<readonly string[]>;
  /** what confines it, and the verdict: carried along for whoever reads the entry */
  readonly sandbox?: string;
  readonly verdict?: unknown;
}

/** One command, while it runs and after. */
export interface Proc {
  readonly id: string;
  /** its place in the order of starts, from 1; no two commands of a table share it, whatever their names */
  readonly serial: number;
  readonly pid: number;
  readonly command: string;
  readonly cwd: string;
  /** milliseconds since the epoch */
  readonly started: number;
  /** milliseconds from its start to its end, or until now */
  readonly runningFor: number;
  readonly verdict: unknown;
  readonly sandbox: string | undefined;
  readonly stdout: Capture;
  readonly stderr: Capture;
  /** undefined while the command's own process runs */
  readonly ended: Ended | undefined;
  /** resolves when the command's own process has ended and its output is in; never rejects */
  readonly done: Promise<Ended>;
  /** true where `write` is possible */
  readonly takesInput: boolean;
  /** true if one of its processes sits in a read of the input that `write` feeds; false too where that cannot be seen */
  readonly waitsForInput: boolean;
  /** how many of its processes live, those it left behind included; 0 once all are gone. `now` saves a look of its own */
  alive(now?: Snapshot): number;
  /** calls `listener` after each piece of output and at the end; returns the way to stop that */
  onChange(listener: () => void): () => void;
  /** sends text to its standard input; `eof` closes it. CONFLICT where that is not possible */
  write(input: string, eof: boolean): Promise<void>;
}

export interface Ended {
  /** 128 + number of the signal when one ended it, as shells do */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | undefined;
  /** milliseconds since the epoch */
  readonly at: number;
}
