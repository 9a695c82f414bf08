// What `hanzo-mcp verdict` prints, and its exit codes.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verdictVerb } from './verdict.ts';

let cwd = '';
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(path.join(tmpdir(), 'verdict-')));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(cwd, { recursive: true, force: true });
});

function run(...args: string[]): { code: number; out: string; err: string } {
  const said = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((said.out += String(text))));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((said.err += String(text))));
  const code = verdictVerb(args);
  return { code, ...said };
}

test('allow is 0, ask 1, deny 2', () => {
  expect(run('ls -l', '--cwd', cwd)).toEqual({ code: 0, out: 'allow\n\nallow ls -l\n', err: '' });
  expect(run('git push', '--cwd', cwd).code).toBe(1);
  expect(run('rm -rf /', '--cwd', cwd).code).toBe(2);
});

test('a reason marks what it is about', () => {
  const { out } = run("ls &&\nsudo rm -rf '/'", '--cwd', cwd);
  expect(out).toContain("\n  sudo rm -rf '/'\n");
  expect(out).toMatch(/\n {2} *\^+\n/);
  expect(out).toMatch(/^deny\n/);
});

test('the tree shows what a command starts, without what a terminal would obey', () => {
  const { out } = run("sh -c 'echo \u001b[31m; git status'", '--cwd', cwd);
  expect(out).toMatch(/\nallow sh -c .*\n {2}.*\n? *allow echo /s);
  expect(out).not.toContain('\u001b');
});

test('--json has everything', () => {
  const answer = JSON.parse(run('git push', '--cwd', cwd, '--json').out) as { decision: string; tree: unknown[] };
  expect(answer).toMatchObject({
    decision: 'ask',
    reasons: [{ command: 'git push', span: [0, 8] }],
    tree: [{ command: 'git push' }],
  });
});

test('a further root may be written', () => {
  expect(run('touch /var/tmp/../lib/x', '--cwd', cwd).code).toBe(1);
  expect(run('touch /var/tmp/../lib/x', '--cwd', cwd, '--root', '/var/lib').code).toBe(0);
});

test.each([
  [[], 'which command?'],
  [['rm', '-rf'], 'unknown flag'],
  [['rm', 'x'], 'one word for this shell, in quotes'],
  [['ls', '--cwd', '/nowhere'], '--cwd: /nowhere is no directory'],
])('%j is a mistake of its own: 64', (args, message) => {
  const { code, err } = run(...args);
  expect(code).toBe(64);
  expect(err).toContain(message);
});
