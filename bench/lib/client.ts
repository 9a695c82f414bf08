// A bare stdio client for measuring: no SDK, so that what is timed is the server.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

interface Answer {
  result?: unknown;
  error?: { code: number; message: string };
}

/** A result of `tools/call` as far as a bench looks at it. */
export interface Called {
  content: { type: string; text?: string; data?: string }[];
  isError?: boolean;
}

/** One server under measurement. */
export interface Session {
  readonly pid: number;
  request(method: string, params?: object, timeoutMs?: number): Promise<unknown>;
  call(name: string, args: object, timeoutMs?: number): Promise<Called>;
  /** bytes the server wrote to stdout so far */
  received(): number;
  /** resident bytes of the server and its descendants now */
  memory(): number;
  /** highest resident bytes of the server process since it started */
  peak(): number;
  end(): Promise<void>;
}

/** How to start a server. */
export interface Command {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a server; nothing is sent yet. Its stderr is drained. */
export function open({ argv, cwd, env }: Command): Session {
  const child = spawn(argv[0] as string, argv.slice(1), {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    env: cleanEnvironment(env),
  });
  child.stderr.resume();
  child.stdin.on('error', () => {});
  const waiting = new Map<number, (answer: Answer) => void>();
  let id = 0;
  let bytes = 0;
  let parts: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      receive(Buffer.concat(parts).toString('utf8'), waiting);
      parts = [];
      from = at + 1;
    }
    parts.push(chunk.subarray(from));
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => {
    for (const answer of waiting.values()) answer({ error: { code: 0, message: 'the server ended' } });
  });

  const request = (method: string, params: object = {}, timeoutMs = 120_000): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const own = ++id;
      const timer = setTimeout(() => {
        waiting.delete(own);
        reject(new Error(`no answer in ${timeoutMs} ms`));
      }, timeoutMs);
      waiting.set(own, ({ result, error }) => {
        clearTimeout(timer);
        waiting.delete(own);
        if (error) reject(new Error(error.message));
        else resolve(result);
      });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`);
    });

  const pid = child.pid as number;
  return {
    pid,
    request,
    call: async (name, args, timeoutMs) =>
      (await request('tools/call', { name, arguments: args }, timeoutMs)) as Called,
    received: () => bytes,
    memory: () => [pid, ...descendants(pid)].reduce((sum, each) => sum + statusBytes(each, 'VmRSS'), 0),
    peak: () => statusBytes(pid, 'VmHWM'),
    end: () => end(child, exited),
  };
}

/** The handshake every server of the 2025 era takes. */
export async function initialize(session: Session): Promise<void> {
  await session.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  });
}

/** Pids below `pid`, from /proc. */
function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').flatMap((each) => [Number(each), ...descendants(Number(each))]);
  } catch {
    return [];
  }
}

function receive(line: string, waiting: ReadonlyMap<number, (answer: Answer) => void>): void {
  try {
    const message = JSON.parse(line) as Answer & { id?: number };
    if (typeof message.id === 'number') waiting.get(message.id)?.(message);
  } catch {
    // A server that writes something else to stdout is measured all the same.
  }
}

function statusBytes(pid: number, key: string): number {
  try {
    const line = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** NODE_EXTRA_CA_CERTS costs an older Node tens of milliseconds a start; no server is charged for it. */
function cleanEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...rest } = process.env;
  return { ...rest, ...extra };
}

async function end(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
  await exited;
  clearTimeout(timer);
}
