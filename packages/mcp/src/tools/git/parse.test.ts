// What git prints and what callers write, without git: names, words, quoted paths, porcelain.
import { describe, expect, it } from 'vitest';
import { words } from './bisect.ts';
import { parseBlame } from './blame.ts';
import { parseFiles } from './diff.ts';
import { parseConfig } from './guard.ts';
import { badRefName, badRemote, badRevision, badUrl } from './names.ts';
import { redact, tidy } from './run.ts';
import { parseStatus } from './status.ts';
import { unquote } from './undo.ts';

describe('names', () => {
  it.each(['main', 'feature/x-1', 'v1.0', 'a@b', 'ünï', 'x{y', '#12', 'a.b.c', "it's"])(
    '%j is a branch name',
    (name) => {
      expect(badRefName(name)).toBeUndefined();
    },
  );

  it.each([
    '',
    '-x',
    '@',
    'HEAD',
    'a b',
    'a..b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'a@{1}',
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.lock',
    'a.lock/b',
    'a.',
    'a\n',
    'a\u007f',
    'x'.repeat(256),
  ])('%j is none', (name) => {
    expect(badRefName(name)).toBeTypeOf('string');
  });

  it.each([
    'HEAD',
    'HEAD~3^2',
    'main..dev',
    'a...b',
    'stash@{0}',
    'HEAD:src/a b.ts',
    ':/fix (bug)',
    '@{u}',
    '^main',
    'v1^{commit}',
  ])('%j is a revision', (given) => {
    expect(badRevision(given)).toBeUndefined();
  });

  it.each(['', '-n', '--all', 'a\nb', 'a\0', 'x'.repeat(1025)])('%j is none', (given) => {
    expect(badRevision(given)).toBeTypeOf('string');
  });

  it.each([
    'https://x.test/r.git',
    'http://127.0.0.1:8080/r',
    'ssh://git@x.test:22/r',
    'git@x.test:o/r.git',
    'host:r',
    'git://x/r',
    'file:///a/b',
    '/abs/with:colon',
  ])('%j is a url', (given) => {
    expect(badUrl(given)).toBeUndefined();
  });

  it.each([
    '',
    '-x',
    'ext::sh -c x',
    'fd::3',
    'a::b',
    'ftp://x/r',
    'javascript://x',
    'relative/r',
    './r',
    '../r',
    'ssh://-o/x',
    'ssh://u@-o/x',
    '-o:x',
    'u@-o:x',
    'https://x\n/r',
    'https://x\0',
  ])('%j is none', (given) => {
    expect(badUrl(given)).toBeTypeOf('string');
  });

  it.each(['origin', 'up-stream', 'a/b', 'x.y'])('%j is a remote', (name) => expect(badRemote(name)).toBeUndefined());
  it.each(['', '-o', '/tmp/r', 'https://x', 'a b', '../r', '.', 'ext::x', 'a:b'])('%j is none', (name) => {
    expect(badRemote(name)).toBeTypeOf('string');
  });
});

describe('words', () => {
  it.each([
    ['npm test', ['npm', 'test']],
    ['  a\t b ', ['a', 'b']],
    [`grep -q 'a b' "c d"`, ['grep', '-q', 'a b', 'c d']],
    [`a'b c'"d"`, ['ab cd']],
    [`x ''`, ['x', '']],
    [`'$(x) ; | \`y\`'`, ['$(x) ; | `y`']],
    [`"a\\"b\\\\c\\n"`, ['a"b\\c\\n']],
  ])('%j', (command, expected) => {
    expect(words(command)).toEqual(expected);
  });

  it.each([
    'a; b',
    'a && b',
    'a | b',
    'a > f',
    'a < f',
    '$(a)',
    '`a`',
    '"$HOME"',
    '"`a`"',
    '$X',
    'a *',
    '~/x',
    "'open",
    '"open',
    '',
    '  ',
    'a # b',
    '(a)',
    'a\\ b',
  ])('%j is refused', (command) => {
    expect(() => words(command)).toThrow("'value'");
  });
});

