// Java: Maven's pom.xml, and Gradle's build files with their version catalog and lock file.
import { all, at, type Element, parseXml, textOf } from '../read/xml.ts';
import { type Ecosystem, type Kind, record, Skip, text, type Wanted } from './types.ts';

/** What a pom says for itself and those below it. */
interface Pom {
  readonly properties: ReadonlyMap<string, string>;
  readonly managed: ReadonlyMap<string, string>;
}

const id = (of: Element): string => `${textOf(of, 'groupId') ?? '?'}:${textOf(of, 'artifactId') ?? '?'}`;

function pomOf(project: Element, above: Pom | undefined): Pom {
  const properties = new Map(above?.properties);
  for (const each of at(project, 'properties')?.children ?? []) properties.set(each.name, each.text.trim());
  const version = textOf(project, 'version') ?? textOf(at(project, 'parent'), 'version');
  for (const name of ['project.version', 'version', 'pom.version']) if (version) properties.set(name, version);
  const group = textOf(project, 'groupId') ?? textOf(at(project, 'parent'), 'groupId');
  for (const name of ['project.groupId', 'groupId']) if (group) properties.set(name, group);
  const parent = textOf(at(project, 'parent'), 'version');
  if (parent) properties.set('project.parent.version', parent);
  const managed = new Map(above?.managed);
  for (const each of all(at(project, 'dependencyManagement', 'dependencies'), 'dependency')) {
    const wanted = textOf(each, 'version');
    if (wanted) managed.set(filled(id(each), properties), filled(wanted, properties));
  }
  return { properties, managed };
}

/** `${name}` replaced, a few times over, as properties may name others. */
function filled(given: string, properties: ReadonlyMap<string, string>): string {
  let value = given;
  for (let i = 0; i < 5 && value.includes('${') && value.length < 1000; i++) {
    value = value.replaceAll(/\$\{([^}]+)\}/g, (whole, name: string) => properties.get(name) ?? whole);
  }
  return value;
}

export const maven: Ecosystem = {
  type: 'maven',
  names: /^pom\.xml$/,
  async read(manifest) {
    const project = parseXml(manifest.text);
    const parent = at(project, 'parent');
    const above = parent
      ? await manifest.above('pom.xml', (each) => {
          const root = parseXml(each);
          if (textOf(root, 'artifactId') !== textOf(parent, 'artifactId')) throw new Skip();
          return pomOf(root, undefined);
        })
      : undefined;
    const pom = pomOf(project, above?.value);
    const lists = [
      at(project, 'dependencies'),
      ...all(at(project, 'profiles'), 'profile').map((each) => at(each, 'dependencies')),
    ];
    const found = lists
      .flatMap((each) => all(each, 'dependency'))
      .map((each): Wanted => {
        const name = filled(id(each), pom.properties);
        const version = textOf(each, 'version');
        const wanted = version === undefined ? (pom.managed.get(name) ?? null) : filled(version, pom.properties);
        const scope = textOf(each, 'scope');
        const kind: Kind = scope === 'test' ? 'dev' : textOf(each, 'optional') === 'true' ? 'optional' : 'runtime';
        return { name, wanted, locked: null, kind };
      });
    const open = found.filter(({ wanted }) => wanted === null || wanted.includes('${')).length;
    if (open > 0) manifest.unread(`${open} versions that come from a parent or a BOM elsewhere`);
    return found;
  },
  members: ({ text: given }) => all(at(parseXml(given), 'modules'), 'module').map((each) => each.text.trim()),
};

