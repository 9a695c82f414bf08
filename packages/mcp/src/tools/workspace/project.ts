// The manifests of a project and of what lies below it: found by a bounded walk, each read by its ecosystem.
import { type Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { shorten } from '@hanzo/tool';
import type { Ctx } from '../../local.ts';
import { ecosystemOf } from './ecosystems/index.ts';
import { type Ecosystem, type Manifest, Skip, type Wanted } from './ecosystems/types.ts';
import { boundedText } from './read/text.ts';

/** How far below a folder manifests are looked for, and in how many folders. */
const MOST_DEPTH = 6;
const MOST_FOLDERS = 4000;
const MOST_MANIFESTS = 1000;

/** Folders of what others made, of results, and of what tests are fed with. */
const PASSED_BY =
  /^(\..*|node_modules|bower_components|vendor|third_party|target|dist|build|out|bin|obj|deps|_build|Pods|site-packages|__pycache__|venv|env|coverage|fixtures|__fixtures__|testdata)$/;

/** Most bytes of a manifest, and of a lock file. */
const MANIFEST_BYTES = 512 * 1024;
const LOCK_BYTES = 32 * 1024 * 1024;

export interface FoundManifest {
  readonly folder: string;
  readonly file: string;
  readonly ecosystem: Ecosystem;
}

/** The manifests in a folder and below it, nearer ones first; `partial` where the walk stopped before its end. */
export async function findManifests(
  start: string,
  signal: AbortSignal,
): Promise<{ manifests: FoundManifest[]; partial: boolean }> {
  const manifests: FoundManifest[] = [];
  const waiting: { folder: string; depth: number }[] = [{ folder: start, depth: 0 }];
  let folders = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    signal.throwIfAborted();
    if (++folders > MOST_FOLDERS || manifests.length > MOST_MANIFESTS) {
      return { manifests: manifests.slice(0, MOST_MANIFESTS), partial: true };
    }
    const { folder, depth } = next;
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const ecosystem = entry.isDirectory() ? undefined : ecosystemOf(entry.name);
      if (ecosystem) manifests.push({ folder, file: entry.name, ecosystem });
      // Links are not followed, so the walk cannot go round.
      if (entry.isDirectory() && depth < MOST_DEPTH && !PASSED_BY.test(entry.name)) {
        waiting.push({ folder: path.join(folder, entry.name), depth: depth + 1 });
      }
    }
  }
  return { manifests, partial: false };
}

export interface ReadManifest {
  /** relative to the root */
  readonly file: string;
  readonly type: string;
  readonly dependencies: readonly Wanted[];
  readonly members: readonly string[];
}

export interface Problem {
  readonly file: string;
  readonly message: string;
}

/** Reads manifests one after the other; what is broken is a problem and hides nothing else. */
export class Reader {
  readonly problems: Problem[] = [];
  readonly #ctx: Ctx;
  readonly #root: string;
  readonly #parsed = new Map<string, unknown>();
  readonly #broken = new Set<string>();

  constructor(ctx: Ctx, root: string) {
    this.#ctx = ctx;
    this.#root = root;
  }

  async read({ folder, file, ecosystem }: FoundManifest): Promise<ReadManifest> {
    const place = path.join(folder, file);
    const name = this.#name(place);
    const read = { file: name, type: ecosystem.type };
    try {
      const text = await boundedText(await this.#ctx.env.access.read(place), MANIFEST_BYTES);
      const manifest: Manifest = {
        folder,
        file,
        text,
        above: (wanted, parse) => this.#above(ecosystem.type, folder, wanted, parse),
        unread: (what) => this.#say(place, `not read: ${what}`),
      };
      const dependencies = await ecosystem.read(manifest);
      const members = (await ecosystem.members?.(manifest)) ?? [];
      return { ...read, dependencies, members };
    } catch (error) {
      this.#ctx.signal.throwIfAborted();
      this.#say(place, (error as Error).message);
      return { ...read, dependencies: [], members: [] };
    }
  }

  /** The nearest file of that name from `folder` up to the root. */
  async #above<T>(
    type: string,
    folder: string,
    name: string,
    parse: (text: string) => T | Promise<T>,
  ): Promise<{ folder: string; value: T } | undefined> {
    for (let at = folder; ; at = path.dirname(at)) {
      const place = path.join(at, name);
      const key = `${type} ${place}`;
      // What is kept under a type and a place was made by the one parser that the type has for that name.
      if (this.#parsed.has(key)) return { folder: at, value: this.#parsed.get(key) as T };
      if (!this.#broken.has(key) && (await stat(place).catch(() => undefined))?.isFile()) {
        try {
          const value = await parse(await boundedText(await this.#ctx.env.access.read(place), LOCK_BYTES));
          this.#parsed.set(key, value);
          return { folder: at, value };
        } catch (error) {
          if (!(error instanceof Skip)) {
            this.#broken.add(key);
            this.#say(place, (error as Error).message);
            return undefined;
          }
        }
      }
      if (at === this.#root || at === path.dirname(at)) return undefined;
    }
  }

  #say(place: string, message: string): void {
    const one = { file: this.#name(place), message: shorten(message.split('\n')[0] ?? '', 200) };
    const same = ({ file, message: said }: Problem): boolean => file === one.file && said === one.message;
    if (!this.problems.some(same)) this.problems.push(one);
  }

  #name(place: string): string {
    return path.relative(this.#root, place);
  }
}
