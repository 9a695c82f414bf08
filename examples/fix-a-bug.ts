// A failing test is run, its cause searched, read and mended; the test passes and the fix is committed.
import { expect, session } from './session.ts';

const FILES = {
  'package.json': '{ "name": "basket", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/total.js': 'export function total(items) {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n',
  'test/total.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { total } from '../src/total.js';\n\ntest('total counts each piece', () => {\n  assert.equal(total([{ price: 3, count: 2 }, { price: 4, count: 1 }]), 10);\n});\n",
};

await session(FILES, async ({ project, at, call }) => {
  const about = await call('workspace', { action: 'detect', path: project });
  const { test } = about.data['commands'] as { test: string };
  expect(test === 'npm test', 'the project says how it is tested');

  const failing = await call('exec', { action: 'exec', command: test, cwd: project }, false);
  expect(failing.error?.code === 'EXIT' && failing.text.includes('total counts each piece'), 'one test fails');

  const found = await call('fs', { action: 'search_text', uri: project, pattern: 'function total\\b' });
  expect(found.text.startsWith('src/total.js\n1:'), 'it is defined in one place');
  const read = await call('fs', { action: 'read', uri: at('src/total.js') });
  await call('fs', {
    action: 'apply_patch',
    uri: at('src/total.js'),
    base_hash: read.data['hash'],
    old_text: '{ price }) => sum + price',
    new_text: '{ price, count }) => sum + price * count',
  });

  await call('exec', { action: 'exec', command: test, cwd: project });
  await call('git', { action: 'diff', path: project });
  await call('git', { action: 'commit', path: project, files: ['src/total.js'], message: 'total counts each piece' });
  const status = await call('git', { action: 'status', path: project });
  expect(status.data['clean'] === true, 'everything is committed');
});
