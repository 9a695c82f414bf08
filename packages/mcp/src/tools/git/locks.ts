// git takes its lock files away when it ends; a git that was killed cannot, and would leave the repository locked.
import { readdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '@hanzo/tool';

/** Milliseconds a killed process gets to be gone. */
const SETTLE = 100;

async function locks(folders: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.endsWith('.lock')) found.add(path.join(folder, name));
    }
  }
  return found;
}

/** True if `error` is that of a git this server killed: at its time limit, or because the call was cancelled. */
export function wasKilled(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof ToolError && error.code === 'TIMEOUT');
}

/**
 * Runs `work`; if it ends because git was killed, removes the lock files that came to be in `folders` meanwhile. While the
 * index is locked no other git can have made them.
 */
export async function unlocking<T>(
  folders: readonly string[],
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const before = await locks(folders);
  try {
    return await work();
  } catch (error) {
    if (!wasKilled(error, signal)) throw error;
    await sleep(SETTLE);
    for (const file of await locks(folders)) if (!before.has(file)) await unlink(file).catch(() => {});
    throw error;
  }
}
