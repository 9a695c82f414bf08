// Names that come from another file: imports and members, followed as far as their text tells.
import {
  type Declaration,
  declarationsOf,
  type Files,
  type Identifier,
  type Import,
  type ImportedName,
  importsOf,
  membersAround,
  type Parsed,
  resolveIn,
  resolveModule,
} from '../../lib/syntax/index.ts';
import type { Ctx } from '../../local.ts';
import { filesOf } from './files.ts';
import type { Budget } from './project.ts';
import { sourceAt } from './project.ts';
import { parsing, type Source } from './source.ts';

/** Files that are passed through on the way of one name. */
const HOPS = 12;

/** A place that a name leads to; without a declaration it is a whole module. */
export interface Target {
  readonly file: string;
  readonly declaration?: Declaration;
  /** its line */
  readonly text: string;
}

export interface Followed {
  readonly targets: readonly Target[];
  readonly by: string;
  readonly note?: string;
}

/** What a name that its own scopes do not declare leads to; undefined where nothing tells. */
export async function follow(
  ctx: Ctx,
  source: Source,
  parsed: Parsed,
  name: string,
  place: Identifier | undefined,
  budget: Budget,
): Promise<Followed | undefined> {
  if (source.file === undefined) return undefined;
  const walk: Walk = { ctx, budget, seen: new Set(), files: filesOf(ctx), depth: 0 };
  if (place && (place.role === 'property' || place.role === 'key')) {
    return member(walk, source, parsed, name, place);
  }
  const bound = boundBy(parsed, name, place);
  if (!bound) return imported(walk, source, parsed, name);
  const targets = await through(walk, source, bound.spec, bound.name.name);
  if (targets.length > 0) return { targets, by: 'import' };
  const { spec } = bound;
  const text = parsed.lines.text(spec.line);
  const at = stub(parsed, name, bound.name, spec);
  return {
    targets: [{ file: source.file, declaration: at, text }],
    by: 'import',
    note: `imported from '${spec.module}', which is not a file of this project`,
  };
}

interface Walk {
  readonly ctx: Ctx;
  readonly budget: Budget;
  readonly seen: Set<string>;
  readonly depth: number;
  readonly files: Files;
}

interface Bound {
  readonly spec: Import;
  readonly name: ImportedName;
}

/** The import that brings a name, or whose own name of it stands at a place. */
function boundBy(parsed: Parsed, name: string, place?: Identifier): Bound | undefined {
  for (const spec of importsOf(parsed)) {
    const inside = place && place.startIndex >= spec.startIndex && place.endIndex <= spec.endIndex;
    for (const each of spec.names) {
      if (each.local === name || (inside && lastPart(each.name) === name)) return { spec, name: each };
    }
  }
  return undefined;
}

const lastPart = (name: string): string => name.split(/::|[.\\]/).at(-1) ?? name;

/** Names that come by an import of everything: `export *`, `from x import *`, `#include`, `require`. */
async function imported(walk: Walk, source: Source, parsed: Parsed, name: string): Promise<Followed | undefined> {
  for (const spec of importsOf(parsed)) {
    if (!bringsAll(spec)) continue;
    const targets = await through(walk, source, spec, name, true);
    if (targets.length > 0) return { targets, by: 'import' };
  }
  return undefined;
}

const bringsAll = ({ names, form }: Import): boolean =>
  (names.length === 0 &&
    /^(export|include|source|require|require_relative|require_once|include_once|load)/.test(form)) ||
  form === 'from *' ||
  names.some(({ local }) => local === '*');

/** What a name means in the module of an import. */
async function through(walk: Walk, source: Source, spec: Import, name: string, all = false): Promise<Target[]> {
  const targets: Target[] = [];
  const wanted = source.language === 'rust' ? lastPart(name) : name;
  for (const { module, submodule } of modulesOf(source, spec, name, all)) {
    const found = await resolveModule(walk.files, source.file ?? '', source.language, module);
    for (const file of found) {
      if (submodule || (name === '*' && source.language !== 'go')) return [{ file, text: '' }];
      targets.push(...(await declaredIn(walk, file, wanted)));
    }
    if (targets.length > 0) break;
  }
  return targets;
}

/** The modules in which a name may be found, in the order they are tried. */
function modulesOf(
  source: Source,
  spec: Import,
  name: string,
  all: boolean,
): { module: string; submodule?: boolean }[] {
  switch (source.language) {
    case 'rust':
      if (spec.form === 'mod') return [{ module: `mod ${spec.module}`, submodule: name === '*' }];
      if (!all) return [{ module: name }];
      return spec.names
        .filter(({ local }) => local === '*')
        .map((each) => ({ module: each.name.replace(/::\*$/, '') }));
    case 'python':
      // `import a.b` names a module; `from a import b` a name in one, or a module below it
      if (spec.form === 'import') return [{ module: name === '*' ? spec.module : name, submodule: true }];
      return [
        { module: spec.module },
        { module: `${spec.module}${spec.module.endsWith('.') ? '' : '.'}${name}`, submodule: true },
      ];
    default:
      return [{ module: spec.module }];
  }
}

