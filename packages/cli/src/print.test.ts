// What people read: tables that fit, lists that are empty, text that a terminal must not obey.
import { expect, test } from 'vitest';
import { rendered, renderedResult } from './print.ts';

test('rows are a table, with what stands beside them below it', () => {
  expect(
    rendered({
      keys: [
        { name: 'a', lastUsedTime: 0 },
        { name: 'bb', lastUsedTime: 1_790_000_000 },
      ],
      total: 2,
    }),
  ).toBe(['name  lastUsedTime', 'a     -', 'bb    2026-09-21T14:13:20Z', '', 'total  2', ''].join('\n'));
});

test('no rows are said in words', () => {
  expect(rendered({ servers: [] })).toBe('no servers\n');
});

test('several lists have their names', () => {
  expect(rendered({ skills: [{ name: 's' }], servers: [{ name: 'v', tools: ['a', 'b'] }], muted: [] })).toBe(
    ['muted  -', '', 'skills', 'name', 's', '', 'servers', 'name  tools', 'v     a, b', ''].join('\n'),
  );
});

test('one thing is names and values', () => {
  expect(rendered({ id: 'x', hasSecret: false })).toBe('id         x\nhasSecret  false\n');
});

test('an envelope is taken off', () => {
  expect(rendered({ status: 'ok', msg: '', data: { name: 'mel' } })).toBe('name  mel\n');
});

test('a table fits the terminal: the widest column gives way', () => {
  const lines = rendered({ tools: [{ name: 'echo', description: 'x'.repeat(100) }] }, 40).split('\n');
  expect(lines[1]).toBe(`echo  ${'x'.repeat(33)}…`);
});

test('control characters and turned text of others are not printed', () => {
  expect(rendered({ name: 'a\u001B[31mb\u202Ec\u0007' })).toBe('name  a[31mbc\n');
  expect(renderedResult('one\n\u001B]0;title\u0007two')).toBe('one\n]0;titletwo\n');
});

test('the text of an MCP result is printed as text', () => {
  expect(
    renderedResult({
      content: [
        { type: 'text', text: 'a\nb' },
        { type: 'image', mimeType: 'image/png', data: '' },
      ],
    }),
  ).toBe('a\nb\n[image image/png]\n');
});
