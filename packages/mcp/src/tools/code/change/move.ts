// move: a top-level symbol goes to another file; what it needs is imported there, and who imported it does so from there.
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { toPath, toUri } from '../../../lib/path.ts';
import {
  declarationsOf,
  type Import,
  importsOf,
  languageOf,
  type Parsed,
  resolveModule,
} from '../../../lib/syntax/index.ts';
import { listOf } from '../../../lib/search/ask.ts';
import { rootOf } from '../../../lib/search/roots.ts';
import { act, type Ctx } from '../../../local.ts';
import { filesOf } from '../files.ts';
import { cursor, line, uri } from '../params.ts';
import { Budget } from '../project.ts';
import { nameOf, placeOf } from '../source.ts';
import { bindingAt, isBare, isMember, isScript, placesOf, sameBinding } from './binding.ts';
import { baseOf, Changes, lending, type Origin } from './changes.ts';
import { apply } from './params.ts';
import { symbolOf, type Symbol } from './target.ts';

const bad = (message: string, param = 'query'): ToolError => new ToolError('INVALID_PARAMS', message, { param });

export const move = act({
  summary: 'move a top-level symbol to the file `to`, imports mended; TypeScript, JavaScript, Python',
  effect: 'write',
  input: z.strictObject({ query: z.string(), uri, line, to: z.string(), cursor, apply }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    const changes = new Changes(ctx);
    const name = nameOf(ctx, input.query);
    const symbol = await symbolOf(ctx, changes, place, { name, line: input.line }, new Budget());
    const target = await ctx.env.access.write(toPath(input.to, ctx.env.config.cwd, 'to'), 'follow');
    if (target === symbol.file) throw bad("'to' is the file it is in", 'to');
    const exists = await lstat(target).catch(() => undefined);
    if (exists && !exists.isFile()) throw bad("'to' is not a file", 'to');
    const origin = await changes.origin(symbol.file);
    const family = isScript(origin.language ?? 'json') ? 'script' : origin.language;
    const other = languageOf(target);
    if (!other || (isScript(other) ? 'script' : other) !== family)
      throw bad(`'to' must be a file of ${origin.language}`, 'to');
    if (family !== 'script' && family !== 'python')
      throw bad(`move knows TypeScript, JavaScript and Python, not ${origin.language}`, 'uri');
    const moving = await lending(ctx, origin, (parsed) => taken(ctx, changes, origin, parsed, symbol, target));
    await put(ctx, changes, moving, exists !== undefined);
    const uncertain = await mend(ctx, changes, moving);
    if (uncertain.length > 0 && moving.script) passOn(changes, origin, moving);
    return changes.answer(
      { apply: input.apply, cursor: input.cursor, base: baseOf(place) },
      {
        query: name,
        from: toUri(symbol.file),
        to: toUri(target),
        ...(uncertain.length > 0 ? { uncertain: uncertain.slice(0, 30), uncertain_total: uncertain.length } : {}),
      },
      uncertain.length > 0
        ? ['what is uncertain still names the old file, which passes the symbol on from the new one']
        : [],
    );
  },
});

/** The old file goes on exporting the symbol, for those that have the whole of it. */
function passOn(changes: Changes, origin: Origin, moving: Moving): void {
  const { text } = origin.text;
  const module = relativeModule(moving.from, moving.target, moving.ending);
  const lineText = `export { ${moving.symbol.name} } from ${moving.quote}${module}${moving.quote};`;
  changes.replace(origin, text.length, text.length, `${text.endsWith('\n') ? '' : moving.eol}${lineText}${moving.eol}`);
}

interface Moving {
  readonly symbol: Symbol;
  readonly from: string;
  readonly target: string;
  readonly script: boolean;
  /** what is moved, with the comments over it */
  readonly text: string;
  /** import lines that it needs in the new file */
  readonly needs: readonly string[];
  readonly eol: string;
  /** how the old file names modules of its own project: with what ending */
  readonly ending: string;
  readonly quote: string;
}

