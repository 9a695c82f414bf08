// Every place that a rename changes, in the file that declares the symbol and in those that name it; and those it leaves to the caller.
import path from 'node:path';
import { ToolError } from '@hanzo/tool';
import { declarationsNamed } from '../../../lib/syntax/declarations.ts';
import { type Identifier, importsOf, type Parsed, resolveModule } from '../../../lib/syntax/index.ts';
import { toUri } from '../../../lib/path.ts';
import { listOf } from '../../../lib/search/ask.ts';
import { rootOf } from '../../../lib/search/roots.ts';
import type { Ctx } from '../../../local.ts';
import { filesOf } from '../files.ts';
import { follow, type Followed } from '../follow.ts';
import type { Budget } from '../project.ts';
import { type Binding, bindingAt, isBare, isMember, isScript, isShorthand, placesOf, sameBinding } from './binding.ts';
import { type Changes, lending, type Origin } from './changes.ts';
import { sourceFrom, type Symbol } from './target.ts';

/** A place that may be the symbol and may be another one: nothing is changed there. */
export interface Doubt {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly why: string;
}

export interface Renaming {
  readonly ctx: Ctx;
  readonly changes: Changes;
  readonly symbol: Symbol;
  readonly to: string;
  readonly budget: Budget;
  readonly doubts: Doubt[];
  readonly notes: string[];
  /** what was found out of places: by file, and by what decides it */
  readonly verdicts: Map<string, boolean | undefined>;
  /** files in which the old name stays because of what is there: they pass it on as it was */
  readonly kept: Set<string>;
}

/** Plans the whole rename. CONFLICT where the new name would come to mean something else, or something else it. */
export async function planRename(renaming: Renaming, oneFile: boolean): Promise<void> {
  const { changes, symbol, ctx } = renaming;
  const origin = await changes.origin(symbol.file);
  const seen = await lending(ctx, origin, (parsed) => inOwnFile(renaming, origin, parsed));
  if (!seen || oneFile) {
    if (seen)
      renaming.notes.push('only this file was changed; rename with uri a directory changes those that import it');
    return;
  }
  const files = await filesWith(ctx, symbol, renaming);
  // a file that keeps the old name is known before those that get it from there
  for (let round = 0, before = -1; before !== renaming.kept.size && round < 5; round++) {
    before = renaming.kept.size;
    for (const file of files) await inOtherFile(renaming, file, true);
  }
  renaming.doubts.length = Math.min(renaming.doubts.length, seen.doubts);
  let done = 0;
  for (const file of files) {
    if (renaming.budget.spent) {
      throw new ToolError(
        'TIMEOUT',
        `${files.length - done} of ${files.length} files that name '${symbol.name}' were not looked at in the time there is; narrow it by uri or pattern`,
      );
    }
    ctx.signal.throwIfAborted();
    await inOtherFile(renaming, file, false);
    ctx.progress({ progress: ++done, total: files.length, message: 'files read' });
  }
}

