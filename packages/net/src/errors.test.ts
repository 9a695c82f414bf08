// Messages quote what came from outside: shortened, and never half a code point.
import { expect, it } from 'vitest';
import { short } from './errors.ts';
import { createGuard } from './guard.ts';
import { requestHeaders } from './headers.ts';

it('a text is cut between code points', () => {
  expect(short('fits', 4)).toBe('fits');
  expect(short('ab😀', 3)).toBe('ab…');
  expect(short('ab😀c', 4)).toBe('ab😀…');
});

it.each([
  ['a URL', () => createGuard({}).url(`a${'😀'.repeat(300)}`)],
  ['a header name', () => requestHeaders({ [`a${'😀'.repeat(300)}`]: 'x' })],
])('%s that is refused is quoted whole', (_what, ask) => {
  let message = '';
  try {
    ask();
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain('😀…');
  expect(message.isWellFormed()).toBe(true);
});
