// Parsing is bounded, tells what it could not understand, and gives its memory back.
import { describe, expect, test } from 'vitest';
import { loadLibrary } from './grammars.ts';
import { countLines, declarationsOf, identifiersOf, Lines, MAX_TEXT, parseSource, toByteOffsets } from './index.ts';

describe('faults', () => {
  test('a text with a syntax error gives what is around it, and where the error is', async () => {
    const source = await parseSource('function a() {}\nlet = = 3;\nfunction b() { return 1; }\n', 'javascript');
    expect(source.errorCount).toBe(1);
    expect(source.errors).toEqual([{ line: 2, col: 6, startIndex: 22, endIndex: 23, message: 'unexpected "="' }]);
    expect(declarationsOf(source).map(({ name }) => name)).toEqual(['a', 'b']);
    source.free();
  });

  test('what is missing is named', async () => {
    const source = await parseSource('int a = 1\n', 'c');
    expect(source.errors.map(({ line, col, message }) => ({ line, col, message }))).toEqual([
      { line: 1, col: 9, message: 'missing ;' },
    ]);
    source.free();
  });

  test('a hundred are kept, all are counted', async () => {
    const source = await parseSource('int a = ;\n'.repeat(300), 'c');
    expect([source.errors.length, source.errorCount]).toEqual([100, 300]);
    source.free();
  });

  test('an empty text has neither lines nor faults', async () => {
    const source = await parseSource('', 'python');
    expect([source.lines.count, source.errorCount, declarationsOf(source).length]).toEqual([0, 0, 0]);
    source.free();
  });
});

describe('positions', () => {
  const text = '// 𝒳é\r\nconst 𝒳 = "𝒳"; const b = `${𝒳}`;\n';

  test('are UTF-16 units, past U+FFFF too', async () => {
    const source = await parseSource(text, 'javascript');
    const places = identifiersOf(source, '𝒳');
    expect(places.map(({ line, col, role }) => ({ line, col, role }))).toEqual([
      { line: 2, col: 6, role: 'declaration' },
      { line: 2, col: 30, role: 'reference' },
    ]);
    for (const { startIndex, endIndex } of places) expect(text.slice(startIndex, endIndex)).toBe('𝒳');
    const [, b] = declarationsOf(source);
    expect(b && text.slice(b.nameStart, b.nameEnd)).toBe('b');
    source.free();
  });

  test('become bytes in one pass', () => {
    const indices = [0, 3, 5, 6, 8, text.length];
    const bytes = indices.map((index) => Buffer.byteLength(text.slice(0, index)));
    expect(toByteOffsets(text, indices)).toEqual(bytes);
    expect(() => toByteOffsets(text, [3, 2])).toThrow(RangeError);
  });

  test('become lines and columns and come back', () => {
    const lines = new Lines('a\r\nbc\n\nd');
    expect(lines.count).toBe(4);
    expect([0, 1, 3, 4, 6, 7, 8].map((index) => lines.at(index))).toEqual([
      { line: 1, col: 0 },
      { line: 1, col: 1 },
      { line: 2, col: 0 },
      { line: 2, col: 1 },
      { line: 3, col: 0 },
      { line: 4, col: 0 },
      { line: 4, col: 1 },
    ]);
    expect(lines.indexOf({ line: 2, col: 99 })).toBe(5);
    expect(lines.indexOf({ line: 9, col: 0 })).toBe(-1);
    expect([lines.text(1), lines.text(2), lines.text(3)]).toEqual(['a', 'bc', '']);
    expect(new Lines('a\n').count).toBe(1);
  });
});

describe('bounds', () => {
  test('a text over the limit is refused', async () => {
    await expect(parseSource(' '.repeat(MAX_TEXT + 1), 'c')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('past its deadline a parse ends with TIMEOUT', async () => {
    const long = 'f(1, [2, {a: 3}]);\n'.repeat(100_000);
    await expect(parseSource(long, 'javascript', { deadlineMs: 30 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('between the slices of a long parse others have their turn, and may end it', async () => {
    const long = 'f(1, [2, {a: 3}]);\n'.repeat(100_000);
    const controller = new AbortController();
    const parse = parseSource(long, 'javascript', { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(parse).rejects.toThrow('enough');
  });

  test('100,000 lines', async () => {
    const text = `export function f(a) {\n  const x = a;\n${'  call(x, 1);\n'.repeat(17)}}\n`.repeat(5000);
    const source = await parseSource(text, 'typescript');
    expect(source.lines.count).toBe(100_000);
    expect(declarationsOf(source).filter(({ local }) => !local).length).toBe(5000);
    expect(declarationsOf(source).at(-1)).toMatchObject({ name: 'x', line: 99_982, parent: 'f' });
    source.free();
  }, 60_000);

  test('a line of 5 MB', async () => {
    const piece = `function f(a){return a+"${'text '.repeat(95)}"}`;
    const text = piece.repeat(10_000);
    expect(text.length).toBeGreaterThan(5_000_000 * 0.99);
    const source = await parseSource(text, 'javascript');
    expect(source.lines.count).toBe(1);
    expect(identifiersOf(source, 'f').length).toBe(10_000);
    source.free();
  }, 60_000);

  const DEEP = 100_000;
  test.each([
    ['parentheses', 'javascript', `x = ${'('.repeat(DEEP)}name${')'.repeat(DEEP)}`, 1],
    ['parentheses that do not close', 'javascript', `x = ${'('.repeat(DEEP)}name`, undefined],
    ['lists', 'json', `${'['.repeat(DEEP)}{"name": 1}${']'.repeat(DEEP)}`, 1],
    ['functions', 'javascript', `${'()=>'.repeat(DEEP)}name`, 1],
    ['blocks', 'c', `int f() {${'{'.repeat(DEEP)}name;${'}'.repeat(DEEP)}}`, 1],
    ['a sum', 'python', `x = ${'name + '.repeat(DEEP)}1`, DEEP],
  ] as const)(
    '100,000 %s in each other',
    async (_what, language, text, count) => {
      const source = await parseSource(text, language);
      declarationsOf(source);
      const found = identifiersOf(source, 'name').length;
      if (count !== undefined) expect(found).toBe(count);
      source.free();
    },
    60_000,
  );
});

test('what closes nowhere is not looked for from every line', () => {
  const text = `${'x = `a ${1}\n'.repeat(50_001)}/* ${'b\n'.repeat(100_000)}`;
  expect(countLines(text, 'javascript').lines).toBe(150_001);
});

test('a tree that is freed gives its memory back', async () => {
  const { heapBytes } = await loadLibrary();
  const text = 'export function f(a) {\n  return [a, { b: `${a}` }];\n}\n'.repeat(2000);
  const once = async (): Promise<void> => {
    const source = await parseSource(text, 'typescript');
    identifiersOf(source, 'a');
    source.free();
    // a second time does nothing
    source.free();
  };
  await once();
  const before = heapBytes();
  // a tree of this text takes some 5 MB: without free the heap would grow by 100
  for (let i = 0; i < 20; i++) await once();
  expect(heapBytes()).toBe(before);
}, 60_000);
