// package.json with the lock files of npm, pnpm, yarn and Bun.
import path from 'node:path';
import { parseJsonc } from '../../../lib/jsonc.ts';
import { list, map, parseYaml, scalar, topEntry, type Yaml } from '../read/yaml.ts';
import { type Ecosystem, type Kind, type Manifest, record, text, texts, type Wanted } from './types.ts';

const SECTIONS: readonly (readonly [key: string, kind: Kind])[] = [
  ['dependencies', 'runtime'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
  ['devDependencies', 'dev'],
];

export const node: Ecosystem = {
  type: 'npm',
  names: /^package\.json$/,
  async read(manifest) {
    const json = record(JSON.parse(manifest.text));
    const locked = await lockOf(manifest);
    const found: Wanted[] = [];
    for (const [section, kind] of SECTIONS) {
      for (const [name, range] of Object.entries(record(json[section]))) {
        const wanted = text(range) ?? null;
        // npm writes an optional dependency into both.
        if (kind === 'runtime' && Object.hasOwn(record(json['optionalDependencies']), name)) continue;
        found.push({ name, wanted, locked: locked(name, wanted) ?? null, kind });
      }
    }
    return found;
  },
  async members(manifest) {
    const members = record(JSON.parse(manifest.text))['workspaces'];
    const own = texts(Array.isArray(members) ? members : record(members)['packages']);
    const pnpm = await manifest.above('pnpm-workspace.yaml', (each) =>
      list(map(parseYaml(topEntry(each, 'packages') ?? '')).get('packages')),
    );
    return pnpm?.folder === manifest.folder ? [...own, ...pnpm.value.filter((each) => typeof each === 'string')] : own;
  },
};

type Locked = (name: string, wanted: string | null) => string | undefined;

/** The nearest lock file's answers; of several beside each other the first in this order. */
async function lockOf(manifest: Manifest): Promise<Locked> {
  const at = (folder: string): string => path.relative(folder, manifest.folder).split(path.sep).join('/');
  for (const name of ['npm-shrinkwrap.json', 'package-lock.json']) {
    const npm = await manifest.above(name, (each) => record(JSON.parse(each)));
    if (npm) return npmLock(npm.value, at(npm.folder));
  }
  const pnpm = await manifest.above('pnpm-lock.yaml', pnpmImporters);
  if (pnpm) return pnpmLock(pnpm.value, at(pnpm.folder) || '.');
  const yarn = await manifest.above('yarn.lock', yarnEntries);
  if (yarn) return (name, wanted) => yarn.value.get(`${name}@${wanted}`) ?? yarn.value.get(`${name}@npm:${wanted}`);
  const bun = await manifest.above('bun.lock', (each) => record(record(parseJsonc(each))['packages']));
  if (bun) {
    return (name) => {
      const entry = Object.hasOwn(bun.value, name) ? bun.value[name] : undefined;
      return Array.isArray(entry) && typeof entry[0] === 'string'
        ? entry[0].slice(entry[0].lastIndexOf('@') + 1)
        : undefined;
    };
  }
  return () => undefined;
}

/** npm 7 and later list what lies where; before, a tree with the direct ones on top. */
function npmLock(json: Record<string, unknown>, folder: string): Locked {
  const packages = new Map(Object.entries(record(json['packages'])));
  const top = new Map(Object.entries(record(json['dependencies'])));
  return (name) => {
    for (let at = folder; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
      const found = record(packages.get(`${at === '' ? '' : `${at}/`}node_modules/${name}`));
      const target = text(found['resolved']);
      if (found['link'] === true && target !== undefined)
        return text(record(packages.get(target))['version']) ?? 'workspace';
      if (text(found['version']) !== undefined) return text(found['version']);
      if (at === '') return text(record(top.get(name))['version']);
    }
  };
}

function pnpmImporters(lock: string): ReadonlyMap<string, Yaml> {
  const importers = topEntry(lock, 'importers');
  if (importers !== undefined) return map(map(parseYaml(importers)).get('importers'));
  // One project alone has its sections on top.
  const sections = SECTIONS.flatMap(([key]) => {
    const entry = topEntry(lock, key);
    return entry === undefined ? [] : [[key, map(parseYaml(entry)).get(key) ?? null] as const];
  });
  return new Map([['.', new Map(sections)]]);
}

function pnpmLock(importers: ReadonlyMap<string, Yaml>, folder: string): Locked {
  const project = map(importers.get(folder));
  return (name) => {
    for (const [section] of SECTIONS) {
      const entry = map(project.get(section)).get(name);
      const version = scalar(entry) ?? scalar(map(entry).get('version'));
      // Behind the version stand the peers it was settled with.
      if (version !== undefined) return version.replace(/[(_].*$/s, '');
    }
    return undefined;
  };
}

/** `name@range, name@range:` and then its version, in both of yarn's formats. */
function yarnEntries(lock: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  let names: string[] = [];
  for (const line of lock.split('\n')) {
    if (/^\S.*:\s*$/.test(line) && !line.startsWith('#')) {
      names = line.trim().slice(0, -1).replaceAll('"', '').split(/,\s*/);
      continue;
    }
    const version = /^ {2}version:? "?([^"\s]+)"?/.exec(line)?.[1];
    if (version !== undefined) for (const name of names) entries.set(name, version);
  }
  return entries;
}
