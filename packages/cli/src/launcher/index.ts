// `hanzo __mcp -- SERVER [args]`: starts a stdio server, answers the client's handshake while it does, and ends it with
// everything it started.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { createBridge } from './bridge.ts';
import { eachLine, writeLine } from './lines.ts';
import { createMemory } from './memory.ts';
import { pourInto, unblocking } from './pipes.ts';

/** Milliseconds a first handshake waits for the server's own answer, where HANZO_MCP_GRACE names none; clients give up after ten seconds and more. */
const GRACE = 1000;
/** Milliseconds a server has to end by itself, and then after it was asked to. */
const PATIENCE = 2000;

/** Resolves with the exit code when the server and its children are gone. */
export async function launch(argv: readonly string[]): Promise<number> {
  const [command = '', ...args] = argv[0] === '--' ? argv.slice(1) : argv;
  const [out, err] = [unblocking(1), unblocking(2)];
  const say = pourInto(err);
  if (command === '') {
    say('hanzo: it is: hanzo __mcp -- SERVER [ARGUMENT...]\n');
    return 2;
  }
  const name = path.basename(command);
  const group = process.platform !== 'win32';
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: group, windowsHide: true });
  const { stdin, stdout, stderr } = child;
  stdin.on('error', () => undefined);
  stderr.on('data', (chunk: Uint8Array) => say(chunk));

  const bridge = createBridge({
    memory: createMemory([command, ...args], process.env),
    name,
    grace: /^\d{1,6}$/.test(process.env['HANZO_MCP_GRACE'] ?? '') ? Number(process.env['HANZO_MCP_GRACE']) : GRACE,
    toClient: (line) => writeLine(out, line),
    toServer: (line) => writeLine(stdin, line),
    note: (text) => say(`hanzo: ${text}\n`),
  });

  const gone = new Promise<{ readonly code: number; readonly why: string }>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ code: 1, why: `${name} cannot be started: ${error.code ?? error.message}` }),
    );
    child.once('exit', (code, signal) =>
      resolve({ code: code ?? 1, why: `${name} ended ${signal === null ? `with code ${code ?? 0}` : `by ${signal}`}` }),
    );
  });

  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    stdin.end();
    setTimeout(() => kill(child, 'SIGTERM', group), PATIENCE).unref();
    setTimeout(() => kill(child, 'SIGKILL', group), 2 * PATIENCE).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      kill(child, 'SIGTERM', group);
      end();
    });
  }
  process.stdin.on('error', () => undefined);
  const fromServer = eachLine(stdout, (line) => bridge.fromServer(line)).catch(() => undefined);
  const heard = Promise.withResolvers<void>();
  void eachLine(process.stdin, async (line) => {
    await bridge.fromClient(line);
    heard.resolve();
  })
    .catch(() => undefined)
    .then(heard.resolve)
    .then(end);

  const { code, why } = await gone;
  kill(child, 'SIGKILL', group);
  // a child that left the group may hold the output open for ever
  await within(PATIENCE, fromServer);
  stdout.destroy();
  await bridge.end(why);
  if (!ending) say(`hanzo: ${why}\n`);
  // a server that could not even be started is gone before the client has said a word, and that word wants an answer
  await within(PATIENCE, heard.promise);
  process.stdin.destroy();
  await Promise.all([finish(out), finish(err)]);
  return ending ? 0 : code === 0 ? 1 : code;
}

function within(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Writes out what is there to be read, and waits no longer for a client that does not read. */
async function finish(stream: Writable): Promise<void> {
  if (stream === process.stdout || stream === process.stderr) return;
  await within(PATIENCE, new Promise<void>((resolve) => stream.end(resolve)));
  stream.destroy();
}

/** Signals the server and whatever it started; those that are gone are no matter. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals, group: boolean): void {
  if (pid === undefined) return;
  if (!group) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // it is over
  }
}
