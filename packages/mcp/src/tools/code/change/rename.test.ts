// rename: the symbol in every language, and nothing but the symbol; expectations are written by hand.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, type Project } from '../testkit.ts';

let project: Project | undefined;

afterEach(async () => {
  await project?.close();
  project = undefined;
});

const open = (files: Record<string, string>): Project => (project = createProject(files));
const text = (name: string): string => readFileSync(project?.at(name) ?? '', 'utf8');

describe('scopes', () => {
  test('TypeScript: strings, comments and shadowed names stay; shorthands are written out; imports follow', async () => {
    const { call, at } = open({
      'a.ts':
        'export function foo(x: number) {\n  // foo\n  const s = "foo";\n  return x + foo.length;\n}\nexport const o = { foo, bar: foo, s: `${foo}` };\nfunction inner(foo: number) { return foo; }\nexport { foo as publicFoo };\n',
      'b.ts':
        'import { foo } from "./a";\nimport * as ns from "./a";\nfoo(1); ns.foo(2);\nconst q = { foo };\nfunction f({ foo }: { foo: string }) { return foo; }\ntype T = typeof ns.foo;\n',
      'c.ts': 'import { foo as mine } from "./a.js";\nmine(1);\nconst foo = 2;\n',
      'index.ts': 'export { foo } from "./a";\n',
      'd.ts': 'import { foo } from ".";\nconst renamed = 1;\nfoo(renamed);\n',
      'e.ts': 'import { foo } from "elsewhere";\nfoo();\n',
    });
    const { data } = await call('rename', { query: 'foo', new_name: 'renamed', uri: at('a.ts'), apply: true });
    expect(data).toMatchObject({ applied: true, files_changed: 5, total_replacements: 14, kind: 'function', line: 1 });
    expect(text('a.ts')).toBe(
      'export function renamed(x: number) {\n  // foo\n  const s = "foo";\n  return x + renamed.length;\n}\nexport const o = { foo: renamed, bar: renamed, s: `${renamed}` };\nfunction inner(foo: number) { return foo; }\nexport { renamed as publicFoo };\n',
    );
    expect(text('b.ts')).toBe(
      'import { renamed } from "./a";\nimport * as ns from "./a";\nrenamed(1); ns.renamed(2);\nconst q = { foo: renamed };\nfunction f({ foo }: { foo: string }) { return foo; }\ntype T = typeof ns.renamed;\n',
    );
    expect(text('c.ts')).toBe('import { renamed as mine } from "./a.js";\nmine(1);\nconst foo = 2;\n');
    expect(text('index.ts')).toBe('export { renamed } from "./a";\n');
    // it has the new name already, so that it goes on with the old one
    expect(text('d.ts')).toBe('import { renamed as foo } from ".";\nconst renamed = 1;\nfoo(renamed);\n');
    expect(text('e.ts')).toBe('import { foo } from "elsewhere";\nfoo();\n');
  });

  test('a local variable only in its scope', async () => {
    const { call, at } = open({
      'a.ts':
        'function f(a: number) {\n  let x = a;\n  { let x = 1; use(x); }\n  const { y = x } = g();\n  return () => x + y;\n}\nfunction h(x: number) { return { x }; }\n',
    });
    await call('rename', { query: 'x', new_name: 'z', uri: at('a.ts'), line: 2, apply: true });
    expect(text('a.ts')).toBe(
      'function f(a: number) {\n  let z = a;\n  { let x = 1; use(x); }\n  const { y = z } = g();\n  return () => z + y;\n}\nfunction h(x: number) { return { x }; }\n',
    );
  });

  test('JavaScript: what a pattern takes out keeps its key, what a module exports its name', async () => {
    const { call, at } = open({
      'a.js': 'const { foo, b: [c] } = require("./m");\nmodule.exports = { foo, c };\nfoo(c);\n',
      'b.js': 'const { foo } = require("./a");\nfoo();\n',
    });
    const { data } = await call('rename', { query: 'foo', new_name: 'bar', uri: at('a.js'), apply: true });
    expect(text('a.js')).toBe(
      'const { foo: bar, b: [c] } = require("./m");\nmodule.exports = { foo: bar, c };\nbar(c);\n',
    );
    expect(text('b.js')).toBe('const { foo } = require("./a");\nfoo();\n');
    expect(data.note).toBe("what the module exports keeps the name 'foo': only its value was renamed");
  });

  test('Python: global, __all__, modules by their path; keyword arguments are left to the caller', async () => {
    const { call, at } = open({
      'm/__init__.py': '',
      'm/a.py':
        '__all__ = ["foo"]\n\n\ndef foo(a=1):\n    """foo"""\n    return a\n\n\nx = foo(a=2)\n\n\ndef bar():\n    global x\n    x = 3\n    return x\n',
      'm/b.py': 'from .a import foo\nfrom m import a\nfoo(), a.foo()\n\n\ndef g(foo):\n    return foo\n',
      'c.py': 'from m.a import foo as f2\nimport m.a\nm.a.foo()\n',
    });
    await call('rename', { query: 'foo', new_name: 'qux', uri: at('m/a.py'), apply: true });
    expect(text('m/a.py')).toBe(
      '__all__ = ["qux"]\n\n\ndef qux(a=1):\n    """foo"""\n    return a\n\n\nx = qux(a=2)\n\n\ndef bar():\n    global x\n    x = 3\n    return x\n',
    );
    expect(text('m/b.py')).toBe(
      'from .a import qux\nfrom m import a\nqux(), a.qux()\n\n\ndef g(foo):\n    return foo\n',
    );
    expect(text('c.py')).toBe('from m.a import qux as f2\nimport m.a\nm.a.qux()\n');
    await call('rename', { query: 'x', new_name: 'total', uri: at('m/a.py'), apply: true });
    expect(text('m/a.py')).toContain(
      'total = qux(a=2)\n\n\ndef bar():\n    global total\n    total = 3\n    return total\n',
    );
    const parameter = await call('rename', { query: 'a', new_name: 'n', uri: at('m/a.py'), line: 4, apply: true });
    expect(text('m/a.py')).toContain('def qux(n=1):\n    """foo"""\n    return n\n');
    expect(parameter.data.uncertain).toMatchObject([
      { line: 9, text: 'total = qux(a=2)', why: 'a keyword argument of that name' },
    ]);
  });

  test('Go: the files of a package, others by its name; what := declares anew is another variable', async () => {
    const { call, at } = open({
      'go.mod': 'module ex.com/p\n',
      'a/a.go':
        'package a\n\n// Foo does.\nfunc Foo() int {\n\tx := 1\n\tif x := x + 1; x > 0 {\n\t\treturn x\n\t}\n\treturn x\n}\n\ntype T struct{ Foo int }\n',
      'a/b.go': 'package a\n\nfunc B() int {\n\tt := T{Foo: 1}\n\treturn Foo() + t.Foo\n}\n',
      'main.go': 'package main\n\nimport "ex.com/p/a"\n\nfunc main() { a.Foo() }\n',
    });
    await call('rename', { query: 'Foo', new_name: 'Bar', uri: at('a/a.go'), line: 4, apply: true });
    expect(text('a/a.go')).toContain('// Foo does.\nfunc Bar() int {');
    expect(text('a/a.go')).toContain('type T struct{ Foo int }');
    expect(text('a/b.go')).toContain('t := T{Foo: 1}\n\treturn Bar() + t.Foo\n');
    expect(text('main.go')).toContain('func main() { a.Bar() }');
    await call('rename', { query: 'x', new_name: 'n', uri: at('a/a.go'), line: 5, apply: true });
    expect(text('a/a.go')).toContain('\tn := 1\n\tif x := n + 1; x > 0 {\n\t\treturn x\n\t}\n\treturn n\n');
  });

  test('Rust: paths, each let by itself; a format string is told', async () => {
    const { call, at } = open({
      'Cargo.toml': '[package]\nname = "p"\n',
      'src/lib.rs': 'pub mod m;\nuse crate::m::foo;\npub fn z() { foo(1); crate::m::foo(2); m::foo(3); }\n',
      'src/m.rs':
        'pub struct P { pub x: i32 }\npub fn foo(x: i32) -> P {\n    let x = x + 1;\n    println!("{x} {}", x);\n    P { x }\n}\n',
    });
    await call('rename', { query: 'foo', new_name: 'bar', uri: at('src/m.rs'), apply: true });
    expect(text('src/lib.rs')).toBe(
      'pub mod m;\nuse crate::m::bar;\npub fn z() { bar(1); crate::m::bar(2); m::bar(3); }\n',
    );
    const { data } = await call('rename', { query: 'x', new_name: 'y', uri: at('src/m.rs'), line: 3, apply: true });
    expect(text('src/m.rs')).toContain('let y = x + 1;\n    println!("{x} {}", y);\n    P { x: y }\n');
    expect(data.uncertain).toMatchObject([{ line: 4, why: 'a format string names it' }]);
  });

  test('Java: a class with its constructors, in its package and where it is imported', async () => {
    const { call } = open({
      'src/p/Foo.java':
        'package p;\npublic class Foo {\n  public Foo() {}\n  static Foo make() { return new Foo(); }\n}\n',
      'src/q/Bar.java': 'package q;\nimport p.Foo;\nclass Bar { Foo f = Foo.make(); String s = "Foo"; }\n',
      'src/p/Baz.java': 'package p;\nclass Baz extends Foo { }\n',
      'src/r/Own.java': 'package r;\nclass Own { Foo f; }\n',
    });
    const { data } = await call('rename', { query: 'Foo', new_name: 'Quux', apply: true });
    expect(text('src/p/Foo.java')).toBe(
      'package p;\npublic class Quux {\n  public Quux() {}\n  static Quux make() { return new Quux(); }\n}\n',
    );
    expect(text('src/q/Bar.java')).toBe(
      'package q;\nimport p.Quux;\nclass Bar { Quux f = Quux.make(); String s = "Foo"; }\n',
    );
    expect(text('src/p/Baz.java')).toBe('package p;\nclass Baz extends Quux { }\n');
    expect(text('src/r/Own.java')).toBe('package r;\nclass Own { Foo f; }\n');
    expect(data.note).toMatch(/move it to Quux\.java$/);
  });

  test('C: prototypes, definitions and macros; a static function of another file is another one', async () => {
    const { call, at } = open({
      'a.h': 'int foo(int x);\n',
      'a.c': '#include "a.h"\nint foo(int x) { return x; }\n#define TWICE(y) foo(foo(y)) /* foo */\n',
      'b.c': '#include "a.h"\nint main(void) { int x = foo(1); return foo(x); }\n',
      'd.c': 'static int foo(void) { return 1; }\nint q(void) { return foo(); }\n',
    });
    await call('rename', { query: 'foo', new_name: 'bar', uri: at('a.c'), apply: true });
    expect(text('a.h')).toBe('int bar(int x);\n');
    expect(text('a.c')).toBe('#include "a.h"\nint bar(int x) { return x; }\n#define TWICE(y) bar(bar(y)) /* foo */\n');
    expect(text('b.c')).toBe('#include "a.h"\nint main(void) { int x = bar(1); return bar(x); }\n');
    expect(text('d.c')).toBe('static int foo(void) { return 1; }\nint q(void) { return foo(); }\n');
  });

  test('members: what the text tells is changed, the rest is listed', async () => {
    const { call, at } = open({
      'a.ts':
        'export class A {\n  size = 1;\n  twice() { return this.size * 2; }\n}\nexport class B { size = 2; }\nconst a = new A();\na.size;\ndeclare const u: any;\nu.size;\n',
    });
    const { data } = await call('rename', { query: 'size', new_name: 'extent', uri: at('a.ts'), line: 2, apply: true });
    expect(text('a.ts')).toBe(
      'export class A {\n  extent = 1;\n  twice() { return this.extent * 2; }\n}\nexport class B { size = 2; }\nconst a = new A();\na.extent;\ndeclare const u: any;\nu.size;\n',
    );
    expect(data.uncertain.map(({ line }: { line: number }) => line)).toEqual([5, 9]);
  });
});

