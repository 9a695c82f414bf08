// patch: both forms, each hunk in its one place, all files or none.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../../lib/edits/disk/hash.ts';
import { bench, type Bench } from '../testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

const put = (name: string, text: string): void => writeFileSync(b.at(name), text);
const get = (name: string): string => readFileSync(b.at(name), 'utf8');
const patch = (...lines: string[]) => b.call('patch', { input: `${lines.join('\n')}\n` });
const sections = (...lines: string[]) => patch('*** Begin Patch', ...lines, '*** End Patch');

test('add, update, move and delete in one patch, with a result for each', async () => {
  put('u.txt', 'a\nb\nc\n');
  put('m.txt', 'x\n');
  put('d.txt', 'y\n');
  chmodSync(b.at('m.txt'), 0o755);
  const answer = await sections(
    '*** Add File: n/new.txt',
    '+one',
    '+two',
    '*** Update File: u.txt',
    '@@',
    ' a',
    '-b',
    '+B',
    '*** Update File: m.txt',
    '*** Move to: n/moved.txt',
    '@@',
    '-x',
    '+X',
    '*** Delete File: d.txt',
    '*** Delete File: absent.txt',
  );
  expect(answer.data).toEqual({
    results: [
      { op: 'add', path: 'n/new.txt', success: true, hash: hashOf(Buffer.from('one\ntwo\n')) },
      { op: 'update', path: 'u.txt', success: true, hash: hashOf(Buffer.from('a\nB\nc\n')), hunks_applied: 1 },
      {
        op: 'move',
        path: 'm.txt',
        success: true,
        to: 'n/moved.txt',
        hash: hashOf(Buffer.from('X\n')),
        hunks_applied: 1,
      },
      { op: 'delete', path: 'd.txt', success: true },
      { op: 'delete', path: 'absent.txt', success: true, message: 'was not there' },
    ],
    total: 5,
    success: true,
  });
  expect(readdirSync(b.root)).toEqual(['n', 'u.txt']);
  expect(statSync(b.at('n', 'moved.txt')).mode & 0o777).toBe(0o755);
});

test('one failure and nothing is written; every file is listed with what it would have come to', async () => {
  put('a.txt', 'a\n');
  put('b.txt', 'b\n');
  const answer = await sections(
    '*** Update File: a.txt',
    '@@',
    '-a',
    '+A',
    '*** Add File: c.txt',
    '+c',
    '*** Update File: b.txt',
    '@@',
    '-zzz',
    '+Z',
  );
  expect(answer.ok).toBe(false);
  expect(answer.error.code).toBe('CONFLICT');
  expect(answer.data.success).toBe(false);
  expect(answer.data.results.map((each: { success: boolean; path: string }) => [each.path, each.success])).toEqual([
    ['a.txt', false],
    ['c.txt', false],
    ['b.txt', false],
  ]);
  expect(answer.data.results[2]).toMatchObject({ code: 'CONFLICT', error: expect.stringContaining('"zzz"') });
  expect(readdirSync(b.root)).toEqual(['a.txt', 'b.txt']);
  expect(get('a.txt')).toBe('a\n');
});

test('a failure while writing takes back what was written', async () => {
  put('a.txt', 'a\n');
  put('d.txt', 'd\n');
  put('ro.txt', 'r\n');
  chmodSync(b.at('ro.txt'), 0o444);
  const answer = await sections(
    '*** Add File: new/x.txt',
    '+x',
    '*** Update File: a.txt',
    '@@',
    '-a',
    '+A',
    '*** Delete File: d.txt',
    '*** Update File: ro.txt',
    '@@',
    '-r',
    '+R',
  );
  expect(answer.error.code).toBe('PERMISSION_DENIED');
  expect(readdirSync(b.root)).toEqual(['a.txt', 'd.txt', 'ro.txt']);
  expect([get('a.txt'), get('d.txt'), get('ro.txt')]).toEqual(['a\n', 'd\n', 'r\n']);
});

