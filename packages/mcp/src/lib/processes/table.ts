// The table of the commands this server runs: one entry per command, ended with the server. Knows nothing of tools or answers.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nearest, shorten, ToolError } from '@hanzo/tool';
import { needProgram } from '../program.ts';
import { Command } from './command.ts';
import { endTrees } from './ending.ts';
import { childEnv } from './env.ts';
import { createMarker, type Marker } from './mark.ts';
import { PipeMaker } from './pipes.ts';
import type { Proc, StartRequest } from './proc.ts';
import { pidNamespace } from './sandbox.ts';
import { look, lookSoon, MARK_VARIABLE } from './scan.ts';
import { killNow, members, signalAll, type Trace } from './tree.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

export interface ProcessTableOptions {
  /** run each command in a PID namespace of its own (bubblewrap) where that works; default false */
  readonly sandboxPid?: boolean;
  /** finished commands kept; default 100 */
  readonly keep?: number;
  /** most commands with live processes; default 128 */
  readonly maxRunning?: number;
  /** most bytes of log on disk per command and stream; default 256 MiB */
  readonly maxLog?: number;
  /** names of the server's own credentials that children may have; default none */
  readonly passEnv?: readonly string[];
  /** milliseconds between SIGTERM and SIGKILL; default 800 */
  readonly grace?: number;
  /** mark commands by a resource limit too where the system can; default true */
  readonly markByLimit?: boolean;
}

/** Ends with `close`, or with the server, by whatever road that goes. */
export interface ProcessTable {
  /** Rejects with CONFLICT (name in use, too many running), NOT_FOUND (program, directory), INTERNAL_ERROR (the system refuses). */
  start(request: StartRequest): Promise<Proc>;
  /** NOT_FOUND for an unknown name, with the nearest one */
  get(id: string): Proc;
  /** in order of start */
  list(): readonly Proc[];
  /**
   * TERM and KILL end the whole tree and resolve when it is gone; any other signal is delivered to the command's group. Resolves
   * to the pids that live on in spite of TERM or KILL: normally none.
   */
  kill(id: string, signal: NodeJS.Signals): Promise<readonly number[]>;
  /** ends every process of every command and removes the logs */
  close(): Promise<void>;
}

/** What exists from the first command on. */
interface Workshop {
  readonly folder: string;
  readonly pipes: PipeMaker;
  readonly marker: Marker;
  readonly watchdog: Watchdog;
  readonly namespace: ((argv: readonly string[]) => readonly string[]) | undefined;
  readonly onExit: () => void;
  readonly poll: NodeJS.Timeout | undefined;
}

/** Most bytes of logs of finished commands; the older ones go first. */
const MAX_KEPT = 1024 * 1024 * 1024;

/** Milliseconds between two looks at what runs, where no limit marks it. */
const POLL = 250;

