// extract, inline, move, organize_imports, and what reads a tree; expectations are written by hand.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, type Project } from '../testkit.ts';

let project: Project | undefined;

afterEach(async () => {
  await project?.close();
  project = undefined;
});

const open = (files: Record<string, string>): Project => (project = createProject(files));
const text = (name: string): string => readFileSync(project?.at(name) ?? '', 'utf8');

const TS = `import { a } from './a';

export function f(list: number[], k: number): number {
  let sum = 0;
  const factor = k * 2;
  for (const x of list) {
    sum += x * factor + a(x);
  }
  return sum;
}
const rest = 1;
`;

const PY = `import os


def f(items, k):
    total = 0
    factor = k * 2
    for x in items:
        total += x * factor
    return total
`;

describe('extract', () => {
  test('an expression gets a name before its statement', async () => {
    const { call, at } = open({ 'a.ts': TS, 'a.py': PY });
    await call('extract', { uri: at('a.ts'), line: 7, query: 'x * factor', new_name: 'scaled', apply: true });
    expect(text('a.ts')).toContain(
      '  for (const x of list) {\n    const scaled = x * factor;\n    sum += scaled + a(x);\n',
    );
    await call('extract', { uri: at('a.py'), line: 8, query: 'x * factor', new_name: 'scaled', apply: true });
    expect(text('a.py')).toContain('    for x in items:\n        scaled = x * factor\n        total += scaled\n');
  });

  test('lines become a function that is given what they use and gives back what is used behind them', async () => {
    const { call, at } = open({ 'a.ts': TS, 'a.py': PY });
    await call('extract', { uri: at('a.ts'), line: 6, end_line: 8, new_name: 'addUp', apply: true });
    expect(text('a.ts')).toBe(
      "import { a } from './a';\n\nexport function f(list: number[], k: number): number {\n  let sum = 0;\n  const factor = k * 2;\n  sum = addUp(list, sum, factor);\n  return sum;\n}\n\nfunction addUp(list, sum, factor) {\n  for (const x of list) {\n    sum += x * factor + a(x);\n  }\n  return sum;\n}\nconst rest = 1;\n",
    );
    await call('extract', { uri: at('a.py'), line: 7, end_line: 8, new_name: 'add_up', apply: true });
    expect(text('a.py')).toBe(
      'import os\n\n\ndef add_up(items, total, factor):\n    for x in items:\n        total += x * factor\n    return total\n\n\ndef f(items, k):\n    total = 0\n    factor = k * 2\n    total = add_up(items, total, factor)\n    return total\n',
    );
  });

  test.each([
    ['are not whole statements', { line: 6, end_line: 7 }],
    ['has return', { line: 9, end_line: 9 }],
    ['already; choose another name', { line: 4, end_line: 4, new_name: 'a' }],
    ['does not begin on line 4', { line: 4, query: 'nothing' }],
    ['is not one whole expression', { line: 7, query: 'x * factor + a' }],
  ])('refused: %s', async (why, args) => {
    const { call, at } = open({ 'a.ts': TS });
    const { error } = await call('extract', { uri: at('a.ts'), new_name: 'g', apply: true, ...args });
    expect(error.message).toContain(why);
    expect(text('a.ts')).toBe(TS);
  });
});

describe('inline', () => {
  test.each([
    ['a.ts', TS, 'factor', TS.replace('  const factor = k * 2;\n', '').replace('x * factor', 'x * (k * 2)')],
    ['a.py', PY, 'factor', PY.replace('    factor = k * 2\n', '').replace('x * factor', 'x * (k * 2)')],
    [
      'a.go',
      'package p\n\nfunc f(a int) int {\n\tb := a + 1\n\treturn b * 2\n}\n',
      'b',
      'package p\n\nfunc f(a int) int {\n\treturn (a + 1) * 2\n}\n',
    ],
    [
      'a.rs',
      'fn f(a: i32) -> i32 {\n    let b = a + 1;\n    b * 2\n}\n',
      'b',
      'fn f(a: i32) -> i32 {\n    (a + 1) * 2\n}\n',
    ],
    [
      'a.java',
      'class A { int f(int a) {\n  int b = a + 1;\n  return g(b);\n} }\n',
      'b',
      'class A { int f(int a) {\n  return g(a + 1);\n} }\n',
    ],
    [
      'a.c',
      'int f(int a) {\n  int b = a + 1;\n  return b * 2;\n}\n',
      'b',
      'int f(int a) {\n  return (a + 1) * 2;\n}\n',
    ],
  ])('%s', async (name, before, query, after) => {
    const { call, at } = open({ [name]: before });
    await call('inline', { query, uri: at(name), apply: true });
    expect(text(name)).toBe(after);
  });

  test.each([
    ['is changed or passed on at line 7', TS, 'sum'],
    ['does something when it is evaluated', 'function f() {\n  const x = g();\n  return x + x;\n}\n', 'x'],
    [
      "'k' in the value means something else",
      'function f(k: number) {\n  const x = k;\n  return (k: string) => x;\n}\n',
      'x',
    ],
    ["'k' in the value is changed", 'function f(k: number) {\n  const x = k;\n  k = 2;\n  return x;\n}\n', 'x'],
  ])('refused: %s', async (why, source, query) => {
    const { call, at } = open({ 'a.ts': source });
    const { error } = await call('inline', { query, uri: at('a.ts'), apply: true });
    expect(error.message).toContain(why);
  });
});

