// A function is renamed across a TypeScript project: previewed, applied, and the tests run. A word in a string stays.
import { expect, session } from './session.ts';

const FILES = {
  'package.json': '{ "name": "shapes", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/area.ts': 'export function size(side: number): number {\n  return side * side;\n}\n',
  'src/label.ts':
    "import { size } from './area.ts';\n\nexport const label = (side: number): string => `size: ${size(side)}`;\n",
  'test/label.test.ts':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { label } from '../src/label.ts';\n\ntest('label', () => {\n  assert.equal(label(3), 'size: 9');\n});\n",
};

await session(FILES, async ({ project, at, call }) => {
  const wanted = { action: 'rename', query: 'size', new_name: 'squareArea', uri: project };
  await call('code', wanted);
  const before = await call('fs', { action: 'read', uri: at('src/area.ts') });
  expect(before.text.includes('function size'), 'a preview writes nothing');

  await call('code', { ...wanted, apply: true });
  const label = await call('fs', { action: 'read', uri: at('src/label.ts') });
  expect(label.text.includes('`size: ${squareArea(side)}`'), 'the call is renamed, the word in the text is not');
  await call('exec', { action: 'exec', command: 'npm test', cwd: project });
  const diff = await call('git', { action: 'diff', path: project });
  expect(!diff.text.includes('label.test.ts'), 'only what names it is changed');
});
