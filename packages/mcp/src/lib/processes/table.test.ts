// The table on machines that lack what it prefers, and inside another one.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createMarker } from './mark.ts';
import { HAS_PROC, look } from './scan.ts';
import { createProcessTable, type ProcessTable, type ProcessTableOptions } from './table.ts';
import { members, traceOf } from './tree.ts';

const PATH = process.env['PATH'] ?? '';
const cwd = mkdtempSync(path.join(tmpdir(), 'table-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function using(options: ProcessTableOptions, work: (table: ProcessTable) => Promise<void>): Promise<void> {
  const table = createProcessTable(options);
  try {
    await work(table);
  } finally {
    await table.close();
  }
}

function commandLines(word: string): string[] {
  return [...look().all.keys()]
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .filter((line) => line.includes(word));
}

test('without named pipes, prlimit and bash, commands run, are fed, and are ended', async () => {
  const mark = `5${process.pid}`;
  process.env['PATH'] = '/nowhere';
  try {
    await using({}, async (table) => {
      const simple = await table.start({ argv: ['/bin/sh', '-c', 'echo out; echo err >&2; exit 5'], cwd });
      expect((await simple.done).exitCode).toBe(5);
      expect([`${simple.stdout.read(0, 99)}`, `${simple.stderr.read(0, 99)}`]).toEqual(['out\n', 'err\n']);

      const fed = await table.start({ argv: ['/bin/cat'], cwd, stdin: true, input: 'a' });
      await fed.write('b', true);
      await fed.done;
      expect(`${fed.stdout.read(0, 99)}`).toBe('ab');

      process.env['PATH'] = PATH;
      // Only what was seen before it cleared its environment is known without the limit: hence the pauses.
      const script = `(setsid sleep ${mark} >/dev/null 2>&1 &); setsid sh -c 'sleep 1; exec env -i sleep ${mark}' >/dev/null 2>&1 & sleep 2`;
      const left = await table.start({ argv: ['/bin/sh', '-c', script], cwd });
      await left.done;
      expect(commandLines(mark)).toHaveLength(2);
      await table.kill(left.id, 'SIGTERM');
      expect(commandLines(mark)).toEqual([]);
    });
  } finally {
    process.env['PATH'] = PATH;
  }
});

test.runIf(HAS_PROC)(
  'a server inside a command of another one marks its own commands below the mark it carries',
  async () => {
    await using({}, async (table) => {
      const scan = path.join(import.meta.dirname, 'mark.ts');
      const code = `import(${JSON.stringify(scan)}).then(({ createMarker }) => console.log(createMarker().marks(7).limit))`;
      const argv = [process.execPath, '--conditions=hanzo-source', '-e', code];
      const outer = await table.start({ argv, cwd });
      await outer.done;
      const inner = Number(`${outer.stdout.read(0, 99)}`);
      expect(inner).toBeGreaterThan(0);
      expect(inner).toBeLessThan(outer.started * 1e9);
      const carried = await table.start({ argv: ['sh', '-c', 'grep "Max file locks" /proc/self/limits'], cwd });
      await carried.done;
      const limit = Number(/(\d+)\s+locks/.exec(`${carried.stdout.read(0, 200)}`)?.[1]);
      expect(inner % 1_000_000).toBe(7);
      expect(limit % 1_000_000).toBe(2);
      expect(Math.floor(inner / 1_000_000)).toBeLessThan(Math.floor(limit / 1_000_000));
    });
  },
);

test('marks of two servers differ', () => {
  const [one, two] = [createMarker(), createMarker()];
  expect(one.envPrefix).not.toBe(two.envPrefix);
  expect(one.marks(1)).not.toEqual(two.marks(1));
});

test('a process of nobody we know is never taken for ours', () => {
  // The leader is long gone and its number belongs to someone else: this very process, say.
  const trace = { ...traceOf(process.pid), start: 0, known: new Map([[process.ppid, -1]]) };
  expect(members(trace)).toEqual([]);
});

test('the logs of commands lie in a private folder that goes with the table', async () => {
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = path.join(cwd, 'tmp');
  mkdirSync(process.env['TMPDIR']);
  try {
    await using({}, async (table) => {
      const proc = await table.start({ argv: ['sh', '-c', 'seq 200000'], cwd });
      await proc.done;
      expect(proc.stdout.size).toBe(1_288_895);
      const [folder = ''] = readdirSync(path.join(cwd, 'tmp'));
      expect(statSync(path.join(cwd, 'tmp', folder)).mode & 0o777).toBe(0o700);
    });
    expect(readdirSync(path.join(cwd, 'tmp'))).toEqual([]);
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
});

test('what a command left behind may go on writing, and is kept', async () => {
  await using({}, async (table) => {
    const proc = await table.start({ argv: ['bash', '-c', '(sleep 0.6; echo late; sleep 600) & echo early'], cwd });
    await proc.done;
    expect(`${proc.stdout.read(0, 99)}`).toBe('early\n');
    for (let tries = 0; tries < 200 && proc.stdout.size < 11; tries++) await sleep(25);
    expect(`${proc.stdout.read(0, 99)}`).toBe('early\nlate\n');
    expect(proc.alive()).toBeGreaterThan(0);
  });
});
