// inline: the value of a variable where it is used, and no variable any more.
import type { Node } from 'web-tree-sitter';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { declarationsNamed } from '../../../lib/syntax/declarations.ts';
import type { Declaration, Parsed } from '../../../lib/syntax/index.ts';
import { act } from '../../../local.ts';
import { cursor, line, uri } from '../params.ts';
import { placeOf } from '../source.ts';
import { bindingAt, isBare, isScript, placesOf } from './binding.ts';
import { baseOf, Changes, lending, type Origin } from './changes.ts';
import { apply } from './params.ts';

import { statementAround } from './extract.ts';

const bad = (message: string, param = 'query'): ToolError => new ToolError('INVALID_PARAMS', message, { param });

export const inline = act({
  summary: 'put the value of a variable where it is used, and drop the variable',
  effect: 'write',
  input: z.strictObject({ query: z.string(), uri, line, cursor, apply }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    if (place.directory) throw bad("inline needs 'uri', a file", 'uri');
    const changes = new Changes(ctx);
    const origin = await changes.origin(place.file);
    const data = await lending(ctx, origin, (parsed) =>
      inlined(changes, origin, parsed, input.query.trim(), input.line),
    );
    return changes.answer({ apply: input.apply, cursor: input.cursor, base: baseOf(place) }, data);
  },
});

const VALUES = ['value', 'right'];
/** Expressions that need no brackets wherever they are put. */
const SIMPLE =
  /^(identifier|number|integer|float|string|template_string|true|false|null|none|member_expression|attribute|call|call_expression|subscript|subscript_expression|array|list|object|dictionary|parenthesized_expression|integer_literal|float_literal|string_literal|interpreted_string_literal|int_literal|selector_expression|field_expression|tuple|decimal_integer_literal|method_invocation|this|self|index_expression|boolean_literal)$/;
/** What a whole expression stands in by itself. */
const ALONE =
  /^(arguments|argument_list|variable_declarator|return_statement|init_declarator|pair|template_substitution)$/;
const EFFECTS =
  /^(call|call_expression|await|await_expression|new_expression|assignment_expression|update_expression|yield|yield_expression|method_invocation|macro_invocation|object_creation_expression|named_expression|augmented_assignment_expression|tagged_template)$/;

function inlined(
  changes: Changes,
  origin: Origin,
  parsed: Parsed,
  name: string,
  at: number | undefined,
): Record<string, unknown> {
  const all = declarationsNamed(parsed, name).filter(
    (each) => (at === undefined || each.line === at) && /^(variable|constant)$/.test(each.kind),
  );
  const [one] = all;
  if (!one)
    throw new ToolError(
      'NOT_FOUND',
      `${origin.file} declares no variable '${name}'${at === undefined ? '' : ` on line ${at}`}`,
    );
  if (all.length > 1)
    throw bad(
      `'${name}' is declared or assigned at lines ${all
        .map((each) => each.line)
        .slice(0, 20)
        .join(
          ', ',
        )}; only what is given its value once, where it is declared, is put in place (pass line to choose one of several)`,
      'line',
    );
  if (one.exported && isScript(parsed.language)) throw bad(`'${name}' is exported: other files may use it`);
  const binding = bindingAt(parsed, name, one.nameStart);
  if (!binding || binding.declarations.length > 1) throw bad(`'${name}' is given a value more than once`);
  const node = holder(parsed, one);
  const value = node && VALUES.map((field) => node.childForFieldName(field)).find((each) => each !== null);
  if (!node || !value)
    throw bad(`'${name}' has no value of its own to put in place: it is taken out of another, or declared without one`);
  const uses = placesOf(parsed, name).filter(
    (each) => !each.declaration && isBare(each) && bindingAt(parsed, name, each.startIndex)?.declarations.includes(one),
  );
  for (const each of uses) {
    const [parent = ''] = each.parents;
    if (
      parent === 'update_expression' ||
      (/assignment/.test(parent) && each.field === 'left') ||
      parent === 'export_specifier' ||
      each.raw
    )
      throw bad(`'${name}' is changed or passed on at line ${each.line}`);
  }
  const effects =
    value.descendantsOfType([
      'call',
      'call_expression',
      'await',
      'await_expression',
      'new_expression',
      'assignment_expression',
      'update_expression',
      'yield',
      'yield_expression',
      'method_invocation',
      'macro_invocation',
      'object_creation_expression',
      'named_expression',
      'augmented_assignment_expression',
    ]).length > 0 || EFFECTS.test(value.type);
  if (effects && uses.length !== 1)
    throw bad(
      `the value of '${name}' does something when it is evaluated, and it is used ${uses.length} times: it would be done ${uses.length} times`,
    );
  capturedNames(parsed, value, uses);
  for (const each of uses) {
    const bare = SIMPLE.test(value.type) || ALONE.test(each.parents[0] ?? '');
    const text = bare ? value.text : `(${value.text})`;
    changes.replace(origin, each.startIndex, each.endIndex, each.shorthand ? `${name}: ${text}` : text);
  }
  const [start, end] = statementLines(parsed, node, one);
  changes.replace(origin, start, end, '');
  return {
    query: name,
    line: one.line,
    uses: uses.length,
    ...(effects ? { caution: 'the value is evaluated later than before: where it is used' } : {}),
  };
}

