// Plans under many processes at once, and under their sudden death.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
/** what the sources compile to, so that the later of many starts are quick */
const compiled = mkdtempSync(path.join(tmpdir(), 'compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));
const children: ChildProcess[] = [];
beforeEach(async () => {
  fixture = createFixture();
  await fixture.ok({ action: 'create', name: 'Shared', goal: 'nothing is lost', steps: ['first'] });
});
afterEach(async () => {
  for (const each of children.splice(0)) each.kill('SIGKILL');
  await fixture.close();
});

/** A process with the plans of the fixture's folder as `plans`; what it says comes back line by line. */
function start(script: string): { child: ChildProcess; lines: AsyncIterator<string>; ended: Promise<void> } {
  const program = `
    import { writeSync } from 'node:fs';
    const { createFixture } = await import(${JSON.stringify(path.join(import.meta.dirname, 'testkit.ts'))});
    const plans = createFixture({}, ${JSON.stringify(fixture.folder)});
    const say = (text) => writeSync(1, text + '\\n');
    ${script}
    await plans.close();`;
  const child = spawn(process.execPath, ['--conditions=hanzo-source', '--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  children.push(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return { child, lines, ended };
}

async function rest(lines: AsyncIterator<string>): Promise<string[]> {
  const all: string[] = [];
  for (let each = await lines.next(); !each.done; each = await lines.next()) all.push(each.value);
  return all;
}

async function steps(): Promise<{ id: string; description: string }[]> {
  return (await fixture.ok({ action: 'get', id: '1', limit: 1000 })).steps as { id: string; description: string }[];
}

test('weak spot 27: two processes that add 50 steps each at once make 100, with ids of their own', async () => {
  const writers = ['a', 'b'].map((name) =>
    start(`
      say('ready');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      await Promise.all(Array.from({ length: 50 }, async (_, i) => {
        const { stepId } = await plans.ok({ action: 'add_step', id: 1, description: '${name}-' + i, dependencies: [1] });
        say(stepId + ' ${name}-' + i);
      }));
      process.stdin.destroy();`),
  );
  for (const { lines } of writers) expect((await lines.next()).value).toBe('ready');
  for (const { child } of writers) child.stdin?.write('go\n');
  const said = (await Promise.all(writers.map(({ lines }) => rest(lines)))).flat();
  const there = (await steps()).slice(1);
  expect(there).toHaveLength(100);
  expect(new Set(there.map(({ id }) => id)).size).toBe(100);
  expect(there.map(({ id, description }) => `${id} ${description}`).toSorted()).toEqual(said.toSorted());
  const { unlocked, unlockedTotal } = await fixture.ok({ action: 'update', id: 1, stepId: 1, status: 'completed' });
  expect([unlocked.length, unlockedTotal]).toEqual([20, 100]);
});

// Ten starts take their time where others are at work.
test(
  'ten processes killed at any moment: what was acknowledged is there, and the database opens clean',
  { timeout: 120_000 },
  async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 10; round++) {
      const { child, lines, ended } = start(`
        say('up');
        const writer = async () => {
          for (;;) say((await plans.ok({ action: 'add_step', id: 1, description: 'round ${round}', after: 1 })).stepId);
        };
        await Promise.all([writer(), writer()]);`);
      expect((await lines.next()).value).toBe('up');
      for (let i = 0; i < (round * 7) % 12; i++) acknowledged.push((await lines.next()).value as string);
      child.kill('SIGKILL');
      acknowledged.push(...(await rest(lines)));
      await ended;
      await fixture.restart();
      const there = new Set((await steps()).map(({ id }) => id));
      expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);
      expect((await fixture.ok({ action: 'progress', id: 1 })).note).toBeUndefined();
    }
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(30);
    expect(readdirSync(path.dirname(fixture.store.file)).filter((each) => each.includes('corrupt'))).toEqual([]);
  },
);