describe('move', () => {
  test('TypeScript: with its comment and its imports; who imports it follows', async () => {
    const { call, at } = open({
      'src/a.ts':
        'import { join } from "node:path";\nimport { h } from "./lib/h";\n\nexport const K = 1;\n\n/** Adds. */\nexport function foo(x: string): string {\n  return join(x, h(K));\n}\n\nexport function bar() { return foo("a"); }\n',
      'src/lib/h.ts': 'export const h = (n: number) => String(n);\n',
      'src/b.ts': 'import { foo, bar } from "./a";\nfoo("x"); bar();\n',
      'src/c.ts': 'import { foo as f } from "./a";\nf("x");\n',
      'src/i.ts': 'export { foo } from "./a";\nimport * as a from "./a";\na.foo("");\n',
    });
    const { data } = await call('move', { query: 'foo', uri: at('src/a.ts'), to: at('src/lib/foo.ts'), apply: true });
    expect(text('src/lib/foo.ts')).toBe(
      'import { join } from "node:path";\nimport { h } from "./h";\nimport { K } from "../a";\n\n/** Adds. */\nexport function foo(x: string): string {\n  return join(x, h(K));\n}\n',
    );
    expect(text('src/a.ts')).toBe(
      'import { join } from "node:path";\nimport { h } from "./lib/h";\nimport { foo } from "./lib/foo";\n\nexport const K = 1;\n\nexport function bar() { return foo("a"); }\nexport { foo } from "./lib/foo";\n',
    );
    expect(text('src/b.ts')).toBe('import { bar } from "./a";\nimport { foo } from "./lib/foo";\nfoo("x"); bar();\n');
    expect(text('src/c.ts')).toBe('import { foo as f } from "./lib/foo";\nf("x");\n');
    expect(text('src/i.ts')).toContain('export { foo } from "./lib/foo";\n');
    expect(data.uncertain).toMatchObject([{ line: 3, text: 'a.foo("");' }]);
  });

  test('Python: relative and absolute imports; files that would import each other are refused', async () => {
    const files = {
      'p/__init__.py': '',
      'p/a.py':
        'import os\n\nfrom .h import help as hh\n\n\n# Joins.\ndef foo(x):\n    return os.path.join(x, hh(1))\n\n\ndef bar():\n    return foo("a")\n',
      'p/h.py': 'def help(n):\n    return str(n)\n',
      'p/sub/__init__.py': '',
      'p/sub/t.py': '"""Doc."""\nX = 1\n',
      'm.py': 'from p.a import foo, bar\nfoo(1)\n',
    };
    const { call, at } = open(files);
    await call('move', { query: 'foo', uri: at('p/a.py'), to: at('p/sub/t.py'), apply: true });
    expect(text('p/sub/t.py')).toBe(
      '"""Doc."""\nimport os\nfrom ..h import help as hh\n\nX = 1\n\n\n# Joins.\ndef foo(x):\n    return os.path.join(x, hh(1))\n',
    );
    expect(text('p/a.py')).toBe(
      'import os\n\nfrom .h import help as hh\nfrom .sub.t import foo\n\n\ndef bar():\n    return foo("a")\n',
    );
    expect(text('m.py')).toBe('from p.a import bar\nfrom p.sub.t import foo\nfoo(1)\n');
    const { error } = await call('move', { query: 'X', uri: at('p/sub/t.py'), to: at('p/new.go'), apply: true });
    expect(error.param).toBe('to');
    expect(existsSync(at('p/new.go'))).toBe(false);
  });

  test('what it uses and its file does not export is named', async () => {
    const { call, at } = open({ 'a.ts': 'const hidden = 1;\nexport const foo = () => hidden;\n' });
    const { error } = await call('move', { query: 'foo', uri: at('a.ts'), to: at('b.ts'), apply: true });
    expect(error.message).toContain("uses 'hidden' (line 1)");
  });
});

