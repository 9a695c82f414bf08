// search_text: ripgrep's dialect and ignore rules, one order, pages that are offsets into it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bench, type Bench } from '../testkit.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.close());

const put = (name: string, bytes: string | Buffer): void => {
  mkdirSync(path.dirname(b.at(name)), { recursive: true });
  writeFileSync(b.at(name), bytes);
};
const search = (pattern: string, more: Record<string, unknown> = {}, options = {}) =>
  b.call('search_text', { pattern, ...more }, options);
/** `path:line` of every hit. */
const hits = async (pattern: string, more: Record<string, unknown> = {}): Promise<string[]> => {
  const answer = await search(pattern, more);
  expect(answer.error).toBeNull();
  return answer
    .body('text')
    .split('\n\n')
    .flatMap((group) => {
      const [name, ...lines] = group.split('\n');
      return lines.filter((line) => /^\d+:/.test(line)).map((line) => `${name}:${line.split(':')[0]}`);
    });
};

describe('answers', () => {
  test('grouped by file, raw lines, heaviest file first, then path, then line', async () => {
    put('b.txt', 'x\n  hit one\nx\n');
    put('a.txt', 'hit\n');
    put('z.txt', 'hit\nno\nhit\n');
    const answer = await search('hit');
    expect(answer.body('text')).toBe('z.txt\n1:hit\n3:hit\n\na.txt\n1:hit\n\nb.txt\n2:  hit one\n');
    expect(answer.data).toEqual({
      pattern: 'hit',
      uri: b.uri(),
      total: 4,
      files: 3,
      paging: { cursor: null, more: false, total: 4 },
      text: { block: 1 },
    });
  });

  test('pages concatenate to the list, with the exact total on each', async () => {
    put('a.txt', 'h\n'.repeat(7));
    put('b.txt', 'h\n'.repeat(5));
    const whole = await hits('h');
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await search('h', { limit: 5, ...(cursor ? { cursor } : {}) });
      expect(answer.data.total).toBe(12);
      paged.push(...(await hits('h', { limit: 5, ...(cursor ? { cursor } : {}) })));
      cursor = answer.data.paging.cursor ?? undefined;
    } while (cursor);
    expect(paged).toEqual(whole);
  });

  test('a page stays in the list its first page came from', async () => {
    put('a.txt', 'h\nh\nh\n');
    const first = await search('h', { limit: 2 });
    put('0.txt', 'h\n'.repeat(10));
    const second = await search('h', { limit: 2, cursor: first.data.paging.cursor });
    expect(second.body('text')).toBe('a.txt\n3:h\n');
    expect(second.data.total).toBe(3);
  });

  test('a page ends within the output limit', async () => {
    put('a.txt', `${'h'.repeat(90)}\n`.repeat(100));
    const answer = await search('h', { limit: 1000 }, { maxOutput: 1000 });
    expect(Buffer.byteLength(answer.body('text'))).toBeLessThanOrEqual(1000);
    expect(answer.data.paging).toEqual({ cursor: '10', more: true, total: 100 });
  });

  test('context lines, shared between hits near one another', async () => {
    put('a.txt', 'a\nb\nh1\nc\nh2\nd\ne\nf\ng\nh3\n');
    expect((await search('h', { context: 1 })).body('text')).toBe('a.txt\n2-b\n3:h1\n4-c\n5:h2\n6-d\n--\n9-g\n10:h3\n');
  });

  test('with --json-only the hits are in the envelope', async () => {
    const other = bench({ jsonOnly: true, cwd: b.root });
    try {
      put('a.txt', '  hit \n');
      const answer = await other.call('search_text', { pattern: 'hit' }, { jsonOnly: true });
      expect(answer.data.matches).toEqual([{ uri: b.uri('a.txt'), line: 1, text: 'hit' }]);
    } finally {
      other.close();
    }
  });

  test('nothing found is an empty list, not an error', async () => {
    expect((await search('nowhere')).data).toMatchObject({ total: 0, files: 0, text: '' });
  });

  test('a very long line is cut and says by how much', async () => {
    put('a.txt', `h${'x'.repeat(10_000)}\n`);
    expect((await search('h')).body('text')).toMatch(/x… \[9501 more characters\]\n$/);
  });

  test.each([{ limit: 0 }, { limit: -1 }, { limit: 1001 }, { cursor: 'x' }, { cursor: '99' }, { context: -1 }])(
    '%j is refused',
    async (bad) => {
      put('a.txt', 'h\n');
      expect((await search('h', bad)).error.code).toBe('INVALID_PARAMS');
    },
  );
});