/** Takes the declaration out of its file, and finds what it needs. */
async function taken(
  ctx: Ctx,
  changes: Changes,
  origin: Origin,
  parsed: Parsed,
  symbol: Symbol,
  target: string,
): Promise<Moving> {
  const { name, binding } = symbol;
  const { text, lines } = parsed;
  const own = declarationsOf(parsed).filter(
    (each) => each.name === name && binding.declarations.some(({ nameStart }) => nameStart === each.nameStart),
  );
  const [first] = own;
  if (!first || first.local || first.member || first.depth > 0) throw bad(`'${name}' is not at the top of its file`);
  if (own.length > 1)
    throw bad(`'${name}' is declared ${own.length} times in ${symbol.file}; only one declaration is moved`);
  const script = isScript(parsed.language);
  const start = withComments(parsed, lines.startOf(lines.lineAt(first.startIndex)), script);
  if (text.slice(lines.startOf(lines.lineAt(first.startIndex)), first.startIndex).trim() !== '')
    throw bad(`'${name}' does not begin its line`);
  const semicolon = text[first.endIndex] === ';' ? 1 : 0;
  const lineEnd = text.indexOf('\n', first.endIndex);
  let end = lineEnd < 0 ? text.length : lineEnd + 1;
  if (
    text.slice(first.endIndex + semicolon, end).trim() !== '' &&
    !/^\s*(\/\/|#)/.test(text.slice(first.endIndex + semicolon, end))
  )
    throw bad(`something stands behind '${name}' on its last line`);
  if (
    declarationsOf(parsed).some(
      (each) =>
        !each.local &&
        !each.member &&
        each.nameStart !== first.nameStart &&
        each.startIndex >= first.startIndex &&
        each.endIndex <= first.endIndex &&
        each.depth === first.depth,
    )
  ) {
    throw bad(`'${name}' is declared together with others; declare it by itself first`);
  }
  if (script && text.startsWith('export default', first.startIndex))
    throw bad(`'${name}' is the default of its file; give it a name of its own to the outside first`);
  const body = text.slice(start, end);
  while (
    /^[ \t]*\r?\n/.test(text.slice(end, end + 200)) &&
    /(^|\n)[ \t]*\r?\n$/.test(text.slice(Math.max(0, start - 200), start))
  )
    end = text.indexOf('\n', end) + 1;
  const eol = /\r\n/.test(text.slice(0, 2000)) ? '\r\n' : '\n';
  const style = importsOf(parsed).find(({ module }) => module.startsWith('.'));
  const ending = style ? path.extname(style.module) : '.';
  const quote = text.includes("from '") || !text.includes('from "') ? "'" : '"';
  const base = {
    symbol,
    from: symbol.file,
    target,
    script,
    eol,
    ending: /^\.[cm]?[jt]sx?$/.test(ending) ? ending : '',
    quote,
  };
  const needs: string[] = [];
  for (const each of importsOf(parsed)) {
    const used = each.names.filter(({ local }) =>
      placesOf(parsed, local.split('.')[0] ?? local).some(
        (use) => use.startIndex >= start && use.endIndex <= end && use.role !== 'key' && use.role !== 'property',
      ),
    );
    if (used.length === 0 || (each.startIndex >= start && each.endIndex <= end)) continue;
    needs.push(
      await rewritten(
        ctx,
        base,
        parsed,
        each,
        used.map(({ local }) => local),
      ),
    );
  }
  const back = new Set<string>();
  for (const each of declarationsOf(parsed)) {
    if (
      each.local ||
      each.member ||
      each.depth > 0 ||
      each.name === name ||
      (each.nameStart >= start && each.nameStart < end)
    )
      continue;
    const uses = placesOf(parsed, each.name).some(
      (use) =>
        use.startIndex >= start &&
        use.endIndex <= end &&
        isBare(use) &&
        bindingAt(parsed, each.name, use.startIndex)?.declarations.some(
          ({ nameStart }) => nameStart === each.nameStart,
        ),
    );
    if (!uses || back.has(each.name)) continue;
    if (script && !each.exported)
      throw bad(
        `'${name}' uses '${each.name}' (line ${each.line}), which ${symbol.file} does not export; export it, or move it first`,
      );
    back.add(each.name);
  }
  const outside = placesOf(parsed, name).some(
    (use) =>
      (use.startIndex < start || use.startIndex >= end) &&
      isBare(use) &&
      sameBinding(bindingAt(parsed, name, use.startIndex), binding),
  );
  if (!script && back.size > 0 && outside) {
    throw bad(
      `'${name}' uses ${[...back].map((each) => `'${each}'`).join(', ')} of ${symbol.file}, which uses '${name}': the two files would import each other, which Python does not bear`,
    );
  }
  if (back.size > 0) needs.push(importLine(base, target, symbol.file, [...back].toSorted()));
  const uses = placesOf(parsed, name).filter(
    (use) =>
      (use.startIndex < start || use.startIndex >= end) &&
      isBare(use) &&
      sameBinding(bindingAt(parsed, name, use.startIndex), binding),
  );
  if (script && !first.exported && !text.startsWith('export', first.startIndex)) {
    // it is to be seen from the outside now
    changes.replace(origin, start, end, '');
    const at = first.startIndex - start;
    const exported = `${body.slice(0, at)}export ${body.slice(at)}`;
    if (uses.some(({ parents }) => parents[0] === 'export_specifier'))
      throw bad(`'${name}' is exported in a list; export it where it is declared first`);
    if (uses.length > 0)
      addImport(changes, origin, parsed, importLine(base, symbol.file, target, [name]), eol, [start, end]);
    return { ...base, text: exported, needs };
  }
  changes.replace(origin, start, end, '');
  if (uses.some(({ parents }) => parents[0] === 'export_specifier'))
    throw bad(`'${name}' is exported in a list; export it where it is declared first`);
  if (uses.length > 0)
    addImport(changes, origin, parsed, importLine(base, symbol.file, target, [name]), eol, [start, end]);
  return { ...base, text: body, needs };
}

/** The start of the lines of comment that stand right over a declaration. */
function withComments({ lines, text }: Parsed, start: number, script: boolean): number {
  let at = lines.lineAt(start);
  const isComment = (each: string): boolean => (script ? /^(\/\/|\/\*|\*)/ : /^#/).test(each.trim());
  while (at > 1 && isComment(lines.text(at - 1))) at--;
  const begin = lines.startOf(at);
  // what opens a file is the file's
  return begin === 0 && /^(#!|\/\*!|\/\/ @)/.test(text) ? start : begin;
}

/** An import line for names of one project file in another. */
function importLine(
  { script, ending, quote }: { script: boolean; ending: string; quote: string },
  inFile: string,
  of: string,
  names: readonly string[],
): string {
  if (script) return `import { ${names.join(', ')} } from ${quote}${relativeModule(inFile, of, ending)}${quote};`;
  return `from ${pythonModule(inFile, of)} import ${names.join(', ')}`;
}

function relativeModule(from: string, to: string, ending: string): string {
  const bare = to.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
  const relative = path.relative(path.dirname(from), bare).split(path.sep).join('/');
  const own = path.extname(to);
  const shown = ending === '' ? '' : /^\.[cm]?js$/.test(ending) ? own.replace('t', 'j').replace('x', '') : own;
  return `${relative.startsWith('.') ? '' : './'}${relative}${shown}`;
}

function pythonModule(from: string, to: string): string {
  const folder = path.dirname(from);
  const target = to.replace(/\.pyi?$/, '').replace(/\/__init__$/, '');
  const up = path.relative(folder, path.dirname(target)).split(path.sep).filter(Boolean);
  const dots = up.filter((each) => each === '..').length;
  return `.${'.'.repeat(dots)}${[...up.filter((each) => each !== '..'), path.basename(target)].join('.')}`;
}

/** An import of the old file as the new one has to say it, with only these names. */
async function rewritten(
  ctx: Ctx,
  moving: { script: boolean; from: string; target: string; ending: string; quote: string },
  parsed: Parsed,
  spec: Import,
  locals: readonly string[],
): Promise<string> {
  const { script, from, target } = moving;
  const chosen = spec.names.filter(({ local }) => locals.includes(local));
  const relative = spec.module.startsWith('.');
  const [file] = relative ? await resolveModule(filesOf(ctx), from, parsed.language, spec.module) : [];
  if (!script) {
    if (spec.form === 'import')
      return `import ${chosen.map(({ name, local }) => (name === local || name.split('.')[0] === local ? name : `${name} as ${local}`)).join(', ')}`;
    const module = file === undefined ? spec.module : pythonModule(target, file);
    return `from ${module} import ${chosen.map(({ name, local }) => (name === local ? name : `${name} as ${local}`)).join(', ')}`;
  }
  const module =
    file === undefined
      ? spec.module
      : relativeModule(target, file, path.extname(spec.module).match(/^\.[cm]?[jt]sx?$/)?.[0] ?? '');
  const from_ = ` from ${moving.quote}${module}${moving.quote};`;
  if (spec.form === 'require') {
    const [only] = chosen;
    const list =
      only?.name === '*'
        ? only.local
        : `{ ${chosen.map(({ name, local }) => (name === local ? name : `${name}: ${local}`)).join(', ')} }`;
    return `const ${list} = require(${moving.quote}${module}${moving.quote});`;
  }
  const type = spec.typeOnly ? 'type ' : '';
  const parts = [
    ...chosen.filter(({ name }) => name === 'default').map(({ local }) => local),
    ...chosen.filter(({ name }) => name === '*').map(({ local }) => `* as ${local}`),
  ];
  const named = chosen
    .filter(({ name }) => name !== 'default' && name !== '*')
    .map(({ name, local }) => (name === local ? name : `${name} as ${local}`));
  if (named.length > 0) parts.push(`{ ${named.join(', ')} }`);
  return `import ${type}${parts.join(', ')}${from_}`;
}

/** Puts a line behind the last import at the top, else before everything but what opens a file. */
function addImport(
  changes: Changes,
  origin: Origin,
  parsed: Parsed,
  lineText: string,
  eol: string,
  gone?: readonly [number, number],
): void {
  const { text, tree } = parsed;
  const imports = importsOf(parsed).filter(
    ({ startIndex, form }) =>
      form !== 'require' &&
      form !== 'import()' &&
      tree.rootNode.namedChildren.some((each) => each.startIndex === startIndex),
  );
  const last = imports.at(-1);
  let at = 0;
  if (last) {
    const stop = text.indexOf('\n', last.endIndex);
    at = stop < 0 ? text.length : stop + 1;
  } else {
    const [firstNode] = tree.rootNode.namedChildren;
    const opening = /^(?:#!.*\r?\n)?(?:(?:[ \t]*(?:\/\/|#).*)?\r?\n)*/.exec(text)?.[0].length ?? 0;
    const doc =
      parsed.language === 'python' &&
      firstNode?.type === 'expression_statement' &&
      firstNode.namedChild(0)?.type === 'string';
    at = doc ? text.indexOf('\n', firstNode.endIndex) + 1 : opening;
    if (gone && at > gone[0] && at <= gone[1]) at = gone[0];
  }
  changes.replace(origin, at, at, `${at > 0 && text[at - 1] !== '\n' ? eol : ''}${lineText}${eol}${last ? '' : eol}`);
}

/** Writes the declaration into the new file. */
async function put(ctx: Ctx, changes: Changes, moving: Moving, exists: boolean): Promise<void> {
  const { target, eol, symbol } = moving;
  const body = moving.text.endsWith('\n') ? moving.text : `${moving.text}${eol}`;
  if (!exists) {
    const head =
      moving.needs.length > 0 ? `${moving.needs.join(eol)}${eol}${moving.script ? eol : `${eol}${eol}`}` : '';
    changes.create(target, head + body);
    return;
  }
  const origin = await changes.origin(target);
  await lending(ctx, origin, async (parsed) => {
    const { text } = parsed;
    const there = declarationsOf(parsed).find((each) => each.name === symbol.name && !each.local && !each.member);
    if (there)
      throw new ToolError('CONFLICT', `${target}:${there.line} declares '${symbol.name}' already`, {
        uri: toUri(target),
        line: there.line,
      });
    for (const spec of importsOf(parsed)) {
      const mine = spec.names.find(({ local }) => local === symbol.name);
      if (!mine) continue;
      const found = await resolveModule(filesOf(ctx), target, parsed.language, spec.module);
      if (!found.includes(moving.from))
        throw new ToolError('CONFLICT', `${target}:${spec.line} imports another '${symbol.name}'`, {
          uri: toUri(target),
          line: spec.line,
        });
    }
    const known = new Set(importsOf(parsed).flatMap(({ names }) => names.map(({ local }) => local)));
    const needs = moving.needs.filter((each) => !text.includes(each.replace(/;$/, '')));
    for (const each of needs) {
      const names = /\{([^}]*)\}|import\s+([\w, ]+)$/.exec(each);
      const locals = (names?.[1] ?? names?.[2] ?? '').split(',').map(
        (one) =>
          one
            .trim()
            .split(/\s+as\s+/)
            .at(-1) ?? '',
      );
      const clash = locals.find(
        (one) =>
          one !== '' && (known.has(one) || declarationsOf(parsed).some((d) => d.name === one && !d.local && !d.member)),
      );
      if (clash !== undefined)
        throw new ToolError(
          'CONFLICT',
          `${target} has a '${clash}' already, and '${symbol.name}' needs one from elsewhere`,
          { uri: toUri(target) },
        );
    }
    if (needs.length > 0) addImport(changes, origin, parsed, needs.join(eol), eol);
    const gap = moving.script || text === '' ? eol : `${eol}${eol}`;
    changes.replace(
      origin,
      text.length,
      text.length,
      `${text === '' || text.endsWith('\n') ? '' : eol}${text === '' ? '' : gap}${body}`,
    );
  });
}

/** Files that import the symbol do so from the new file. What they do otherwise is told. */
async function mend(
  ctx: Ctx,
  changes: Changes,
  moving: Moving,
): Promise<{ uri: string; line: number; text: string }[]> {
  const { symbol, from, target } = moving;
  const root = rootOf(path.dirname(from), ctx.env.access.roots());
  const files = await ctx.env.indexes.use(root, true, async (index) => {
    const { found } = await listOf(ctx, index, { symbol: { name: symbol.name, path: root, globs: [] } }, false);
    if (found.partial)
      throw new ToolError('TIMEOUT', 'the search for files that hold the name stopped at its time limit');
    return [...new Set(found.files.map(({ file }) => file))].filter((file) => file !== from);
  });
  const uncertain: { uri: string; line: number; text: string }[] = [];
  for (const file of files) {
    ctx.signal.throwIfAborted();
    const language = languageOf(file);
    if (!language || (isScript(language) ? 'script' : language) !== (moving.script ? 'script' : 'python')) continue;
    const real = await ctx.env.access.read(file).catch(() => undefined);
    if (real === undefined) continue;
    const origin = await changes.origin(real);
    await lending(ctx, origin, async (parsed) => {
      for (const spec of importsOf(parsed)) {
        const found = await resolveModule(filesOf(ctx), real, parsed.language, spec.module);
        if (!found.includes(from)) continue;
        const mine = spec.names.find(({ name }) => name === symbol.name);
        if (mine) redirect(changes, origin, parsed, spec, moving);
        const whole = spec.names.find(({ name, local }) => name === '*' || local === '*');
        const members = whole
          ? placesOf(parsed, symbol.name).filter(
              (each) => isMember(each) && parsed.text.slice(0, each.startIndex).endsWith(`${whole.local}.`),
            )
          : [];
        for (const each of members)
          uncertain.push({ uri: toUri(real), line: each.line, text: parsed.lines.text(each.line, 200).trim() });
        if (
          !whole &&
          !mine &&
          (spec.names.length === 0 || spec.form === 'from *') &&
          real !== target &&
          spec.form !== 'import'
        )
          uncertain.push({ uri: toUri(real), line: spec.line, text: parsed.lines.text(spec.line, 200).trim() });
      }
    });
    changes.drop(real);
  }
  return uncertain;
}

/** One import statement: its module is another now, or it loses a name and another statement has it. */
function redirect(changes: Changes, origin: Origin, parsed: Parsed, spec: Import, moving: Moving): void {
  const { symbol, target, script, eol } = moving;
  const { text } = parsed;
  const mine = spec.names.filter(({ name }) => name === symbol.name);
  const own = origin.file === target;
  const quote = text.slice(spec.startIndex, spec.endIndex).includes('"') ? '"' : "'";
  const written = path.extname(spec.module);
  const module = script
    ? relativeModule(origin.file, target, /^\.[cm]?[jt]sx?$/.test(written) ? written : '')
    : pythonModule(origin.file, target);
  const absolute = !script && !spec.module.startsWith('.');
  const named = absolute ? absoluteModule(spec.module, moving.from, target) : module;
  const statement = text.slice(spec.startIndex, spec.endIndex);
  const lineEnd = text.indexOf('\n', spec.endIndex);
  const stop = lineEnd < 0 ? text.length : lineEnd + 1;
  if (mine.length === spec.names.length) {
    if (own) {
      changes.replace(origin, spec.startIndex, stop, '');
      return;
    }
    const at = statement.lastIndexOf(script ? spec.module : ` import`);
    const start = script ? spec.startIndex + at : spec.startIndex + statement.indexOf(spec.module);
    changes.replace(origin, start, start + spec.module.length, named);
    return;
  }
  const list = mine
    .map(({ name, local }) =>
      name === local ? name : script && spec.form === 'require' ? `${name}: ${local}` : `${name} as ${local}`,
    )
    .join(', ');
  for (const each of mine) {
    // with the name it is called by and the comma behind, or before if it is the last
    const head = text.slice(spec.startIndex, each.start);
    const before = /(?:\b[\w$]+\s+as\s+|[\w$]+\s*:\s*|type\s+)*$/.exec(head)?.[0].length ?? 0;
    let [start, end] = [each.start - before, each.end];
    const after = /^\s*,\s*/.exec(text.slice(end, spec.endIndex))?.[0].length ?? 0;
    if (after > 0) end += after;
    else start -= /,\s*$/.exec(text.slice(spec.startIndex, start))?.[0].length ?? 0;
    changes.replace(origin, start, end, '');
  }
  if (own) return;
  const kind = spec.form === 'export' ? 'export' : 'import';
  const fresh = !script
    ? `from ${named} import ${list}`
    : spec.form === 'require'
      ? `const { ${list} } = require(${quote}${named}${quote});`
      : `${kind} ${spec.typeOnly ? 'type ' : ''}{ ${list} } from ${quote}${named}${quote};`;
  changes.replace(origin, stop, stop, `${text[stop - 1] === '\n' ? '' : eol}${fresh}${eol}`);
}

/** `a.b.old` as `a.b.new`, by the steps between the files. */
function absoluteModule(module: string, from: string, to: string): string {
  const parts = module.split('.');
  const base = path.basename(from) === '__init__.py' ? path.dirname(from) : from.replace(/\.pyi?$/, '');
  const steps = path.relative(base, to.replace(/\.pyi?$/, '').replace(/\/__init__$/, '')).split(path.sep);
  for (const step of steps) {
    if (step === '..') parts.pop();
    else parts.push(step);
  }
  return parts.join('.');
}
