// Which symbol a caller means: by name and place of a file, or by a name that the tree declares once.
import path from 'node:path';
import { shorten, ToolError } from '@hanzo/tool';
import { declarationsNamed } from '../../../lib/syntax/declarations.ts';
import type { Declaration, Identifier, Parsed } from '../../../lib/syntax/index.ts';
import { toUri } from '../../../lib/path.ts';
import type { Ctx } from '../../../local.ts';
import { follow } from '../follow.ts';
import { type Budget, declarationsIn } from '../project.ts';
import { checkLine, type Place, type Source } from '../source.ts';
import { type Binding, bindingAt, bindingOf, isBare, placesOf } from './binding.ts';
import { type Changes, lending, type Origin } from './changes.ts';

/** A symbol: the file that declares it, and its declarations there. */
export interface Symbol {
  readonly file: string;
  readonly name: string;
  readonly binding: Binding;
  /** the first of its declarations */
  readonly declaration: Declaration;
}

interface Asked {
  readonly name: string;
  readonly line?: number | undefined;
  readonly col?: number | undefined;
  readonly pattern?: string | undefined;
}

export const sourceFrom = ({ file, text, language, snapshot }: Origin): Source => ({
  file,
  text: text.text,
  // whoever parses has seen that it is known
  language: language as Source['language'],
  hash: snapshot.hash,
});

/** The symbol of a name. NOT_FOUND where nothing declares it, INVALID_PARAMS naming the places where several do. */
export async function symbolOf(
  ctx: Ctx,
  changes: Changes,
  place: Place,
  asked: Asked,
  budget: Budget,
): Promise<Symbol> {
  return place.directory ? inTree(ctx, changes, place, asked, budget) : inFile(ctx, changes, place.file, asked, budget);
}

async function inTree(ctx: Ctx, changes: Changes, place: Place, asked: Asked, budget: Budget): Promise<Symbol> {
  if (asked.line !== undefined) throw new ToolError('INVALID_PARAMS', "'line' needs 'uri', a file", { param: 'uri' });
  const { found } = await declarationsIn(ctx, place, asked.name, { pattern: asked.pattern, budget, most: 200 });
  if (found.length === 0) throw absent(asked.name, place.file);
  const files = [...new Set(found.map(({ file }) => file))];
  const bodies = files.filter((file) =>
    found.some((each) => each.file === file && each.declaration.bodyStart !== undefined),
  );
  // a C function is declared in a header and defined elsewhere: they are one
  const one =
    files.length > 1 && bodies.length === 1 && files.every((file) => /\.(c|h|cc|cpp|hpp|cxx|hh)$/i.test(file));
  const [file] = one ? bodies : files;
  if (files.length > 1 && !one) {
    throw ambiguous(
      asked.name,
      found.map((each) => ({ file: each.file, line: each.declaration.line, text: each.declaration.signature })),
      place.file,
    );
  }
  return inFile(ctx, changes, file as string, asked, budget);
}

async function inFile(ctx: Ctx, changes: Changes, file: string, asked: Asked, budget: Budget): Promise<Symbol> {
  const { name, line } = asked;
  const origin = await changes.origin(file);
  const elsewhere = await lending(ctx, origin, async (parsed) => {
    if (line !== undefined) return atPlace(ctx, origin, parsed, asked, budget);
    const all = declarationsNamed(parsed, name);
    const outer = all.filter(({ local }) => !local);
    const bindings: Binding[] = [];
    for (const each of outer.length > 0 ? outer : all) {
      const binding = bindingOf(parsed, each);
      if (
        !bindings.some((known) => known.start === binding.start && known.end === binding.end && overlap(known, binding))
      )
        bindings.push(binding);
    }
    const own = bindings.filter(({ declarations }) => !isConstructorOf(declarations[0], bindings));
    const [binding] = own;
    if (own.length > 1) {
      throw ambiguous(
        name,
        own.map(({ declarations: [first] }) => ({ file, line: first?.line ?? 1, text: first?.signature ?? '' })),
        path.dirname(file),
      );
    }
    if (binding) return symbol(file, name, binding);
    const [used] = placesOf(parsed, name);
    if (!used) throw absent(name, file);
    return led(ctx, origin, parsed, name, used, budget);
  });
  return 'binding' in elsewhere ? elsewhere : targetIn(ctx, changes, elsewhere.file, name, elsewhere.line);
}

