// Where names are declared and used: definition, references, hierarchy, on projects in several languages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUri } from '../../lib/path.ts';
import { createProject, type Project } from './testkit.ts';

let project: Project;
beforeAll(() => {
  project = createProject({
    // TypeScript
    'web/package.json': '{"name": "web"}',
    'web/main.ts': `import make, { load as read, Kind } from './lib/index.js';
import * as tools from './tools';
import { helper } from '@shop/helper';
import { readFile } from 'node:fs';
const load = 1;
function run(load: number) {
  { const load = 2; read(load); }
  return load + tools.fix(Kind.Open) + make() + helper() + readFile('load');
}
class Box { size = 1; grow() { return this.size; } }
new Box().grow();
const box = new Box();
function fill(one: Box, two: Kind) { box.grow(); one.size; two.Open; }
`,
    'web/lib/index.ts':
      "export { load } from './load.ts';\nexport * from './kind.ts';\nexport { default } from './load.ts';\n",
    'web/lib/load.ts': '// load\nexport function load(x: unknown): void {}\nexport default function create() {}\n',
    'web/lib/kind.ts': 'export enum Kind {\n  Open,\n}\n',
    'web/tools.ts': "export * from './tools.ts';\nexport const fix = (kind: unknown) => kind;\n",
    'node_modules/@shop/helper/package.json':
      '{"exports": {".": {"types": "./d.d.ts", "hanzo-source": "./src/helper.ts"}}}',
    'node_modules/@shop/helper/src/helper.ts': 'export function helper() {}\n',
    // Python
    'py/app/__init__.py': 'from .core import start\n',
    'py/app/core.py':
      'LIMIT = 1\n\ndef start():\n    return LIMIT\n\nclass Engine:\n    def ignite(self):\n        return self.ignite()\n',
    'py/run.py':
      'from app import start\nimport app.core as core\nfrom app import core as again\nstart()\ncore.Engine().ignite()\ncore.LIMIT\n',
    // Go
    'go/go.mod': 'module example.com/shop\n',
    'go/main.go': 'package main\n\nimport q "example.com/shop/queue"\n\nfunc main() {\n\tq.New()\n\thelp()\n}\n',
    'go/help.go': 'package main\n\nfunc help() {}\n',
    'go/queue/queue.go':
      '// New\npackage queue\n\nfunc New() int { return 1 }\n\ntype Ring struct{ size int }\n\nfunc (r *Ring) Len() int { return r.size }\n',
    // Rust
    'rs/Cargo.toml': '[package]\nname = "shop"\n',
    'rs/src/main.rs':
      'mod stock;\nuse crate::stock::item::{Item, LIMIT as MOST};\nuse stock::count;\nfn main() { Item::new(MOST); count(); }\n',
    'rs/src/stock/mod.rs': 'pub mod item;\npub fn count() {}\n',
    'rs/src/stock/item.rs': 'pub const LIMIT: u8 = 1;\npub struct Item;\nimpl Item { pub fn new(n: u8) {} }\n',
    // a hierarchy with a cycle in it
    'types/a.ts':
      'interface Top {}\nexport class Mid implements Top {}\nclass Leaf extends Mid {}\nclass Other extends Mid implements Gone {}\n',
    'types/b.ts':
      "import { Mid } from './a.ts';\n// class Fake extends Mid\nclass Far extends Mid {}\nclass X extends Y {}\nclass Y extends Z {}\nclass Z extends X {}\n",
    'types/c.py': 'class Leaf(Mid): pass\nclass Deep(Leaf): pass\n',
    // uses
    'uses/one.ts':
      'export function target() {}\n// target\nconst s = "target";\ntarget(); target();\nconst t = `${target()} target`;\n',
    'uses/two.py': 'from one import target\n"""target"""\nx = f"target {target}"  # target\n',
    'uses/bad.ts': 'target();\nlet = = 1;\ntarget;\n',
    'uses/other.kt': 'fun target() {}\n// target\n',
    'uses/note.md': 'target\n',
  });
});
afterAll(() => project.close());

/** `file:line kind` of every definition, and how it was found. */
async function define(file: string, args: Record<string, unknown>): Promise<string> {
  const { ok, data, error } = await project.call('definition', { uri: project.at(file), ...args }, { json: true });
  if (!ok) return error.code as string;
  const places = (data.definitions as { uri: string; line: number; kind?: string }[]).map(
    ({ uri, line, kind }) =>
      `${decodeURIComponent(uri.slice(toUri(project.root).length + 1))}:${line} ${kind ?? 'module'}`,
  );
  return `${data.by}: ${places.join(', ')}`;
}

