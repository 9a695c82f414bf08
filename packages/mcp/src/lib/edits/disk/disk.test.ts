// What keeps an edit whole: locks between servers, the look before the rename, and what a killed server leaves.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bench, type Bench } from '../../../tools/fs/testkit.ts';
import { sweep } from '../../leftovers.ts';
import { lockFile, lockKeys, locked } from './lock.ts';
import { openToRead, readRegular } from './open.ts';
import { Changed, createFile, replaceContent } from './replace.ts';
import { snapshot } from './snapshot.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

test('two servers, fifty edits each on one file: all hundred are in it', async () => {
  const file = b.at('a.txt');
  writeFileSync(file, Array.from({ length: 100 }, (_, i) => `<${i}>\n`).join(''));
  const program = `
    const { bench } = await import(${JSON.stringify(new URL('../../../tools/fs/testkit.ts', import.meta.url).href)});
    const b = bench({ cwd: ${JSON.stringify(b.root)} });
    const from = Number(process.argv[1]);
    for (let i = from; i < from + 50; i++) {
      const answer = await b.call('apply_patch', { uri: ${JSON.stringify(file)}, old_text: '<' + i + '>', new_text: '(' + i + ')' });
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    }
    b.close();
  `;
  const run = (from: number): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn(
        process.execPath,
        ['--conditions=hanzo-source', '--input-type=module', '-e', program, String(from)],
        {
          stdio: ['ignore', 'ignore', 'inherit'],
          cwd: fileURLToPath(new URL('.', import.meta.url)),
        },
      );
      child.on('exit', resolve);
    });
  expect(await Promise.all([run(0), run(50)])).toEqual([0, 0]);
  expect(readFileSync(file, 'utf8')).toBe(Array.from({ length: 100 }, (_, i) => `(${i})\n`).join(''));
  expect(readdirSync(b.root)).toEqual(['a.txt']);
});

test('a file written or replaced between reading and renaming is Changed, and its new bytes stay', async () => {
  const file = b.at('a.txt');
  writeFileSync(file, 'one');
  const written = await snapshot(file);
  writeFileSync(file, 'somebody else');
  await expect(replaceContent(written, Buffer.from('mine'))).rejects.toThrow(Changed);
  const replaced = await snapshot(file);
  writeFileSync(b.at('b'), 'another');
  renameSync(b.at('b'), file);
  await expect(replaceContent(replaced, Buffer.from('mine'))).rejects.toThrow(Changed);
  expect(readFileSync(file, 'utf8')).toBe('another');
  expect(readdirSync(b.root)).toEqual(['a.txt']);
});

test('a file that vanished meanwhile is Changed', async () => {
  const file = b.at('a.txt');
  writeFileSync(file, 'one');
  const before = await snapshot(file);
  renameSync(file, b.at('b.txt'));
  await expect(replaceContent(before, Buffer.from('mine'))).rejects.toThrow(Changed);
  expect(readdirSync(b.root)).toEqual(['b.txt']);
});

test('holders of overlapping keys take turns and never wait in a circle', async () => {
  const order: string[] = [];
  const hold = (keys: string[], name: string) =>
    locked(keys, async () => {
      order.push(`${name}+`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(`${name}-`);
    });
  await Promise.all([
    hold([b.at('a'), b.at('b')], '1'),
    hold([b.at('b'), b.at('a')], '2'),
    hold([b.at('b'), b.at('c')], '3'),
  ]);
  for (let i = 0; i < order.length; i += 2) expect(order[i]!.slice(0, 1)).toBe(order[i + 1]!.slice(0, 1));
});

test('the names of one file share a lock', () => {
  writeFileSync(b.at('a'), '');
  expect(lockKeys([b.at('a'), b.at('none')])).toEqual([b.at('a'), b.at('none')]);
  linkSync(b.at('a'), b.at('b'));
  const [first, second] = [lockKeys([b.at('a')]), lockKeys([b.at('b')])];
  expect(first).toHaveLength(2);
  expect(first[1]).toBe(second[1]);
});

test('one holder failing does not keep the next from its turn', async () => {
  await expect(locked([b.at('a')], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await locked([b.at('a')], () => Promise.resolve(1))).toBe(1);
});

test('what a dead server left is swept, what a living one uses is not', async () => {
  const dead = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => dead.on('exit', resolve));
  const left = b.at(`.hanzo-${dead.pid}-0123456789ab.tmp`);
  const used = b.at(`.hanzo-${process.pid}-0123456789ab.tmp`);
  const fresh = b.at(`.hanzo-${dead.pid}-ba9876543210.tmp`);
  const long = new Date(Date.now() - 3_600_000);
  for (const file of [left, used, fresh]) writeFileSync(file, '');
  for (const file of [left, used]) utimesSync(file, long, long);
  await sweep(b.root);
  expect([left, used, fresh].map((file) => existsSync(file))).toEqual([false, true, true]);
});

test('a failed creation leaves nothing', async () => {
  writeFileSync(b.at('a'), 'old');
  await expect(createFile(b.at('a'), Buffer.from('new'))).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(createFile(b.at('no', 'a'), Buffer.from('new'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(readdirSync(b.root)).toEqual(['a']);
});

test('an empty lock, left by a server that was killed at the wrong moment, holds nobody up', async () => {
  const file = b.at('a.txt');
  writeFileSync(file, 'one');
  const lock = lockFile(file)!;
  writeFileSync(lock, '');
  utimesSync(lock, new Date(Date.now() - 2000), new Date(Date.now() - 2000));
  let seen = '';
  await locked([file], () => Promise.resolve(void (seen = readFileSync(lock, 'utf8'))));
  // taken over, not waited out: an edit without a lock would have left the empty one
  expect(seen).toBe(String(process.pid));
  expect(existsSync(lock)).toBe(false);
});

test('a lock appears whole: its holder’s number is in it at once, and no draft stays', async () => {
  const lock = lockFile(b.at('x'))!;
  await locked([b.at('x')], async () => {
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
    await Promise.resolve();
  });
  const mine = readdirSync(path.dirname(lock)).filter((name) => name.startsWith(path.basename(lock)));
  expect(mine).toEqual([]);
});

describe.skipIf(process.platform !== 'linux')('what looks like a file and waits', () => {
  test('is refused, by a search that names it, too', async () => {
    for (const uri of [
      '/proc/kmsg',
      '/sys/kernel/tracing/trace_pipe',
      '/sys/kernel/debug/tracing/per_cpu/cpu0/trace_pipe',
    ]) {
      if (!existsSync(uri)) continue;
      const answer = await b.call('read', { uri });
      expect(answer.error).toMatchObject({ code: 'INVALID_PARAMS' });
      expect(answer.error.message).toContain('exec with a time limit');
      expect((await b.call('stat', { uri })).data.hash).toBe(null);
      expect((await b.call('search_text', { uri, pattern: 'x' })).error).toEqual(answer.error);
    }
  });

  test('a name that is known is refused before it is opened', async () => {
    await expect(openToRead('/sys/kernel/debug/tracing/trace_pipe')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(openToRead('/proc/kmsg')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('a pipe in place of an ignore file does not stop a search', async () => {
    execFileSync('mkfifo', [b.at('.ignore')]);
    writeFileSync(b.at('a'), 'x');
    expect((await b.call('search_text', { pattern: 'x' })).data.total).toBe(1);
    await expect(readRegular(b.at('.ignore'))).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });
});