describe('dialect', () => {
  test.each([
    ['(a', /not closed.*position 0/],
    ['a{1', /not closed.*position 1/],
    ['[a', /not closed.*position 0/],
    ['*a', /nothing to repeat.*position 0/],
    ['\\p{Foo}', /no Unicode property/],
    ['a(?=b)', /look-around/],
    ['(a)\\1', /back-references/],
    ['', /empty/],
    ['a\\nb', /multiline/],
    ['a\nb', /multiline/],
  ])('%j is refused with its place', async (pattern, why) => {
    const { error } = await search(pattern);
    expect(error.code).toBe('INVALID_PARAMS');
    expect(error.message).toMatch(why);
  });

  test.each([
    ['h.t', {}, [1, 2, 3, 4]],
    ['^hat$', {}, [1]],
    ['HAT', { ignore_case: true }, [1, 4]],
    ['(?i)HAT', {}, [1, 4]],
    ['hat', { word: true }, [1]],
    ['h.t', { literal: true }, [3]],
    ['a|xyz', {}, [1, 4, 7]],
    ['[^a-z]', {}, [3, 5, 7]],
    ['\\d+', {}, [5]],
    ['^$', {}, [6]],
    ['\\s', {}, []],
    ['café', {}, [7]],
    ['CAFÉ', { ignore_case: true }, [7]],
    ['caf\\w$', {}, [7]],
    ['\\u00e9', {}, [7]],
    ['(?s)hat.hot', {}, []],
    ['(?:h)(?:a)t+', {}, [1, 4]],
    ['ha?t?', {}, [1, 2, 3, 4]],
    ['(?x) h a  t # why', {}, [1, 4]],
    ['[a-z&&[^aeiou]]at', {}, [1, 4]],
    ['h**', {}, [1, 2, 3, 4, 5, 6, 7]],
  ])('%s %j', async (pattern, more, lines) => {
    put('a.txt', 'hat\nhot\nh.t\nthats\n42\n\ncafé\n');
    expect((await hits(pattern, { limit: 100, ...more })).map((each) => Number(each.split(':')[1]))).toEqual(lines);
  });

  test('empty lines are found wherever they stand', async () => {
    const text = Array.from({ length: 3000 }, (_, i) => 'x'.repeat(i % 7)).join('\n');
    put('a.txt', `${text}\n\n`);
    const expected = text
      .split('\n')
      .concat('')
      .flatMap((line, i) => (line === '' ? [i + 1] : []));
    expect((await search('^$', { limit: 1000 })).data.total).toBe(expected.length);
    expect(
      (await search('^$', { limit: 1000 }))
        .body('text')
        .match(/\d+(?=:)/g)
        ?.map(Number),
    ).toEqual(expected);
  });

  test('multiline matches count every line they touch', async () => {
    put('a.txt', 'foo(\n  bar\n)\nfoo()\n');
    expect(await hits('foo\\([^)]*\\)', { multiline: true })).toEqual(['a.txt:1', 'a.txt:2', 'a.txt:3', 'a.txt:4']);
    expect(await hits('foo\\([^)]*\\)')).toEqual(['a.txt:4']);
  });

  test('with word and multiline the signs around a match are not of it', async () => {
    put('a.txt', 'x\nfoo\nfoo foo\nfoox\n');
    expect(await hits('foo', { word: true, multiline: true })).toEqual(['a.txt:2', 'a.txt:3']);
    expect(await hits('o\\nf', { word: true, multiline: true })).toEqual([]);
    expect(await hits('foo\\nfoo', { word: true, multiline: true })).toEqual(['a.txt:2', 'a.txt:3']);
  });

  test('shell characters are only a pattern', async () => {
    put('a.txt', 'x "; touch y; `id` $(id)\n');
    expect(await hits('"; touch y; `id` $(id)', { literal: true })).toEqual(['a.txt:1']);
  });

  test('a catastrophic pattern ends', async () => {
    put('a.txt', `${'a'.repeat(5000)}!\n`);
    expect(await hits('(a+)+$')).toEqual([]);
  });
});