describe('definition at a place', () => {
  test.each([
    ['the nearest scope', { line: 7, col: 25 }, 'scope: web/main.ts:7 constant'],
    ['a parameter', { line: 8, query: 'load' }, 'scope: web/main.ts:6 parameter'],
    ['outside of both', { line: 5, query: 'load' }, 'scope: web/main.ts:5 constant'],
    [
      'an import under another name, passed on by an index',
      { line: 7, query: 'read' },
      'import: web/lib/load.ts:2 function',
    ],
    ['the import itself', { line: 1, query: 'load' }, 'import: web/lib/load.ts:2 function'],
    ['a default export, passed on', { line: 8, query: 'make' }, 'import: web/lib/load.ts:3 function'],
    ['a name of `export *`', { line: 8, query: 'Kind' }, 'import: web/lib/kind.ts:1 enum'],
    ['a member of what is imported', { line: 8, query: 'Open' }, 'import: web/lib/kind.ts:2 enum_member'],
    [
      'a member of a whole module, which passes itself on',
      { line: 8, query: 'fix' },
      'import: web/tools.ts:2 function',
    ],
    [
      'a package of the project, by its source',
      { line: 8, query: 'helper' },
      'import: node_modules/@shop/helper/src/helper.ts:1 function',
    ],
    [
      'a module that is not in the project: the import',
      { line: 8, query: 'readFile' },
      'import: web/main.ts:4 variable',
    ],
    ['a member of this', { line: 10, col: 45 }, 'scope: web/main.ts:10 field'],
    ['a member whose type nothing tells, by its name', { line: 11, query: 'grow' }, 'name: web/main.ts:10 method'],
    ['a member of what is made here', { line: 13, query: 'grow' }, 'type: web/main.ts:10 method'],
    ['a member of an annotated parameter', { line: 13, query: 'size' }, 'type: web/main.ts:10 field'],
    ['a member of an imported type', { line: 13, query: 'Open' }, 'type: web/lib/kind.ts:2 enum_member'],
  ])('TypeScript: %s', async (_rule, args, expected) => {
    expect(await define('web/main.ts', args)).toBe(expected);
  });

  test.each([
    ['py/run.py', 'what a package passes on', { line: 4, query: 'start' }, 'import: py/app/core.py:3 function'],
    ['py/run.py', 'a name in a module', { line: 6, query: 'LIMIT' }, 'import: py/app/core.py:1 constant'],
    ['py/run.py', 'a module', { line: 3, query: 'core' }, 'import: py/app/core.py:1 module'],
    ['py/app/core.py', 'a member of self', { line: 8, query: 'ignite' }, 'scope: py/app/core.py:7 method'],
    ['go/main.go', 'a name of another package', { line: 6, query: 'New' }, 'import: go/queue/queue.go:4 function'],
    ['go/queue/queue.go', 'a field of a receiver', { line: 8, query: 'size' }, 'type: go/queue/queue.go:6 field'],
    ['go/main.go', 'a name of another file of the package', { line: 7, query: 'help' }, 'name: go/help.go:3 function'],
    ['rs/src/main.rs', 'a type by its path', { line: 4, query: 'Item' }, 'import: rs/src/stock/item.rs:2 struct'],
    [
      'rs/src/main.rs',
      'a constant under another name',
      { line: 4, query: 'MOST' },
      'import: rs/src/stock/item.rs:1 constant',
    ],
    [
      'rs/src/main.rs',
      'a function of a module beside',
      { line: 4, query: 'count' },
      'import: rs/src/stock/mod.rs:2 function',
    ],
    ['rs/src/main.rs', 'a function of a type', { line: 4, query: 'new' }, 'import: rs/src/stock/item.rs:3 method'],
    [
      'rs/src/main.rs',
      'a module in a file of its own',
      { line: 1, query: 'stock' },
      'import: rs/src/stock/mod.rs:1 module',
    ],
  ])('%s: %s', async (file, _rule, args, expected) => {
    expect(await define(file, args)).toBe(expected);
  });

  test('what is no name is said with the line', async () => {
    const uri = project.at('web/main.ts');
    expect((await project.call('definition', { uri, line: 9, col: 0 })).error).toMatchObject({ code: 'NOT_FOUND' });
    expect((await project.call('definition', { uri, line: 8, query: 'nothing' })).error.message).toMatch(
      /^'nothing' does not stand as code on line 8: return load/,
    );
    expect((await project.call('definition', { uri, line: 99, col: 0 })).error.message).toContain('has 13 lines');
    expect((await project.call('definition', { uri, line: 8 })).error.message).toBe(
      "code definition needs 'query' or 'col' beside 'line'",
    );
    // the name stands on this line in a string only
    expect(
      (await project.call('definition', { uri: project.at('uses/one.ts'), line: 3, query: 'target' })).error.code,
    ).toBe('NOT_FOUND');
  });
});

