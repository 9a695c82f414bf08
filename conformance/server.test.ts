// The official suite against the built hanzo-mcp and its fixture host: one test per requirement set.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startProgram } from './program.ts';
import { failedRequirements, format, type Revision, runSuite } from './suite.ts';

/** How many server scenarios each frozen requirement set holds; fewer means that some did not run. */
const REQUIRED: readonly [Revision, number][] = [
  ['2026-07-28', 37],
  ['2025-11-25', 30],
];

let server: Running;
beforeAll(async () => {
  server = await startProgram(['--conformance']);
});
afterAll(() => server?.close());

test.each(REQUIRED)('every server scenario that %s requires passes', async (revision, count) => {
  const report = await runSuite(server.url, revision);
  const required = report.scenarios.filter(({ unscored }) => unscored === undefined);
  expect(required).toHaveLength(count);
  expect(failedRequirements(report), format(report)).toEqual([]);
});
