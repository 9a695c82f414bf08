// Each scripted session ends with 0 only if every step came out as it says.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';

const TOOLS = path.join(import.meta.dirname, '../packages/mcp/src/tools');
/** A session runs as soon as the tool it is about is there. */
const SESSIONS: readonly (readonly [name: string, needs: string])[] = [
  ['fix-a-bug', 'git/index.ts'],
  ['rename', 'code/change/rename.ts'],
  ['remember', 'plan/index.ts'],
];

test.each(SESSIONS.filter(([, needs]) => existsSync(path.join(TOOLS, needs))))('%s', (name) => {
  const script = path.join(import.meta.dirname, `${name}.ts`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stderr.replaceAll(/.*ExperimentalWarning.*\n|\(Use .*\n/g, '')).toBe('');
  expect(stdout).toMatch(/^> \w+ \w+ /);
  expect(status).toBe(0);
});
