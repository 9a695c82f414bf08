// Builds every package: libraries as one module with declarations, hanzo-cloud as a program over its dependencies, hanzo as one without any, hanzo-mcp as a program split so that only what a call needs loads.
// `--if-stale` does nothing when no source is newer than the last build.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const PACKAGES = path.join(ROOT, 'packages');
/** CommonJS dependencies inside an ES module still ask for Node's own modules through require. */
const REQUIRE =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);";
const STAMP = path.join(PACKAGES, 'mcp', 'dist', '.stamp');
/** Libraries and their entries (`index` and what package.json exports besides). */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  tool: [''],
  net: [''],
  search: ['', 'documents'],
  verdict: [''],
  door: ['', 'fixtures'],
  cloud: [''],
  sdk: [''],
};

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

/** Names, sizes and times of every input; cheap enough to ask at every start. */
function fingerprintOf(): string {
  const hash = createHash('sha256');
  const inputs = [
    path.join(ROOT, 'package-lock.json'),
    fileURLToPath(import.meta.url),
    path.join(ROOT, 'scripts', 'catalog.ts'),
    path.join(ROOT, 'scripts', 'grammars.ts'),
  ];
  for (const name of readdirSync(PACKAGES).sort()) {
    inputs.push(path.join(PACKAGES, name, 'package.json'));
    const src = path.join(PACKAGES, name, 'src');
    // a package may have nothing written yet
    if (!existsSync(src)) continue;
    for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!file.endsWith('.test.ts')) inputs.push(path.join(src, file));
    }
  }
  for (const file of inputs) {
    const stat = statSync(file);
    if (stat.isFile()) hash.update(`${path.relative(ROOT, file)}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function buildAll(): Promise<void> {
  // Not a static import: esbuild is needed only where something is out of date.
  const { build } = await import('esbuild');
  const common: BuildOptions = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['hanzo-source'],
    logLevel: 'warning',
    minifySyntax: true,
    minifyWhitespace: true,
  };

  for (const [name, entries] of Object.entries(LIBRARIES)) {
    const folder = path.join(PACKAGES, name);
    const { dependencies = {} } = manifestOf(folder);
    rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
    await build({
      ...common,
      minifyWhitespace: false,
      entryPoints: entries.map((entry) => ({ in: path.join(folder, 'src', entry, 'index.ts'), out: entry || 'index' })),
      outdir: path.join(folder, 'dist'),
      splitting: entries.length > 1,
      external: Object.keys(dependencies),
    });
    declare(folder, entries);
  }
  vendorDeclarations(path.join(PACKAGES, 'door'), 'tool');

  // The plane's program is one that stays, so its dependencies are left where npm puts them.
  const cloud = path.join(PACKAGES, 'cloud');
  await build({
    ...common,
    minifyWhitespace: false,
    entryPoints: [path.join(cloud, 'src', 'cli.ts')],
    outdir: path.join(cloud, 'dist'),
    chunkNames: 'program/[name]-[hash]',
    splitting: true,
    external: Object.keys(manifestOf(cloud).dependencies ?? {}),
  });

  // The command line carries what it stands on, so that its tarball has no dependencies and a start reads few files.
  const cli = path.join(PACKAGES, 'cli');
  rmSync(path.join(cli, 'dist'), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: [path.join(cli, 'src', 'cli.ts')],
    outdir: path.join(cli, 'dist'),
    chunkNames: 'program/[name]-[hash]',
    splitting: true,
    plugins: [lazyBuiltins],
  });

  // Built aside and swapped in whole, so that a program started meanwhile finds either build, never half of one.
  const mcp = path.join(PACKAGES, 'mcp');
  const built = path.join(mcp, 'dist');
  const next = `${built}.next-${process.pid}`;
  const old = `${built}.old-${process.pid}`;
  // The way to `tools/list` is one file; whatever it imports later, and only then, is built beside it.
  const later = new Map<string, string>();
  await build({
    ...common,
    entryPoints: [path.join(mcp, 'src', 'cli.ts')],
    outdir: next,
    plugins: [lazyBuiltins, apart(later)],
  });
  await build({
    ...common,
    entryPoints: [...later].map(([file, name]) => ({ in: file, out: name })),
    outdir: path.join(next, 'later'),
    splitting: true,
    plugins: [lazyBuiltins],
    banner: { js: REQUIRE },
  });
  for (const file of readdirSync(path.join(next, 'later'))) trim(path.join(next, 'later', file));
  run(process.execPath, [
    '--conditions=hanzo-source',
    'scripts/catalog.ts',
    manifestOf(mcp).version,
    path.join(next, 'catalog.json'),
  ]);
  run(process.execPath, [
    '--conditions=hanzo-source',
    'scripts/grammars.ts',
    path.join(next, 'grammars'),
    path.join(built, 'grammars'),
  ]);
  if (existsSync(built)) renameSync(built, old);
  renameSync(next, built);
  rmSync(old, { recursive: true, force: true });
}

/**
 * Node's own modules by `process.getBuiltinModule`: an ES import of one reads every export, and with it loads whatever
 * the module keeps for later (workers, reports, the promise API), which costs a start a third of its time.
 */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onLoad({ filter: /packages[/\\]\w+[/\\]src[/\\].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replaceAll(
        /^import (?!type )(?:(\w+)(?:, )?)?(?:\{([^}]*)\})? from '(node:[\w/]+)';$/gm,
        (_line, whole: string | undefined, names: string | undefined, module: string) => {
          const taken =
            module === 'node:process' ? 'globalThis.process' : `globalThis.process.getBuiltinModule('${module}')`;
          const picked = (names ?? '').split(',').map((name) => name.trim());
          const values = picked.filter((name) => name !== '' && !name.startsWith('type '));
          return [
            ...(whole ? [`const ${whole} = ${taken};`] : []),
            ...(values.length > 0 ? [`const { ${values.join(', ').replaceAll(' as ', ': ')} } = ${taken};`] : []),
          ].join(' ');
        },
      ),
      loader: 'ts',
    }));
  },
};

/** Leaves every `import()` of ours for later: `later` collects which file is to be built under which name. */
function apart(later: Map<string, string>): Plugin {
  return {
    name: 'apart',
    setup(build) {
      build.onResolve({ filter: /^[.@]/ }, async ({ path: wanted, kind, pluginData, ...rest }) => {
        if (kind !== 'dynamic-import' || pluginData === 'resolving') return undefined;
        const { path: file } = await build.resolve(wanted, { kind, pluginData: 'resolving', ...rest });
        const name = path.relative(PACKAGES, file).replace(/\.ts$/, '').replaceAll(/[/\\]/g, '-');
        later.set(file, name);
        return { path: `./later/${name}.js`, external: true };
      });
    },
  };
}

/** Takes the banner out of a module that requires nothing, so that a start does not pay for it. */
function trim(file: string): void {
  const text = readFileSync(file, 'utf8');
  const rest = text.replace(`${REQUIRE}\n`, '');
  if (!/\brequire\b/.test(rest)) writeFileSync(file, rest);
}

/** Writes the declarations of a library beside its module. */
function declare(folder: string, entries: readonly string[]): void {
  const config = path.join(folder, 'dist', 'tsconfig.json');
  const relative = path.relative(path.dirname(config), ROOT);
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(relative, 'tsconfig.base.json'),
      compilerOptions: { declaration: true, emitDeclarationOnly: true, rootDir: '../src', outDir: '.' },
      files: entries.map((entry) => path.posix.join('../src', entry, 'index.ts')),
    }),
  );
  run(path.join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', config]);
  rmSync(config);
}

/** A library's tarball stands alone: the declarations of ours that it names travel with it. */
function vendorDeclarations(folder: string, name: string): void {
  const target = path.join(folder, 'dist', name);
  mkdirSync(target, { recursive: true });
  cpSync(path.join(PACKAGES, name, 'dist'), target, { recursive: true, filter: (file) => !file.endsWith('.js') });
  for (const file of readdirSync(path.join(folder, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts') || file.startsWith(`${name}${path.sep}`)) continue;
    const where = path.join(folder, 'dist', file);
    const up = path.posix.relative(path.posix.dirname(file.split(path.sep).join('/')), `${name}/index.js`);
    const text = readFileSync(where, 'utf8');
    writeFileSync(where, text.replaceAll(`'@hanzo/${name}'`, `'${up.startsWith('.') ? up : `./${up}`}'`));
  }
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, [...args], { cwd: ROOT, stdio: ['ignore', 2, 'inherit'] });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const fingerprint = fingerprintOf();
const fresh = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint;
if (!process.argv.includes('--if-stale') || !fresh) {
  await buildAll();
  writeFileSync(STAMP, fingerprint);
}
