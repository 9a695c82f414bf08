// C and C++: vcpkg.json, Conan's files with their lock, and what CMakeLists.txt looks for.
import { type Ecosystem, type Kind, record, text, texts, type Wanted } from './types.ts';

export const vcpkg: Ecosystem = {
  type: 'vcpkg',
  names: /^vcpkg\.json$/,
  async read({ text: given }) {
    const json = record(JSON.parse(given));
    const overrides = new Map(
      [json['overrides'] ?? []].flat().map((each) => [text(record(each)['name']), text(record(each)['version'])]),
    );
    const listed = (value: unknown, kind: Kind): Wanted[] =>
      [value ?? []].flat().map((each) => {
        const about = record(each);
        const name = text(each) ?? text(about['name']) ?? '?';
        const least = text(about['version>=']);
        return {
          name,
          wanted: least === undefined ? null : `>=${least}`,
          locked: overrides.get(name) ?? null,
          // What only helps to build runs on the host.
          kind: about['host'] === true ? 'dev' : kind,
        };
      });
    const features = Object.values(record(json['features'])).map((each) => record(each)['dependencies']);
    return [...listed(json['dependencies'], 'runtime'), ...features.flatMap((each) => listed(each, 'optional'))];
  },
};

function reference(given: string, kind: Kind, locked: ReadonlyMap<string, string> | undefined): Wanted {
  const [name = '', version] = given.split('#')[0]?.split('@')[0]?.split('/') ?? [];
  return { name, wanted: version?.trim() ?? null, locked: locked?.get(name) ?? null, kind };
}

function conanLock(given: string): ReadonlyMap<string, string> {
  const json = record(JSON.parse(given));
  const all = [...texts(json['requires']), ...texts(json['build_requires']), ...texts(json['python_requires'])];
  return new Map(all.map((each) => [each.split('/')[0] ?? '', each.split('#')[0]?.split('/')[1] ?? '']));
}

export const conan: Ecosystem = {
  type: 'conan',
  names: /^conanfile\.(?:txt|py)$/,
  async read(manifest) {
    const lock = (await manifest.above('conan.lock', conanLock))?.value;
    if (manifest.file.endsWith('.py')) {
      const calls = manifest.text
        .replaceAll(/(^|\s)#[^\n]*/g, '$1')
        .matchAll(
          /\b(?:self\.)?(tool_requires|build_requires|test_requires|requires)\s*(?:\(|=\s*\(?)\s*((?:f?["'][^"']+["']\s*,?\s*)+)/g,
        );
      return [...calls].flatMap(([, word = '', names = '']) =>
        [...names.matchAll(/["']([\w.+-]+\/[^"']+)["']/g)].map(([, each = '']) =>
          reference(each, word === 'requires' ? 'runtime' : 'dev', lock),
        ),
      );
    }
    const found: Wanted[] = [];
    let section = '';
    for (const raw of manifest.text.split(/\r?\n/)) {
      const line = raw.replace(/#\s.*$|^#.*$/, '').trim();
      const heading = /^\[(\w+)\]$/.exec(line)?.[1];
      if (heading !== undefined) section = heading;
      else if (line !== '' && section.endsWith('requires')) {
        found.push(reference(line, section === 'requires' ? 'runtime' : 'dev', lock));
      }
    }
    return found;
  },
};

export const cmake: Ecosystem = {
  type: 'cmake',
  names: /^CMakeLists\.txt$/,
  async read({ text: given }) {
    const plain = given.replaceAll(/#\[\[(?:[^\]]|\](?!\]))*(?:\]\]|$)|#[^\n]*/g, '');
    const found: Wanted[] = [];
    for (const [, body = ''] of plain.matchAll(/\bfind_package\s*\(([^)]{0,2000})\)/gi)) {
      const [name = '', second] = body.trim().split(/\s+/);
      if (name === '' || name.includes('$')) continue;
      const wanted = second !== undefined && /^\d/.test(second) ? second : null;
      found.push({ name, wanted, locked: null, kind: /\bREQUIRED\b/.test(body) ? 'runtime' : 'optional' });
    }
    for (const [, body = ''] of plain.matchAll(
      /\b(?:FetchContent_Declare|ExternalProject_Add)\s*\(([^)]{0,4000})\)/gi,
    )) {
      const name = body.trim().split(/\s+/)[0] ?? '';
      const wanted = /\b(?:GIT_TAG|URL)\s+"?([^\s")]+)/.exec(body)?.[1] ?? null;
      if (name !== '') found.push({ name, wanted, locked: null, kind: 'runtime' });
    }
    return found;
  },
};
