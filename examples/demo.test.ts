// The demo is a whole session on a real repository; it ends with 0 only if every step came out as it says.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

test('the demo finds, edits, tests and commits in a fresh clone', () => {
  const demo = path.join(import.meta.dirname, 'demo.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo], { encoding: 'utf8' });
  expect(stderr.replaceAll(/.*ExperimentalWarning.*\n|\(Use .*\n/g, '')).toBe('');
  expect(stdout).toMatch(/\d+ calls: \d+ tokens sent, \d+ received/);
  expect(status).toBe(0);
});
