// Runs the official conformance suite against a server that is already up, and reads its report.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Revisions with a frozen requirement set, then those the suite knows only by the scenarios that apply to them. */
const FROZEN = ['2026-07-28', '2025-11-25'] as const;
const OLDER = ['2025-06-18', '2025-03-26'] as const;
/** Every revision the suite can be run for; each runs at its own wire version. */
export const REVISIONS = [...FROZEN, ...OLDER] as const;
export type Revision = (typeof REVISIONS)[number];

/** One line of the suite's report. */
export interface Check {
  id: string;
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

/**
 * `fail`: a check failed, or the scenario did not run. `warn`: a recommendation was not met. `idle`: nothing was checked,
 * because what the scenario looks at is not offered. `pass`: something was checked, and all of it was right.
 */
export type Verdict = 'pass' | 'warn' | 'idle' | 'fail';

export interface Scenario {
  name: string;
  /** why the suite does not count it, for example `extension`; undefined where it does */
  unscored?: string;
  verdict: Verdict;
  /** the checks that were not met, with what the suite says about them */
  faults: string[];
}

export interface Report {
  revision: Revision;
  scenarios: Scenario[];
}

/** The scenarios a revision requires that failed. */
export function failedRequirements(report: Report): Scenario[] {
  return report.scenarios.filter(({ unscored, verdict }) => unscored === undefined && verdict === 'fail');
}

const passed = (of: readonly Scenario[]): string =>
  `${of.filter(({ verdict }) => verdict === 'pass').length} of ${of.length}`;

/** One line per scenario that is not a pass, then one line of totals. */
export function format(report: Report): string {
  const lines = report.scenarios
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ name, unscored, verdict, faults }) => {
      const what = faults.length > 0 ? `: ${faults.join('; ')}` : '';
      return `${report.revision} ${verdict} ${name} (${unscored ?? 'required'})${what}`;
    });
  const required = report.scenarios.filter(({ unscored }) => unscored === undefined);
  const others = report.scenarios.filter(({ unscored }) => unscored !== undefined);
  const rest = others.length > 0 ? `, not scored ${passed(others)} passed` : '';
  lines.push(`${report.revision} total: required ${passed(required)} passed${rest}`);
  return lines.join('\n');
}

/**
 * Runs every server scenario of one revision.
 * @param url the endpoint, on loopback
 * @returns what each scenario came to
 * @throws Error when the suite itself could not run, or its exit code contradicts its report
 */
export async function runSuite(url: string, revision: Revision): Promise<Report> {
  const results = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  try {
    const frozen = FROZEN.some((each) => each === revision);
    const which = frozen ? ['--requirements', revision] : ['--suite', 'all', '--spec-version', revision];
    const args = [suiteProgram(), 'server', '--url', url, ...which, '--output-dir', results];
    const { code, output } = await run(process.execPath, args);
    const report = { revision, scenarios: await read(output, results) };
    const failed = failedRequirements(report).length;
    if (report.scenarios.length === 0 || (code === 0) !== (failed === 0)) {
      throw new Error(
        `the conformance suite ended with code ${code}, reporting ${failed} failures:\n${output.slice(-4000)}`,
      );
    }
    return report;
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}

/** The suite names what ran in its summary, what does not count after it, and the checks in one file per scenario. */
async function read(output: string, results: string): Promise<Scenario[]> {
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  const unscored = new Map(
    [...summary.matchAll(/^ {2}[✓✗] (\S+) \((.+)\)$/gmu)].map(([, name, reason]) => [name, reason]),
  );
  const folders = await readdir(results);
  const scenarios: Scenario[] = [];
  for (const [, mark, name = ''] of summary.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed$/gmu)) {
    const folder = folders.find((each) => each.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '') === `server-${name}`);
    const checks = folder === undefined ? [] : await readChecks(path.join(results, folder));
    const reason = unscored.get(name);
    scenarios.push({
      name,
      ...(reason !== undefined && { unscored: reason }),
      verdict: mark === '✗' ? 'fail' : judge(checks),
      faults: checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'no reason given'}`),
    });
  }
  return scenarios;
}

async function readChecks(folder: string): Promise<Check[]> {
  return JSON.parse(await readFile(path.join(folder, 'checks.json'), 'utf8')) as Check[];
}

function judge(checks: readonly Check[]): Verdict {
  const statuses = new Set(checks.map(({ status }) => status));
  if (statuses.has('FAILURE')) return 'fail';
  if (statuses.has('WARNING')) return 'warn';
  return statuses.has('SUCCESS') ? 'pass' : 'idle';
}

/** The package exports nothing but its program. */
function suiteProgram(): string {
  return fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
}

function run(command: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => (output += chunk));
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
