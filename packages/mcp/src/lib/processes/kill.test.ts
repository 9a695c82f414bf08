// Whatever a command has started is gone after a kill: every case of kill-cases.ts, with every kind of trace.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KILL_CASES, type KillCase, PROGRAMS } from './kill-cases.ts';
import { pidNamespace } from './sandbox.ts';
import { createProcessTable, type ProcessTable, type ProcessTableOptions } from './table.ts';

/** Cases run at the same time. */
const LANES = 10;

let serial = 1000 * process.pid;

/** Every process and its arguments at one moment. */
function commandLines(): Map<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      found.set(Number(name), readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0'));
    } catch {
      // It is over.
    }
  }
  return found;
}

/** The look that all lanes share while they wait for their processes to come up. */
let recent = { at: -1000, lines: new Map<number, readonly string[]>() };

/** Processes that have `mark` as one of their arguments, `age` milliseconds ago at most. */
function marked(mark: string, age = 0): number[] {
  if (performance.now() - recent.at >= age) recent = { at: performance.now(), lines: commandLines() };
  return [...recent.lines].filter(([, words]) => words.includes(mark)).map(([pid]) => pid);
}

interface Outcome {
  readonly up: boolean;
  readonly survivors: readonly number[];
  readonly alive: number;
}

async function killOne(table: ProcessTable, cwd: string, each: KillCase, index: number): Promise<Outcome> {
  const mark = String(++serial);
  const proc = await table.start({
    argv: ['bash', '-c', each.command.replaceAll('MARK', mark)],
    cwd,
    stdin: index % 5 === 0,
  });
  // In a PID namespace what a command leaves behind ends with it, so that it may never be seen.
  let up = false;
  for (let tries = 0; tries < 400 && !up; tries++) {
    up = marked(mark, 40).length >= (each.up ?? 1) || (proc.ended !== undefined && proc.alive() === 0);
    if (!up) await sleep(25);
  }
  await sleep((index % 3) * 20);
  await table.kill(proc.id, index % 4 === 3 ? 'SIGKILL' : 'SIGTERM');
  return { up, survivors: marked(mark), alive: proc.alive() };
}

function suite(name: string, options: ProcessTableOptions, cases: readonly KillCase[]): void {
  describe(name, () => {
    const outcomes = new Map<string, Outcome>();
    const table = createProcessTable({ ...options, keep: 1000 });
    let cwd = '';

    beforeAll(async () => {
      cwd = mkdtempSync(path.join(tmpdir(), 'kill-'));
      for (const [file, text] of Object.entries(PROGRAMS)) {
        writeFileSync(path.join(cwd, file), text);
        chmodSync(path.join(cwd, file), 0o755);
      }
      const queue = [...cases.entries()];
      const lane = async (): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          outcomes.set(next[1].name, await killOne(table, cwd, next[1], next[0]));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    }, 300_000);

    afterAll(async () => {
      await table.close();
      rmSync(cwd, { recursive: true, force: true });
    });

    test.each(cases.map((each) => each.name))('%s', (each) => {
      expect(outcomes.get(each)).toEqual({ up: true, survivors: [], alive: 0 });
    });
  });
}

const hasProc = process.platform === 'linux';

test('there are at least 100 cases, each with a name of its own', () => {
  expect(new Set(KILL_CASES.map((each) => each.name)).size).toBe(KILL_CASES.length);
  expect(KILL_CASES.length).toBeGreaterThanOrEqual(100);
});

if (hasProc) {
  suite('kill ends the whole tree', {}, KILL_CASES);

  // Without the limit, a process that has cleared its environment is known only if it was seen before.
  const seen = KILL_CASES.filter(
    (each) => !/env -i|env: \{\}|%ENV|fork and leaves|forks and leaves/.test(each.command + each.name),
  );
  suite(
    'kill ends the whole tree, found by environment, session and parent',
    { markByLimit: false },
    seen.filter((_, i) => i % 3 === 0),
  );
}

if (pidNamespace()) {
  suite('kill ends the whole tree in a PID namespace', { sandboxPid: true }, KILL_CASES);
} else {
  test.skip('kill ends the whole tree in a PID namespace (bubblewrap does not work here)', () => {});
}
