// The tool as it is published: what it costs every turn, and that help knows every action.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { fs } from './index.ts';
import { bench } from './testkit.ts';

test('name, description and schema cost at most 330 tokens', () => {
  const { name, description, inputSchema } = fs.describe();
  expect(encode(JSON.stringify({ name, description, inputSchema })).length).toBeLessThanOrEqual(330);
});

test('the actions of the contract, in its order', async () => {
  const b = bench();
  try {
    const { data } = await b.call('help');
    expect(data.actions.map((each: { name: string }) => each.name)).toEqual([
      'read',
      'write',
      'stat',
      'list',
      'apply_patch',
      'patch',
      'search_text',
      'mv',
      'mkdir',
      'rm',
    ]);
  } finally {
    b.close();
  }
});

test('other tools’ names for the same are understood', async () => {
  const b = bench();
  try {
    await b.call('create', { path: b.at('a'), text: 'x\n' });
    await b.call('edit', { file_path: b.at('a'), old_string: 'x', new_string: 'y' });
    expect((await b.call('read', { file: b.at('a') })).body('text')).toBe('     1│y\n');
    expect((await b.call('search', { query: 'y' })).data.total).toBe(1);
    await b.call('move', { path: b.at('a'), to: b.at('b') });
    expect((await b.call('delete', { path: b.at('b'), confirm: true })).ok).toBe(true);
  } finally {
    b.close();
  }
});
