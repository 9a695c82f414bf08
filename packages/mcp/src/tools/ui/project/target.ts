// Where a file of an item goes, and what its imports become there. Rules are those of the format's own command line.
import path from 'node:path';
import { shorten, ToolError } from '@hanzo/tool';
import { within } from '../../../lib/path.ts';
import type { ItemFile } from '../registry/schema.ts';
import type { Kind, Project } from './project.ts';

/** Which alias a type of file follows; other types go to `components`. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['registry:ui', 'ui'],
  ['registry:lib', 'lib'],
  ['registry:hook', 'hooks'],
]);

/** Types whose place only the item can tell. */
const PLACED: ReadonlySet<string> = new Set(['registry:file', 'registry:page']);

/** Folders that no component belongs in: what lies there is run, or is somebody else's. */
const CLOSED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** The absolute path a file goes to, inside the project; PERMISSION_DENIED for one that climbs out of it. */
export function targetOf(item: string, file: ItemFile, project: Project): string {
  const refuse = (why: string): ToolError =>
    new ToolError(
      'PERMISSION_DENIED',
      `item '${item}' wants to write '${shorten(file.target || file.path, 200)}', which ${why}; nothing was written`,
      {
        component: item,
        target: shorten(file.target || file.path, 200),
      },
    );
  if (file.target) {
    const below = file.target.startsWith('~/') ? file.target.slice(2) : file.target;
    return confined(project.root, below, project.root, refuse);
  }
  if (PLACED.has(file.type)) throw refuse(`has the type ${file.type} and no target`);
  const folder = project.folder(KINDS.get(file.type) ?? 'components');
  const utils = /^utils(\.[jt]sx?)$/.exec(path.posix.basename(file.path))?.[1];
  // Imports of it become those of the alias `utils`, so that is where it has to be.
  if (file.type === 'registry:lib' && utils) return `${project.folder('utils')}${utils}`;
  return confined(folder, nested(file.path, path.basename(folder)), project.root, refuse);
}

/** The part of a path below the folder it will lie in, where that folder is named in it; else its last name. */
function nested(file: string, folder: string): string {
  const names = file.split('/');
  const at = names.indexOf(folder);
  return at >= 0 && at < names.length - 1 ? names.slice(at + 1).join('/') : (names.at(-1) ?? '');
}

function confined(base: string, below: string, root: string, refuse: (why: string) => ToolError): string {
  if (below.includes('\0') || below.includes('\\')) throw refuse('has a character that no target may have');
  const names = below.split('/');
  if (path.isAbsolute(below) || /^[A-Za-z]:/.test(below)) throw refuse('is absolute');
  if (names.some((name) => name === '..')) throw refuse('climbs out of its folder');
  if (names.some((name) => CLOSED.has(name.toLowerCase()))) throw refuse('is no place for a component');
  const target = path.resolve(base, below);
  if (target === base || below.endsWith('/')) throw refuse('names no file');
  if (!within(target, root)) throw refuse('lies outside the project');
  return target;
}

/** A module's name in an import, an export-from, a dynamic import or a require. */
const MODULE = /(\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'])(@\/[^"'\n]{1,300})\2/g;

/** Folders of a registry's sources, and the alias of each; the first that is named in a path counts. */
const SOURCES: readonly Kind[] = ['ui', 'components', 'lib', 'hooks'];

/** The text with the registry's own imports (`@/registry/<style>/ui/x`, `@/lib/utils`) turned into the project's. */
export function withImports(text: string, { aliases }: Project): string {
  const [prefix = '@'] = aliases.components.split('/');
  const turned = (name: string): string => {
    const source = /^@\/registry\/(.+)$/.exec(name)?.[1]?.split('/');
    if (!source) return name === '@/lib/utils' ? aliases.utils : `${prefix}${name.slice(1)}`;
    for (const [at, each] of source.entries()) {
      const kind = at > 0 ? SOURCES.find((known) => known === each) : undefined;
      if (kind) return [aliases[kind], ...source.slice(at + 1)].join('/');
    }
    return [aliases.components, ...source.slice(1)].join('/');
  };
  return text.replaceAll(
    MODULE,
    (_, before: string, quote: string, name: string) => `${before}${quote}${turned(name)}${quote}`,
  );
}
