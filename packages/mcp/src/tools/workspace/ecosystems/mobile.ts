// Dart's pubspec.yaml, Swift's Package.swift and Elixir's mix.exs, each with its lock file.
import { map, parseYaml, scalar, type Yaml } from '../read/yaml.ts';
import { type Ecosystem, type Kind, record, text, type Wanted } from './types.ts';

const source = (about: Yaml | undefined): string | null => {
  const table = map(about);
  const git = table.get('git');
  return (
    scalar(table.get('version')) ?? scalar(git) ?? scalar(map(git).get('url')) ?? scalar(table.get('path')) ?? null
  );
};

export const dart: Ecosystem = {
  type: 'dart',
  names: /^pubspec\.yaml$/,
  async read(manifest) {
    const pubspec = map(parseYaml(manifest.text));
    const lock = await manifest.above('pubspec.lock', (each) => map(map(parseYaml(each)).get('packages')));
    const section = (key: string, kind: Kind): Wanted[] =>
      [...map(pubspec.get(key))].map(([name, about]) => ({
        name,
        wanted: scalar(about) ?? source(about),
        locked: scalar(map(lock?.value.get(name)).get('version')) ?? null,
        kind,
      }));
    return [...section('dependencies', 'runtime'), ...section('dev_dependencies', 'dev')];
  },
};

export const swift: Ecosystem = {
  type: 'swift',
  names: /^Package\.swift$/,
  async read(manifest) {
    const lock = await manifest.above('Package.resolved', (each) => {
      const json = record(JSON.parse(each));
      const pins = [json['pins'] ?? record(json['object'])['pins']].flat().map(record);
      return new Map(
        pins.map((pin) => {
          const state = record(pin['state']);
          const name = (text(pin['identity']) ?? text(pin['package']) ?? '').toLowerCase();
          return [name, text(state['version']) ?? text(state['revision']) ?? null];
        }),
      );
    });
    const calls = manifest.text
      .replaceAll(/(^|[^:])\/\/[^\n]*/g, '$1')
      .matchAll(
        /\.package\(\s*(?:name:\s*"[^"]*"\s*,\s*)?(url|path|id):\s*"([^"]+)"\s*(?:,\s*([^)]{0,300}\)?[^)\n]{0,300}))?/g,
      );
    return [...calls].map(([, sort, place = '', rest = '']): Wanted => {
      const name = (place.split('/').at(-1) ?? place).replace(/\.git$/, '');
      const range =
        /(?:from|exact|branch|revision):\s*"([^"]+)"/.exec(rest)?.[0] ?? /"[^"]+"\s*\.\.[.<]\s*"[^"]+"/.exec(rest)?.[0];
      return {
        name,
        wanted: sort === 'path' ? place : (range ?? null),
        locked: lock?.value.get(name.toLowerCase()) ?? null,
        kind: 'runtime',
      };
    });
  },
};

export const elixir: Ecosystem = {
  type: 'mix',
  names: /^mix\.exs$/,
  async read(manifest) {
    const lock = await manifest.above('mix.lock', (each) => {
      const lines = [...each.matchAll(/^\s*"([^"]+)":\s*\{:hex,\s*:\w+,\s*"([^"]+)"/gm)];
      return new Map(lines.map(([, name = '', version = '']) => [name, version]));
    });
    const body = /\bdefp?\s+deps\b([\s\S]{0,20000}?)\n[ \t]{0,4}end\b/.exec(manifest.text)?.[1];
    if (body === undefined) {
      manifest.unread('a deps function');
      return [];
    }
    const entries = body
      .replaceAll(/(^|\s)#[^\n]*/g, '$1')
      .matchAll(/\{\s*:(\w+)\s*(?:,\s*"([^"]{0,200})")?([^{}]{0,1000})\}/g);
    return [...entries].map(([, name = '', range, rest = '']): Wanted => {
      const place = /(?:github|git|path):\s*"([^"]+)"/.exec(rest)?.[1];
      const only = /only:\s*(\[[^\]]*\]|:\w+)/.exec(rest)?.[1];
      const dev = only !== undefined && !only.includes(':prod');
      const kind: Kind = dev ? 'dev' : /optional:\s*true/.test(rest) ? 'optional' : 'runtime';
      return { name, wanted: range ?? place ?? null, locked: lock?.value.get(name) ?? null, kind };
    });
  },
};
