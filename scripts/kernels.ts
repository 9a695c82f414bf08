// Compiles the search engine's kernels (AssemblyScript, packages/search/kernel) to WebAssembly modules embedded as base64.
// `--check` writes nothing and fails where a committed module is not what its source compiles to.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const SOURCES = path.join(ROOT, 'packages', 'search', 'kernel');
const TARGET = path.join(ROOT, 'packages', 'search', 'src', 'kernel');

/** The module that embeds one kernel: its text, from its AssemblyScript source. */
function embed(source: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'kernel-'));
  try {
    const wasm = path.join(folder, 'out.wasm');
    const asc = path.join(ROOT, 'node_modules', '.bin', 'asc');
    const { status } = spawnSync(
      asc,
      [
        source,
        '--outFile',
        wasm,
        '--optimizeLevel',
        '3',
        '--shrinkLevel',
        '0',
        '--converge',
        '--noAssert',
        '--runtime',
        'stub',
        '--importMemory',
        '--enable',
        'simd',
        '--use',
        'abort=',
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    if (status !== 0) throw new Error(`${path.basename(source)} does not compile`);
    const name = path.basename(source, '.ts');
    const lines = readFileSync(wasm).toString('base64');
    return `// Compiled from packages/search/kernel/${name}.ts by scripts/kernels.ts; not to be edited.\nexport const ${name.toUpperCase()}_WASM =\n  '${lines}';\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const check = process.argv.includes('--check');
for (const file of readdirSync(SOURCES)) {
  if (!file.endsWith('.ts')) continue;
  const target = path.join(TARGET, file.replace(/\.ts$/, '.wasm.ts'));
  const text = embed(path.join(SOURCES, file));
  if (!check) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) {
    process.stderr.write(`${path.relative(ROOT, target)} is out of date; run node scripts/kernels.ts\n`);
    process.exitCode = 1;
  }
}
