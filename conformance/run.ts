// `node conformance/run.ts [--requirements REVISION]... [--url URL]`: the official suite against hanzo-mcp, or against the
// server at URL. Prints one line per scenario that is not a pass; ends with 1 when a required scenario fails.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { startProgram } from './program.ts';
import { failedRequirements, format, REVISIONS, type Revision, runSuite } from './suite.ts';

const { values } = parseArgs({
  options: { requirements: { type: 'string', multiple: true }, url: { type: 'string' } },
});
const revisions = (values.requirements ?? [...REVISIONS]).map((name): Revision => {
  const known = REVISIONS.find((revision) => revision === name);
  if (known) return known;
  process.stderr.write(`conformance: no revision '${name}'; there are ${REVISIONS.join(', ')}\n`);
  process.exit(2);
});

const server =
  values.url === undefined ? await startProgram(['--conformance']) : { url: values.url, close: async () => {} };
let failures = 0;
try {
  for (const revision of revisions) {
    const report = await runSuite(server.url, revision);
    process.stdout.write(`${format(report)}\n`);
    failures += failedRequirements(report).length;
  }
} finally {
  await server.close();
}
process.exitCode = failures === 0 ? 0 : 1;
