// The official suite against the built hanzo-mcp and its fixture host: one test per revision.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startProgram } from './program.ts';
import { format, type Revision, runSuite } from './suite.ts';

/** How many server scenarios each revision has; fewer means that some did not run. */
const REQUIRED: readonly [Revision, number][] = [
  ['2026-07-28', 37],
  ['2025-11-25', 30],
  ['2025-06-18', 27],
  ['2025-03-26', 1],
];

/** Scenarios no revision requires, of what this server does not offer (docs/protocol.md). */
const NOT_OFFERED: readonly RegExp[] = [
  /^tasks-/, // the Tasks extension
  /^server-sse-polling$/, // resumable streams
];

let server: Running;
beforeAll(async () => {
  server = await startProgram(['--conformance']);
});
afterAll(() => server?.close());

// A second try, because the suite gives some answers only half a second, and this machine may be busy.
test.each(REQUIRED)('every server scenario of %s passes', { retry: 1, timeout: 180_000 }, async (revision, count) => {
  const report = await runSuite(server.url, revision);
  const required = report.scenarios.filter(({ unscored }) => unscored === undefined);
  const missed = report.scenarios.filter(
    ({ name, unscored, verdict }) =>
      verdict !== 'pass' && (unscored === undefined || !NOT_OFFERED.some((pattern) => pattern.test(name))),
  );
  expect(
    missed.map(({ name }) => name),
    format(report),
  ).toEqual([]);
  expect(required).toHaveLength(count);
});
