// Ending what was started: commands that leave the tree of their shell, killed by the tool meant for it. Survivors are counted after 2 s.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { initialize, open, type Session } from './lib/client.ts';
import { command } from './lib/servers.ts';
import type { Row } from './lib/table.ts';

/** `MARK` becomes a sleep with an argument nothing else on the machine has. The suite behind `npm test` has more than a hundred. */
const SHAPES: readonly string[] = [
  'MARK',
  'MARK & MARK & wait',
  'setsid MARK',
  'setsid MARK & wait',
  'setsid setsid MARK & wait',
  'nohup MARK >/dev/null 2>&1 & wait',
  '(setsid MARK &) ; sleep 1000',
  '(MARK &) ; (setsid sh -c "MARK & wait" &) ; sleep 1000',
  "trap '' TERM INT HUP; MARK & wait",
  'sh -c "trap \'\' TERM; MARK & wait"',
  'MARK | MARK | MARK',
  'exec setsid MARK',
  'bash -c "cat <(MARK)"',
  'bash -c "coproc MARK; disown -a; sleep 1000"',
  'sh -c "sh -c \'setsid sh -c \\"MARK & wait\\" & wait\' & wait"',
  'env -i setsid sleep 1 & MARK',
  'MARK & kill -STOP $!; wait',
  'for i in 1 2 3 4 5 6 7 8; do setsid MARK & done; wait',
  '( ( (MARK) & ) & ) ; sleep 1000',
  'xargs -P 4 -I{} sh -c "MARK" <<EOF\n1\n2\n3\n4\nEOF',
];

const KILLERS = {
  'hanzo-mcp': async (session: Session, line: string): Promise<() => Promise<unknown>> => {
    const answer = await session.call('exec', { action: 'exec', command: line, timeout: 0 });
    const { data } = JSON.parse(answer.content[0]?.text ?? '{}') as { data: { proc_id: string } };
    return () => session.call('exec', { action: 'kill', proc_id: data.proc_id });
  },
  'desktop-commander': async (session: Session, line: string): Promise<() => Promise<unknown>> => {
    const answer = await session.call('start_process', { command: line, timeout_ms: 300 });
    const pid = Number(/PID (\d+)/.exec(answer.content[0]?.text ?? '')?.[1]);
    return () => session.call('force_terminate', { pid });
  },
};

export const COLUMNS: readonly string[] = Object.keys(KILLERS);

export async function bench(): Promise<Row[]> {
  const cells: Record<string, string> = {};
  for (const name of ['hanzo-mcp', 'desktop-commander'] as const) {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-kill-'));
    const session = open(command(name, folder, folder));
    await initialize(session);
    let trees = 0;
    let survivors = 0;
    for (const [index, shape] of SHAPES.entries()) {
      const mark = `sleep 9${process.pid}.${index}`;
      const kill = await KILLERS[name](session, shape.replaceAll('MARK', mark));
      await until(() => pidsOf(mark).length > 0);
      if (pidsOf(mark).length === 0) throw new Error(`${name} did not start ${shape}`);
      await sleep(200);
      await kill();
      await sleep(2000);
      const left = pidsOf(mark);
      if (left.length > 0) trees++;
      survivors += left.length;
      for (const pid of left) process.kill(pid, 'SIGKILL');
    }
    await session.end();
    rmSync(folder, { recursive: true, force: true });
    cells[name] = survivors === 0 ? '0' : `${survivors}, of ${trees} commands`;
  }
  return [{ measure: `survivors of ${SHAPES.length} killed commands`, bar: '0', cells }];
}

/** Processes whose command line is exactly the mark. */
function pidsOf(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').slice(-3).join(' ').trim() === mark;
      } catch {
        return false;
      }
    });
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 50 && !condition(); i++) await sleep(100);
}
