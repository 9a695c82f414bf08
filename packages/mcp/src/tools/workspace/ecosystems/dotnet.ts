// .NET: project files with central versions and lock file, packages.config, and the projects of a solution.
import { all, type Element, parseXml, textOf } from '../read/xml.ts';
import { type Ecosystem, record, text, type Wanted } from './types.ts';

/** Every element of that name, at any depth (item groups may stand in conditions). */
function everywhere(root: Element, name: string): Element[] {
  const found: Element[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(...all(next, name));
    waiting.push(...next.children.toReversed());
  }
  return found;
}

const part = (of: Element, name: string): string | undefined => of.attributes.get(name) ?? textOf(of, name);

export const dotnet: Ecosystem = {
  type: 'dotnet',
  names: /\.(?:cs|fs|vb)proj$/,
  async read(manifest) {
    const project = parseXml(manifest.text);
    const central = await manifest.above(
      'Directory.Packages.props',
      (each) =>
        new Map(
          everywhere(parseXml(each), 'PackageVersion').map((entry) => [
            (part(entry, 'Include') ?? '').toLowerCase(),
            part(entry, 'Version') ?? null,
          ]),
        ),
    );
    const lock = await manifest.above('packages.lock.json', (each) => {
      const resolved = new Map<string, string>();
      for (const framework of Object.values(record(record(JSON.parse(each))['dependencies']))) {
        for (const [name, about] of Object.entries(record(framework))) {
          const version = text(record(about)['resolved']);
          if (version !== undefined) resolved.set(name.toLowerCase(), version);
        }
      }
      return resolved;
    });
    const found = new Map<string, Wanted>();
    for (const each of everywhere(project, 'PackageReference')) {
      const name = part(each, 'Include');
      // `Update` changes one that is included elsewhere.
      if (name === undefined) continue;
      const key = name.toLowerCase();
      const wanted = part(each, 'VersionOverride') ?? part(each, 'Version') ?? central?.value.get(key) ?? null;
      const locked = lock?.folder === manifest.folder ? (lock.value.get(key) ?? null) : null;
      const kind = /\ball\b/i.test(part(each, 'PrivateAssets') ?? '') ? 'dev' : 'runtime';
      if (wanted?.includes('$(')) manifest.unread(`the version of ${name}, which is a property`);
      found.set(`${key} ${wanted}`, { name, wanted, locked, kind });
    }
    return [...found.values()];
  },
};

export const packagesConfig: Ecosystem = {
  type: 'nuget',
  names: /^packages\.config$/,
  read: async ({ text: given }) =>
    all(parseXml(given), 'package').map((each): Wanted => {
      const version = each.attributes.get('version') ?? null;
      const dev = each.attributes.get('developmentDependency') === 'true';
      return { name: each.attributes.get('id') ?? '', wanted: version, locked: version, kind: dev ? 'dev' : 'runtime' };
    }),
};

export const solution: Ecosystem = {
  type: 'solution',
  names: /\.slnx?$/,
  read: async () => [],
  members: ({ file, text: given }) =>
    file.endsWith('x')
      ? everywhere(parseXml(given), 'Project').map((each) => (each.attributes.get('Path') ?? '').replaceAll('\\', '/'))
      : [...given.matchAll(/^Project\("[^"]*"\)\s*=\s*"[^"]*",\s*"([^"]+\.\w+proj)"/gm)].map(([, at = '']) =>
          at.replaceAll('\\', '/'),
        ),
};
