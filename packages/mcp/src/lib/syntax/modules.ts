// From an import as it is written to the files of the project that it means, where that can be read from its text.
import path from 'node:path';
import type { LanguageId } from './languages/index.ts';

/** How the resolver looks at files. Every path is asked here, so that access is decided in one place. */
export interface Files {
  isFile(file: string): Promise<boolean>;
  /** text of a small file; undefined if it cannot be had */
  read(file: string): Promise<string | undefined>;
  /** names in a folder; empty if there is none */
  list(folder: string): Promise<readonly string[]>;
}

/** Folders that are looked at on the way up to the root. */
const UPWARDS = 40;

/** The files an import means, best first; a Go package is all its files. Empty for what is not in the project. */
export async function resolveModule(
  files: Files,
  from: string,
  language: LanguageId,
  module: string,
): Promise<readonly string[]> {
  if (module === '' || module.length > 1000 || module.includes('\0')) return [];
  switch (language) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
      return script(files, from, module);
    case 'python':
      return python(files, from, module);
    case 'go':
      return go(files, from, module);
    case 'rust':
      return rust(files, from, module);
    case 'c':
    case 'cpp':
    case 'ruby':
    case 'php':
    case 'bash':
      return beside(files, from, module, language === 'ruby' ? ['', '.rb'] : ['']);
    default:
      return [];
  }
}

const SCRIPT_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** What a written ending may stand for in TypeScript. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

async function script(files: Files, from: string, module: string): Promise<string[]> {
  if (/^\.{1,2}(\/|$)/.test(module)) return scriptFile(files, path.resolve(path.dirname(from), module));
  if (module.startsWith('/')) return [];
  const [, name = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(module) ?? [];
  for (const folder of upwards(path.dirname(from))) {
    const root = path.join(folder, 'node_modules', name);
    const manifest = await files.read(path.join(root, 'package.json'));
    if (manifest === undefined) continue;
    for (const each of entriesOf(manifest, rest)) {
      const [file] = await scriptFile(files, path.join(root, each));
      if (file !== undefined) return [file];
    }
    return rest === '' ? [] : scriptFile(files, path.join(root, rest));
  }
  return [];
}

/** A file named without its ending, with another one, or as a folder. */
async function scriptFile(files: Files, target: string): Promise<string[]> {
  const ending = path.extname(target);
  const bare = target.slice(0, target.length - ending.length);
  const instead = Object.hasOwn(STANDS_FOR, ending) ? (STANDS_FOR[ending] ?? []) : [];
  const candidates = [
    target,
    ...instead.map((each) => bare + each),
    ...SCRIPT_ENDINGS.map((each) => target + each),
    ...SCRIPT_ENDINGS.map((each) => path.join(target, `index${each}`)),
  ];
  return firstOf(files, candidates);
}

/** Files a manifest names for an entry: sources before declarations before what is built. */
function entriesOf(manifest: string, rest: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(manifest);
  } catch {
    return [];
  }
  const of = new Map(Object.entries((parsed ?? {}) as Record<string, unknown>));
  const exported = of.get('exports');
  const table = new Map(
    exported !== null && typeof exported === 'object' ? Object.entries(exported as Record<string, unknown>) : [],
  );
  const dotted = [...table.keys()].some((key) => key.startsWith('.'));
  const entry = dotted ? table.get(rest === '' ? '.' : `./${rest}`) : rest === '' ? exported : undefined;
  const named = [
    ...leaves(entry),
    ...(rest === '' ? [of.get('types'), of.get('module'), of.get('main'), 'index'] : []),
  ];
  const strings = named.filter((each): each is string => typeof each === 'string');
  return strings.toSorted((a, b) => rank(a) - rank(b));
}

/** Sources first, then declarations. */
const rank = (file: string): number => (/(?<!\.d)\.[mc]?tsx?$/.test(file) ? 0 : /\.d\.[mc]?ts$/.test(file) ? 1 : 2);

/** Every string in a value, however it is nested, up to a hundred. */
function leaves(value: unknown): string[] {
  const found: string[] = [];
  const waiting: unknown[] = [value];
  for (let i = 0; i < waiting.length && i < 1000 && found.length < 100; i++) {
    const each = waiting[i];
    if (typeof each === 'string') found.push(each);
    else if (each !== null && typeof each === 'object') waiting.push(...Object.values(each).slice(0, 100));
  }
  return found;
}

