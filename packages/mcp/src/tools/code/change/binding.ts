// Which declarations of its file a bare name means, as the language's own rules of scope have it: what renaming must not miss.
import { declarationsNamed } from '../../../lib/syntax/declarations.ts';
import {
  type Declaration,
  type Identifier,
  identifiersOf,
  type LanguageId,
  type Parsed,
} from '../../../lib/syntax/index.ts';
import { rowOf } from '../../../lib/syntax/languages/index.ts';

/** All declarations of one variable, function or type: overloads, and in many languages every assignment. */
export interface Binding {
  readonly declarations: readonly Declaration[];
  /** where the name means it */
  readonly start: number;
  readonly end: number;
}

export const isScript = (language: LanguageId): boolean =>
  language === 'typescript' || language === 'tsx' || language === 'javascript';

/** Languages in which a local is not seen before its declaration. */
const SEQUENTIAL: ReadonlySet<LanguageId> = new Set(['go', 'rust', 'c', 'cpp', 'java', 'csharp'] as const);

const isVariable = ({ local, kind }: Declaration): boolean => local && (kind === 'variable' || kind === 'constant');

/** The binding a bare name means at an index; nothing if the file declares it nowhere around. */
export function bindingAt(parsed: Parsed, name: string, index: number): Binding | undefined {
  return resolve(parsed, name, index, declarationsNamed(parsed, name));
}

/** The binding a declaration is part of. */
export function bindingOf(parsed: Parsed, declaration: Declaration): Binding {
  const { name, scopeStart: start, scopeEnd: end } = declaration;
  if (declaration.member && !bareMember(parsed, declaration)) {
    const same = declarationsNamed(parsed, name).filter(
      (each) => each.member && each.scopeStart === start && each.scopeEnd === end,
    );
    return { declarations: same, start, end };
  }
  return bindingAt(parsed, name, declaration.nameStart) ?? { declarations: [declaration], start, end };
}

const bareMember = ({ language }: Parsed, { kind }: Declaration): boolean =>
  kind !== 'constructor' && rowOf(language).bareMembers === true;

function resolve(parsed: Parsed, name: string, index: number, all: readonly Declaration[]): Binding | undefined {
  const { language } = parsed;
  const members = rowOf(language).bareMembers === true;
  let best: Declaration[] = [];
  let size = Infinity;
  for (const each of all) {
    if (each.kind === 'constructor' || (each.member && !members)) continue;
    if (index < each.scopeStart || index > each.scopeEnd) continue;
    if (SEQUENTIAL.has(language) && isVariable(each) && !seen(language, each, index)) continue;
    const extent = each.scopeEnd - each.scopeStart;
    if (extent > size) continue;
    if (extent < size) best = [];
    size = extent;
    best.push(each);
  }
  const [first] = best;
  if (!first) return undefined;
  if (language === 'python' && first.local && disowned(parsed, name, first)) {
    const outer = all.filter((each) => each.scopeEnd - each.scopeStart > size);
    return resolve(parsed, name, index, outer);
  }
  if (language === 'rust' && best.every(isVariable)) {
    // each `let` is a variable of its own; the alternatives of one pattern are one
    const last = best.findLast(({ nameStart }) => nameStart <= index) as Declaration;
    best = best.filter(({ startIndex, endIndex }) => startIndex === last.startIndex && endIndex === last.endIndex);
  }
  return { declarations: best, start: first.scopeStart, end: first.scopeEnd };
}

/** Whether a local is there yet: behind its name, and in Go and Rust behind the value that it is given. */
function seen(language: LanguageId, each: Declaration, index: number): boolean {
  if (index < each.nameStart) return false;
  if (index <= each.nameEnd || (language !== 'go' && language !== 'rust')) return true;
  return index >= each.endIndex || !/^(let_declaration|short_var_declaration|var_spec|const_spec)$/.test(each.node);
}

/** Python's `global x` and `nonlocal x`: the name is not of the function it is assigned in. */
function disowned(parsed: Parsed, name: string, { scopeStart, scopeEnd }: Declaration): boolean {
  if (!/\b(?:global|nonlocal)\b/.test(parsed.text.slice(scopeStart, scopeEnd))) return false;
  return placesOf(parsed, name).some(
    ({ startIndex, parents }) =>
      startIndex >= scopeStart &&
      startIndex <= scopeEnd &&
      (parents[0] === 'global_statement' || parents[0] === 'nonlocal_statement'),
  );
}

const kept = new WeakMap<Parsed, Map<string, readonly Identifier[]>>();

/** Every place of a name, found once for each text. */
export function placesOf(parsed: Parsed, name: string): readonly Identifier[] {
  const names = kept.get(parsed) ?? new Map<string, readonly Identifier[]>();
  kept.set(parsed, names);
  let places = names.get(name);
  if (!places) names.set(name, (places = identifiersOf(parsed, name)));
  return places;
}

/** Nodes that are a name with what it belongs to before it, where types stand. */
const QUALIFIED =
  /^(nested_type_identifier|scoped_type_identifier|qualified_type|qualified_identifier|qualified_name|nested_identifier)$/;

/** Whether a place is the bare name: not behind a dot, no key, no part of an import, no outer name of an export. */
export function isBare(place: Identifier): boolean {
  const { role, parents, field } = place;
  if (role === 'key' || role === 'import' || isMember(place)) return false;
  return !(parents[0] === 'export_specifier' && field === 'alias');
}

/** Whether it stands behind what it belongs to. */
export const isMember = ({ role, parents, field, declaration }: Identifier): boolean =>
  role === 'property' || (!declaration && QUALIFIED.test(parents[0] ?? '') && isLast(parents[0] ?? '', field));

const isLast = (kind: string, field: string | undefined): boolean =>
  field === 'name' || (kind === 'nested_identifier' && field === 'property');

export const sameBinding = (a: Binding | undefined, b: Binding | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.declarations.some(({ nameStart }) => b.declarations.some((each) => each.nameStart === nameStart));

/** Whether a name at a place is a key as well, so that renaming must write out both. */
export const isShorthand = ({ shorthand, parents, node }: Identifier): boolean =>
  shorthand || parents[0] === 'shorthand_field_initializer' || node === 'shorthand_field_identifier';