/** A line of `--raw`. */
const raw = (letter: string): string => `:100644 100644 ${'0'.repeat(40)} ${'1'.repeat(40)} ${letter}`;

describe('what git prints', () => {
  it('porcelain v2: a path is everything after its fields', () => {
    const zero = '0'.repeat(40);
    const found = parseStatus(
      [
        `# branch.oid ${zero}`,
        '# branch.head a b',
        '# branch.upstream o/a b',
        '# branch.ab +1 -2',
        '# stash 3',
        `1 .M N... 100644 100644 100644 ${zero} ${zero}  two  spaces `,
        `2 R. N... 100644 100644 100644 ${zero} ${zero} R100 new\nline`,
        'old name',
        `u AA S.MU 000000 100644 100644 160000 ${zero} ${zero} ${zero} u p`,
        '? ? odd',
        '',
      ].join('\0'),
    );
    expect(found).toEqual({
      branch: { head: 'a b', oid: zero, detached: false, upstream: 'o/a b', ahead: 1, behind: 2 },
      staged: [{ path: 'new\nline', status: 'R', from: 'old name' }],
      unstaged: [{ path: ' two  spaces ', status: 'M' }],
      untracked: [{ path: '? odd' }],
      conflicts: [{ path: 'u p', code: 'AA' }],
      stashes: 3,
    });
  });

  it('raw and numstat: renames, binary files, a path that looks like a count', () => {
    expect(
      parseFiles(
        [
          raw('M'),
          '1\t2\tx',
          raw('R090'),
          'a',
          'b',
          raw('A'),
          'bin',
          raw('M'),
          'touched',
          '3\t4\t1\t2\tx',
          '5\t6\t',
          'a',
          'b',
          '-\t-\tbin',
          '',
        ].join('\0'),
      ),
    ).toEqual([
      { path: '1\t2\tx', status: 'M', added: 3, deleted: 4 },
      { path: 'b', from: 'a', status: 'R', added: 5, deleted: 6 },
      { path: 'bin', status: 'A', binary: true },
    ]);
  });

  it('blame: a line of the file that looks like a header is a line', () => {
    const hash = 'a'.repeat(40);
    const { text, origins } = parseBlame(
      `${hash} 1 1 2\nauthor A B\nauthor-time 0\nsummary s  t\nfilename f g\n\t${hash} 9 9\n${hash} 2 2\n\t\n`,
    );
    expect(text).toBe(`aaaaaaaa 1 ${hash} 9 9\naaaaaaaa 2 \n`);
    expect(origins.get(hash)).toEqual({ hash, author: 'A B', time: 0, message: 's  t', from: 'f g' });
  });

  it('config: values with newlines, keys without a value', () => {
    expect(parseConfig('local\0a.b\nx\ny\0global\0c.d\0')).toEqual([
      { scope: 'local', key: 'a.b', value: 'x\ny' },
      { scope: 'global', key: 'c.d', value: 'true' },
    ]);
  });

  it.each([
    ['plain name', 'plain name'],
    ['"a\\nb"', 'a\nb'],
    ['"q\\"q\\\\"', 'q"q\\'],
    ['"\\001\\t"', '\u0001\t'],
    ['"', '"'],
  ])('the quoted path %j', (quoted, expected) => {
    expect(unquote(quoted)).toBe(expected);
  });

  it('messages lose hints, progress and passwords', () => {
    expect(tidy('10%\r100%\r\nhint: x\nfatal: https://u:p@h/r and https://ghp_0123456789abcdefghij@h/r\n')).toBe(
      '100%\nfatal: https://u:***@h/r and https://***@h/r',
    );
    expect(redact('ssh://git@host/r git@host:r https://user@host/r')).toBe(
      'ssh://git@host/r git@host:r https://user@host/r',
    );
  });
});
