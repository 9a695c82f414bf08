// From an alias as imports have it (`@/components/ui`) to the folder it stands for, by the project's own settings.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseJsonc } from '../../../lib/jsonc.ts';
import { within } from '../../../lib/path.ts';

export interface Aliases {
  /** the folder below the root, or undefined where nothing tells it or it lies outside */
  folder(alias: string): string | undefined;
  readonly notes: readonly string[];
}

/** Files that hold `compilerOptions.paths`, as the usual templates have them; `extends` is not followed. */
const CONFIGS = ['tsconfig.json', 'tsconfig.app.json', 'jsconfig.json'];
const MOST_BYTES = 1024 * 1024;

/** Reads what says where aliases lead: `paths` of tsconfig.json and its kind, and `imports` of package.json. */
export async function readAliases(root: string): Promise<Aliases> {
  const rules: (readonly [pattern: string, base: string])[] = [];
  const notes: string[] = [];
  for (const name of CONFIGS) {
    const options = record(record(await readObject(path.join(root, name), notes))['compilerOptions']);
    const base = typeof options['baseUrl'] === 'string' ? options['baseUrl'] : '.';
    for (const [pattern, targets] of Object.entries(record(options['paths']))) {
      const first: unknown = Array.isArray(targets) ? targets[0] : undefined;
      if (typeof first === 'string') rules.push([pattern, path.posix.join(base, first)]);
    }
  }
  for (const [pattern, target] of Object.entries(
    record(record(await readObject(path.join(root, 'package.json'), notes))['imports']),
  )) {
    if (typeof target === 'string') rules.push([pattern, target]);
  }
  const source = (await stat(path.join(root, 'src')).catch(() => undefined))?.isDirectory() ? 'src' : '.';
  return {
    notes,
    folder(alias) {
      const below = rules.map(([pattern, target]) => apply(pattern, target, alias)).find((each) => each !== undefined);
      const usual = /^[@~]\//.test(alias) ? path.posix.join(source, alias.slice(2)) : undefined;
      // A name without a prefix is a folder; one that begins like a package is somebody else's.
      const plain = /^(\.{0,2}\/|[A-Za-z0-9_])/.test(alias) && !path.isAbsolute(alias) ? alias : undefined;
      const chosen = below ?? usual ?? plain;
      if (chosen === undefined || chosen.includes('\0')) return undefined;
      const folder = path.resolve(root, chosen);
      return folder !== root && within(folder, root) ? folder : undefined;
    },
  };
}

function apply(pattern: string, target: string, alias: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern === alias ? target : undefined;
  const [head, tail] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (!alias.startsWith(head) || !alias.endsWith(tail) || alias.length < head.length + tail.length) return undefined;
  const middle = alias.slice(head.length, alias.length - tail.length);
  // As a function: the text of an alias is no template.
  return target.replace('*', () => middle);
}

async function readObject(file: string, notes: string[]): Promise<unknown> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size > MOST_BYTES) return undefined;
  try {
    return parseJsonc(await readFile(file, 'utf8'));
  } catch {
    notes.push(`${path.basename(file)} is not JSON and says nothing of aliases`);
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