describe('places', () => {
  const twice = 'def f():\n    return 1\n\ndef g():\n    return 1\n';

  test('a context leads to the place after it; several lead on', async () => {
    put('a.py', `class A:\n  def f():\n    return 1\nclass B:\n  def f():\n    return 1\n`);
    await sections('*** Update File: a.py', '@@ class B:', '@@   def f():', '-    return 1', '+    return 2');
    expect(get('a.py')).toBe(`class A:\n  def f():\n    return 1\nclass B:\n  def f():\n    return 2\n`);
  });

  test('a pure addition goes after its context, or to the end without one', async () => {
    put('a.py', twice);
    await sections('*** Update File: a.py', '@@ def g():', '+    x = 1');
    expect(get('a.py')).toBe('def f():\n    return 1\n\ndef g():\n    x = 1\n    return 1\n');
    await sections('*** Update File: a.py', '@@', '+end');
    expect(get('a.py').endsWith('return 1\nend\n')).toBe(true);
  });

  test('an ambiguous context or hunk is refused with its lines', async () => {
    put('a.py', twice);
    const hunk = await sections('*** Update File: a.py', '@@', '-    return 1', '+    return 2');
    expect(hunk.error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('lines 2, 5') });
    put('b.py', 'x\ny\nx\n');
    const context = await sections('*** Update File: b.py', '@@ x', '+z');
    expect(context.error.message).toContain('lines 1, 3');
  });

  test('hunks that overlap are refused', async () => {
    put('a.txt', 'a\nb\nc\n');
    const answer = await sections('*** Update File: a.txt', '@@', '-a', '-b', '+x', '@@', '-b', '-c', '+y');
    expect(answer.error.message).toContain('both change line 2');
    expect(get('a.txt')).toBe('a\nb\nc\n');
  });

  test('lenient hunks keep the file’s context lines and name their strategy', async () => {
    put('a.txt', '\tfoo(“x”)\n\tbar\n');
    const answer = await sections('*** Update File: a.txt', '@@', ' foo("x")', '-bar', '+baz');
    expect(answer.data.results[0]).toMatchObject({ success: true, strategy: 'unicode-whitespace' });
    expect(get('a.txt')).toBe('\tfoo(“x”)\nbaz\n');
  });

  test('End of File binds a hunk to the end', async () => {
    put('a.txt', 'x\ny\nx\n');
    await sections('*** Update File: a.txt', '@@', '-x', '+z', '*** End of File');
    expect(get('a.txt')).toBe('x\ny\nz\n');
  });
});