/** Declarations of a name in a file that others see; else what the file passes on. */
async function declaredIn(walk: Walk, file: string, name: string): Promise<Target[]> {
  const key = `${file}\0${name}`;
  if (walk.seen.has(key) || walk.depth >= HOPS || walk.budget.spent) return [];
  walk.seen.add(key);
  const next = { ...walk, depth: walk.depth + 1 };
  const source = await sourceAt(walk.ctx, file);
  if (!source) return [];
  return parsing(walk.ctx, source, async (parsed) => {
    const own = declarationsOf(parsed).filter((each) => !each.local && !each.member && each.name === name);
    const seen = own.some(({ exported }) => exported) ? own.filter(({ exported }) => exported) : own;
    const chosen = name === 'default' ? defaultOf(parsed) : seen;
    if (chosen.length > 0) {
      return chosen.map((declaration) => ({ file, declaration, text: parsed.lines.text(declaration.line) }));
    }
    const bound = boundBy(parsed, name);
    if (bound) return through(next, source, bound.spec, bound.name.name);
    for (const spec of importsOf(parsed)) {
      if (!bringsAll(spec) || name === 'default') continue;
      const found = await through(next, source, spec, name, true);
      if (found.length > 0) return found;
    }
    return [];
  });
}

/** What a script exports as its default. */
function defaultOf(parsed: Parsed): Declaration[] {
  const all = declarationsOf(parsed);
  const here = all.filter(({ startIndex }) => parsed.text.startsWith('export default', startIndex));
  if (here.length > 0) return here.slice(0, 1);
  const [, name] = /^(?:export default|module\.exports =)[ \t]+([\p{L}\p{N}_$]+)/mu.exec(parsed.text) ?? [];
  return all.filter((each) => !each.local && !each.member && each.name === name);
}

/** A member of what stands before it. */
async function member(
  walk: Walk,
  source: Source,
  parsed: Parsed,
  name: string,
  place: Identifier,
): Promise<Followed | undefined> {
  const file = source.file ?? '';
  const here = (found: readonly Declaration[]): Target[] =>
    found.map((declaration) => ({ file, declaration, text: parsed.lines.text(declaration.line) }));
  const object = objectOf(parsed, place);
  if (object === undefined || /^(this|self|super|cls|\$this|Self)$/.test(object) || source.language === 'ruby') {
    const own = membersAround(parsed, name, place.startIndex);
    if (own.length > 0) return { targets: here(own), by: 'scope' };
  }
  if (object === undefined) return undefined;
  const bound = boundBy(parsed, object);
  if (bound) {
    const inside = await memberOf(walk, source, bound, name);
    if (inside.length > 0) return { targets: inside, by: 'import' };
  }
  const [holder] = resolveIn(parsed, object, place.startIndex);
  if (!holder) return undefined;
  const members = declarationsOf(parsed).filter(
    (each) =>
      each.name === name &&
      (each.parent === object ||
        (each.startIndex >= holder.startIndex && each.endIndex <= holder.endIndex && each.parent === holder.name)),
  );
  if (members.length > 0) return { targets: here(members), by: 'scope' };
  for (const type of wordsOf(holder)) {
    const own = declarationsOf(parsed).filter((each) => each.name === name && each.parent === type);
    if (own.length > 0) return { targets: here(own), by: 'type' };
    const brought = boundBy(parsed, type);
    const inside = brought ? await memberOf(walk, source, brought, name) : [];
    if (inside.length > 0) return { targets: inside, by: 'type' };
  }
  return undefined;
}

/** Names in a declaration that may be its type: those of its annotation, or of what it is made of (`new Box()`). */
function wordsOf({ signature, name }: Declaration): string[] {
  const words = signature.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return [...new Set(words)].filter((word) => word !== name).slice(0, 20);
}

/** A member of what an import brings: a name of the module it is, or of the type. */
async function memberOf(walk: Walk, source: Source, { spec, name: bound }: Bound, name: string): Promise<Target[]> {
  if (source.language === 'go') return through(walk, source, spec, name);
  const leads = await through(walk, source, spec, bound.name);
  const found = leads.map(({ file, declaration }) =>
    declaration ? membersIn(walk, file, declaration.name, name) : declaredIn(walk, file, name),
  );
  return (await Promise.all(found)).flat();
}

/** Members of a type in the file that declares it. */
async function membersIn(walk: Walk, file: string, type: string, name: string): Promise<Target[]> {
  const source = await sourceAt(walk.ctx, file);
  if (!source) return [];
  return parsing(walk.ctx, source, (parsed) =>
    declarationsOf(parsed)
      .filter((each) => each.name === name && each.parent === type)
      .map((declaration) => ({ file, declaration, text: parsed.lines.text(declaration.line) })),
  );
}

/** The name before a member: `a` of `a.b`, `a::b`, `x.a.b`; nothing where there is none. */
function objectOf({ text }: Parsed, { startIndex }: Identifier): string | undefined {
  const before = text.slice(Math.max(0, startIndex - 500), startIndex);
  return /([\p{L}\p{N}_$]+)\s*(?:\?\.|!?\.|::|->|\?->)\s*$/u.exec(before)?.[1];
}

/** The import itself, where what it brings is not of the project. */
function stub(parsed: Parsed, name: string, at: ImportedName, spec: Import): Declaration {
  return {
    name,
    kind: 'variable',
    line: spec.line,
    endLine: spec.line,
    startIndex: spec.startIndex,
    endIndex: spec.endIndex,
    nameStart: at.start,
    nameEnd: at.end,
    exported: false,
    signature: parsed.lines.text(spec.line, 200).trim(),
    local: false,
    member: false,
    scopeStart: 0,
    scopeEnd: parsed.text.length,
    depth: 0,
    shorthand: false,
    node: 'import',
  };
}
