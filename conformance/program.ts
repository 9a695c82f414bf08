// Starts the built hanzo-mcp as its users do: a child process, on a free loopback port, with a data folder of its own.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The program's committed entry. */
export const PROGRAM: string = fileURLToPath(new URL('../packages/mcp/bin/hanzo-mcp.js', import.meta.url));

const BUILT = fileURLToPath(new URL('../packages/mcp/dist/cli.js', import.meta.url));
const BUILD = fileURLToPath(new URL('../scripts/build.ts', import.meta.url));

/** A server that is up. */
export interface Running {
  /** the MCP endpoint */
  url: string;
  /** its data folder, gone when it is closed */
  home: string;
  /** ends the server and waits until it is gone */
  close(): Promise<void>;
}

/**
 * Serves over HTTP; builds the program first where it never was.
 * @param args further arguments of `serve`, for example `--conformance`
 * @param cwd the working directory of the server
 * @param token the bearer token it asks for; none where it is left out
 * @throws Error with what the program said, when it ends before it says its address
 */
export async function startProgram(
  args: readonly string[],
  cwd: string = process.cwd(),
  token?: string,
): Promise<Running> {
  const auth = token === undefined ? ['--no-auth'] : ['--token', token];
  if (!existsSync(BUILT)) execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 2, 2] });
  const home = await mkdtemp(path.join(tmpdir(), 'hanzo-home-'));
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--transport', 'http', '--port', '0', ...auth, ...args], {
    cwd,
    env: { ...process.env, HANZO_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    await rm(home, { recursive: true, force: true });
  };
  try {
    return { url: await address(child), home, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first address the program prints is its endpoint. */
function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      const found = /https?:\/\/[^\s"']+(?=[\s"'])/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`hanzo-mcp ended with code ${code} before it served: ${said}`)));
  });
}