/** The files of the project that hold the name, as the search engine tells; the symbol's own left out. */
async function filesWith(ctx: Ctx, { file, name }: Symbol, { notes }: Renaming): Promise<string[]> {
  const root = rootOf(path.dirname(file), ctx.env.access.roots());
  const bare = name.replace(/^[#$@]+/, '');
  return ctx.env.indexes.use(root, true, async (index) => {
    const { found } = await listOf(ctx, index, { symbol: { name: bare, path: root, globs: [] } }, false);
    if (found.partial) {
      throw new ToolError('TIMEOUT', 'the search for files that hold the name stopped at its time limit');
    }
    const files = [...new Set(found.files.map((each) => each.file))].filter((each) => each !== file);
    if (files.length > 3000) {
      notes.push(`${files.length} files hold the name`);
    }
    return files;
  });
}

/** The file that declares it. Tells whether other files can name the symbol, and how many doubts there are by then. */
async function inOwnFile(renaming: Renaming, origin: Origin, parsed: Parsed): Promise<{ doubts: number } | undefined> {
  const { symbol, to, ctx, budget } = renaming;
  const { name, declaration } = symbol;
  const binding = again(parsed, symbol);
  collisions(renaming, origin, parsed, binding);
  const places = placesOf(parsed, name);
  const changed: Identifier[] = [];
  const member = declaration.member;
  for (const place of places) {
    const mine = place.declaration
      ? binding.declarations.some(({ nameStart }) => nameStart === place.startIndex) ||
        isConstructor(place, symbol) ||
        // Python's `global x; x = 1` assigns what is declared outside
        (parsed.language === 'python' && sameBinding(bindingAt(parsed, name, place.startIndex), binding))
      : isBare(place)
        ? sameBinding(bindingAt(parsed, name, place.startIndex), binding)
        : false;
    if (mine) {
      changed.push(place);
      continue;
    }
    if (place.declaration) {
      if (member && place.declaration.member)
        doubt(
          renaming,
          origin,
          parsed,
          place,
          `a member of ${place.declaration.parent ?? 'another type'} of that name`,
        );
      continue;
    }
    if (isBare(place)) continue;
    if (member && name.startsWith('#')) {
      if (place.startIndex >= binding.start && place.endIndex <= binding.end) changed.push(place);
      continue;
    }
    if (isMember(place) || (place.role === 'key' && member)) {
      const verdict =
        place.role === 'key'
          ? undefined
          : await once(renaming, keyOf(origin, parsed, place), async () =>
              leads(
                await follow(ctx, sourceFrom(origin), parsed, name, { ...place, role: 'property' }, budget),
                symbol,
              ),
            );
      if (verdict === true) changed.push(place);
      else if (verdict === undefined && member)
        doubt(renaming, origin, parsed, place, 'what it belongs to is not told by the text');
    } else if (place.role === 'key' && declaration.kind === 'parameter' && parsed.language === 'python') {
      doubt(renaming, origin, parsed, place, 'a keyword argument of that name');
    }
  }
  captures(renaming, origin, parsed, binding, changed);
  for (const place of changed) write(renaming, origin, parsed, place, to);
  listedExports(renaming, origin, parsed, binding);
  formatted(renaming, origin, parsed, binding);
  return visible(renaming, parsed, binding) ? { doubts: renaming.doubts.length } : undefined;
}

/** The symbol's binding in a tree of now: places are the same, the tree is another. */
const again = (parsed: Parsed, { name, declaration, binding }: Symbol): Binding => {
  const own = declarationsNamed(parsed, name).filter(({ nameStart }) =>
    binding.declarations.some((each) => each.nameStart === nameStart),
  );
  return own.length > 0 ? { ...binding, declarations: own } : { ...binding, declarations: [declaration] };
};

const isConstructor = ({ declaration }: Identifier, symbol: Symbol): boolean =>
  declaration?.kind === 'constructor' && !symbol.declaration.member && declaration.parent === symbol.name;

/** Whether what a name leads to is the symbol: nothing where it leads nowhere. */
function leads(followed: Followed | undefined, { file, name, binding }: Symbol): boolean | undefined {
  // a note says that it is no file that could be looked at
  if (!followed || followed.targets.length === 0 || followed.note !== undefined) return undefined;
  return followed.targets.some(
    (each) =>
      each.file === file &&
      each.declaration?.name === name &&
      binding.declarations.some(({ line }) => line === each.declaration?.line),
  );
}

function write({ changes, symbol }: Renaming, origin: Origin, parsed: Parsed, place: Identifier, to: string): void {
  const { startIndex, endIndex } = place;
  if (!isShorthand(place)) {
    changes.replace(origin, startIndex, endIndex, to);
    return;
  }
  // a member is the key of it, anything else the value; Rust's `S { a }` as well
  const bare = symbol.name;
  const text = symbol.declaration.member ? `${to}: ${bare}` : `${bare}: ${to}`;
  const ref =
    parsed.language === 'rust' ? (/^(?:(?:ref|mut)\s+)+/.exec(parsed.text.slice(startIndex, endIndex))?.[0] ?? '') : '';
  changes.replace(origin, startIndex, endIndex, ref + text);
}

/** CONFLICT if the new name is declared where the old one is. */
function collisions({ symbol, to }: Renaming, origin: Origin, parsed: Parsed, binding: Binding): void {
  const there = declarationsNamed(parsed, to).find(
    (each) =>
      each.member === symbol.declaration.member && each.scopeStart === binding.start && each.scopeEnd === binding.end,
  );
  if (there) throw taken(origin.file, to, there.line, `declares '${to}' already`);
  // a parameter and the locals of its function's body, in one function
  const inner = declarationsNamed(parsed, to).find(
    (each) =>
      symbol.declaration.kind === 'parameter' &&
      !each.member &&
      each.local &&
      symbol.declaration.scopeStart <= each.scopeStart &&
      each.scopeEnd <= symbol.declaration.scopeEnd &&
      symbol.declaration.scopeEnd - each.scopeEnd <= 1,
  );
  if (inner) throw taken(origin.file, to, inner.line, `declares '${to}' in the same function`);
  if (!symbol.declaration.local && !symbol.declaration.member) {
    const brought = importsOf(parsed).find(
      ({ names, form }) => form !== 'export' && names.some(({ local }) => local === to),
    );
    if (brought) throw taken(origin.file, to, brought.line, `imports '${to}'`);
  }
}

function taken(file: string, name: string, line: number, why: string): ToolError {
  return new ToolError('CONFLICT', `${file}:${line} ${why}; choose another name`, {
    uri: toUri(file),
    line,
    param: 'new_name',
    name,
  });
}

/** CONFLICT if a renamed place would mean what an inner scope declares, or a use of the new name would come to mean the symbol. */
function captures(
  { symbol, to }: Renaming,
  origin: Origin,
  parsed: Parsed,
  binding: Binding,
  changed: readonly Identifier[],
): void {
  if (symbol.declaration.member && !changed.some(isBare)) return;
  for (const place of changed) {
    if (!isBare(place) || (place.declaration && place.declaration.member)) continue;
    const inner = bindingAt(parsed, to, place.startIndex);
    if (inner && inner.end - inner.start < binding.end - binding.start)
      throw taken(
        origin.file,
        to,
        place.line,
        `would mean the '${to}' that is declared at line ${inner.declarations[0]?.line}`,
      );
  }
  if (symbol.declaration.member) return;
  for (const place of placesOf(parsed, to)) {
    if (!isBare(place) || place.declaration) continue;
    if (place.startIndex < binding.start || place.startIndex > binding.end) continue;
    const own = bindingAt(parsed, to, place.startIndex);
    if (own && own.end - own.start < binding.end - binding.start) continue;
    throw taken(origin.file, to, place.line, `uses another '${to}', which would come to mean this symbol`);
  }
}

/** Python's `__all__`: its strings are names. */
function listedExports({ changes, symbol, to }: Renaming, origin: Origin, parsed: Parsed, binding: Binding): void {
  if (parsed.language !== 'python' || binding.start !== 0 || symbol.declaration.local || symbol.declaration.member)
    return;
  for (const node of parsed.tree.rootNode.descendantsOfType('assignment')) {
    if (node.childForFieldName('left')?.text !== '__all__') continue;
    for (const each of node.childForFieldName('right')?.descendantsOfType('string_content') ?? []) {
      if (each.text === symbol.name) changes.replace(origin, each.startIndex, each.endIndex, to);
    }
  }
}

/** Rust's `{name}` within the strings of macros: a use that only the compiler reads. */
function formatted(renaming: Renaming, origin: Origin, parsed: Parsed, { start, end }: Binding): void {
  if (parsed.language !== 'rust' || renaming.symbol.declaration.member) return;
  const { name } = renaming.symbol;
  for (
    let at = parsed.text.indexOf(`{${name}`, start);
    at >= 0 && at < end;
    at = parsed.text.indexOf(`{${name}`, at + 1)
  ) {
    if (!/[:}]/.test(parsed.text[at + 1 + name.length] ?? '')) continue;
    if (!/string/.test(parsed.tree.rootNode.descendantForIndex(at, at + 1)?.type ?? '')) continue;
    doubt(renaming, origin, parsed, { line: parsed.lines.lineAt(at) }, 'a format string names it');
  }
}

/** Whether other files can name the symbol by this name. */
function visible({ symbol, notes }: Renaming, parsed: Parsed, binding: Binding): boolean {
  const { declaration, name } = symbol;
  if (declaration.local || name.startsWith('#')) return false;
  if ((parsed.language === 'c' || parsed.language === 'cpp') && isStatic(parsed, declaration.startIndex))
    return !/\.(c|cc|cpp|cxx)$/i.test(symbol.file);
  if (!isScript(parsed.language) || declaration.member) return true;
  const uses = placesOf(parsed, name).filter(
    (place) => isBare(place) && sameBinding(bindingAt(parsed, name, place.startIndex), binding),
  );
  const named = uses.some(({ parents, field }) => parents[0] === 'export_specifier' && field === 'name');
  const direct = binding.declarations.some(
    ({ startIndex, node }) => parsed.text.startsWith('export', startIndex) || node === 'assignment_expression',
  );
  const isDefault = binding.declarations.some(({ startIndex }) => parsed.text.startsWith('export default', startIndex));
  const kept = uses.some(
    ({ parents, shorthand }) =>
      (shorthand && parents.includes('assignment_expression')) || parents[0] === 'assignment_expression',
  );
  if (!named && !direct && kept && declaration.exported)
    notes.push(`what the module exports keeps the name '${name}': only its value was renamed`);
  return named || (direct && !isDefault);
}

const isStatic = (parsed: Parsed, start: number): boolean =>
  /^\s*(?:inline\s+)?static\b/.test(parsed.text.slice(start, start + 40));

/** A file that holds the name. `rehearsal` only finds out whether it keeps the old name. */
async function inOtherFile(renaming: Renaming, file: string, rehearsal: boolean): Promise<void> {
  const { ctx, changes } = renaming;
  const real = await ctx.env.access.read(file).catch(() => undefined);
  if (real === undefined) return;
  const origin = await changes.origin(real).catch((error: unknown) => {
    if (error instanceof ToolError) return undefined;
    throw error;
  });
  if (!origin) return;
  // only a file that has the new name, or gets the symbol from one that does, keeps the old one
  if (rehearsal && renaming.kept.size === 0 && !origin.text.text.includes(renaming.to)) return;
  if (origin.language && origin.language !== 'json')
    await lending(ctx, origin, (parsed) => inFile(renaming, origin, parsed, rehearsal));
  changes.drop(real);
}

async function inFile(renaming: Renaming, origin: Origin, parsed: Parsed, rehearsal: boolean): Promise<void> {
  const { symbol, to, ctx, budget } = renaming;
  const { name, declaration } = symbol;
  const own = await renaming.changes.origin(symbol.file);
  if (family(own.language) !== family(parsed.language)) return;
  const source = sourceFrom(origin);
  const places = placesOf(parsed, name);
  const imports = importsOf(parsed);
  const changed: Identifier[] = [];
  const aliased: Identifier[] = [];
  let bare: boolean | undefined;
  let keepsName = false;
  for (const place of places) {
    if (place.declaration) {
      if (sharesLinkage(parsed, place, symbol)) changed.push(place);
      else if (declaration.member && place.declaration.member && !rehearsal)
        doubt(
          renaming,
          origin,
          parsed,
          place,
          'declares a member of that name: the same one if it is inherited or implemented',
        );
      continue;
    }
    const spec = imports.find(
      ({ startIndex, endIndex }) => startIndex <= place.startIndex && place.endIndex <= endIndex,
    );
    if (spec && (place.role === 'import' || spec.form === 'export')) {
      if (declaration.member) continue;
      const entry = spec.names.find(({ start }) => start === place.startIndex);
      // the new name here, the module's is another
      if (entry && lastPart(entry.name) !== name) continue;
      const from = await moduleFile(renaming, source, spec.module);
      if (from !== undefined && renaming.kept.has(from)) {
        keepsName = true;
        continue;
      }
      const verdict = await once(
        renaming,
        `${origin.file}\0${place.startIndex}`,
        async () =>
          leads(await follow(ctx, source, parsed, name, place, budget), symbol) ??
          javaImport(renaming, own, parsed, place),
      );
      if (verdict !== true) continue;
      if (entry) aliased.push(place);
      else changed.push(place);
      continue;
    }
    if (isBare(place)) {
      if (bindingAt(parsed, name, place.startIndex)) continue;
      bare ??= await bareMeans(renaming, own, origin, parsed, place);
      if (bare && !declaration.member) changed.push(place);
      continue;
    }
    if (isMember(place)) {
      const verdict = await once(
        renaming,
        keyOf(origin, parsed, place),
        async () =>
          leads(await follow(ctx, source, parsed, name, { ...place, role: 'property' }, budget), symbol) ??
          (await pathMeans(renaming, origin, parsed, place)),
      );
      if (verdict === true) changed.push(place);
      else if (
        verdict === undefined &&
        !rehearsal &&
        (declaration.member || (await importsFrom(renaming, source, parsed)))
      )
        doubt(renaming, origin, parsed, place, 'what it belongs to is not told by the text');
    } else if (place.role === 'key' && declaration.member && !rehearsal) {
      doubt(renaming, origin, parsed, place, 'a key of that name');
    }
  }
  if (keepsName) {
    renaming.kept.add(origin.file);
    return;
  }
  settle(renaming, origin, parsed, changed, aliased, rehearsal, to);
}

/** Writes the places of a file, or gives the import an alias where the new name is taken there. */
function settle(
  renaming: Renaming,
  origin: Origin,
  parsed: Parsed,
  changed: readonly Identifier[],
  aliased: readonly Identifier[],
  rehearsal: boolean,
  to: string,
): void {
  const { name } = renaming.symbol;
  const free = !busy(parsed, to, changed);
  const bare = changed.filter(isBare);
  const canAlias = isScript(parsed.language) || parsed.language === 'python' || parsed.language === 'rust';
  if (free || (aliased.length === 0 && bare.length === 0)) {
    if (!rehearsal) for (const place of [...changed, ...aliased]) write(renaming, origin, parsed, place, to);
    return;
  }
  if (aliased.length > 0 && canAlias) {
    renaming.kept.add(origin.file);
    if (rehearsal) return;
    for (const place of aliased) renaming.changes.replace(origin, place.startIndex, place.endIndex, `${to} as ${name}`);
    for (const place of changed.filter((each) => !isBare(each))) write(renaming, origin, parsed, place, to);
    renaming.notes.push(`${origin.file} has a '${to}' of its own and goes on calling it '${name}'`);
    return;
  }
  const [first] = [...aliased, ...bare];
  throw taken(origin.file, to, first?.line ?? 1, `has a '${to}' of its own`);
}

/** Whether a file has a use of the new name: what is declared, brought or named there. */
function busy(parsed: Parsed, to: string, changed: readonly Identifier[]): boolean {
  if (importsOf(parsed).some(({ names }) => names.some(({ local }) => local === to))) return true;
  for (const place of placesOf(parsed, to)) {
    if (!isBare(place) || place.declaration?.member) continue;
    const own = bindingAt(parsed, to, place.startIndex);
    // seen at none of the places: another function's
    if (own && !changed.some((each) => own.start <= each.startIndex && each.startIndex <= own.end)) continue;
    return true;
  }
  return false;
}

/** A question that is asked once. */
async function once(
  { verdicts }: Renaming,
  key: string,
  ask: () => Promise<boolean | undefined>,
): Promise<boolean | undefined> {
  if (verdicts.has(key)) return verdicts.get(key);
  const answer = await ask();
  verdicts.set(key, answer);
  return answer;
}

/** What decides where a member leads: the name before it, and what that name means there. */
function keyOf({ file }: Origin, parsed: Parsed, { startIndex }: Identifier): string {
  const before = parsed.text.slice(Math.max(0, startIndex - 500), startIndex);
  const [, path_ = '', object] =
    /((?:[\p{L}\p{N}_$]+\s*(?:::|\.)\s*)*?)([\p{L}\p{N}_$]+)\s*(?:\?\.|!?\.|::|->|\?->)\s*$/u.exec(before) ?? [];
  if (object === undefined || /^(this|self|super|cls|Self)$/.test(object)) return `${file}\0@${startIndex}`;
  const binding = bindingAt(parsed, object, startIndex);
  return `${file}\0${path_}${object}\0${binding?.start ?? ''}-${binding?.end ?? ''}`;
}

const lastPart = (name: string): string => name.split(/::|[.\\]/).at(-1) ?? name;

const family = (language: string | undefined): string => {
  if (language === 'typescript' || language === 'tsx' || language === 'javascript') return 'script';
  return language === 'cpp' ? 'c' : (language ?? '');
};

async function moduleFile(
  { ctx }: Renaming,
  source: { file: string | undefined; language: Parsed['language'] },
  module: string,
): Promise<string | undefined> {
  const [first] = await resolveModule(filesOf(ctx), source.file ?? '', source.language, module);
  return first;
}

async function importsFrom(
  renaming: Renaming,
  source: ReturnType<typeof sourceFrom>,
  parsed: Parsed,
): Promise<boolean> {
  for (const { module } of importsOf(parsed).slice(0, 200)) {
    if ((await moduleFile(renaming, source, module)) === renaming.symbol.file) return true;
  }
  return false;
}

/** A declaration in another file that is the symbol all the same: C's prototypes and definitions. */
function sharesLinkage(parsed: Parsed, { declaration }: Identifier, symbol: Symbol): boolean {
  if (family(parsed.language) !== 'c' || !declaration || declaration.local || declaration.member) return false;
  return (
    !symbol.declaration.member &&
    declaration.kind === symbol.declaration.kind &&
    !isStatic(parsed, declaration.startIndex)
  );
}

/** What a bare name that its file does not declare means, by the scopes that files share. */
async function bareMeans(
  renaming: Renaming,
  own: Origin,
  origin: Origin,
  parsed: Parsed,
  place: Identifier,
): Promise<boolean> {
  const { symbol, ctx, budget } = renaming;
  const bound = importsOf(parsed).find(
    ({ names, form }) => form !== 'export' && names.some(({ local }) => local === symbol.name),
  );
  if (bound) {
    const from = await moduleFile(renaming, sourceFrom(origin), bound.module);
    if (from !== undefined && renaming.kept.has(from)) return false;
  }
  const { kind } = symbol.declaration;
  // one name for all files that are linked
  if (family(parsed.language) === 'c' && (kind === 'function' || kind === 'variable' || kind === 'constant'))
    return true;
  const followed = await follow(ctx, sourceFrom(origin), parsed, symbol.name, place, budget);
  const verdict = leads(followed, symbol);
  if (verdict !== undefined) return verdict;
  const here = path.dirname(origin.file) === path.dirname(own.file);
  switch (parsed.language) {
    case 'go':
      return here && packageOf(own.text.text) === packageOf(parsed.text);
    case 'java':
      return javaImport(renaming, own, parsed, place) === true;
    default:
      if (/^(csharp|ruby|php|bash)$/.test(parsed.language))
        doubt(renaming, origin, parsed, place, 'whether it is the same is not told by imports in this language');
      return false;
  }
}

const packageOf = (text: string): string | undefined => /^[ \t]*package[ \t]+([\p{L}\p{N}_.]+)/mu.exec(text)?.[1];

/** Java: the same package, or an import of the class or of all its package has. */
function javaImport({ symbol }: Renaming, own: Origin, parsed: Parsed, _place: Identifier): boolean | undefined {
  if (parsed.language !== 'java') return undefined;
  const home = packageOf(own.text.text) ?? '';
  const full = home === '' ? symbol.name : `${home}.${symbol.name}`;
  const imports = importsOf(parsed);
  const single = imports.find(
    ({ module, names }) => lastPart(module) === symbol.name || names.some(({ local }) => local === symbol.name),
  );
  if (single) return single.module === full || single.names.some(({ name }) => name === full) || single.module === home;
  if ((packageOf(parsed.text) ?? '') === home) return true;
  return imports.some(
    ({ module, names }) =>
      module.replace(/\.\*$/, '') === home && (module.endsWith('*') || names.some(({ local }) => local === '*')),
  )
    ? true
    : undefined;
}

/** Whole paths: Rust's `crate::a::name`, and Python's `a.b.name` where `a.b` is imported. */
async function pathMeans(
  { symbol, ctx }: Renaming,
  origin: Origin,
  parsed: Parsed,
  { startIndex }: Identifier,
): Promise<boolean | undefined> {
  if (symbol.declaration.member) return undefined;
  const ahead = parsed.text.slice(Math.max(0, startIndex - 500), startIndex);
  if (parsed.language === 'python') {
    const module = /((?:[\p{L}\p{N}_]+\.)+)$/u.exec(ahead)?.[1]?.slice(0, -1);
    const known = importsOf(parsed).some(
      ({ form, names }) => form === 'import' && names.some((each) => each.name === module),
    );
    if (module === undefined || !known) return undefined;
    return (await resolveModule(filesOf(ctx), origin.file, 'python', module)).includes(symbol.file);
  }
  const before = parsed.language === 'rust' ? /((?:\w+::)+)$/.exec(ahead)?.[1] : undefined;
  if (before === undefined) return undefined;
  const found = await resolveModule(filesOf(ctx), origin.file, 'rust', before + symbol.name);
  return found.length > 0 ? found.includes(symbol.file) : undefined;
}

function doubt({ doubts }: Renaming, { file }: Origin, parsed: Parsed, { line }: { line: number }, why: string): void {
  if (doubts.some((each) => each.file === file && each.line === line)) return;
  doubts.push({ file, line, text: parsed.lines.text(line, 200).trim().toWellFormed(), why });
}
