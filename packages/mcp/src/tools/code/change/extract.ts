// extract: an expression gets a name, or whole lines become a function.
import type { Node } from 'web-tree-sitter';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { declarationsNamed } from '../../../lib/syntax/declarations.ts';
import { type Declaration, declarationsOf, type LanguageId, type Parsed } from '../../../lib/syntax/index.ts';
import { act } from '../../../local.ts';
import { cursor, line, uri } from '../params.ts';
import { checkLine, placeOf } from '../source.ts';
import { bindingAt, isBare, isScript, placesOf } from './binding.ts';
import { baseOf, Changes, lending, type Origin } from './changes.ts';
import { checkName } from './names.ts';
import { apply, newName } from './params.ts';

const bad = (message: string, param = 'query'): ToolError => new ToolError('INVALID_PARAMS', message, { param });

export const extract = act({
  summary: 'name the expression query on line (variable), or make lines line to end_line a function',
  effect: 'write',
  input: z.strictObject({
    uri,
    new_name: newName,
    query: z.string().max(10_000).optional(),
    line,
    end_line: line,
    cursor,
    apply,
  }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    if (place.directory) throw bad("extract needs 'uri', a file", 'uri');
    if (input.line === undefined) throw bad("extract needs 'line'", 'line');
    const { line: from, query } = input;
    const changes = new Changes(ctx);
    const origin = await changes.origin(place.file);
    const kind = query === undefined ? 'function' : 'variable';
    const notes = await lending(ctx, origin, (parsed) => {
      checkLine(parsed, from);
      checkName(input.new_name, '', parsed.language);
      if (query !== undefined) return variable(changes, origin, parsed, query, from, input.new_name);
      if (input.end_line !== undefined) checkLine(parsed, input.end_line);
      return extracted(changes, origin, parsed, from, input.end_line ?? from, input.new_name);
    });
    return changes.answer(
      { apply: input.apply, cursor: input.cursor, base: baseOf(place) },
      { kind, new_name: input.new_name },
      notes,
    );
  },
});

/** How a language declares a local whose type it finds out itself. */
const DECLARE: Partial<Record<LanguageId, (name: string, value: string) => string>> = {
  typescript: (name, value) => `const ${name} = ${value};`,
  tsx: (name, value) => `const ${name} = ${value};`,
  javascript: (name, value) => `const ${name} = ${value};`,
  python: (name, value) => `${name} = ${value}`,
  ruby: (name, value) => `${name} = ${value}`,
  go: (name, value) => `${name} := ${value}`,
  rust: (name, value) => `let ${name} = ${value};`,
  java: (name, value) => `var ${name} = ${value};`,
  csharp: (name, value) => `var ${name} = ${value};`,
  cpp: (name, value) => `const auto ${name} = ${value};`,
  php: (name, value) => `${name.startsWith('$') ? name : `$${name}`} = ${value};`,
};