/** The node that gives a variable its value, and declares nothing else. */
function holder({ tree }: Parsed, one: Declaration): Node | undefined {
  let node = tree.rootNode.descendantForIndex(one.nameStart, one.nameEnd - 1);
  for (let i = 0; node && i < 6; i++, node = node.parent) {
    if (!VALUES.some((field) => node?.childForFieldName(field))) continue;
    const target =
      node.childForFieldName('name') ??
      node.childForFieldName('left') ??
      node.childForFieldName('pattern') ??
      node.childForFieldName('declarator');
    return target && target.startIndex === one.nameStart && target.endIndex === one.nameEnd ? node : undefined;
  }
  return undefined;
}

/** INVALID_PARAMS if a name in the value means something else where it would be put. */
function capturedNames(parsed: Parsed, value: Node, uses: readonly { startIndex: number; line: number }[]): void {
  const words = new Set(value.text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  for (const word of [...words].slice(0, 200)) {
    const here = placesOf(parsed, word).find(
      (each) => each.startIndex >= value.startIndex && each.endIndex <= value.endIndex && isBare(each),
    );
    if (!here) continue;
    const meant = bindingAt(parsed, word, here.startIndex);
    for (const use of uses) {
      const there = bindingAt(parsed, word, use.startIndex);
      if (there?.start !== meant?.start || there?.end !== meant?.end)
        throw bad(`'${word}' in the value means something else at line ${use.line}`);
    }
    const changed = placesOf(parsed, word).find(
      (each) =>
        each.startIndex > value.endIndex &&
        uses.some((use) => use.startIndex > each.startIndex) &&
        each.parents.some((kind) =>
          /^(assignment_expression|update_expression|augmented_assignment.*|assignment)$/.test(kind),
        ) &&
        (each.field === 'left' || each.parents[0] === 'update_expression' || each.declaration !== undefined) &&
        bindingAt(parsed, word, each.startIndex)?.start === meant?.start,
    );
    if (changed) throw bad(`'${word}' in the value is changed at line ${changed.line}, before a use`);
  }
}

/** The statement that declares it, with its line where nothing else stands on it. */
function statementLines({ text, lines }: Parsed, node: Node, one: Declaration): [number, number] {
  const statement = statementAround(node) ?? node;
  const parts = statement.namedChildren.filter(({ type }) => type === node.type);
  if (parts.length > 1) throw bad(`'${one.name}' is declared together with others; declare it by itself first`);
  const head = lines.startOf(lines.lineAt(statement.startIndex));
  const semicolon = text[statement.endIndex] === ';' ? 1 : 0;
  const stop = text.indexOf('\n', statement.endIndex);
  const tail = stop < 0 ? text.length : stop + 1;
  const alone =
    text.slice(head, statement.startIndex).trim() === '' &&
    text.slice(statement.endIndex + semicolon, tail).trim() === '';
  return alone ? [head, tail] : [statement.startIndex, statement.endIndex + semicolon];
}
