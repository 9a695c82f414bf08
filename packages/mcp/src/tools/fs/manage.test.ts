// mv, mkdir, rm: nothing is overwritten, nothing is removed that must stay.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bench, type Bench } from './testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

describe('mv', () => {
  test('a file, with the parents of its new path', async () => {
    writeFileSync(b.at('a'), 'x');
    const answer = await b.call('mv', { uri: b.at('a'), destination: b.at('d', 'e', 'b') });
    expect(answer.data).toEqual({ source: b.uri('a'), destination: b.uri('d', 'e', 'b'), moved: true });
    expect(readFileSync(b.at('d', 'e', 'b'), 'utf8')).toBe('x');
    expect(existsSync(b.at('a'))).toBe(false);
  });

  test('a directory, and a link as a link', async () => {
    mkdirSync(b.at('d'));
    writeFileSync(b.at('d', 'f'), 'x');
    symlinkSync('nowhere', b.at('l'));
    expect((await b.call('mv', { uri: b.at('d'), destination: b.at('e') })).ok).toBe(true);
    expect((await b.call('mv', { uri: b.at('l'), destination: b.at('m') })).ok).toBe(true);
    expect(readdirSync(b.root)).toEqual(['e', 'm']);
    expect(readlinkSync(b.at('m'))).toBe('nowhere');
  });

  test('never over a file, a directory or a link', async () => {
    writeFileSync(b.at('a'), 'x');
    writeFileSync(b.at('b'), 'y');
    mkdirSync(b.at('d'));
    symlinkSync('nowhere', b.at('l'));
    for (const name of ['b', 'd', 'l', 'a']) {
      expect((await b.call('mv', { uri: b.at('a'), destination: b.at(name) })).error.code).toBe('CONFLICT');
    }
    expect(readFileSync(b.at('b'), 'utf8')).toBe('y');
  });

  test('not into itself, not what is missing, not out of the roots', async () => {
    mkdirSync(b.at('d'));
    expect((await b.call('mv', { uri: b.at('d'), destination: b.at('d', 'x') })).error.code).toBe('INVALID_PARAMS');
    expect((await b.call('mv', { uri: b.at('dd'), destination: b.at('x') })).error).toMatchObject({
      code: 'NOT_FOUND',
      nearest: [b.uri('d')],
    });
    expect((await b.call('mv', { uri: b.at('d'), destination: '/etc/x' })).error.code).toBe('PERMISSION_DENIED');
    expect((await b.call('mv', { uri: b.at('d'), destination: 'x' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'destination',
    });
  });

  const other = '/dev/shm';
  const apart = existsSync(other) && statSync(other).dev !== statSync(tmpdir()).dev;
  test.skipIf(!apart)('to another file system by a verified copy', async () => {
    const away = mkdtempSync(path.join(other, 'fs-'));
    const wide = bench({ roots: [away] });
    try {
      mkdirSync(wide.at('d'));
      writeFileSync(wide.at('d', 'f'), 'x', { mode: 0o750 });
      symlinkSync('f', wide.at('d', 'l'));
      const answer = await wide.call('mv', { uri: wide.at('d'), destination: path.join(away, 'e') });
      expect(answer.ok).toBe(true);
      expect(readFileSync(path.join(away, 'e', 'l'), 'utf8')).toBe('x');
      expect(readlinkSync(path.join(away, 'e', 'l'))).toBe('f');
      expect(lstatSync(path.join(away, 'e', 'f')).mode & 0o777).toBe(0o750);
      expect(readdirSync(away)).toEqual(['e']);
      expect(existsSync(wide.at('d'))).toBe(false);
    } finally {
      wide.close();
      rmSync(away, { recursive: true, force: true });
    }
  });

  test.skipIf(!apart)('to another file system, what is no file is named by its own path', async () => {
    const away = mkdtempSync(path.join(other, 'fs-'));
    const wide = bench({ roots: [away] });
    try {
      mkdirSync(wide.at('d'));
      execFileSync('mkfifo', [wide.at('d', 'pipe')]);
      const { error } = await wide.call('mv', { uri: wide.at('d'), destination: path.join(away, 'e') });
      expect(error.code).toBe('CONFLICT');
      expect(error.message).toContain(`${wide.at('d', 'pipe')} is a pipe`);
      expect(readdirSync(away)).toEqual([]);
      expect(readdirSync(wide.at('d'))).toEqual(['pipe']);
    } finally {
      wide.close();
      rmSync(away, { recursive: true, force: true });
    }
  });
});

describe('mkdir', () => {
  test('makes parents, and says when nothing was to be made', async () => {
    expect((await b.call('mkdir', { uri: b.at('a', 'b') })).data).toEqual({ uri: b.uri('a', 'b'), created: true });
    expect((await b.call('mkdir', { uri: b.at('a', 'b') })).data.created).toBe(false);
    expect((await b.call('mkdir', { uri: b.root })).data.created).toBe(false);
    symlinkSync('a', b.at('l'));
    expect((await b.call('mkdir', { uri: b.at('l') })).data.created).toBe(false);
  });

  test('a file in the way is CONFLICT', async () => {
    writeFileSync(b.at('f'), '');
    expect((await b.call('mkdir', { uri: b.at('f') })).error.code).toBe('CONFLICT');
    expect((await b.call('mkdir', { uri: b.at('f', 'g') })).error.code).toBe('CONFLICT');
  });

  test('so is a link to a missing place', async () => {
    symlinkSync('nowhere', b.at('l'));
    const { error } = await b.call('mkdir', { uri: b.at('l') });
    expect(error.code).toBe('CONFLICT');
    expect(error.message).toContain('symbolic link to a missing place');
  });
});

describe('rm', () => {
  test('what no option allows is refused as that, though key material lies in it', async () => {
    for (const [uri, words] of [
      ['/', 'the root of the file system'],
      [homedir(), 'the home directory'],
      [path.dirname(b.root), 'working directory'],
    ] as const) {
      for (const action of ['rm', 'mv']) {
        const more = action === 'rm' ? { confirm: true } : { destination: b.at('x') };
        const { error } = await b.call(action, { uri, ...more });
        expect(error.code).toBe('PERMISSION_DENIED');
        expect(error.message).toContain(words);
        expect(error.message).not.toContain('--allow-secret');
      }
    }
  });

  test('only with confirm exactly true', async () => {
    writeFileSync(b.at('f'), '');
    for (const bad of [{}, { confirm: false }, { confirm: 'true' }, { confirm: 1 }]) {
      expect((await b.call('rm', { uri: b.at('f'), ...bad })).error).toMatchObject({
        code: 'INVALID_PARAMS',
        param: 'confirm',
      });
    }
    expect((await b.call('rm', { uri: b.at('f'), confirm: true })).data).toEqual({ uri: b.uri('f'), removed: true });
    expect(existsSync(b.at('f'))).toBe(false);
  });

  test('a tree, without following the links in it', async () => {
    mkdirSync(b.at('d', 'e'), { recursive: true });
    writeFileSync(b.at('keep'), 'x');
    symlinkSync('../keep', b.at('d', 'l'));
    symlinkSync('..', b.at('d', 'e', 'up'));
    expect((await b.call('rm', { uri: b.at('d'), confirm: true })).ok).toBe(true);
    expect(readdirSync(b.root)).toEqual(['keep']);
  });

  test('of a link removes the link', async () => {
    mkdirSync(b.at('d'));
    symlinkSync('d', b.at('l'));
    await b.call('rm', { uri: `${b.at('l')}/`, confirm: true });
    expect(readdirSync(b.root)).toEqual(['d']);
  });

  test('refuses root, home, the working directory, every root, and what holds one', async () => {
    const whole = bench({ access: 'full' });
    try {
      for (const file of [
        '/',
        homedir(),
        path.dirname(homedir()),
        whole.root,
        path.dirname(whole.root),
        tmpdir(),
        `${whole.root}/x/..`,
      ]) {
        // without confirm: should the guard ever fail, nothing is deleted
        const answer = await whole.call('rm', { uri: file });
        expect(answer.error?.code, file).toBe('PERMISSION_DENIED');
      }
      expect(existsSync(whole.root)).toBe(true);
    } finally {
      whole.close();
    }
  });

  test('what is missing is NOT_FOUND with near names', async () => {
    writeFileSync(b.at('report.txt'), '');
    expect((await b.call('rm', { uri: b.at('reprot.txt'), confirm: true })).error).toMatchObject({
      code: 'NOT_FOUND',
      nearest: [b.uri('report.txt')],
    });
  });
});