function variable(
  changes: Changes,
  origin: Origin,
  parsed: Parsed,
  query: string,
  from: number,
  name: string,
): string[] {
  const declare = DECLARE[parsed.language];
  if (!declare) throw bad(`extract of a variable is not known for ${parsed.language}, whose locals need a type`, 'uri');
  const { lines, text, tree } = parsed;
  const wanted = query.trim();
  const start = text.indexOf(wanted, lines.startOf(from));
  if (wanted === '' || start < 0 || start > lines.endOf(from)) {
    throw new ToolError('NOT_FOUND', `'query' does not begin on line ${from}: ${lines.text(from, 200).trim()}`, {
      line: from,
    });
  }
  if (text.indexOf(wanted, start + 1) >= 0 && text.indexOf(wanted, start + 1) <= lines.endOf(from)) {
    throw bad(`'query' stands more than once on line ${from}; quote more of it`);
  }
  const node = tree.rootNode.descendantForIndex(start, start + wanted.length - 1);
  if (!node || node.startIndex !== start || node.endIndex !== start + wanted.length || !node.isNamed) {
    throw bad("'query' is not one whole expression");
  }
  const statement = statementAround(node);
  if (
    !statement ||
    (/(declaration|definition|_item)$/.test(statement.type) && /function|class|import/.test(statement.type))
  )
    throw bad('there is no statement around it to put the name before');
  taken(parsed, name, start);
  const head = lines.startOf(lines.lineAt(statement.startIndex));
  const indent = /^[ \t]*/.exec(text.slice(head, statement.startIndex))?.[0] ?? '';
  if (text.slice(head, statement.startIndex).trim() !== '')
    throw bad('the statement around it does not begin its line; put it on a line of its own first');
  const used = parsed.language === 'php' && !name.startsWith('$') ? `$${name}` : name;
  changes.replace(origin, head, head, `${indent}${declare(name, wanted)}${endOf(text, head)}`);
  const shorthand = node.parent?.type.startsWith('shorthand') === true;
  changes.replace(origin, start, node.endIndex, shorthand ? `${wanted}: ${used}` : used);
  return conditional(node, statement)
    ? ['the expression was not evaluated always, or more than once; now it is evaluated once, before the statement']
    : [];
}

const BLOCKS =
  /^(program|source_file|module|compilation_unit|translation_unit|block|statement_block|compound_statement|body_statement|declaration_list|switch_case|case_clause|then|do|else|block_body|constructor_body|statement_list)$/;

/** The statement a node stands in: the child of the nearest block. */
export function statementAround(node: Node): Node | undefined {
  let at = node;
  for (let i = 0; i < 1000; i++) {
    const { parent } = at;
    if (!parent) return undefined;
    if (BLOCKS.test(parent.type)) return at;
    at = parent;
  }
  return undefined;
}

/** Whether what stands between makes it depend on something, or repeats it. */
function conditional(node: Node, statement: Node): boolean {
  let at: Node | null = node.parent;
  for (let i = 0; at && at.id !== statement.id && i < 1000; i++, at = at.parent) {
    if (/^(ternary_expression|conditional_expression|boolean_operator|arrow_function|lambda)$/.test(at.type))
      return true;
    if (/binary/.test(at.type) && at.children.some((each) => each !== null && /^(&&|\|\||\?\?)$/.test(each.type)))
      return true;
  }
  return /^(while|for|do)/.test(statement.type);
}

/** The line end of the line at an index. */
const endOf = (text: string, at: number): string => {
  const stop = text.indexOf('\n', at);
  return stop > 0 && text[stop - 1] === '\r' ? '\r\n' : '\n';
};

function taken(parsed: Parsed, name: string, at: number): void {
  const there = bindingAt(parsed, name, at) ?? undefined;
  const near = declarationsNamed(parsed, name)[0];
  const known = there?.declarations[0] ?? (near && !near.member ? near : undefined);
  if (known)
    throw new ToolError('CONFLICT', `'${name}' is declared at line ${known.line} already; choose another name`, {
      param: 'new_name',
      line: known.line,
    });
  const used = placesOf(parsed, name).find(isBare);
  if (used)
    throw new ToolError('CONFLICT', `'${name}' is used at line ${used.line} already; choose another name`, {
      param: 'new_name',
      line: used.line,
    });
}

