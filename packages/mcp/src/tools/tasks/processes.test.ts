// Tasks under two processes at once, and under their sudden death.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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
beforeEach(() => {
  fixture = createFixture();
});
afterEach(async () => {
  for (const each of children.splice(0)) each.kill('SIGKILL');
  await fixture.close();
});

/** A process with the tasks of the fixture's folder as `tasks`; what it says comes back line by line. */
function start(script: string): { child: ChildProcess; lines: AsyncIterator<string>; ended: Promise<void> } {
  const program = `
    import { writeSync } from 'node:fs';
    const { createFixture } = await import(${JSON.stringify(path.join(import.meta.dirname, 'testkit.ts'))});
    const tasks = createFixture({}, ${JSON.stringify(fixture.folder)});
    const say = (text) => writeSync(1, text + '\\n');
    ${script}
    await tasks.close();`;
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

test(
  'weak spot 27: two processes with 50 adds each lose nothing, and every id is its own',
  { timeout: 60_000 },
  async () => {
    const writers = ['a', 'b'].map((name) =>
      start(`
      say('ready');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      await Promise.all(Array.from({ length: 50 }, async (_, i) => {
        const { id } = await tasks.ok({ action: 'add', content: '${name}-' + i });
        say(id + ' ${name}-' + i);
      }));
      process.stdin.destroy();`),
    );
    for (const { lines } of writers) expect((await lines.next()).value).toBe('ready');
    for (const { child } of writers) child.stdin?.write('go\n');
    const said = (await Promise.all(writers.map(({ lines }) => rest(lines)))).flat();
    expect(said).toHaveLength(100);
    const items = await fixture.all({ action: 'list', limit: 1000 });
    expect(items.map(({ id, content }) => `${id} ${content}`).toSorted()).toEqual(said.toSorted());
    expect(items.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    );
  },
);

// Ten starts take their time where others are at work.
test(
  'killed at any moment, ten times: what was answered is there, and the tree is sound',
  { timeout: 120_000 },
  async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 5; round++) {
      const writers = [0, 1].map((place) => {
        const { child, lines, ended } = start(`
        say('up');
        const writer = async (name) => {
          for (let i = 0; ; i++) {
            const top = await tasks.ok({ action: 'add', content: name + ' ' + i });
            const below = await tasks.ok({ action: 'add', content: 'below', parent: top.id });
            await tasks.ok({ action: 'move', id: top.id, project: name });
            say(top.id);
            say(below.id);
          }
        };
        await Promise.all([writer('x${round}${place}'), writer('y${round}${place}')]);`);
        return { child, lines, ended, most: place === 1 && round === 0 ? 0 : 1 + ((round * 7 + place * 11) % 23) };
      });
      await Promise.all(
        writers.map(async ({ child, lines, ended, most }) => {
          // In the first round one dies while it makes the database.
          expect((await lines.next()).value).toBe('up');
          for (let i = 0; i < most; i++) acknowledged.push((await lines.next()).value as string);
          child.kill('SIGKILL');
          acknowledged.push(...(await rest(lines)));
          await ended;
        }),
      );
      expect((await fixture.ok({ action: 'stats' })).note).toBeUndefined();
      const items = await fixture.all({ action: 'list', limit: 1000 });
      const byId = new Map(items.map((each) => [each.id as string, each]));
      expect(byId.size).toBe(items.length);
      expect(acknowledged.filter((id) => !byId.has(id))).toEqual([]);
      for (const { parent, project } of items) {
        if (parent === undefined) continue;
        // A move is whole or not at all.
        expect(byId.get(parent)?.project).toBe(project);
      }
      await fixture.restart();
    }
    expect(acknowledged.length).toBeGreaterThan(40);
  },
);
