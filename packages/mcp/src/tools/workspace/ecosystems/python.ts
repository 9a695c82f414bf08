// Python: pyproject.toml, requirements files, Pipfile, setup.cfg; the lock files of uv, Poetry, PDM and Pipenv.
import { add, type Ecosystem, type Kind, type Manifest, record, settled, text, texts, type Wanted } from './types.ts';

/** Names compare without case, and `-`, `_` and `.` are one (PEP 503). */
const normal = (name: string): string => name.toLowerCase().replaceAll(/[-_.]+/g, '-');

type Locked = (name: string) => string | null;

async function toml(given: string): Promise<Record<string, unknown>> {
  const { parse } = await import('smol-toml');
  return record(parse(given));
}

async function lockOf(manifest: Manifest): Promise<Locked> {
  for (const name of ['uv.lock', 'poetry.lock', 'pdm.lock', 'pylock.toml']) {
    const lock = await manifest.above(name, async (each) => {
      const versions = new Map<string, string[]>();
      const parsed = await toml(each);
      for (const entry of [parsed['package'], parsed['packages']].flat()) {
        const { name: named, version } = record(entry);
        if (typeof named === 'string' && typeof version === 'string') add(versions, normal(named), version);
      }
      return versions;
    });
    if (lock) return (wanted) => settled(lock.value.get(normal(wanted)));
  }
  return () => null;
}

/** A requirement (PEP 508): its name and its range, or the URL after `@`. */
function requirement(line: string): { name: string; wanted: string | null } | undefined {
  const found = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(.*)$/s.exec(line.trim());
  if (!found) return undefined;
  const [, name = '', rest = ''] = found;
  const wanted = (rest.split(';')[0] ?? '')
    .trim()
    .replace(/^@\s*/, '')
    .replace(/^\((.*)\)$/s, '$1')
    .trim();
  return { name, wanted: wanted === '' ? null : wanted };
}

function listed(lines: readonly string[], kind: Kind, locked: Locked, manifest: Manifest): Wanted[] {
  return lines.flatMap((line) => {
    const found = requirement(line);
    if (!found) manifest.unread(`a requirement that begins with no name`);
    return found ? [{ ...found, locked: locked(found.name), kind }] : [];
  });
}

/** A table of names and ranges, as Poetry and Pipenv have it. */
function table(value: unknown, kind: Kind, locked: Locked): Wanted[] {
  return Object.entries(record(value)).flatMap(([name, range]) => {
    if (name === 'python') return [];
    const about = record(Array.isArray(range) ? range[0] : range);
    const wanted = text(range) ?? text(about['version']) ?? text(about['git']) ?? text(about['path']) ?? null;
    return [{ name, wanted, locked: locked(name), kind: about['optional'] === true ? ('optional' as const) : kind }];
  });
}

const groups = (value: unknown): string[] => Object.values(record(value)).flatMap(texts);

export const pyproject: Ecosystem = {
  type: 'python',
  names: /^pyproject\.toml$/,
  async read(manifest) {
    const parsed = await toml(manifest.text);
    const locked = await lockOf(manifest);
    const project = record(parsed['project']);
    const tools = record(parsed['tool']);
    const poetry = record(tools['poetry']);
    return [
      ...listed(texts(project['dependencies']), 'runtime', locked, manifest),
      ...listed(groups(project['optional-dependencies']), 'optional', locked, manifest),
      ...listed(groups(parsed['dependency-groups']), 'dev', locked, manifest),
      ...listed(groups(record(tools['pdm'])['dev-dependencies']), 'dev', locked, manifest),
      ...listed(texts(record(tools['uv'])['dev-dependencies']), 'dev', locked, manifest),
      ...listed(texts(record(parsed['build-system'])['requires']), 'dev', locked, manifest),
      ...table(poetry['dependencies'], 'runtime', locked),
      ...table(poetry['dev-dependencies'], 'dev', locked),
      ...Object.values(record(poetry['group'])).flatMap((each) => table(record(each)['dependencies'], 'dev', locked)),
    ];
  },
  async members({ text: given }) {
    return texts(record(record(record((await toml(given))['tool'])['uv'])['workspace'])['members']);
  },
};

export const requirements: Ecosystem = {
  type: 'requirements',
  names: /^(?:[\w-]+[-_.])?requirements(?:[-_.][\w-]+)*\.(?:txt|in)$/,
  async read(manifest) {
    const kind: Kind = /dev|test|lint|doc|build/i.test(manifest.file) ? 'dev' : 'runtime';
    const found: Wanted[] = [];
    for (const raw of manifest.text.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/)) {
      const line = raw
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s--?\w.*$/, '')
        .trim();
      if (line === '') continue;
      if (/^--?[a-z]/.test(raw.trim())) {
        // Other requirement files are read by themselves; the rest are settings.
        if (/^(-e|--editable)\b/.test(raw.trim())) manifest.unread('an editable requirement');
        continue;
      }
      const each = requirement(line);
      if (!each) {
        manifest.unread('a requirement given as a path or a URL');
        continue;
      }
      const exact = /^==\s*([^*,\s]+)$/.exec(each.wanted ?? '')?.[1];
      found.push({ ...each, locked: exact ?? null, kind });
    }
    return found;
  },
};

export const pipfile: Ecosystem = {
  type: 'pipenv',
  names: /^Pipfile$/,
  async read(manifest) {
    const parsed = await toml(manifest.text);
    const lock = await manifest.above('Pipfile.lock', (each) => {
      const json = record(JSON.parse(each));
      const entries = [...Object.entries(record(json['develop'])), ...Object.entries(record(json['default']))];
      return new Map(
        entries.map(([name, about]) => [normal(name), text(record(about)['version'])?.replace(/^==/, '')]),
      );
    });
    const locked: Locked = (name) => lock?.value.get(normal(name)) ?? null;
    return [...table(parsed['packages'], 'runtime', locked), ...table(parsed['dev-packages'], 'dev', locked)];
  },
};

export const setupCfg: Ecosystem = {
  type: 'setuptools',
  names: /^setup\.cfg$/,
  async read(manifest) {
    const locked = await lockOf(manifest);
    const found: Wanted[] = [];
    let section = '';
    let key = '';
    for (const raw of manifest.text.split(/\r?\n/)) {
      if (/^\s*([#;]|$)/.test(raw)) continue;
      const heading = /^\[([^\]]+)\]/.exec(raw)?.[1];
      const entry = /^([\w.-]+)\s*[=:]\s*(.*)$/.exec(raw);
      if (heading !== undefined) [section, key] = [heading.trim(), ''];
      else if (entry) key = entry[1] ?? '';
      const value = heading !== undefined ? '' : entry ? (entry[2] ?? '') : /^\s/.test(raw) ? raw.trim() : '';
      const kind = kindOf(section, key);
      if (value === '' || kind === undefined) continue;
      found.push(...listed([value], kind, locked, manifest));
    }
    return found;
  },
};

function kindOf(section: string, key: string): Kind | undefined {
  if (section === 'options.extras_require') return 'optional';
  if (section !== 'options') return undefined;
  return key === 'install_requires' ? 'runtime' : /^(setup|tests)_requires?$/.test(key) ? 'dev' : undefined;
}
