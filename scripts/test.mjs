// `npm test`: installs and builds what is missing, then runs every check in order and closes with one line of counts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ensureBuilt, ensureInstalled, environment, ROOT, run } from './ensure.mjs';

const node = ensureInstalled();
ensureBuilt(node);

const bin = (name) => path.join(ROOT, 'node_modules', '.bin', name);
const steps = [
  ['format', bin('oxfmt'), ['--check', '.']],
  ['lint', bin('oxlint'), ['--deny-warnings', '.']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['boundaries', node, ['scripts/boundaries.ts']],
  ['unused code', bin('knip'), []],
  ['kernels', node, ['scripts/kernels.ts', '--check']],
  ['client and commands', node, ['--conditions=hanzo-source', 'scripts/sdk.ts', '--check']],
  ...['tool', 'net', 'search', 'verdict', 'door', 'cloud', 'sdk', 'cli', 'mcp'].map((name) => [
    `tarball of ${name}`,
    bin('publint'),
    ['run', `packages/${name}`, '--strict'],
  ]),
];
for (const [name, command, args] of steps) {
  process.stdout.write(`check: ${name}\n`);
  run(command, args, { stdio: 'inherit' });
}

const folder = mkdtempSync(path.join(tmpdir(), 'hanzo-test-'));
const report = path.join(folder, 'report.json');
const result = spawnSync(
  bin('vitest'),
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit', env: environment() },
);
try {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
  process.stdout.write(
    `tests: ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(result.status ?? 1);