describe('refusals', () => {
  const files = {
    'a.ts':
      'export const one = 1;\nexport const two = one;\nfunction f(three: number) {\n  const four = one;\n  return three + four;\n}\n',
    'b.go': 'package b\n\nfunc F() {}\n',
    'b.ts': 'export const one = 2;\n',
  };

  test.each([
    ['is a reserved word of typescript', { new_name: 'class' }],
    ['is no identifier of typescript', { new_name: 'a-b' }],
    ['is no identifier of typescript', { new_name: '$&(' }],
    ['is the name it has', { new_name: 'one' }],
    ["declares 'two' already", { new_name: 'two' }],
    // the parameter's scope has a use of the symbol: it would come to mean the other
    ["would mean the 'four'", { new_name: 'four' }],
    ['does not stand as code on line 3', { new_name: 'x', line: 3 }],
  ])('%s', async (why, args) => {
    const { call, at } = open(files);
    const { ok, error } = await call('rename', { query: 'one', uri: at('a.ts'), apply: true, ...args });
    expect(ok).toBe(false);
    expect(error.message).toContain(why);
    expect(text('a.ts')).toBe(files['a.ts']);
  });

  test('a name that several files declare: all of them are told', async () => {
    const { call } = open(files);
    const { error } = await call('rename', { query: 'one', new_name: 'x' });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', param: 'line' });
    expect(error.candidates).toHaveLength(2);
  });

  test('a use of the new name that would come to mean the symbol', async () => {
    const { call, at } = open({
      'a.ts': 'export const one = 1;\nfunction f() {\n  const two = 2;\n  return one + console.log(two);\n}\n',
    });
    const { error } = await call('rename', { query: 'two', new_name: 'one', uri: at('a.ts'), line: 3 });
    expect(error).toMatchObject({ code: 'CONFLICT', line: 4 });
    const other = await call('rename', { query: 'one', new_name: 'console', uri: at('a.ts') });
    expect(other.error).toMatchObject({ code: 'CONFLICT', line: 4 });
  });
});

describe('rename_batch', () => {
  test('several names, one patch; all or none', async () => {
    const { call, at } = open({ 'a.py': 'def a():\n    return b()\n\n\ndef b():\n    return a()\n' });
    const refused = await call('rename_batch', { text: 'a -> x\nc -> y', uri: at('a.py'), apply: true });
    expect(refused.error.code).toBe('NOT_FOUND');
    expect(text('a.py')).toContain('def a()');
    const { data } = await call('rename_batch', { text: 'a x\nb = y\n', uri: at('a.py'), apply: true });
    expect(data.total_replacements).toBe(4);
    expect(text('a.py')).toBe('def x():\n    return y()\n\n\ndef y():\n    return x()\n');
  });
});