/** Makes the table. Nothing is started or written before the first command. */
export function createProcessTable(options: ProcessTableOptions = {}): ProcessTable {
  const { keep = 100, maxRunning = 128, maxLog = 256 * 1024 * 1024, passEnv = [], grace = 800 } = options;
  const commands = new Map<string, Command>();
  const reserved = new Set<string>();
  let workshop: Workshop | undefined;
  let closed = false;
  let named = 0;
  let serial = 0;

  /** The commands that have live processes, by one look for all of them. */
  const living = (): Command[] => {
    const unknown = [...commands.values()].filter((each) => !each.gone);
    const now = unknown.length > 0 ? look() : undefined;
    return unknown.filter((each) => each.alive(now) > 0);
  };
  const traces = (): Trace[] => living().map((each) => each.trace);

  const open = (): Workshop => {
    if (workshop) return workshop;
    const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-mcp-'));
    const marker = createMarker(options.markByLimit ?? true);
    const onExit = (): void => {
      killNow(traces());
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', onExit);
    // A process that clears its environment and leaves its session is known only if it was seen before that.
    const poll = marker.limitPrefix === '' ? setInterval(() => void traces(), POLL).unref() : undefined;
    workshop = {
      folder,
      marker,
      onExit,
      poll,
      pipes: new PipeMaker(folder),
      watchdog: startWatchdog(folder, marker.envPrefix, marker.limitPrefix),
      namespace: options.sandboxPid ? pidNamespace() : undefined,
    };
    return workshop;
  };

  const freeName = (): string => {
    for (;;) {
      const id = `proc_${++named}`;
      if (!commands.has(id) && !reserved.has(id)) return id;
    }
  };

  /** Makes room: the oldest finished commands go, those with live processes stay. */
  const prune = (): void => {
    living();
    const finished = [...commands.values()].filter((each) => each.gone);
    let bytes = 0;
    for (const [age, each] of finished.toReversed().entries()) {
      bytes += each.stdout.size + each.stderr.size;
      if (age < keep && (age === 0 || bytes <= MAX_KEPT)) continue;
      commands.delete(each.id);
      each.discard();
    }
  };

  const find = (id: string): Command => {
    const found = commands.get(id);
    if (found) return found;
    const meant = nearest(id, commands.keys());
    const hint = meant
      ? `; did you mean '${meant}'?`
      : commands.size > 0
        ? `; 'ps' lists them`
        : '; none was started yet';
    throw new ToolError('NOT_FOUND', `no process '${shorten(id)}'${hint}`, meant ? { nearest: meant } : {});
  };

  return {
    async start(request) {
      if (closed) throw new ToolError('CONFLICT', 'the server is ending; nothing is started any more');
      if (!statSync(request.cwd, { throwIfNoEntry: false })?.isDirectory()) {
        throw new ToolError('NOT_FOUND', `${request.cwd} is not a directory`, { path: request.cwd });
      }
      const env = childEnv(request.env, passEnv);
      const [name = '', ...args] = request.argv;
      const program = needProgram(name, env['PATH'], request.cwd);
      const id = request.id ?? freeName();
      const before = commands.get(id);
      if (reserved.has(id) || (before && before.alive() > 0)) {
        throw new ToolError('CONFLICT', `a process named '${id}' is running; choose another proc_id or kill it first`, {
          proc_id: id,
        });
      }
      prune();
      if (commands.size + reserved.size >= maxRunning && traces().length + reserved.size >= maxRunning) {
        throw new ToolError('CONFLICT', `${maxRunning} commands are running; kill some first ('ps' lists them)`);
      }
      reserved.add(id);
      try {
        const { pipes, marker, folder, namespace: own } = open();
        const namespace = request.wrap ?? own;
        const number = ++serial;
        const marks = marker.marks(number);
        const argv = namespace ? await namespace([program, ...args]) : [program, ...args];
        if (marks.env !== undefined) env[MARK_VARIABLE] = marks.env;
        const command = await Command.start({
          id,
          serial: number,
          argv: marker.wrap(argv, marks),
          command: request.command ?? request.argv.join(' '),
          cwd: request.cwd,
          env,
          marks,
          keeper: namespace !== undefined,
          input: request.input,
          stdin: request.stdin ?? false,
          verdict: request.verdict,
          sandbox: request.sandbox,
          logs: [path.join(folder, `${marks.env}.out`), path.join(folder, `${marks.env}.err`)],
          maxLog,
          pipes,
        });
        commands.delete(id);
        before?.discard();
        commands.set(id, command);
        if (closed) await endTrees([command.trace], 'SIGKILL', 0);
        return command;
      } finally {
        reserved.delete(id);
      }
    },

    get: find,
    list: () => [...commands.values()],

    async kill(id, signal) {
      const command = find(id);
      if (command.gone || command.alive(await lookSoon()) === 0) {
        await command.settle(1000);
        return [];
      }
      if (signal === 'SIGTERM' || signal === 'SIGKILL') {
        const left = await endTrees([command.trace], signal, grace);
        await command.settle(1000);
        return left.map((each) => each.pid);
      }
      deliver(command, signal);
      return [];
    },

    async close() {
      closed = true;
      await endTrees(traces(), 'SIGTERM', Math.min(grace, 500));
      await Promise.all([...commands.values()].map((each) => each.settle(1000)));
      for (const each of commands.values()) each.discard();
      commands.clear();
      if (!workshop) return;
      process.off('exit', workshop.onExit);
      clearInterval(workshop.poll);
      rmSync(workshop.folder, { recursive: true, force: true });
      workshop.watchdog.dismiss();
      workshop = undefined;
    },
  };
}

function deliver({ trace, ended }: Command, signal: NodeJS.Signals): void {
  // In a namespace the group's first process is its keeper, whose end would end the others without the signal.
  if (!ended && !trace.keeper) {
    try {
      process.kill(-trace.leader, signal);
      return;
    } catch {
      // The group's first process has just ended.
    }
  }
  const others = members(trace).filter((each) => each.pid !== trace.leader);
  signalAll(others, signal);
}
