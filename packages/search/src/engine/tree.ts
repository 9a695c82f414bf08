// Trees for the tests of this folder, and what a search of them must find. Not part of the engine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Found, Hit } from '../types.ts';

export interface TestTree {
  readonly root: string;
  /** for the index */
  readonly cache: string;
  write(name: string, content: string | Uint8Array): void;
  remove(name: string): void;
  end(): void;
}

export function makeTree(files: Readonly<Record<string, string | Uint8Array>> = {}): TestTree {
  const home = mkdtempSync(path.join(tmpdir(), 'search-engine-'));
  const root = path.join(home, 'tree');
  const tree: TestTree = {
    root,
    cache: path.join(home, 'cache'),
    write(name, content) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    remove: (name) => rmSync(path.join(root, name), { recursive: true, force: true }),
    end: () => rmSync(home, { recursive: true, force: true }),
  };
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) tree.write(name, content);
  return tree;
}

/** All hits of a list, read in pages of `limit`. */
export async function allHits(found: Found, limit = 1000, context = 0): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page = await found.page({ offset, limit, context });
    hits.push(...page.hits);
    offset = page.next;
  }
  return hits;
}

/** `path:line:text` of every hit, in the order of the list. */
export async function listing(found: Found, root: string): Promise<string[]> {
  return (await allHits(found)).map((hit) => `${path.relative(root, hit.file)}:${hit.line}:${hit.text}`);
}

/** Words of which random files and patterns are made. */
export const WORDS = [
  'alpha',
  'beta',
  'gamma',
  'Delta',
  'ALPHA',
  'x',
  'xy',
  'Jürgen',
  'straße',
  'K',
  'foo_bar',
  '(',
  '=',
];

/** A text of `lines` random lines. */
export function randomText(random: (below: number) => number, lines: number): string {
  let text = '';
  for (let line = 0; line < lines; line++) {
    const words = Array.from({ length: random(8) }, () => WORDS[random(WORDS.length)]!);
    text += words.join(random(3) === 0 ? '' : ' ') + (random(10) === 0 ? '\r\n' : '\n');
  }
  return random(4) === 0 ? text.slice(0, -1) : text;
}
