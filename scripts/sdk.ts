// Writes the sources of `hanzoai` and the command table of `hanzo` from the plane's operations.
// `--check` writes nothing and fails when what is there is not what would be written.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { composedInMemory } from '../packages/cloud/src/testing/composed.ts';
import { clientFiles } from './sdk/client.ts';
import { commandTable } from './sdk/commands.ts';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SDK = 'packages/sdk/src/generated';
const CLI = 'packages/cli/src/generated';

function formatted(name: string, text: string): string {
  const oxfmt = path.join(ROOT, 'node_modules', '.bin', 'oxfmt');
  const { status, stdout, stderr } = spawnSync(oxfmt, [`--stdin-filepath=${name}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} cannot be formatted: ${stderr}`);
  return stdout;
}

const composed = await composedInMemory();
const wanted = new Map<string, string>();
for (const [name, text] of clientFiles(composed.apps)) wanted.set(`${SDK}/${name}`, text);
wanted.set(`${CLI}/operations.ts`, commandTable(composed.apps));
await composed.close();

const stale: string[] = [];
for (const [name, text] of wanted) {
  const file = path.join(ROOT, name);
  const next = formatted(name, text);
  if (existsSync(file) && readFileSync(file, 'utf8') === next) continue;
  stale.push(name);
  if (process.argv.includes('--check')) continue;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, next);
}
for (const folder of [SDK, CLI]) {
  if (!existsSync(path.join(ROOT, folder))) continue;
  for (const name of readdirSync(path.join(ROOT, folder)).map((each) => `${folder}/${each}`)) {
    if (wanted.has(name)) continue;
    stale.push(name);
    if (!process.argv.includes('--check')) rmSync(path.join(ROOT, name));
  }
}
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(', ')}\nrun: node --conditions=hanzo-source scripts/sdk.ts\n`);
  process.exit(1);
}
process.stdout.write(
  `${wanted.size} files, ${stale.length} ${process.argv.includes('--check') ? 'stale' : 'written'}\n`,
);