async function python(files: Files, from: string, module: string): Promise<string[]> {
  const [, dots = '', rest = ''] = /^(\.*)([\w.]*)$/u.exec(module) ?? [];
  const parts = rest === '' ? [] : rest.split('.');
  const forms = (root: string): string[] => {
    const target = path.join(root, ...parts);
    return parts.length === 0
      ? [path.join(target, '__init__.py'), path.join(target, '__init__.pyi')]
      : [`${target}.py`, path.join(target, '__init__.py'), `${target}.pyi`, path.join(target, '__init__.pyi')];
  };
  if (dots !== '') {
    let root = path.dirname(from);
    for (let i = 1; i < Math.min(dots.length, UPWARDS); i++) root = path.dirname(root);
    return firstOf(files, forms(root));
  }
  if (parts.length === 0) return [];
  for (const folder of upwards(path.dirname(from))) {
    const found = await firstOf(files, [...forms(folder), ...forms(path.join(folder, 'src'))]);
    if (found.length > 0) return found;
  }
  return [];
}

async function go(files: Files, from: string, module: string): Promise<string[]> {
  for (const folder of upwards(path.dirname(from))) {
    const manifest = await files.read(path.join(folder, 'go.mod'));
    if (manifest === undefined) continue;
    const name = /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(manifest)?.[1] ?? '';
    if (module !== name && !module.startsWith(`${name}/`)) return [];
    return goPackage(files, path.join(folder, module.slice(name.length)));
  }
  return [];
}

/** The files of a Go package, its tests left out. */
async function goPackage(files: Files, folder: string): Promise<string[]> {
  const names = await files.list(folder);
  return names
    .filter((each) => each.endsWith('.go') && !each.endsWith('_test.go'))
    .slice(0, 1000)
    .map((each) => path.join(folder, each));
}

/** `mod name;` and paths that begin with crate, self, super or a module beside. The last part may be a name in the module. */
async function rust(files: Files, from: string, module: string): Promise<string[]> {
  const file = module.startsWith('mod ');
  const parts = module
    .replace(/^mod /, '')
    .split('::')
    .map((each) => each.trim());
  const stem = path.basename(from, '.rs');
  const inRoot = stem === 'lib' || stem === 'main' || stem === 'mod';
  let folder = inRoot ? path.dirname(from) : path.join(path.dirname(from), stem);
  if (parts[0] === 'crate') {
    const root = await crateOf(files, from);
    if (root === undefined) return [];
    folder = root;
    parts.shift();
  }
  while (parts[0] === 'self' || parts[0] === 'super') {
    if (parts.shift() === 'super') folder = path.dirname(folder);
  }
  for (let taken = parts.length; taken > 0; taken--) {
    const target = path.join(folder, ...parts.slice(0, taken));
    const found = await firstOf(files, [`${target}.rs`, path.join(target, 'mod.rs')]);
    if (found.length > 0) return found;
  }
  if (file || module.startsWith('std::')) return [];
  return firstOf(files, [
    path.join(folder, 'mod.rs'),
    path.join(folder, 'lib.rs'),
    path.join(folder, 'main.rs'),
    `${folder}.rs`,
  ]);
}

async function crateOf(files: Files, from: string): Promise<string | undefined> {
  for (const folder of upwards(path.dirname(from))) {
    if (await files.isFile(path.join(folder, 'Cargo.toml'))) return path.join(folder, 'src');
  }
  return undefined;
}

/** Files named by their path from where the import stands. */
async function beside(files: Files, from: string, module: string, endings: readonly string[]): Promise<string[]> {
  if (/[$`*]/.test(module)) return [];
  const candidates = upwards(path.dirname(from))
    .slice(0, 6)
    .flatMap((folder) => [folder, path.join(folder, 'include'), path.join(folder, 'lib')])
    .flatMap((folder) => endings.map((ending) => path.resolve(folder, module) + ending));
  return firstOf(files, candidates);
}

async function firstOf(files: Files, candidates: readonly string[]): Promise<string[]> {
  for (const each of candidates) if (await files.isFile(each)) return [each];
  return [];
}

/** A folder and those above it. */
function upwards(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; found.length < UPWARDS; at = path.dirname(at)) {
    found.push(at);
    if (at === path.dirname(at)) break;
  }
  return found;
}