describe('what is searched', () => {
  test('ignore files at every level and above, negations, hidden, binary, links', async () => {
    mkdirSync(b.at('.git', 'info'), { recursive: true });
    put('.git/info/exclude', 'excluded.txt\n');
    put('.gitignore', '*.log\n/build\n!keep.log\n!.shown\ndeep/**/x.txt\n');
    put('sub/.gitignore', '!sub.log\n*.tmp\n');
    put('.ignore', 'ignored.txt\n!a.log\n');
    for (const name of [
      'a.log',
      'b.log',
      'keep.log',
      'build/f.txt',
      'sub/build/f.txt',
      'sub/sub.log',
      'sub/t.tmp',
      'ignored.txt',
      'excluded.txt',
      '.hidden',
      '.shown',
      '.hid/f.txt',
      'deep/1/2/x.txt',
      'deep/y.txt',
      'plain.txt',
    ])
      put(name, 'hit\n');
    put('bin.dat', Buffer.from('hit\n\0'));
    symlinkSync('plain.txt', b.at('link.txt'));
    const all = [
      '.shown:1',
      'a.log:1',
      'deep/y.txt:1',
      'keep.log:1',
      'plain.txt:1',
      'sub/build/f.txt:1',
      'sub/sub.log:1',
    ];
    expect(await hits('hit')).toEqual(all);
    expect(await hits('hit', { uri: b.at('sub') })).toEqual(['build/f.txt:1', 'sub.log:1']);
  });

  test('git rules count only inside a repository, .ignore everywhere', async () => {
    put('.gitignore', 'a.txt\n');
    put('.ignore', 'b.txt\n');
    for (const name of ['a.txt', 'b.txt', 'c.txt']) put(name, 'hit\n');
    expect(await hits('hit')).toEqual(['a.txt:1', 'c.txt:1']);
  });

  test('the rules of an outer repository end at an inner one', async () => {
    mkdirSync(b.at('.git'));
    mkdirSync(b.at('in', '.git'), { recursive: true });
    put('.gitignore', 'x.txt\n');
    put('in/x.txt', 'hit\n');
    put('x.txt', 'hit\n');
    expect(await hits('hit')).toEqual(['in/x.txt:1']);
  });

  test('a directory or file that is named is searched though it is ignored or hidden', async () => {
    mkdirSync(b.at('.git'));
    put('.gitignore', 'node_modules/\n');
    put('node_modules/p/i.js', 'hit\n');
    put('.secret.txt', 'hit\n');
    expect(await hits('hit')).toEqual([]);
    expect(await hits('hit', { uri: b.at('node_modules') })).toEqual(['p/i.js:1']);
    expect(await hits('hit', { uri: b.at('node_modules', 'p', 'i.js') })).toEqual(['i.js:1']);
    expect(await hits('hit', { uri: b.at('.secret.txt') })).toEqual(['.secret.txt:1']);
  });

  test.each([
    ['*.ts', ['a.ts', 'd/b.ts', 'd/e/c.ts']],
    ['d/*.ts', ['d/b.ts']],
    ['**/e/*', ['d/e/c.ts']],
    ['d/**', ['d/b.ts', 'd/e/c.ts', 'd/n.md']],
    ['*.{ts,md}', ['a.ts', 'd/b.ts', 'd/e/c.ts', 'd/n.md']],
    ['!*.ts', ['d/n.md']],
    ['!d', ['a.ts']],
    ['[ab].ts', ['a.ts', 'd/b.ts']],
    ['?.ts', ['a.ts', 'd/b.ts', 'd/e/c.ts']],
  ])('glob %s', async (glob, files) => {
    for (const name of ['a.ts', 'd/b.ts', 'd/e/c.ts', 'd/n.md']) put(name, 'hit\n');
    expect(await hits('hit', { glob })).toEqual(files.map((each) => `${each}:1`));
  });

  test('UTF-16 with a mark, CRLF; bytes that are no UTF-8 are no characters, and are shown as such', async () => {
    put('a.txt', Buffer.from('\ufeffx\r\nhit é\r\n', 'utf16le'));
    put('b.txt', Buffer.from('x\nhit \xe9\n', 'latin1'));
    put('c.txt', 'x\r\nhit é\r\n');
    expect(await hits('hit é')).toEqual(['a.txt:2', 'c.txt:2']);
    expect((await search('hit', { glob: 'b.txt' })).body('text')).toBe('b.txt\n2:hit \ufffd\n');
    expect((await search('hit', { uri: b.at('c.txt') })).body('text')).toBe('c.txt\n2:hit é\n');
  });

  test('a document is searched when it is named, by uri or by a glob of its type', async () => {
    const { zipSync, strToU8 } = await import('fflate');
    put('a.zip', Buffer.from(zipSync({ 'in/x.txt': strToU8('no\nhit\n'), 'y.txt': strToU8('hit\nhit\n') })));
    put('b.txt', 'hit\n');
    expect(await hits('hit')).toEqual(['b.txt:1']);
    const answer = await search('hit', { glob: '*.zip' });
    expect(answer.data).toMatchObject({ total: 3, files: 1 });
    expect(answer.body('text')).toBe('a.zip [in/x.txt]\n2:hit\n\na.zip [y.txt]\n1:hit\n2:hit\n');
    expect((await search('hit', { uri: b.at('a.zip') })).data.total).toBe(3);
  });

  test('files over 16 MiB are left out and counted; a named one is searched', async () => {
    put('big.txt', `${'x'.repeat(99)}\n`.repeat(170_000) + 'hit\n');
    const answer = await search('hit');
    expect(answer.data).toMatchObject({ total: 0, note: expect.stringContaining('1 files over 16 MiB') });
    expect(await hits('hit', { uri: b.at('big.txt') })).toEqual(['big.txt:170001']);
  });

  test('a named file too large to be held is searched in pieces, numbers and context right', async () => {
    const block = Buffer.from(`${'x'.repeat(99)}\n`.repeat(100_000));
    put('huge.txt', Buffer.concat([...Array.from({ length: 7 }, () => block), Buffer.from('before\nhit é\nafter')]));
    const answer = await search('hit', { uri: b.at('huge.txt'), context: 1 });
    expect(answer.body('text')).toBe('huge.txt\n700001-before\n700002:hit é\n700003-after\n');
  });

  test('key material is passed over, missing roots are NOT_FOUND', async () => {
    put('id_rsa', 'hit\n');
    expect(await hits('hit')).toEqual([]);
    expect((await search('hit', { uri: b.at('nope') })).error.code).toBe('NOT_FOUND');
    expect((await search('hit', { uri: b.at('id_rsa') })).error.code).toBe('PERMISSION_DENIED');
  });

  test('a cancelled search ends', async () => {
    for (let i = 0; i < 50; i++) put(`f${i}`, 'hit\n');
    const stop = new AbortController();
    stop.abort();
    expect((await search('hit', {}, { signal: stop.signal })).ok).toBe(false);
  });
});

