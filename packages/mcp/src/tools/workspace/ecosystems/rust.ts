// Cargo.toml, with what it inherits from its workspace, and Cargo.lock.
import {
  add,
  type Ecosystem,
  type Kind,
  type Manifest,
  record,
  settled,
  Skip,
  text,
  texts,
  type Wanted,
} from './types.ts';

async function toml(given: string): Promise<Record<string, unknown>> {
  const { parse } = await import('smol-toml');
  return record(parse(given));
}

const SECTIONS: readonly (readonly [key: string, kind: Kind])[] = [
  ['dependencies', 'runtime'],
  ['dev-dependencies', 'dev'],
  ['build-dependencies', 'dev'],
];

export const rust: Ecosystem = {
  type: 'cargo',
  names: /^Cargo\.toml$/,
  async read(manifest) {
    const own = await toml(manifest.text);
    const lock = await manifest.above('Cargo.lock', async (each) => {
      const versions = new Map<string, string[]>();
      for (const entry of [(await toml(each))['package']].flat()) {
        const { name, version } = record(entry);
        if (typeof name === 'string' && typeof version === 'string') add(versions, name, version);
      }
      return versions;
    });
    const shared = await inherited(manifest, own);
    const found: Wanted[] = [];
    for (const part of [own, ...Object.values(record(own['target'])).map(record)]) {
      for (const [section, kind] of SECTIONS) {
        for (const [key, given] of Object.entries(record(part[section]))) {
          const about = record(given);
          const from = about['workspace'] === true ? shared[key] : given;
          const source = record(from);
          // A dependency may go by another name here than where it comes from.
          const name = text(source['package']) ?? text(about['package']) ?? key;
          const wanted = text(from) ?? text(source['version']) ?? text(source['git']) ?? text(source['path']) ?? null;
          const optional = about['optional'] === true && kind === 'runtime';
          found.push({
            name,
            wanted,
            locked: settled(lock?.value.get(name), wanted),
            kind: optional ? 'optional' : kind,
          });
        }
      }
    }
    return found;
  },
  async members({ text: given }) {
    return texts(record((await toml(given))['workspace'])['members']);
  },
};

/** `[workspace.dependencies]` of this manifest, or of the nearest one above that has a workspace. */
async function inherited(manifest: Manifest, own: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (Object.hasOwn(own, 'workspace')) return record(record(own['workspace'])['dependencies']);
  const above = await manifest.above('Cargo.toml', async (each) => {
    // The nearest one is this very manifest, so what is asked for is a workspace.
    const parsed = await toml(each);
    if (!Object.hasOwn(parsed, 'workspace')) throw new Skip();
    return record(record(parsed['workspace'])['dependencies']);
  });
  return above?.value ?? {};
}
