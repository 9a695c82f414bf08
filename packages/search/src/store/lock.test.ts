// One builder at a time: a living holder keeps the lock, a dead one loses it to exactly one of many.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isLocked, takeLock } from './lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hanzo-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LOCK = join(dirname(fileURLToPath(import.meta.url)), 'lock.ts');

/** A process that waits for the word, tries, and says what it got; it holds the lock until it is killed. */
async function taker(): Promise<{ go(): void; got: Promise<string>; kill(): Promise<void> }> {
  const code = `const { takeLock } = await import(${JSON.stringify(LOCK)});
    process.stdout.write('ready\\n');
    process.stdin.once('data', () => { process.stdout.write(takeLock(${JSON.stringify(folder)}) ? 'held\\n' : 'not\\n'); });
    setInterval(() => {}, 1000);`;
  const args = ['--conditions=hanzo-source', '--no-warnings', '--input-type=module', '-e', code];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let said = '';
  const got = new Promise<string>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString();
      const word = /ready\n(held|not)\n/.exec(said)?.[1];
      if (word !== undefined) resolve(word);
    });
  });
  while (!said.includes('ready')) await once(child.stdout, 'data');
  return {
    go: () => void child.stdin.write('go\n'),
    got,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the lock', () => {
  it('is held by one, and free after release', () => {
    expect(isLocked(folder)).toBe(false);
    const lock = takeLock(folder)!;
    expect(lock.beat()).toBe(true);
    expect(isLocked(folder)).toBe(true);
    expect(takeLock(folder)).toBeUndefined();
    lock.release();
    lock.release();
    expect(lock.beat()).toBe(false);
    expect(isLocked(folder)).toBe(false);
    const next = takeLock(folder)!;
    lock.release();
    expect(next.beat()).toBe(true);
    next.release();
  });

  it('leaves a few old files behind, and no more', () => {
    for (let round = 0; round < 30; round++) takeLock(folder)!.release();
    expect(readdirSync(folder).length).toBeLessThan(8);
  });

  it('goes to exactly one of four when the holder is killed', async () => {
    const holder = await taker();
    holder.go();
    expect(await holder.got).toBe('held');
    const others = await Promise.all([taker(), taker(), taker(), taker()]);
    try {
      expect(takeLock(folder)).toBeUndefined();
      await holder.kill();
      for (const other of others) other.go();
      const got = await Promise.all(others.map((other) => other.got));
      expect(got.sort()).toEqual(['held', 'not', 'not', 'not']);
    } finally {
      await Promise.all(others.map((other) => other.kill()));
    }
  });

  /** what the file of a living holder says, changed */
  function rewrite(change: (holder: { pid: number; start: string; where: string }) => void): void {
    const name = readdirSync(folder).sort().at(-1)!;
    const holder = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      pid: number;
      start: string;
      where: string;
    };
    change(holder);
    writeFileSync(join(folder, name), JSON.stringify(holder));
  }

  it('is taken over when the heartbeat is thirty seconds old, and its holder learns of it', () => {
    const lock = takeLock(folder)!;
    const past = new Date(Date.now() - 31_000);
    utimesSync(join(folder, 'LOCK-1'), past, past);
    const next = takeLock(folder)!;
    expect(next.beat()).toBe(true);
    expect(lock.beat()).toBe(false);
    lock.release();
    expect(next.beat()).toBe(true);
    next.release();
  });

  it.runIf(process.platform === 'linux')('is taken over when the pid is another process by now', () => {
    takeLock(folder);
    rewrite((holder) => (holder.start = '1'));
    expect(isLocked(folder)).toBe(false);
    const next = takeLock(folder)!;
    // of another machine or container a pid says nothing: only its heartbeat counts
    rewrite((holder) => {
      holder.pid = 2 ** 22 + 1;
      holder.where = 'elsewhere';
    });
    expect(takeLock(folder)).toBeUndefined();
    next.release();
  });

  it('is held while its file is not written yet, and not for ever', () => {
    writeFileSync(join(folder, 'LOCK-7'), '');
    expect(takeLock(folder)).toBeUndefined();
    const past = new Date(Date.now() - 31_000);
    utimesSync(join(folder, 'LOCK-7'), past, past);
    takeLock(folder)!.release();
    expect(readdirSync(folder)).toContain('LOCK-8');
  });
});
