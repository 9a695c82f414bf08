// A name is found where it stands as code, and told by what it does there; never in strings and comments.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { identifiersOf, type LanguageId, languageOf, parseSource, resolveIn } from './index.ts';

const CORPUS = path.resolve(import.meta.dirname, '../../../corpus/syntax');

/** `line:col role`, with `{}` for a shorthand and `#` for a macro's text. */
async function places(text: string, language: LanguageId, name: string): Promise<string[]> {
  const source = await parseSource(text, language);
  const found = identifiersOf(source, name).map(
    ({ line, col, role, shorthand, raw }) => `${line}:${col} ${role}${shorthand ? ' {}' : ''}${raw ? ' #' : ''}`,
  );
  source.free();
  return found;
}

/** Lines of a file of the corpus, counted by hand; comments, strings, heredocs and markup name each of these too. */
const USES: readonly (readonly [file: string, name: string, lines: readonly string[]])[] = [
  ['cache.py', 'store', ['27 declaration', '51 property', '58 reference']],
  [
    'cache.py',
    'key',
    [
      '20 declaration',
      '21 declaration',
      '21 reference',
      '23 property',
      '23 reference',
      '27 declaration',
      '30 reference',
      '32 reference',
      '51 key',
    ],
  ],
  ['queue.go', 'Push', ['36 declaration', '45 declaration', '62 property']],
  ['queue.go', 'kind', ['59 declaration', '61 reference', '62 reference']],
  ['queue.go', 'Kind', ['13 declaration', '16 type', '30 declaration', '30 type', '59 type', '62 key']],
  ['inventory.rs', 'restock', ['29 declaration', '45 declaration']],
  [
    'inventory.rs',
    'count',
    [
      '15 declaration',
      '37 declaration',
      '38 reference',
      '46 property',
      '46 property',
      '48 property',
      '50 property',
      '53 property',
    ],
  ],
  ['Ledger.java', 'post', ['19 declaration', '31 property']],
  ['Orders.cs', 'Place', ['22 declaration']],
  ['Orders.cs', 'order', ['22 declaration', '25 reference', '30 reference', '34 declaration', '46 declaration']],
  ['catalog.rb', 'lookup', ['21 declaration', '23 key', '45 reference', '46 key', '51 property', '51 key']],
  ['Router.php', 'dispatch', ['45 declaration', '49 property']],
  ['Router.php', 'code', ['36 declaration', '38 reference']],
  ['deploy.sh', 'build', ['12 declaration', '20 reference']],
  ['deploy.sh', 'STAGE', ['7 declaration', '10 reference', '23 reference']],
  ['Panel.tsx', 'Panel', ['18 declaration', '22 property', '46 reference', '50 reference']],
  ['Panel.tsx', 'title', ['6 declaration', '18 declaration', '23 reference', '46 key']],
];

describe('files of the corpus', () => {
  test.each(USES)('%s: %s', async (file, name, lines) => {
    const text = readFileSync(path.join(CORPUS, file === 'Panel.tsx' ? 'Panel.tsx.txt' : file), 'utf8');
    const source = await parseSource(text, languageOf(file, text) ?? 'json');
    expect(identifiersOf(source, name).map(({ line, role }) => `${line} ${role}`)).toEqual(lines);
    source.free();
  });

  test('C: the scanner of the C++ grammar calls its own advance, and the field of that name', async () => {
    const installed = createRequire(import.meta.url);
    const file = path.resolve(installed.resolve('tree-sitter-cpp/package.json'), '../src/scanner.c');
    const found = await places(readFileSync(file, 'utf8'), 'c', 'advance');
    expect(found).toEqual([
      '18:19 declaration',
      '18:52 property',
      '35:12 reference',
      '54:8 reference',
      '93:8 reference',
    ]);
  });
});