describe('organize_imports', () => {
  test('TypeScript: unused names go, groups stay apart, side effects and remarks stay where they are', async () => {
    const { call, at } = open({
      'a.ts':
        'import { z, a } from "./z";\nimport fs, { readFile, writeFile } from "node:fs";\nimport type { T } from "./a";\nimport * as path from "node:path";\nimport unused from "x";\n\nimport "side";\nimport { q } from "q"; // why\n\nconst t: T = a(path.sep, readFile);\n',
    });
    const { data } = await call('organize_imports', { uri: at('a.ts'), apply: true });
    expect(data.removed).toEqual(['z', 'fs', 'writeFile', 'unused']);
    expect(text('a.ts')).toBe(
      'import { readFile } from "node:fs";\nimport * as path from "node:path";\nimport type { T } from "./a";\nimport { a } from "./z";\n\nimport "side";\nimport { q } from "q"; // why\n\nconst t: T = a(path.sep, readFile);\n',
    );
  });

  test('Python, with CRLF', async () => {
    const { call, at } = open({
      'a.py': 'from os import path, sep\r\nimport sys, re\r\nimport abc\r\n\r\nre.sub(sep)\r\n',
    });
    await call('organize_imports', { uri: at('a.py'), apply: true });
    expect(text('a.py')).toBe('import re\r\nfrom os import sep\r\n\r\nre.sub(sep)\r\n');
  });
});

describe('transform', () => {
  test.each([
    [
      'a.ts',
      'assert.equal($A, $B)',
      'expect($A).toBe($B)',
      'assert.equal(f(x), [1]); // assert.equal(a, b)\nassert.equal(a);\n',
      'expect(f(x)).toBe([1]); // assert.equal(a, b)\nassert.equal(a);\n',
    ],
    ['a.ts', '$A === $A', 'same($A) /* $& $1 */', 'x.y === x.y; x === y;\n', 'same(x.y) /* $& $1 */; x === y;\n'],
    ['a.ts', 'f($A, $$$REST)', 'g($$$REST)($A)', 'f(1); f(1, 2, 3); f();\n', 'g()(1); g(2, 3)(1); f();\n'],
    ['a.tsx', '<Old $$$P />', '<New $$$P />', 'const x = <Old a="1" b={2} />;\n', 'const x = <New a="1" b={2} />;\n'],
    [
      'a.js',
      'if ($C) { return $V; }',
      'return $V;',
      'function f() { if (a) { return 1; } if (b) { g(); } }\n',
      'function f() { return 1; if (b) { g(); } }\n',
    ],
    [
      'a.py',
      '$A == None',
      '$A is None',
      'if a == None:\n    x = b.c == None\n',
      'if a is None:\n    x = b.c is None\n',
    ],
    [
      'a.go',
      'errors.New(fmt.Sprintf($$$A))',
      'fmt.Errorf($$$A)',
      'package p\n\nvar e = errors.New(fmt.Sprintf("%d", 1))\n',
      'package p\n\nvar e = fmt.Errorf("%d", 1)\n',
    ],
    [
      'a.rs',
      '$X.unwrap()',
      '$X?',
      'fn f() { let y = x.unwrap(); z.unwrap().g(); }\n',
      'fn f() { let y = x?; z?.g(); }\n',
    ],
    [
      'A.java',
      '$X.set($V)',
      '$X.put($V)',
      'class A { void f() { x.set(1); y.set(a, b); } }\n',
      'class A { void f() { x.put(1); y.set(a, b); } }\n',
    ],
    [
      'a.c',
      'if ($P != NULL) free($P);',
      'free($P);',
      'int f(void) { if (p != NULL) free(p); if (q != NULL) free(r); return 0; }\n',
      'int f(void) { free(p); if (q != NULL) free(r); return 0; }\n',
    ],
    [
      'a.cpp',
      'std::make_pair($A, $B)',
      'std::pair{$A, $B}',
      'auto f() { return std::make_pair(1, g(2)); }\n',
      'auto f() { return std::pair{1, g(2)}; }\n',
    ],
    [
      'a.cs',
      'Console.WriteLine($$$A)',
      'log.Info($$$A)',
      'class A { void F() { Console.WriteLine("a", 1); } }\n',
      'class A { void F() { log.Info("a", 1); } }\n',
    ],
    ['a.rb', 'puts($A)', 'logger.info($A)', 'puts("a")\nputs "b"\n', 'logger.info("a")\nputs "b"\n'],
    ['a.php', 'array($$$X)', '[$$$X]', '<?php\n$a = array(1, 2);\n', '<?php\n$a = [1, 2];\n'],
    ['a.sh', 'rm -rf $A', 'trash $A', 'rm -rf "$x"\nrm -f y\n', 'trash "$x"\nrm -f y\n'],
    ['a.json', '"a": $V', '"b": $V', '{"a": [1, 2], "c": {"a": 3}}\n', '{"b": [1, 2], "c": {"b": 3}}\n'],
  ])('%s: %s', async (name, query, replacement, before, after) => {
    const { call, at } = open({ [name]: before });
    const { error } = await call('transform', { query, replacement, uri: at(name), apply: true });
    expect(error).toBe(null);
    expect(text(name)).toBe(after);
  });

  test('a variable that the pattern has not, and a pattern that is no code, are refused', async () => {
    const { call, at } = open({ 'a.ts': 'f(1);\n' });
    const missing = await call('transform', { query: 'f($A)', replacement: '$B', uri: at('a.ts') });
    expect(missing.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'replacement' });
    const broken = await call('transform', { query: 'f($A', replacement: '', uri: at('a.ts') });
    expect(broken.error).toMatchObject({ code: 'INVALID_PARAMS', param: 'query' });
  });
});

