// The classifier contract: asked before anything runs, obeyed in one place, carried by every answer.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Classify, Verdict } from '../../lib/commands/verdict.ts';
import { npx } from '../npx/index.ts';
import { exec } from './index.ts';
import { createFixture, type Fixture } from './testkit.ts';

const ALLOW: Verdict = { decision: 'allow', reasons: [] };
const ASK: Verdict = { decision: 'ask', reasons: [{ rule: 'unknown-program', message: 'not known' }] };
const DENY: Verdict = {
  decision: 'deny',
  reasons: [{ rule: 'recursive-delete', message: 'deletes a home directory', command: 'rm -rf ~', span: [0, 8] }],
};

let fixture: Fixture | undefined;
afterEach(() => fixture?.close());

const withClassifier = (classify: Classify): Fixture => (fixture = createFixture({}, { classify }));

test('a denied command is refused before any process exists', async () => {
  const { call, folder } = withClassifier(() => DENY);
  const answer = await call(exec, { action: 'exec', command: 'touch made' });
  expect(answer).toMatchObject({
    ok: false,
    isError: true,
    data: { verdict: { decision: 'deny' } },
    error: { code: 'PERMISSION_DENIED', verdict: DENY },
  });
  expect(answer.error.message).toContain('deletes a home directory');
  expect(existsSync(path.join(folder, 'made'))).toBe(false);
  expect((await call(exec, { action: 'ps' })).data.processes).toEqual([]);
});

test.each([ALLOW, ASK])('%j runs, and every answer about it carries the verdict', async (given) => {
  const { call } = withClassifier(() => given);
  const verdict = given === ALLOW ? { decision: 'allow' } : ASK;
  expect((await call(exec, { action: 'exec', command: 'exit 2' })).data.verdict).toEqual(verdict);
  const started = await call(exec, { action: 'exec', command: 'sleep 4401', timeout: 0, stdin: true });
  expect(started.data).toMatchObject({ status: 'running', verdict });
  const { proc_id } = started.data;
  expect((await call(exec, { action: 'ps', proc_id })).data.processes[0].verdict).toEqual(verdict);
  for (const args of [
    { action: 'logs', proc_id },
    { action: 'logs', proc_id, offset: 0 },
    { action: 'wait', proc_id, timeout: 1 },
    { action: 'write', proc_id, input: 'x' },
    { action: 'kill', proc_id },
    { action: 'wait', proc_id },
  ]) {
    expect((await call(exec, args)).data.verdict).toEqual(verdict);
  }
});

test('the classifier sees the command, the directory and the roots', async () => {
  const asked: unknown[] = [];
  const { call, folder } = withClassifier((question) => {
    asked.push(question);
    return Promise.resolve(ALLOW);
  });
  await call(exec, { action: 'exec', command: 'true && : "a  b"', cwd: '/' });
  expect(asked).toEqual([{ command: 'true && : "a  b"', cwd: '/', roots: expect.arrayContaining([folder]) }]);
});

test('npx and uvx are judged by their argv', async () => {
  const asked: string[] = [];
  const { call } = withClassifier(({ command }) => {
    asked.push(command);
    return DENY;
  });
  expect((await call(npx, { package: 'cowsay', args: '"hello there"' })).error.code).toBe('PERMISSION_DENIED');
  expect(asked).toEqual(["npx --yes -- cowsay 'hello there'"]);
});

test('a classifier that fails has not allowed anything: it asks', async () => {
  const { call } = withClassifier(() => {
    throw new Error('lost');
  });
  expect((await call(exec, { action: 'exec', command: 'true' })).data.verdict).toEqual({
    decision: 'ask',
    reasons: [{ rule: 'classifier-failed', message: 'the classifier failed: lost' }],
  });
});

test('without a classifier there is no verdict and no refusal', async () => {
  fixture = createFixture();
  const answer = await fixture.call(exec, { action: 'exec', command: 'true' });
  expect(answer.ok).toBe(true);
  expect('verdict' in answer.data).toBe(false);
});