describe('what a place is', () => {
  test('in a script: keys, members, shorthands, types, imports, exports, templates', async () => {
    const text = `import { name, other as name2 } from './name';
export { name as shown };
const o = { name, x: name, name: 1, name() {} };
const { name: y } = o; { const { name } = o; let s = \`name \${name}\`; }
o.name; o?.name; o['name']; type T = name; // name
<name>x; label: name; class A { name = 1; #name; }
`;
    expect(await places(text, 'typescript', 'name')).toEqual([
      '1:9 import',
      '2:9 reference',
      '3:12 reference {}',
      '3:21 reference',
      '3:27 key',
      '3:36 declaration',
      '4:8 key',
      '4:33 declaration {}',
      '4:61 reference',
      '5:2 property',
      '5:11 property',
      '5:37 type',
      '6:1 type',
      '6:16 reference',
      '6:32 declaration',
    ]);
    expect(await places(text, 'typescript', '#name')).toEqual(['6:42 declaration']);
  });

  test('in C a macro is text, but code: its strings and comments are not', async () => {
    expect(
      await places(
        '#define TWICE(x) (name(x) + name(x)) /* name */\nint name(int x) { return TWICE(x); } char *s = "name";\n',
        'c',
        'name',
      ),
    ).toEqual(['1:18 reference #', '1:28 reference #', '2:4 declaration']);
    expect(await places('#define SAY(x) puts("name \\" name" x) + name\n', 'c', 'name')).toEqual(['1:40 reference #']);
  });

  test('in interpolations of every language', async () => {
    expect(await places('x = f"name {name} {{name}}"\n', 'python', 'name')).toEqual(['1:12 reference']);
    expect(await places('x = "name #{name}"; y = \'#{name}\'\n', 'ruby', 'name')).toEqual(['1:12 reference']);
    expect(await places('var x = $"name {name} {{name}}";\n', 'csharp', 'name')).toEqual(['1:16 reference']);
    expect(await places('<?php $x = "name $name {$name}"; $y = \'$name\';', 'php', 'name')).toEqual([
      '1:18 reference',
      '1:25 reference',
    ]);
    expect(await places('x="name $name ${name}"; y=\'$name\'\n', 'bash', 'name')).toEqual([
      '1:9 reference',
      '1:16 reference',
    ]);
  });

  test('a longer word is another name', async () => {
    expect(await places('let a, ab, a1, é, éa, $a, _a; a;', 'javascript', 'a')).toEqual([
      '1:4 declaration',
      '1:30 reference',
    ]);
  });

  test('a name that is no word at all is nowhere', async () => {
    expect(await places('let a = 1 + 2;', 'javascript', '')).toEqual([]);
    expect(await places('let a = 1 + 2;', 'javascript', '+')).toEqual([]);
  });
});

describe('which declaration a name means', () => {
  const resolve = async (text: string, language: LanguageId): Promise<number[]> => {
    const source = await parseSource(text, language);
    const use = text.indexOf('/*here*/') + '/*here*/'.length;
    const found = resolveIn(source, 'x', use).map(({ line }) => line);
    source.free();
    return found;
  };

  test.each([
    ['the nearest block', 'let x;\nfunction f() {\nlet x;\n{ /*here*/x; }\n}', [3]],
    ['a parameter before what is outside', 'let x;\nfunction f(\nx) { /*here*/x; }', [3]],
    ['var is seen in its whole function', 'let x;\nfunction f() { { \nvar x; } /*here*/x; }', [3]],
    ['let is not seen outside its block', 'let x;\nfunction f() { { \nlet x; } /*here*/x; }', [1]],
    ['a member is not seen by its bare name', 'let x;\nclass A {\nx = 1; f() { /*here*/x; } }', [1]],
    [
      'overloads are all meant',
      'function x(a: 1): void;\nfunction x(a: 2): void;\nfunction x(a: any) {}\n/*here*/x(1);',
      [1, 2, 3],
    ],
    ['a catch binds its own', 'let x;\ntry {} catch (\nx) { /*here*/x; }', [3]],
    ['a function expression knows itself', 'let x;\nf(function\nx() { /*here*/x; });', [3]],
  ] as const)('%s', async (_rule, text, lines) => {
    expect(await resolve(text, 'typescript')).toEqual(lines);
  });

  test('in Java a field is seen by its bare name, and a local before it', async () => {
    expect(await resolve('class A {\nint x;\nvoid f() { /*here*/x++; } }', 'java')).toEqual([2]);
    expect(await resolve('class A {\nint x;\nvoid f(int x) { /*here*/x++; } }', 'java')).toEqual([3]);
  });
});
