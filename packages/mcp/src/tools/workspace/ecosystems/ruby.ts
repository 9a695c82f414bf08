// Ruby: Gemfile and gemspec, read as far as they are plain, and Gemfile.lock.
import type { Ecosystem, Kind, Manifest, Wanted } from './types.ts';

type Locked = (name: string) => string | null;

async function lockOf(manifest: Manifest): Promise<Locked> {
  const lock = await manifest.above('Gemfile.lock', (each) => {
    const lines = [...each.matchAll(/^ {4}([^\s(]+) \(([^)]+)\)$/gm)];
    return new Map(lines.map(([, name = '', version = '']) => [name, version]));
  });
  return (name) => lock?.value.get(name) ?? null;
}

/** Quoted words right after each other: the requirements behind a name. */
function ranges(rest: string): string | null {
  const found = /^(?:\s*,\s*\[?\s*["'][^"']+["']\s*\]?)+/.exec(rest)?.[0] ?? '';
  const words = [...found.matchAll(/["']([^"']+)["']/g)].map(([, word = '']) => word);
  return words.length > 0 ? words.join(', ') : null;
}

const DEV = /\b(?:development|test|lint|doc|ci)\b/;

export const gemfile: Ecosystem = {
  type: 'bundler',
  names: /^(?:Gemfile|gems\.rb)$/,
  async read(manifest) {
    const locked = await lockOf(manifest);
    const found: Wanted[] = [];
    // The kinds of the blocks that are open; a block that is no group keeps what is around it.
    const blocks: Kind[] = [];
    let open = 0;
    for (const raw of manifest.text.split(/\r?\n/)) {
      const line = raw.replace(/(^|\s)#.*$/, '').trim();
      const around = blocks.at(-1) ?? 'runtime';
      const group = /^group\b(.*)\bdo\b/.exec(line)?.[1];
      if (group !== undefined) blocks.push(DEV.test(group) ? 'dev' : around);
      else if (/\bdo\b(\s*\|[^|]*\|)?$|^(if|unless|case|begin)\b/.test(line)) blocks.push(around);
      else if (/^end\b/.test(line)) blocks.pop();
      const [, name, rest = ''] = /^gem[\s(]+["']([^"']+)["'](.*)$/.exec(line) ?? [];
      if (name === undefined) {
        if (/^(gem\b|eval_gemfile\b|gemspec\b)/.test(line) && !line.startsWith('gemspec')) open++;
        continue;
      }
      const own = /\bgroups?:\s*(.*)$|:groups?\s*=>\s*(.*)$/.exec(rest);
      const kind = own && DEV.test(own[1] ?? own[2] ?? '') ? 'dev' : around;
      found.push({ name, wanted: ranges(rest), locked: locked(name), kind });
    }
    if (open > 0) manifest.unread(`${open} lines whose gem is computed or lies in another file`);
    return found;
  },
};

export const gemspec: Ecosystem = {
  type: 'gemspec',
  names: /\.gemspec$/,
  async read(manifest) {
    const locked = await lockOf(manifest);
    const lines = manifest.text.matchAll(/\.add_(runtime_|development_)?dependency[\s(]+["']([^"']+)["']([^\n]*)/g);
    return [...lines].map(([, sort, name = '', rest = '']): Wanted => {
      return { name, wanted: ranges(rest), locked: locked(name), kind: sort === 'development_' ? 'dev' : 'runtime' };
    });
  },
};