function extracted(changes: Changes, origin: Origin, parsed: Parsed, from: number, to: number, name: string): string[] {
  const { lines, text, tree, language } = parsed;
  const script = isScript(language);
  if (!script && language !== 'python')
    throw bad(
      `extract of a function knows TypeScript, JavaScript and Python, not ${language}, whose parameters need types`,
      'uri',
    );
  if (to < from) throw bad("'end_line' is before 'line'", 'end_line');
  const first = lines.startOf(from) + (/^\s*/.exec(lines.text(from))?.[0].length ?? 0);
  const last = lines.endOf(to);
  const stop = first + text.slice(first, last).trimEnd().length;
  const block = blockOf(tree.rootNode, first, stop);
  const inside = block?.namedChildren.filter((each) => each.startIndex >= first && each.endIndex <= stop) ?? [];
  if (
    !block ||
    inside.length === 0 ||
    inside[0]?.startIndex !== first ||
    (inside.at(-1)?.endIndex !== stop && text[stop - 1] !== ';')
  ) {
    throw bad(`lines ${from} to ${to} are not whole statements of one block`, 'line');
  }
  for (const type of ['return_statement', 'break_statement', 'continue_statement', 'yield_expression', 'yield']) {
    const found = inside.flatMap((each) => each.descendantsOfType(type))[0];
    if (found)
      throw bad(
        `line ${lines.lineAt(found.startIndex)} has ${type.replace(/_.*/, '')}, which would leave the new function only`,
        'line',
      );
  }
  if (
    script &&
    (inside.some((each) => each.descendantsOfType(['this', 'super']).length > 0) ||
      placesOf(parsed, 'arguments').some(({ startIndex }) => startIndex >= first && startIndex < stop))
  )
    throw bad('the lines use this, which a new function does not have', 'line');
  taken(parsed, name, first);
  const outer = declarationsOf(parsed).filter(
    (each) =>
      each.bodyStart !== undefined &&
      each.bodyStart <= first &&
      (each.bodyEnd ?? 0) >= stop &&
      /function|method|constructor/.test(each.kind),
  );
  const around = outer.at(-1);
  const { inputs, outputs } = flow(parsed, first, stop, around);
  const isAsync = inside.some((each) => each.descendantsOfType(['await_expression', 'await']).length > 0);
  const eol = endOf(text, first);
  const body = text.slice(lines.startOf(from), stop);
  const indent = /^[ \t]*/.exec(body)?.[0] ?? '';
  const unit = /^\t/m.test(text) ? '\t' : language === 'python' ? '    ' : '  ';
  const shifted = body
    .split(/\r?\n/)
    .map((each) => (each.startsWith(indent) ? unit + each.slice(indent.length) : each));
  const names = outputs.map((each) => each.name);
  const call = `${isAsync ? 'await ' : ''}${name}(${inputs.join(', ')})`;
  const outerMost = outer[0];
  if (script) {
    if (names.length > 0) shifted.push(`${unit}return ${give(names, '{ ', ' }')};`);
    const made = `${isAsync ? 'async ' : ''}function ${name}(${inputs.join(', ')}) {${eol}${shifted.join(eol)}${eol}}${eol}`;
    const fresh = outputs.some(({ declared }) => declared);
    if (fresh && !outputs.every(({ declared }) => declared))
      throw bad(
        'the lines declare some of the names used behind them and change others; take more or fewer lines',
        'line',
      );
    const changed = outputs.some(({ changed: later }) => later);
    const target = give(names, '{ ', ' }');
    const put =
      names.length === 0
        ? `${call};`
        : fresh
          ? `${changed ? 'let' : 'const'} ${target} = ${call};`
          : names.length === 1
            ? `${target} = ${call};`
            : `(${target} = ${call});`;
    changes.replace(origin, first, stop, put);
    const behind = outerMost ? outermostEnd(parsed, outerMost) : text.length;
    const at = text.indexOf('\n', behind) < 0 ? text.length : text.indexOf('\n', behind) + 1;
    changes.replace(origin, at, at, `${text.endsWith('\n') || at < text.length ? '' : eol}${eol}${made}`);
    return inputs.length > 0 && language !== 'javascript' ? ['the parameters have no types yet'] : [];
  }
  if (names.length > 0) shifted.push(`${unit}return ${names.join(', ')}`);
  const made = `${isAsync ? 'async ' : ''}def ${name}(${inputs.join(', ')}):${eol}${shifted.join(eol)}${eol}${eol}${eol}`;
  changes.replace(origin, first, stop, names.length === 0 ? call : `${names.join(', ')} = ${call}`);
  const head = outerMost ? topStart(tree.rootNode, first) : lines.startOf(from);
  changes.replace(origin, head, head, made);
  return [];
}

