// Writes what is generated from the plane's operations: packages/cloud/catalog.json and docs/reference/.
// A catalog that would name fewer operations than the one there is refused without --shrink.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { composedInMemory } from '../packages/cloud/src/testing/composed.ts';
import { generatedFiles } from '../packages/cloud/src/testing/reference.ts';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const CATALOG = 'packages/cloud/catalog.json';

function countOf(text: string): number {
  return Object.values(JSON.parse(text) as Record<string, { ops: string[] }>).reduce(
    (sum, { ops }) => sum + ops.length,
    0,
  );
}

const composed = await composedInMemory();
const files = generatedFiles(composed.apps);
await composed.close();
const place = path.join(ROOT, CATALOG);
const [before, after] = [
  existsSync(place) ? countOf(readFileSync(place, 'utf8')) : 0,
  countOf(files.get(CATALOG) ?? '{}'),
];
if (after < before && !process.argv.includes('--shrink')) {
  process.stderr.write(
    `the catalog would go from ${before} operations to ${after}; say --shrink where that is meant\n`,
  );
  process.exit(1);
}
for (const [name, text] of files) {
  const file = path.join(ROOT, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
process.stdout.write(`${files.size} files, ${after} operations in the catalog\n`);
