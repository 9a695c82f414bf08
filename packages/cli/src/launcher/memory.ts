// What a server said when it was launched before, so that the next handshake need not wait for it. Readable by its owner only.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

export interface Remembered {
  /** the result of `initialize`, by the protocol version that was asked for */
  readonly initialize: Readonly<Record<string, unknown>>;
  /** every tool of `tools/list`; absent: never listed */
  readonly tools?: readonly unknown[] | undefined;
}

export interface Memory {
  read(): Remembered;
  write(next: Remembered): void;
}

const NOTHING: Remembered = { initialize: {} };

/** Kept by command, arguments and folder: the same server may say other things elsewhere. */
export function createMemory(command: readonly string[], env: NodeJS.ProcessEnv): Memory {
  const name = createHash('sha256')
    .update(JSON.stringify([process.cwd(), ...command]))
    .digest('hex')
    .slice(0, 32);
  const folder = path.join(env['HANZO_CONFIG_DIR'] || path.join(env['HOME'] || homedir(), '.hanzo'), 'cache', 'mcp');
  const file = path.join(folder, `${name}.json`);
  let known: Remembered | undefined;
  return {
    read: () => (known ??= load(file)),
    write(next) {
      known = next;
      const beside = `${file}.${process.pid}`;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(beside, JSON.stringify(next), { mode: 0o600 });
        renameSync(beside, file);
      } catch {
        // it only makes the next start faster
        rmSync(beside, { force: true });
      }
    },
  };
}

function load(file: string): Remembered {
  try {
    const { initialize, tools } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Remembered>;
    if (typeof initialize !== 'object' || initialize === null) return NOTHING;
    return { initialize, ...(Array.isArray(tools) ? { tools: tools as readonly unknown[] } : {}) };
  } catch {
    return NOTHING;
  }
}