describe('what could be changed', () => {
  test('complexity: branches, cases, operators; levels', async () => {
    const many = Array.from({ length: 16 }, (_, i) => `  if (x === ${i}) return ${i};\n`).join('');
    const { call } = open({
      'a.ts': `function plain() { return 1; }\nfunction some(a: any, b: any) {\n  if (a && b || a) { for (const x of a) x; } else if (b) { return a ? 1 : 2; }\n  switch (a) { case 1: case 2: break; default: }\n  try { a(); } catch { }\n}\nfunction much(x: number) {\n${many}}\n`,
      'b.py':
        'def f(a, b):\n    if a and b or a:\n        pass\n    elif b:\n        return [x for x in a if x]\n    while a:\n        pass\n',
    });
    const { data } = await call('complexity', {}, { json: true });
    expect(
      data.functions.map(({ name, complexity, level }: Record<string, unknown>) => [name, complexity, level]),
    ).toEqual([
      ['much', 17, 'HIGH'],
      ['some', 10, 'MED'],
      ['f', 8, undefined],
      ['plain', 1, undefined],
    ]);
    expect(data).toMatchObject({ total: 4, high: 1, med: 1 });
  });

  test('dead_code: exports that only their own file, a comment or nobody names', async () => {
    const { call } = open({
      'a.ts': 'export const used = 1;\nexport const dead = 2;\nexport const own = 3;\nuse(own);\n',
      'b.ts': 'import { used } from "./a";\n// dead\nused;\n',
    });
    const { data } = await call('dead_code', {}, { json: true });
    expect(data.dead.map(({ name, used_here }: Record<string, unknown>) => [name, used_here])).toEqual([
      ['dead', undefined],
      ['own', true],
    ]);
  });

  test('duplicates: where both stand, however they are indented', async () => {
    const lines = Array.from({ length: 7 }, (_, i) => `statement(${i}, "with some text");`);
    const { call } = open({
      'a.ts': `// a\n${lines.join('\n')}\n`,
      'b.ts': `function f() {\n${lines.map((each) => `    ${each}`).join('\n')}\n}\n`,
    });
    const { data } = await call('duplicates', {}, { json: true });
    expect(data.duplicates).toMatchObject([
      {
        lines: 7,
        places: [
          { line: 2, end_line: 8 },
          { line: 2, end_line: 8 },
        ],
      },
    ]);
  });

  test('signatures', async () => {
    const { call, at } = open({ 'a.go': 'package p\n\nfunc (s *S) M(a int) error { return nil }\n\nfunc F() {}\n' });
    const { text: shown } = await call('signatures', { uri: at('a.go') });
    expect(shown).toBe('a.go\n3 S: func (s *S) M(a int) error\n5 func F()\n');
  });
});
