// Memory under many processes at once, and under their sudden death.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createFixture, type Fixture } from './testkit.ts';

let fixture: Fixture;
/** what the sources compile to, so that the later of many starts are quick */
const compiled = mkdtempSync(path.join(tmpdir(), 'compiled-'));
afterAll(() => rmSync(compiled, { recursive: true, force: true }));
const children: ChildProcess[] = [];
beforeEach(() => {
  fixture = createFixture();
});
afterEach(async () => {
  for (const each of children.splice(0)) each.kill('SIGKILL');
  await fixture.close();
});

/** A process with the memory of the fixture's folder as `memory`; what it says comes back line by line. */
function start(script: string): { child: ChildProcess; lines: AsyncIterator<string>; ended: Promise<void> } {
  const program = `
    import { writeSync } from 'node:fs';
    const { createFixture } = await import(${JSON.stringify(path.join(import.meta.dirname, 'testkit.ts'))});
    const memory = createFixture({}, ${JSON.stringify(fixture.folder)});
    const say = (text) => writeSync(1, text + '\\n');
    ${script}
    await memory.close();`;
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

test('two processes with 50 writers each lose nothing, in keys of their own and in one they share', async () => {
  const writers = ['a', 'b'].map((name) =>
    start(`
      say('ready');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      process.stdin.unref?.();
      await Promise.all(Array.from({ length: 50 }, async (_, i) => {
        await memory.ok({ action: 'store', key: '${name}-' + i, value: 'value ${name} ' + i });
        await memory.ok({ action: 'store', key: 'shared', value: '${name}-' + i, append: true });
        say('${name}-' + i);
      }));
      process.stdin.destroy();`),
  );
  for (const { lines } of writers) expect((await lines.next()).value).toBe('ready');
  for (const { child } of writers) child.stdin?.write('go\n');
  const said = (await Promise.all(writers.map(({ lines }) => rest(lines)))).flat();
  expect(said).toHaveLength(100);
  const expected = ['a', 'b'].flatMap((name) => Array.from({ length: 50 }, (_, i) => `${name}-${i}`)).toSorted();
  expect((await fixture.keys({ action: 'list', limit: 1000 })).toSorted()).toEqual([...expected, 'shared'].toSorted());
  const shared = await fixture.call({ action: 'recall', key: 'shared' });
  expect(shared.text('value').split('\n').toSorted()).toEqual(expected);
  for (const key of expected) {
    expect(await fixture.keys({ action: 'search', query: key, match: 'exact' })).toEqual([key, 'shared']);
  }
});

// Twenty starts take their time where others are at work.
test(
  '20 processes killed at any moment: what was acknowledged is there and found, and nothing was set aside',
  { timeout: 240_000 },
  async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 5; round++) {
      const writers = [0, 1, 2, 3].map((place) => {
        const name = `k${round}x${place}`;
        const { child, lines, ended } = start(`
        say('up');
        let next = 0;
        const writer = async () => {
          for (;;) {
            const key = '${name}n' + next++;
            await memory.ok({ action: 'store', key, value: 'value of ' + key + ' ' + 'x'.repeat(next % 7 * 1000), tags: ['kept'] });
            say(key);
          }
        };
        await Promise.all([writer(), writer(), writer()]);`);
        return { child, lines, ended, most: place === 3 ? 0 : 1 + (((round * 4 + place) * 7) % 23) };
      });
      await Promise.all(
        writers.map(async ({ child, lines, ended, most }) => {
          // One of four dies while it opens the database, in the first round while it makes it.
          expect((await lines.next()).value).toBe('up');
          for (let i = 0; i < most; i++) acknowledged.push((await lines.next()).value as string);
          child.kill('SIGKILL');
          acknowledged.push(...(await rest(lines)));
          await ended;
        }),
      );
      const there = new Set(await fixture.keys({ action: 'list', limit: 1000 }));
      expect(acknowledged.filter((key) => !there.has(key))).toEqual([]);
      const list = await fixture.ok({ action: 'list', limit: 1 });
      expect(list.note).toBeUndefined();
      await fixture.restart();
    }
    expect(acknowledged.length).toBeGreaterThan(100);
    for (const key of acknowledged.filter((_, i) => i % 10 === 0)) {
      const answer = await fixture.call({ action: 'recall', key });
      expect(answer.text('value').startsWith(`value of ${key} `)).toBe(true);
      expect(await fixture.keys({ action: 'search', query: key, match: 'exact' })).toEqual([key]);
    }
  },
);
