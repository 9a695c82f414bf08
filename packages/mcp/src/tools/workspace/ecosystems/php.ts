// composer.json and composer.lock.
import { type Ecosystem, type Kind, record, text, type Wanted } from './types.ts';

export const php: Ecosystem = {
  type: 'composer',
  names: /^composer\.json$/,
  async read(manifest) {
    const json = record(JSON.parse(manifest.text));
    const lock = await manifest.above('composer.lock', (each) => {
      const parsed = record(JSON.parse(each));
      const packages = [parsed['packages'], parsed['packages-dev']].flat().map(record);
      return new Map(packages.map((one) => [text(one['name']) ?? '', text(one['version']) ?? null]));
    });
    const section = (key: string, kind: Kind): Wanted[] =>
      Object.entries(record(json[key])).map(([name, range]) => ({
        name,
        wanted: text(range) ?? null,
        locked: lock?.value.get(name) ?? null,
        kind,
      }));
    return [...section('require', 'runtime'), ...section('require-dev', 'dev')];
  },
};