const give = (list: readonly string[], open: string, close: string): string =>
  list.length === 1 ? (list[0] as string) : `${open}${list.join(', ')}${close}`;

/** The innermost block that holds a stretch. */
function blockOf(root: Node, start: number, end: number): Node | undefined {
  let node = root.descendantForIndex(start, Math.max(start, end - 1));
  while (node && !(BLOCKS.test(node.type) && node.startIndex <= start && node.endIndex >= end)) node = node.parent;
  // a block of Python may be exactly its only statement
  while (node?.parent && node.startIndex === start && node.endIndex === end && BLOCKS.test(node.parent.type))
    node = node.parent;
  return node ?? undefined;
}

const topOf = (root: Node, at: number): Node | undefined =>
  root.namedChildren.find((each) => each.startIndex <= at && each.endIndex > at);
const topStart = (root: Node, at: number): number => topOf(root, at)?.startIndex ?? 0;
const outermostEnd = ({ tree, text }: Parsed, { startIndex }: Declaration): number =>
  topOf(tree.rootNode, startIndex)?.endIndex ?? text.length;

interface Output {
  readonly name: string;
  /** it is declared in the lines */
  readonly declared: boolean;
  /** it is given another value behind them */
  readonly changed: boolean;
}

/** Whether a place gives the name a value. */
const writes = (each: {
  startIndex: number;
  parents: readonly string[];
  field: string | undefined;
  declaration?: unknown;
}): boolean =>
  each.declaration !== undefined ||
  (/^(assignment|assignment_expression|augmented_assignment_expression|augmented_assignment)$/.test(
    each.parents[0] ?? '',
  ) &&
    each.field === 'left') ||
  each.parents[0] === 'update_expression';

/** What the lines take from the function around, and what of theirs is used behind them. */
function flow(
  parsed: Parsed,
  start: number,
  end: number,
  around: Declaration | undefined,
): { inputs: string[]; outputs: Output[] } {
  const from = around?.startIndex ?? parsed.text.length;
  const until = around?.endIndex ?? 0;
  const inputs: string[] = [];
  const outputs: Output[] = [];
  const names = new Set(
    declarationsOf(parsed)
      .filter(
        (each) =>
          each.local &&
          each.nameStart >= from &&
          each.nameStart <= until &&
          !each.member &&
          each.kind !== 'type_parameter',
      )
      .map(({ name }) => name),
  );
  for (const name of names) {
    const places = placesOf(parsed, name).filter(
      (each) => isBare(each) && each.startIndex >= from && each.endIndex <= until,
    );
    const within = places.filter(({ startIndex }) => startIndex >= start && startIndex < end);
    const [firstUse] = within;
    if (!firstUse) continue;
    const binding = bindingAt(parsed, name, firstUse.startIndex);
    if (!binding || binding.start < from) continue;
    const mine = (each: { startIndex: number }): boolean => {
      const own = bindingAt(parsed, name, each.startIndex);
      return own?.start === binding.start && own.end === binding.end;
    };
    const before = binding.declarations.some(({ nameStart }) => nameStart < start);
    const declared = binding.declarations.some(({ nameStart }) => nameStart >= start && nameStart < end);
    const written = within.some((each) => mine(each) && writes(each));
    const behind = places.filter((each) => each.startIndex >= end && mine(each));
    const loops = written && before && inLoop(parsed, start);
    if (before && within.some((each) => mine(each) && !(writes(each) && each.parents[0] === 'assignment')))
      inputs.push(name);
    if (written && (behind.length > 0 || loops))
      outputs.push({ name, declared: declared && !before, changed: behind.some(writes) });
  }
  return { inputs, outputs };
}

function inLoop({ tree }: Parsed, at: number): boolean {
  for (let node = tree.rootNode.descendantForIndex(at), i = 0; node && i < 1000; node = node.parent, i++) {
    if (/^(for|while|do)/.test(node.type)) return true;
  }
  return false;
}
