// Starts this installation as a client would and asks it for its tools; and looks whether the HTTP port is free.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { type Check, type DoctorOptions, fail, ok, warn } from './check.ts';

const REQUESTS = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'doctor', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} },
];

/** `serve` over stdio, up to the answer to `tools/list`. The child is ended whatever happens. */
export async function checkServer(options: DoctorOptions): Promise<Check> {
  const child = spawn(options.nodePath, [options.binPath, 'serve'], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  try {
    const tools = await firstList(child, options.timeoutMs);
    if (tools === 0)
      return fail(
        'self test',
        'the server starts but lists no tools',
        `${options.nodePath} ${options.binPath} list-tools`,
      );
    return ok('self test', `the server starts and lists ${tools} tools`);
  } catch (error) {
    const why = (error as Error).message;
    const mend = why.includes('npm run build') ? 'npm run build' : `${options.nodePath} ${options.binPath} serve`;
    return fail('self test', why, mend);
  } finally {
    child.stdin?.end();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  }
}

/** The number of tools in the first listing; rejects with what went wrong. */
function firstList(child: ChildProcess, timeoutMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(
      () => reject(new Error(`no answer in ${timeoutMs / 1000} s${said ? `; it said: ${lastLine(said)}` : ''}`)),
      timeoutMs,
    );
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    child.once('error', (error) => settle(() => reject(new Error(`the server does not start: ${error.message}`))));
    child.once('close', (code, signal) => {
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      settle(() => reject(new Error(`the server ended ${how}${said ? `: ${lastLine(said)}` : ''}`)));
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-4096)));
    child.stdin?.on('error', () => undefined);
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const answer = parse(line);
        if (answer === undefined)
          settle(() => reject(new Error(`something that is no protocol is written to stdout: ${line.slice(0, 120)}`)));
        else if (answer.id === 2) {
          const { tools } = (answer.result ?? {}) as { tools?: unknown };
          if (Array.isArray(tools)) settle(() => resolve(tools.length));
          else settle(() => reject(new Error(`tools/list failed: ${line.slice(0, 200)}`)));
        }
      });
    }
    child.stdin?.write(REQUESTS.map((each) => `${JSON.stringify(each)}\n`).join(''));
  });
}

function parse(line: string): { id?: unknown; result?: unknown } | undefined {
  try {
    const value = JSON.parse(line) as { jsonrpc?: unknown; id?: unknown; result?: unknown };
    return value.jsonrpc === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** Whether `serve --transport http` would get its port. */
export async function checkPort({ port }: DoctorOptions): Promise<Check> {
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
  if (error === undefined) return ok('http port', `${port} is free`);
  const found = error.code === 'EADDRINUSE' ? `${port} is in use` : `${port} cannot be had (${error.code})`;
  return warn('http port', found, 'hanzo-mcp serve --transport http --port 0 takes a free one');
}
