// What one source says of itself: parse, serialize, symbols, outline, exports, types, summarize; and a tree of files in numbers.
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUri } from '../../lib/path.ts';
import { createProject, type Project } from './testkit.ts';

const SHAPES = `// Shapes.
import { log as print } from './log.ts';
export * from './more.ts';
export { area, type Size as Extent } from './area.ts';

export interface Shape {
  name: string;
  area(): number;
}

export abstract class Base implements Shape {
  name = 'base';
  abstract area(): number;
  protected tell = (): void => {
    function inner() {}
    print(inner);
  };
}

type Pair<T> = [T, T];
const hidden = 1,
  shown = 2;
export { shown };
export default function make(kind: string): Shape {
  const local = kind;
  return create(local);
}
`;

let project: Project;
beforeAll(() => {
  project = createProject({
    'shapes.ts': SHAPES,
    'broken.ts': 'export function a() {}\nlet = = 1;\nfunction b() {}\n',
    'notes.xyz': 'nothing\n',
    run: '#!/usr/bin/env python3\ndef go():\n    pass\n',
    'sub/data.json': '{\n  "a": {\n    "b": 1\n  }\n}\n',
    'sub/lines.py': '# one\n\nx = """\n# text\n"""  # two\ny = "#"  # three\n',
    'sub/lines.c': '/* a\n   b */ int x; // c\n\n// d "\nchar *s = "/*";\nint y;\n',
    'sub/more.c': 'int z;\n',
  });
});
afterAll(() => project.close());

describe('outline', () => {
  test('signatures, indented, with their lines; functions within functions too', async () => {
    const { data, text } = await project.call('outline', { uri: project.at('shapes.ts') });
    expect(text).toBe(
      [
        '6-9 export interface Shape',
        '  7 name: string',
        '  8 area(): number',
        '11-18 export abstract class Base implements Shape',
        "  12 name = 'base'",
        '  13 abstract area(): number',
        '  14-17 protected tell = (): void =>',
        '    15 function inner()',
        '20 type Pair<T> = [T, T];',
        '21 hidden = 1',
        '22 shown = 2',
        '24-27 export default function make(kind: string): Shape',
        '',
      ].join('\n'),
    );
    expect(data).toMatchObject({
      uri: toUri(project.at('shapes.ts')),
      language: 'typescript',
      lines: 27,
      imports: ['./log.ts', './more.ts', './area.ts'],
      count: 12,
      paging: { cursor: null, more: false, total: 12 },
    });
    expect(data).not.toHaveProperty('errors');
  });

  test('of a text that is given, whatever file there is', async () => {
    const { data, text } = await project.call('outline', { text: 'def f(a):\n  pass\n', language: 'py' });
    expect(text).toBe('1-2 def f(a)\n');
    expect(data).toMatchObject({ language: 'python', lines: 2 });
    expect(data).not.toHaveProperty('uri');
  });

  test('a file without an ending is in the language of its first line', async () => {
    expect((await project.call('outline', { uri: project.at('run') })).text).toBe('2-3 def go()\n');
  });

  test('pages concatenate to the whole', async () => {
    const uri = project.at('shapes.ts');
    const whole = (await project.call('outline', { uri })).text;
    let text = '';
    let cursor: string | undefined;
    for (let i = 0; i < 20; i++) {
      const page = await project.call('outline', { uri, cursor, max_results: 5 }, { maxOutput: 100 });
      text += page.text;
      cursor = page.data.paging.cursor ?? undefined;
      if (cursor === undefined) break;
    }
    expect(text).toBe(whole);
  });
});

test('a file with syntax errors gives what can be had, and says where they are', async () => {
  const { data, text } = await project.call('symbols', { uri: project.at('broken.ts') });
  expect(text).toContain('1 function a\n');
  expect(text).toContain('3 function b\n');
  expect(data.errors[0]).toMatchObject({ line: 2 });
  expect(data.note).toBe('the text has syntax errors; what is around them may be incomplete');
});

