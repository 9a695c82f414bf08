// ripgrep under measurement: the one the package registry has, and the system's. Its process start is not charged to it.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Query } from '@hanzo/search';
import { rgPath } from '@vscode/ripgrep';

export interface Ripgrep {
  readonly name: string;
  readonly file: string;
}

const SYSTEM = '/usr/bin/rg';

export function ripgreps(): Ripgrep[] {
  return [rgPath, ...(existsSync(SYSTEM) ? [SYSTEM] : [])].map((file) => ({
    file,
    name: spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout.split(/[\n(]/)[0]?.trim() as string,
  }));
}

/** Where ripgrep's output goes: a file in memory, so that no pipe is charged. */
export class Sink {
  readonly #folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bench-rg-'));
  readonly #fd = openSync(path.join(this.#folder, 'out'), 'w+');

  /** Milliseconds of one process. */
  run({ file }: Ripgrep, args: readonly string[]): number {
    ftruncateSync(this.#fd, 0);
    const stdio = ['ignore', openSync(path.join(this.#folder, 'out'), 'w'), 'ignore'] as const;
    const started = performance.now();
    const { status } = spawnSync(file, ['--no-config', ...args], { stdio: [...stdio] });
    const took = performance.now() - started;
    closeSync(stdio[1]);
    if (status !== 0 && status !== 1 && status !== 2) throw new Error(`${file} ended with ${status}`);
    return took;
  }

  text(): string {
    return readFileSync(path.join(this.#folder, 'out'), 'utf8');
  }

  close(): void {
    closeSync(this.#fd);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The smallest output that counts lines, which is what a ranked list needs. */
export function countArguments(query: Query, root: string): string[] {
  const flags = [...(query.literal ? ['-F'] : []), ...(query.ignoreCase ? ['-i'] : []), ...(query.word ? ['-w'] : [])];
  return ['-c', '-0', ...flags, '-e', query.pattern, '--', root];
}

/** Lines by file out of what `countArguments` prints. */
export function countsIn(text: string): Map<string, number> {
  return new Map([...text.matchAll(/([^\0]+)\0(\d+)\n/g)].map(([, file, count]) => [file as string, Number(count)]));
}
