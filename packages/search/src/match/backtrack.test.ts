import { afterEach, expect, test } from 'vitest';
import { createBacktracker } from './backtrack.ts';
import type { Backtracker, BacktrackOptions } from './backtrack.ts';

const open: Backtracker[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function backtracker(pattern: string, options?: BacktrackOptions): Backtracker {
  const made = createBacktracker(pattern, options);
  open.push(made);
  return made;
}

async function linesOf(pattern: string, text: string | Buffer, options?: BacktrackOptions): Promise<string[]> {
  const bytes = Buffer.from(text);
  const { texts } = await backtracker(pattern, options).matchingLines([bytes], { deadlineMs: 30_000 });
  const { lines } = texts[0]!;
  return Array.from({ length: lines.length / 2 }, (_, i) => bytes.toString('utf8', lines[2 * i], lines[2 * i + 1]));
}

test('look-around and back-references find lines', async () => {
  expect(await linesOf(String.raw`(\w)\1`, 'abc\nabba\nxx\n')).toEqual(['abba', 'xx']);
  expect(await linesOf('foo(?!bar)', 'foobar\nfoo\nfoobaz')).toEqual(['foo', 'foobaz']);
  expect(await linesOf('(?<=^a)b$', 'ab\nb\naab\nab\r\n')).toEqual(['ab']);
});

test('within a line every character is matched by a dot', async () => {
  expect(await linesOf('^a.b$', 'a\rb\na\u2028b\nab\n')).toEqual(['a\rb', 'a\u2028b']);
});

test('case, words and text are options', async () => {
  expect(await linesOf('foo', 'FOO\nfoo', { ignoreCase: true })).toEqual(['FOO', 'foo']);
  expect(await linesOf('a|foo', 'foo_\nfoo bar\nfooé', { word: true })).toEqual(['foo bar']);
  expect(await linesOf('a.b', 'axb\na.b', { literal: true })).toEqual(['a.b']);
  expect(await linesOf('[[a-z]--b]{2}', 'ab\nac')).toEqual(['ac']);
  expect(await linesOf('[(]', '(\n)')).toEqual(['(']);
});

test('a match across lines counts every line it touches', async () => {
  const text = 'a\nb\nc\nd\n\na\nb';
  expect(await linesOf('a\nb', text, { multiline: true })).toEqual(['a', 'b', 'a', 'b']);
  expect(await linesOf('c$', text, { multiline: true })).toEqual(['c']);
  expect(await linesOf('^$', text, { multiline: true })).toEqual(['']);
});

test('matches are told in bytes of the text', async () => {
  const text = Buffer.from('x\né foo 😀foo\n');
  const { texts } = await backtracker('foo').matchingLines([text], { deadlineMs: 30_000 });
  expect(
    texts[0]!.spans.map((spans) => spans.map((at, i) => (i % 2 === 0 ? text.toString('utf8', at, spans[i + 1]) : ''))),
  ).toEqual([['foo', '', 'foo', '']]);
});

test('an expression that takes too long ends at the deadline, and says at which text', async () => {
  const bad = Buffer.from(`${'x'.repeat(40)}\n`);
  const good = Buffer.from('xxy\n');
  const one = backtracker('(x+x+)+y');
  // The thread runs before the clock does, however busy the machine is.
  await one.matchingLines([good], { deadlineMs: 30_000 });
  const answer = await one.matchingLines([good, bad, good], { deadlineMs: 3_000 });
  expect(answer.undecided).toBe(1);
  expect(answer.texts).toHaveLength(1);
  // The next call has a thread again.
  expect((await one.matchingLines([good], { deadlineMs: 30_000 })).texts).toHaveLength(1);
});

test('a signal ends the search', async () => {
  const stop = new AbortController();
  const running = backtracker('(x+x+)+y').matchingLines([Buffer.from('x'.repeat(40))], {
    deadlineMs: 60_000,
    signal: stop.signal,
  });
  setTimeout(() => stop.abort(), 100);
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
});

test('what is no JavaScript expression is told', () => {
  expect(() => createBacktracker('(')).toThrow(expect.objectContaining({ code: 'PATTERN' }));
  expect(() => createBacktracker('a)(b', { word: true })).toThrow(expect.objectContaining({ code: 'PATTERN' }));
});