describe('symbols', () => {
  test('of a kind, and with a word in their name', async () => {
    const uri = project.at('shapes.ts');
    expect((await project.call('symbols', { uri, kind: 'method' })).text).toBe(
      '8 method Shape.area\n13 method Base.area\n14 method Base.tell\n',
    );
    expect((await project.call('symbols', { uri, query: 'SHO' })).text).toBe('22 constant shown\n');
    expect((await project.call('symbols', { uri, kind: 'parameter' })).text).toBe('24 parameter make.kind\n');
  });

  test('as JSON', async () => {
    const { data } = await project.call('symbols', { uri: project.at('sub/data.json') }, { json: true });
    expect(data.symbols).toEqual([
      { name: 'a', kind: 'key', line: 2, end_line: 4 },
      { name: 'b', kind: 'key', line: 3, end_line: 3, parent: 'a' },
    ]);
  });

  test('a name of any length is cut', async () => {
    const { text, data } = await project.call('symbols', { text: `{"${'x'.repeat(5_000_000)}": 1}`, language: 'json' });
    expect(text.length).toBeLessThan(400);
    expect(data.count).toBe(1);
  });

  test('what is wrong is said with what would be right', async () => {
    const uri = project.at('shapes.ts');
    expect((await project.call('symbols', { uri, kind: 'methd' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'kind',
      message: expect.stringContaining('did you mean method?'),
    });
    expect((await project.call('symbols', { text: 'x' })).error.message).toContain("'text' needs 'language'");
    expect((await project.call('symbols', { text: 'x', language: 'fortran' })).error.message).toContain('typescript');
    expect((await project.call('symbols')).error.message).toBe("code symbols needs 'uri' or 'text'");
    expect((await project.call('symbols', { uri: project.at('notes.xyz') })).error.message).toContain('pass language');
    expect((await project.call('symbols', { uri: project.root })).error.message).toContain('is a directory');
    expect((await project.call('symbols', { uri: project.at('none.ts') })).error.code).toBe('NOT_FOUND');
    expect((await project.call('symbols', { uri, max_results: 0 })).error.message).toContain('is from 1 to 1000');
    expect((await project.call('symbols', { uri, cursor: '99' })).error.message).toContain('past the end');
  });
});

test('exports: what is declared so, listed so, and passed on', async () => {
  const { text } = await project.call('exports', { uri: project.at('shapes.ts') });
  expect(text).toBe(
    [
      '3 export * from ./more.ts',
      '4 export area, Size as Extent from ./area.ts',
      '6 export interface Shape',
      '11 export abstract class Base implements Shape',
      '22 shown = 2',
      '24 export default function make(kind: string): Shape',
      '',
    ].join('\n'),
  );
});

test('types: with their text, a class by its signature', async () => {
  const { text } = await project.call('types', { uri: project.at('shapes.ts') });
  expect(text).toBe(
    `6-9 interface Shape\n${SHAPES.split('\n').slice(5, 9).join('\n')}\n\n` +
      '11-18 class Base\nexport abstract class Base implements Shape\n\n' +
      '20 type Pair\ntype Pair<T> = [T, T];\n\n',
  );
});

describe('parse', () => {
  test('says what a source is; the tree only to the depth that is asked for', async () => {
    const bare = await project.call('parse', { text: 'f(1)', language: 'javascript' });
    expect(bare.data).toEqual({ language: 'javascript', lines: 1, symbols: 0, root: 'program', nodes: 8 });
    const { text } = await project.call('parse', { text: 'f(1)', language: 'javascript', depth: 9 });
    expect(text).toBe(
      [
        'program 1:0-1:4',
        '  expression_statement 1:0-1:4',
        '    call_expression 1:0-1:4',
        '      function: identifier "f" 1:0-1:1',
        '      arguments: arguments 1:1-1:4',
        '        number "1" 1:2-1:3',
        '',
      ].join('\n'),
    );
  });

  test('the tree of one line', async () => {
    const { text } = await project.call('parse', { text: 'a;\nb;\nc;\n', language: 'javascript', depth: 2, line: 2 });
    expect(text).toBe('program 1:0-4:0\n  expression_statement 2:0-2:2\n    identifier "b" 2:0-2:1\n');
  });

  test('a line or a page past the end is said', async () => {
    const text = { text: 'a;', language: 'javascript', depth: 2 };
    expect((await project.call('parse', { ...text, line: 2 })).error.message).toContain('the text has 1 lines');
    expect((await project.call('parse', { ...text, cursor: '3' })).error.message).toBe(
      "'cursor' is past the end; 3 in all",
    );
  });

  test('pages of a tree concatenate to the whole', async () => {
    const args = { uri: project.at('shapes.ts'), depth: 20 };
    const whole = (await project.call('parse', args)).text;
    let text = '';
    let cursor: string | undefined;
    for (let i = 0; i < 100; i++) {
      const page = await project.call('parse', { ...args, cursor }, { maxOutput: 500 });
      text += page.text;
      cursor = page.data.paging.cursor ?? undefined;
      if (cursor === undefined) break;
    }
    expect(text).toBe(whole);
  });
});

test('UTF-16 and one-byte encodings are read as they are', async () => {
  writeFileSync(project.at('wide.py'), Buffer.from('\ufeffdef größe(): pass\n', 'utf16le'));
  writeFileSync(project.at('narrow.py'), Buffer.from('def gr\u00f6\u00dfe(): pass\n', 'latin1'));
  for (const name of ['wide.py', 'narrow.py']) {
    const { text, data } = await project.call('symbols', { uri: project.at(name) });
    expect([text, data.errors]).toEqual(['1 function größe\n', undefined]);
  }
});

test('private keys and folders are not read', async () => {
  writeFileSync(project.at('key.py'), '-----BEGIN PRIVATE KEY-----\nx = 1\n');
  expect((await project.call('symbols', { uri: project.at('key.py') })).error.code).toBe('PERMISSION_DENIED');
  expect((await project.call('symbols', { uri: '/dev/zero', language: 'c' })).error.code).toBe('INVALID_PARAMS');
});

test('serialize: the text comes back from its tree, unit for unit', async () => {
  const source = 'x = "𝒳" # é\r\n\tif (: )\n\n';
  const { data, text } = await project.call('serialize', { text: source, language: 'python' });
  expect(data).toMatchObject({ supported: true, round_trip: true, language: 'python' });
  expect(text).toBe(source);
});

describe('metrics', () => {
  test('files and lines of a tree by ending; code, comment and blank lines', async () => {
    const { data } = await project.call('metrics', { uri: project.at('sub') });
    expect(data).toMatchObject({ total_files: 4, total_lines: 18, code: 13, comment: 3, blank: 2 });
    expect(Object.entries(data.by_extension)).toEqual([
      ['c', { files: 2, lines: 7, code: 4, comment: 2, blank: 1 }],
      ['py', { files: 1, lines: 6, code: 4, comment: 1, blank: 1 }],
      ['json', { files: 1, lines: 5, code: 5, comment: 0, blank: 0 }],
    ]);
  });

  test('of one file what it declares as well', async () => {
    const { data } = await project.call('metrics', { uri: project.at('sub/lines.c') });
    expect(data).toMatchObject({ total_files: 1, declarations: { variable: 3 }, language: 'c' });
  });
});

describe('summarize', () => {
  test('a diff: its files, what each gains and loses, what deserves a look', async () => {
    const diff = [
      'diff --git a/src/a.ts b/src/a.ts',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,2 +1,3 @@',
      ' x',
      '-y',
      '+y2 // TODO',
      '+--- z',
      'diff --git a/old.md b/old.md',
      '--- a/old.md',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
      '',
    ].join('\n');
    const { data } = await project.call('summarize', { text: diff });
    expect(data).toEqual({
      kind: 'diff',
      summary: '2 files, +2 -2: src/a.ts +2 -1, old.md +0 -1',
      files: 2,
      added: 2,
      removed: 2,
      risks: ['src/a.ts: leaves a TODO', 'old.md: deleted'],
      next_actions: ['no test changes with the code; run or add some'],
      lines: 13,
      words: 32,
    });
  });

  test('a log: failures, each kind once, and its result', async () => {
    const log = 'start\nError: at 12\nError: at 13\nwarning: slow\n0 errors in b\n3 tests, 1 failed\n';
    const { data } = await project.call('summarize', { text: log });
    expect(data).toMatchObject({ kind: 'log', failures: 3, warnings: 1, last: '3 tests, 1 failed', lines: 6 });
    expect(data.first).toEqual([
      { line: 2, text: 'Error: at 12' },
      { line: 6, text: '3 tests, 1 failed' },
    ]);
  });

  test('a source by its first comment and what it declares', async () => {
    const { data } = await project.call('summarize', { uri: project.at('shapes.ts') });
    expect(data).toMatchObject({
      kind: 'source',
      summary: 'Shapes.; 1 interface: Shape; 1 class: Base; 1 type: Pair; 2 constant: hidden, shown; 1 function: make',
    });
  });

  test('prose by its first sentence and its headings', async () => {
    const { data } = await project.call('summarize', { text: '# Title\n\nIt is so. And more.\n\n## Part\n' });
    expect(data).toEqual({ kind: 'text', summary: 'It is so. sections: Title; Part', lines: 5, words: 9 });
  });
});