const overlap = (a: Binding, b: Binding): boolean => a.declarations.some((each) => b.declarations.includes(each));

/** A constructor is called as its class is, and is renamed with it. */
const isConstructorOf = (declaration: Declaration | undefined, all: readonly Binding[]): boolean =>
  declaration?.kind === 'constructor' &&
  all.some(({ declarations: [first] }) => first?.name === declaration.name && first.kind !== 'constructor');

async function atPlace(
  ctx: Ctx,
  origin: Origin,
  parsed: Parsed,
  { name, line = 1, col }: Asked,
  budget: Budget,
): Promise<Symbol | { file: string; line: number }> {
  checkLine(parsed, line);
  const on = placesOf(parsed, name).filter((each) => each.line === line);
  const at = col === undefined ? on[0] : on.find((each) => each.col <= col && col <= each.col + name.length);
  if (!at) {
    throw new ToolError(
      'NOT_FOUND',
      `'${name}' does not stand as code on line ${line}${col === undefined ? '' : ` at column ${col}`}: ${parsed.lines.text(line, 200).trim()}`,
      { uri: toUri(origin.file) },
    );
  }
  if (at.declaration) return symbol(origin.file, name, bindingOf(parsed, at.declaration));
  const binding = isBare(at) ? bindingAt(parsed, name, at.startIndex) : undefined;
  if (binding) return symbol(origin.file, name, binding);
  return led(ctx, origin, parsed, name, at, budget);
}

/** The declaration an import or a member leads to. */
async function led(
  ctx: Ctx,
  origin: Origin,
  parsed: Parsed,
  name: string,
  at: Identifier,
  budget: Budget,
): Promise<{ file: string; line: number }> {
  const followed = await follow(ctx, sourceFrom(origin), parsed, name, at, budget);
  const targets = followed?.note === undefined ? (followed?.targets ?? []) : [];
  const [first] = targets;
  if (first?.declaration && first.declaration.name === name && new Set(targets.map(({ file }) => file)).size === 1) {
    return { file: first.file, line: first.declaration.line };
  }
  throw new ToolError(
    'NOT_FOUND',
    followed?.note ??
      `what '${name}' is at line ${at.line} of ${origin.file} cannot be told from the text; pass the uri and line of its declaration`,
    { uri: toUri(origin.file), line: at.line },
  );
}

async function targetIn(ctx: Ctx, changes: Changes, file: string, name: string, line: number): Promise<Symbol> {
  const origin = await changes.origin(file);
  return lending(ctx, origin, (parsed) => {
    const declaration = declarationsNamed(parsed, name).find((each) => each.line === line);
    if (!declaration) throw absent(name, file);
    return symbol(file, name, bindingOf(parsed, declaration));
  });
}

const symbol = (file: string, name: string, binding: Binding): Symbol => ({
  file,
  name,
  binding,
  // a binding has at least one
  declaration: binding.declarations[0] as Declaration,
});

function absent(name: string, where: string): ToolError {
  return new ToolError('NOT_FOUND', `'${name}' is declared nowhere in ${where} as far as syntax tells`, {
    uri: toUri(where),
  });
}

function ambiguous(
  name: string,
  places: readonly { file: string; line: number; text: string }[],
  base: string,
): ToolError {
  const shown = places
    .slice(0, 20)
    .map(({ file, line, text }) => `${path.relative(base, file)}:${line} ${shorten(text, 80)}`);
  const more = places.length > 20 ? ` and ${places.length - 20} more` : '';
  return new ToolError(
    'INVALID_PARAMS',
    `'${name}' is declared ${places.length} times; pass uri and line of the one you mean: ${shown.join('; ')}${more}`,
    {
      param: 'line',
      candidates: places.slice(0, 20).map(({ file, line }) => ({ uri: toUri(file), line })),
    },
  );
}