describe('unified', () => {
  test('git headers, a new file, a deleted file, several hunks', async () => {
    put('a.txt', 'a\nb\nc\nd\ne\n');
    put('d.txt', 'gone\n');
    const answer = await patch(
      'diff --git a/a.txt b/a.txt',
      'index 1..2 100644',
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,2 +1,2 @@',
      '-a',
      '+A',
      ' b',
      '@@ -4,2 +4,3 @@ c',
      ' d',
      '+x',
      ' e',
      'diff --git a/n.sh b/n.sh',
      'new file mode 100755',
      '--- /dev/null',
      '+++ b/n.sh',
      '@@ -0,0 +1 @@',
      '+hi',
      'diff --git a/d.txt b/d.txt',
      'deleted file mode 100644',
      '--- a/d.txt',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
    );
    expect(answer.error).toBeNull();
    expect(get('a.txt')).toBe('A\nb\nc\nd\nx\ne\n');
    expect(readdirSync(b.root)).toEqual(['a.txt', 'n.sh']);
    expect(statSync(b.at('n.sh')).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test('a deletion whose content differs is refused', async () => {
    put('d.txt', 'gone\nmore\n');
    expect((await patch('--- a/d.txt', '+++ /dev/null', '@@ -1 +0,0 @@', '-gone')).error.code).toBe('CONFLICT');
    expect(get('d.txt')).toBe('gone\nmore\n');
  });

  test('names without prefixes, with a time stamp, quoted', async () => {
    put('a.txt', 'a\n');
    put('é "q".txt', 'a\n');
    await patch('--- a.txt\t2026-01-01', '+++ a.txt\t2026-01-02', '@@ -1 +1 @@', '-a', '+b');
    await patch('--- "a/\\303\\251 \\"q\\".txt"', '+++ "b/\\303\\251 \\"q\\".txt"', '@@ -1 +1 @@', '-a', '+b');
    expect([get('a.txt'), get('é "q".txt')]).toEqual(['b\n', 'b\n']);
  });
});

describe('base hashes', () => {
  test('a stale one passes where the hunks still fit exactly, and is said', async () => {
    put('a.txt', 'a\nb\n');
    const base = `*** Base Hash: ${hashOf(Buffer.from('older'))}`;
    const answer = await sections('*** Update File: a.txt', base, '@@', '-a', '+A');
    expect(answer.data.results[0]).toMatchObject({ success: true, changed: true });
    const gone = await sections('*** Update File: a.txt', base, '@@', '-zzz', '+A');
    expect(gone.error.code).toBe('CONFLICT');
    const deleted = await sections('*** Delete File: a.txt', base);
    expect(deleted.error).toMatchObject({
      code: 'CONFLICT',
      expected: hashOf(Buffer.from('older')),
      actual: hashOf(Buffer.from('A\nb\n')),
    });
  });
});

describe('refusals', () => {
  test.each([
    [['nonsense'], 'holds no patch'],
    [['*** Update File: a.txt', '@@', 'no mark'], 'line 3'],
    [['*** Update File: a.txt'], 'no hunk'],
    [['*** Update File: '], 'names no file'],
    [['*** Update File: a.txt', '*** Rename File: b.txt', '@@'], 'no marker'],
    [['*** Delete File: a.txt', '-x'], 'no content'],
    [['@@ -1 +1 @@', '-a', '+b'], 'before any file'],
    [['--- a/a.txt', '+++ b/a.txt', '@@ -1 +1 @@'], 'empty'],
    [['diff --git a/a b/a', 'GIT binary patch', 'literal 1'], 'binary'],
  ])('%j', async (lines, why) => {
    put('a.txt', 'a\n');
    const answer = await patch(...lines);
    expect(answer.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'input' });
    expect(answer.error.message).toContain(why);
  });

  test('paths never leave the roots', async () => {
    for (const name of ['../../out.txt', '/etc/out.txt', 'x/../../../out.txt', 'file:///etc/out.txt']) {
      expect((await sections(`*** Add File: ${name}`, '+x')).error.code).toBe('PERMISSION_DENIED');
    }
    symlinkSync('/etc', b.at('l'));
    expect((await sections('*** Add File: l/out.txt', '+x')).error.code).toBe('PERMISSION_DENIED');
  });

  test('existing files are not added over, directories not deleted, missing ones not updated', async () => {
    put('a.txt', 'a\n');
    mkdirSync(b.at('d'));
    expect((await sections('*** Add File: a.txt', '+x')).error.code).toBe('CONFLICT');
    expect((await sections('*** Delete File: d')).error.code).toBe('INVALID_PARAMS');
    expect((await sections('*** Update File: b.txt', '@@', '-a', '+b')).error).toMatchObject({
      code: 'NOT_FOUND',
      nearest: [b.uri('a.txt')],
    });
  });
});

test('changes of one file in one patch build on one another', async () => {
  put('a.txt', 'a\nb\n');
  const answer = await sections(
    '*** Update File: a.txt',
    '@@',
    '-a',
    '+A',
    '*** Update File: a.txt',
    '@@',
    ' A',
    '-b',
    '+B',
    '*** Add File: n',
    '+1',
    '*** Update File: n',
    '@@',
    '-1',
    '+2',
  );
  expect(answer.error).toBeNull();
  expect([get('a.txt'), get('n')]).toEqual(['A\nB\n', '2\n']);
});

test('two names of one file are said to be one, and nothing is written', async () => {
  put('h1', 'a\nb\n');
  linkSync(b.at('h1'), b.at('h2'));
  const two = await sections('*** Update File: h1', '@@', '-a', '+A', '*** Update File: h2', '@@', '-b', '+B');
  expect(two.error.code).toBe('INVALID_PARAMS');
  expect(two.error.message).toContain('h2 are one file (hard links); change it once');
  expect(get('h1')).toBe('a\nb\n');
  expect((await sections('*** Update File: h1', '@@', '-a', '+A', '*** Delete File: h2')).ok).toBe(false);
  expect((await sections('*** Update File: h1', '@@', '-a', '+A')).ok).toBe(true);
  expect(get('h2')).toBe('A\nb\n');
  expect((await sections('*** Delete File: h1', '*** Delete File: h2')).ok).toBe(true);
  expect(readdirSync(b.root)).toEqual([]);
});

test('blanks at the end of a name count where only that name is there', async () => {
  put('trail ', 'a\n');
  put('gone ', '');
  put('plain', 'a\n');
  expect(
    (await sections('*** Update File: trail ', '@@', '-a', '+A', '*** Update File: plain ', '@@', '-a', '+A')).ok,
  ).toBe(true);
  expect([get('trail '), get('plain')]).toEqual(['A\n', 'A\n']);
  expect((await sections('*** Delete File: gone ')).ok).toBe(true);
  expect(readdirSync(b.root)).toEqual(['plain', 'trail ']);
});

test('a long list of results is cut, failures first, and the cut is stated', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `f${String(i).padStart(3, '0')}`);
  const added = (at: (name: string) => string) => names.flatMap((name) => [`*** Add File: ${at(name)}`, '+x']);
  const input = [
    ...added((name) => `n/${name}`),
    '*** Update File: absent',
    '@@',
    '-x',
    '*** Add File: /outside/x',
    '+x',
  ].join('\n');
  const refused = await b.call('patch', { input }, { maxOutput: 4096 });
  const [envelope] = refused.content;
  expect(envelope?.type === 'text' && Buffer.byteLength(envelope.text)).toBeLessThanOrEqual(4096 + 1024);
  expect(refused.data).toMatchObject({ total: 302, failed: 2, success: false });
  expect(refused.data.results.slice(-2).map((each: { path: string }) => each.path)).toEqual(['absent', '/outside/x']);
  expect(refused.data.note).toBe(`${refused.data.results.length} of 302 results are shown, those that failed first`);
  const done = await b.call('patch', { input: added((name) => name).join('\n') }, { maxOutput: 4096 });
  expect(done.data).toMatchObject({ total: 300, success: true });
  expect(done.data.note).toBe(`${done.data.results.length} of 300 results are shown`);
  expect(readdirSync(b.root)).toEqual(names);
});

test('what a killed server was deleting is reported, and stays', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  put(`.hanzo-${pid}-0123456789ab.deleted`, 'old');
  put(`.hanzo-${process.pid}-0123456789ab.deleted`, 'in use');
  put('a', 'x\n');
  const note = `a server that was killed amid a patch left ${b.at(`.hanzo-${pid}-0123456789ab.deleted`)}, what`;
  expect((await sections('*** Update File: a', '@@', '-x', '+y')).data.note).toContain(note);
  expect((await sections('*** Update File: a', '@@', '-x', '+y')).data.note).toContain(note);
  expect(get(`.hanzo-${pid}-0123456789ab.deleted`)).toBe('old');
});
