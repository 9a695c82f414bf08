// Somebody else at the worst moment: between the look at a file and its rename, and on a mount that takes no writing.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bench, type Bench } from '../../../tools/fs/testkit.ts';
import { Changed, replaceContent } from './replace.ts';
import { snapshot } from './snapshot.ts';

const hooks = vi.hoisted(() => ({
  beforeRename: undefined as (() => void) | undefined,
  access: undefined as string | undefined,
}));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const renameSync: typeof real.renameSync = (from, to) => {
    const hook = hooks.beforeRename;
    hooks.beforeRename = undefined;
    hook?.();
    real.renameSync(from, to);
  };
  return { ...real, renameSync };
});

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const access: typeof real.access = (file, mode) =>
    hooks.access === undefined
      ? real.access(file, mode)
      : Promise.reject(Object.assign(new Error('refused'), { code: hooks.access }));
  return { ...real, access };
});

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => {
  hooks.beforeRename = hooks.access = undefined;
  b.close();
});

test('a line appended after the look is in the new file', async () => {
  writeFileSync(b.at('log'), 'one\n');
  hooks.beforeRename = () => appendFileSync(b.at('log'), 'late\n');
  const answer = await b.call('apply_patch', { uri: b.at('log'), old_text: 'one', new_text: '1' });
  expect(answer.ok).toBe(true);
  expect(readFileSync(b.at('log'), 'utf8')).toBe('1\nlate\n');
  expect(readdirSync(b.root)).toEqual(['log']);
});

test('after any other late change the edit is made anew on it', async () => {
  writeFileSync(b.at('a'), 'one\ntwo\n');
  hooks.beforeRename = () => writeFileSync(b.at('a'), 'one\n2 and more\n');
  const answer = await b.call('apply_patch', { uri: b.at('a'), old_text: 'one', new_text: '1' });
  expect(answer.ok).toBe(true);
  expect(readFileSync(b.at('a'), 'utf8')).toBe('1\n2 and more\n');
  const before = await snapshot(b.at('a'));
  hooks.beforeRename = () => writeFileSync(b.at('a'), 'theirs');
  await expect(replaceContent(before, Buffer.from('mine'))).rejects.toThrow(Changed);
  expect(readFileSync(b.at('a'), 'utf8')).toBe('theirs');
  expect(readdirSync(b.root)).toEqual(['a']);
});

test('a read-only mount is named as one, not as a file without a write bit', async () => {
  writeFileSync(b.at('a'), 'one\n');
  hooks.access = 'EROFS';
  const { error } = await b.call('apply_patch', { uri: b.at('a'), old_text: 'one', new_text: '1' });
  expect(error).toMatchObject({ code: 'PERMISSION_DENIED', message: `${b.at('a')} is on a read-only file system` });
});