/** A configuration of Gradle in front of what it takes. */
const CONFIGURATION =
  /^\s*([a-zA-Z]*(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|[aA]nnotationProcessor|[cC]ompileOnlyApi)|kapt\w*|ksp\w*|compile|testCompile|classpath)\b\s*\(?\s*(.*)$/;

const kindOf = (configuration: string): Kind =>
  /test|annotationProcessor|^kapt|^ksp|^classpath|benchmark/i.test(configuration) ? 'dev' : 'runtime';

export const gradle: Ecosystem = {
  type: 'gradle',
  names: /^build\.gradle(?:\.kts)?$/,
  async read(manifest) {
    const catalog = await manifest.above('gradle/libs.versions.toml', readCatalog);
    const lock = await manifest.above('gradle.lockfile', (each) => {
      const lines = [...each.matchAll(/^([^#\s:]+:[^\s:]+):([^=\s]+)=/gm)];
      return new Map(lines.map(([, name = '', version = '']) => [name, version]));
    });
    const found: Wanted[] = [];
    let open = 0;
    const without = manifest.text.replaceAll(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|(^|[^:])\/\/[^\n]*/g, '$1');
    for (const line of without.split('\n')) {
      const [, configuration, rest = ''] = CONFIGURATION.exec(line) ?? [];
      if (configuration === undefined || /^[={]/.test(rest) || /^project\s*\(|^files\s*\(|^fileTree\b/.test(rest))
        continue;
      const kind = kindOf(configuration);
      const known = coordinates(rest, catalog?.value);
      if (known.length === 0) open++;
      for (const [name, wanted] of known) found.push({ name, wanted, locked: lock?.value.get(name) ?? null, kind });
    }
    if (open > 0) manifest.unread(`${open} dependencies that are computed or written in a way that is not read here`);
    return found;
  },
};

export const gradleSettings: Ecosystem = {
  type: 'gradle-settings',
  names: /^settings\.gradle(?:\.kts)?$/,
  read: async () => [],
  members: ({ text: given }) =>
    [...given.matchAll(/^[ \t]*include[ \t]*\(?([^)\n]*(?:,[ \t]*\n[^)\n]*)*)/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/["']:?([^"']+)["']/g)].map(([, name = '']) => name.replaceAll(':', '/')),
    ),
};

type Catalog = ReadonlyMap<string, readonly (readonly [name: string, wanted: string | null])[]>;

function coordinates(rest: string, catalog: Catalog | undefined): readonly (readonly [string, string | null])[] {
  const literal = /["']([\w.-]+:[\w.-]+)(?::([^"'@:]+))?(?::[^"']*)?["']/.exec(rest);
  if (literal) return [[literal[1] ?? '', literal[2] ?? null]];
  const named =
    /group\s*[:=]\s*["']([^"']+)["']\s*,\s*name\s*[:=]\s*["']([^"']+)["'](?:\s*,\s*version\s*[:=]\s*["']([^"']+)["'])?/.exec(
      rest,
    );
  if (named) return [[`${named[1]}:${named[2]}`, named[3] ?? null]];
  const kotlin = /kotlin\(["']([\w-]+)["'](?:\s*,\s*["']([^"']+)["'])?\)/.exec(rest);
  if (kotlin) return [[`org.jetbrains.kotlin:kotlin-${kotlin[1]}`, kotlin[2] ?? null]];
  const alias = /libs\.([\w.]+)/.exec(rest)?.[1];
  return (alias === undefined ? undefined : catalog?.get(alias)) ?? [];
}

const accessor = (alias: string): string => alias.replaceAll(/[-_]/g, '.');

/** `libs.a.b` of a build file -> what the catalog has for it. */
async function readCatalog(given: string): Promise<Catalog> {
  const { parse } = await import('smol-toml');
  const toml = record(parse(given));
  const versions = record(toml['versions']);
  const version = (value: unknown): string | null => {
    const reference = text(record(value)['ref']);
    const known = reference === undefined ? value : versions[reference];
    const rich = record(known);
    return text(known) ?? text(rich['strictly']) ?? text(rich['require']) ?? text(rich['prefer']) ?? null;
  };
  const libraries = new Map<string, readonly [string, string | null]>();
  for (const [alias, value] of Object.entries(record(toml['libraries']))) {
    const about = record(value);
    const [group, name, short] = (
      text(value) ??
      text(about['module']) ??
      `${String(about['group'])}:${String(about['name'])}`
    ).split(':');
    libraries.set(alias, [`${group}:${name}`, short ?? version(about['version'])]);
  }
  const bundles = Object.entries(record(toml['bundles'])).map(([alias, names]) => {
    const members = Array.isArray(names) ? names.map((each) => libraries.get(String(each))) : [];
    return [`bundles.${accessor(alias)}`, members.filter((each) => each !== undefined)] as const;
  });
  const catalog = new Map<string, readonly (readonly [string, string | null])[]>(bundles);
  for (const [alias, each] of libraries) catalog.set(accessor(alias), [each]);
  return catalog;
}
