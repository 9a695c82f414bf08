// Holds the arrows between packages and folders that boundaries.json declares, and refuses cycles.
// A folder may import itself, what its rule names, and its package's dependencies; sibling tools never import each other.
// Tests and their kits are free.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

interface Rules {
  packages: Record<string, string[]>;
  folders: Record<string, string[]>;
  external: Record<string, string[]>;
}
interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const rules = JSON.parse(readFileSync(path.join(ROOT, 'scripts', 'boundaries.json'), 'utf8')) as Rules;
const IMPORT = /^\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** Every import of one source file: relative ones as repository paths, the others as they stand. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = (match[1] ?? match[2] ?? match[3]) as string;
    return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
  });
}

function sources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(\.test|(^|[/\\])(testkit|fixture))\.ts$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
    .sort();
}

/** The longest declared folder a file lies in. */
function folderOf(file: string, declared: Iterable<string>): string | undefined {
  return [...declared].filter((each) => file.startsWith(`${each}/`)).sort((a, b) => b.length - a.length)[0];
}

/** `packages/mcp/src/tools/fs` for a file of the fs tool, else undefined. */
function toolOf(file: string): string | undefined {
  return /^packages\/mcp\/src\/tools\/[^/]+/.exec(file)?.[0];
}

function checkFile(file: string, imports: readonly string[], manifest: Manifest, owner: string): string[] {
  const problems: string[] = [];
  const folder = folderOf(file, Object.keys(rules.folders));
  if (folder === undefined) return [`${file}: lies in no declared folder`];
  const allowed = rules.folders[folder] as string[];
  for (const imported of imports) {
    if (imported.startsWith('packages/')) {
      const tool = toolOf(file);
      const own = tool === undefined ? imported.startsWith(`${folder}/`) : imported.startsWith(`${tool}/`);
      if (!own && !allowed.some((each) => imported === each || imported.startsWith(`${each}/`))) {
        problems.push(`${file}: imports ${imported}, which ${folder} may not`);
      }
    } else if (imported.startsWith('@hanzo/')) {
      const name = imported.slice('@hanzo/'.length).split('/')[0] as string;
      if (!rules.packages[owner]?.includes(name)) problems.push(`${file}: package ${owner} may not import ${imported}`);
    } else {
      problems.push(...checkExternal(file, imported, manifest));
    }
  }
  return problems;
}

function checkExternal(file: string, imported: string, manifest: Manifest): string[] {
  const only = folderOf(file, Object.keys(rules.external));
  const list = only === undefined ? undefined : rules.external[only];
  if (list && !list.some((each) => imported === each || imported.startsWith(each.endsWith(':') ? each : `${each}/`))) {
    return [`${file}: imports ${imported}, which ${only} may not`];
  }
  if (imported.startsWith('node:')) return [];
  const name = imported
    .split('/')
    .slice(0, imported.startsWith('@') ? 2 : 1)
    .join('/');
  const known = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  return name in known ? [] : [`${file}: imports ${name}, which its package.json does not name`];
}

/** The first import cycle among files, as a path, or undefined. Type-only imports count. */
function cycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const found = visit(next, [...trail, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const found = visit(file, []);
    if (found) return found;
  }
  return undefined;
}

const problems: string[] = [];
const graph = new Map<string, string[]>();
for (const owner of readdirSync(path.join(ROOT, 'packages')).sort()) {
  const allowed = rules.packages[owner];
  if (!allowed) {
    problems.push(`packages/${owner}: not declared in boundaries.json`);
    continue;
  }
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'packages', owner, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (name.startsWith('@hanzo/') && !allowed.includes(name.slice('@hanzo/'.length))) {
      problems.push(`packages/${owner}/package.json: may not depend on ${name}`);
    }
  }
  for (const file of sources(`packages/${owner}/src`)) {
    const imports = importsOf(file);
    problems.push(...checkFile(file, imports, manifest, owner));
    graph.set(
      file,
      imports.filter((each) => each.startsWith('packages/')),
    );
  }
}
const found = cycle(graph);
if (found) problems.push(`cycle: ${found.join(' -> ')}`);

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exit(problems.length > 0 ? 1 : 0);