describe('definition by name', () => {
  test('in a tree: every declaration, no locals', async () => {
    const { data, text } = await project.call('definition', { query: 'load', uri: project.at('web') });
    expect(data).toMatchObject({
      symbol: 'load',
      by: 'name',
      total: 2,
      line: 2,
      text: 'export function load(x: unknown): void {}',
    });
    expect(text).toBe(
      'lib/load.ts\n2 function load: export function load(x: unknown): void\n\nmain.ts\n5 constant load: const load = 1\n',
    );
  });

  test('in a file: its own, else what it imports', async () => {
    expect(await define('web/main.ts', { query: 'Box' })).toBe('file: web/main.ts:10 class');
    expect(await define('web/main.ts', { query: 'Kind' })).toBe('import: web/lib/kind.ts:1 enum');
  });

  test('nowhere is NOT_FOUND, an expression is refused', async () => {
    expect((await project.call('definition', { query: 'nowhereAtAll' })).error.code).toBe('NOT_FOUND');
    expect((await project.call('definition', { query: 'a|b' })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      param: 'query',
    });
    expect((await project.call('definition', {})).error.message).toBe(
      "code definition needs 'query', the name of a symbol",
    );
  });
});

describe('references', () => {
  test('lines where the name is code; strings, comments and prose do not count', async () => {
    const { data, text } = await project.call('references', { query: 'target', uri: project.at('uses') });
    expect(text).toBe(
      [
        'one.ts',
        '1 (definition):export function target() {}',
        '4:target(); target();',
        '5:const t = `${target()} target`;',
        '',
        'two.py',
        '1 (import):from one import target',
        '3:x = f"target {target}"  # target',
        '',
        'bad.ts',
        '1:target();',
        '3:target;',
        '',
      ].join('\n'),
    );
    expect(data).toMatchObject({ query: 'target', count: 7, total: 7, definitions: 1 });
    expect(data.errors).toEqual([{ uri: toUri(project.at('uses/bad.ts')), line: 2 }]);
  });

  test('pages are offsets into one list', async () => {
    const args = { query: 'target', uri: project.at('uses'), max_results: 3 };
    const whole = (await project.call('references', { ...args, max_results: 100 }, { json: true })).data.references;
    const pages: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await project.call('references', { ...args, cursor }, { json: true });
      expect(data.paging.total).toBe(7);
      pages.push(...data.references);
      cursor = data.paging.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual(whole);
  });

  test('in a language without a grammar lines count as they read, and it is said', async () => {
    const { data, text } = await project.call('references', {
      query: 'target',
      uri: project.at('uses'),
      pattern: '*.kt',
    });
    expect(text).toBe('other.kt\n1 (definition):fun target() {}\n2:// target\n');
    expect(data.note).toContain('in 1 files, whose language has no grammar here, lines count as they read');
  });

  test('of one file', async () => {
    const { text } = await project.call('find_references', { symbol: 'target', uri: project.at('uses/two.py') });
    expect(text).toBe('two.py\n1 (import):from one import target\n3:x = f"target {target}"  # target\n');
  });
});

describe('hierarchy', () => {
  test('what a type extends, and what extends it, level by level', async () => {
    const { data, text } = await project.call('hierarchy', { query: 'Mid', uri: project.at('types') });
    expect(text).toBe(
      [
        'class Mid a.ts:2',
        '',
        'supertypes:',
        '  implements Top a.ts:1',
        '',
        'subtypes:',
        '  extends Leaf a.ts:3',
        '    extends Deep c.py:2',
        '  extends Other a.ts:4',
        '  extends Far b.ts:3',
        '',
      ].join('\n'),
    );
    expect(data).toMatchObject({ root: 'Mid', supertypes: ['Top'], children: ['Leaf', 'Other', 'Far'], total: 5 });
  });

  test('a cycle ends where it closes', async () => {
    const { text } = await project.call('hierarchy', { query: 'X', uri: project.at('types') });
    expect(text).toBe(
      [
        'class X b.ts:4',
        '',
        'supertypes:',
        '  extends Y b.ts:5',
        '    extends Z b.ts:6',
        '      extends X b.ts:4 (as above)',
        '',
        'subtypes:',
        '  extends Z b.ts:6',
        '    extends Y b.ts:5',
        '      extends X b.ts:4 (as above)',
        '',
      ].join('\n'),
    );
  });

  test('a type that is declared elsewhere is known by what extends it', async () => {
    const { data, text } = await project.call('hierarchy', { query: 'Gone', uri: project.at('types') });
    expect(text).toBe('Gone (declared elsewhere)\n\nsubtypes:\n  implements Other a.ts:4\n');
    expect(data.children).toEqual(['Other']);
    expect((await project.call('hierarchy', { query: 'Fake', uri: project.at('types') })).error.code).toBe('NOT_FOUND');
  });
});