test('a long pattern is not sent back whole, one beyond measure is refused, and no character is cut in half', async () => {
  writeFileSync(b.at('a.txt'), 'x\n');
  const { data } = await b.call('search_text', { pattern: 'y'.repeat(5000) });
  expect(data.pattern).toBe(`${'y'.repeat(200)}…`);
  expect((await b.call('search_text', { pattern: 'y'.repeat(10_001) })).error).toMatchObject({
    code: 'INVALID_PARAMS',
  });
  const { error } = await b.call('search_text', { pattern: `x{2,1}${'😀'.repeat(50)}(` });
  expect(error.message.isWellFormed()).toBe(true);
  const cut = await b.call('search_text', { pattern: `(${'😀'.repeat(50)}` });
  expect(cut.error.message.isWellFormed()).toBe(true);
});

test('with JSON only a page is measured as JSON, and pages together are the whole', async () => {
  writeFileSync(b.at('a.txt'), `${'"\\'.repeat(40)}x\n`.repeat(120));
  const json = bench({ cwd: b.root, jsonOnly: true });
  const lines: number[] = [];
  for (let cursor: string | undefined; ;) {
    const more = cursor === undefined ? {} : { cursor };
    const { content, data } = await json.call(
      'search_text',
      { pattern: 'x$', limit: 1000, ...more },
      { maxOutput: 4096 },
    );
    const [envelope] = content;
    expect(envelope?.type === 'text' && Buffer.byteLength(envelope.text)).toBeLessThanOrEqual(4096 + 600);
    lines.push(...data.matches.map((each: { line: number }) => each.line));
    if (!data.paging.more) break;
    cursor = data.paging.cursor;
  }
  expect(lines).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
});

test('from an index: the same list, key material left out, and no change missed', async () => {
  const cache = mkdtempSync(path.join(tmpdir(), 'fs-index-'));
  const indexed = bench({ cwd: b.root, indexes: cache });
  const found = async (): Promise<string> =>
    (await indexed.call('search_text', { pattern: 'hit', glob: '!*.md' })).body('text');
  try {
    put('a.txt', 'hit\n');
    put('d/b.txt', 'hit\nhit\n');
    put('c.md', 'hit\n');
    put('id_rsa', 'hit\n');
    put('key.txt', '-----BEGIN PRIVATE KEY-----\nhit\n');
    await indexed.local.indexes.use(b.root, true, async (index) => {
      await index.build();
      expect(index.status().index).toBe('ready');
    });
    expect(await found()).toBe('d/b.txt\n1:hit\n2:hit\n\na.txt\n1:hit\n');
    put('d/new.txt', 'hit\nhit\nhit\n');
    put('a.txt', 'gone\n');
    expect(await found()).toBe('d/new.txt\n1:hit\n2:hit\n3:hit\n\nd/b.txt\n1:hit\n2:hit\n');
  } finally {
    await indexed.close();
    rmSync(cache, { recursive: true, force: true });
  }
});

test('a search of what lies below another is answered by the same engine, one elsewhere by its own', async () => {
  const roots = new Set<string>();
  put('d/e/a.txt', 'x\n');
  const other = realpathSync(mkdtempSync(path.join(tmpdir(), 'fs-other-')));
  try {
    mkdirSync(path.join(other, '.git'));
    mkdirSync(path.join(other, 'in'));
    for (const place of [b.root, b.at('d'), b.at('d', 'e'), other, path.join(other, 'in')]) {
      await b.local.indexes.use(place, true, async (index) => roots.add(index.root));
    }
    expect([...roots]).toEqual([b.root, other]);
  } finally {
    await b.local.indexes.close();
    rmSync(other, { recursive: true, force: true });
  }
});

test('a document that could not be read is named with the reason', async () => {
  put('a.zip', 'PK\u0003\u0004 not much of one');
  const { data } = await search('x', { uri: b.at('a.zip') });
  expect(data.skipped).toEqual([{ uri: b.uri('a.zip'), reason: 'damaged or truncated zip' }]);
  expect(data.note).toMatch(/^1 could not be read/);
});

test('a match far into a long line is shown with what stands around it', async () => {
  put('a.txt', `${'x'.repeat(3000)}hit${'y'.repeat(3000)}\n`);
  const text = (await search('hit')).body('text');
  expect(text).toMatch(/^a\.txt\n1:\[2900 characters\] …x{100}hity+… \[2603 more characters\]\n$/);
});
