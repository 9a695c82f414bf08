// complexity: how many ways lead through each function (McCabe's number), the highest first. signatures: every function's head.
import path from 'node:path';
import type { Node } from 'web-tree-sitter';
import { z } from 'zod';
import { toUri } from '../../../lib/path.ts';
import { type Declaration, declarationsOf, type Parsed } from '../../../lib/syntax/index.ts';
import { act, type Ctx } from '../../../local.ts';
import { answer, type Item, pageOf } from '../page.ts';
import { cursor, limit, pattern, uri } from '../params.ts';
import { Budget, sourceAt } from '../project.ts';
import { parsing, type Place, placeOf } from '../source.ts';
import { filesBelow } from './files.ts';

/** Above these a function is HIGH, or MED. */
const HIGH = 15;
const MED = 8;

/** Nodes that each add a way. A default case adds none: see `counts`. */
const BRANCHES = [
  'if_statement',
  'if_expression',
  'if',
  'unless',
  'if_modifier',
  'unless_modifier',
  'elif_clause',
  'elsif',
  'else_if_clause',
  'for_statement',
  'for_in_statement',
  'for_range_loop',
  'enhanced_for_statement',
  'foreach_statement',
  'for_expression',
  'for_in_clause',
  'c_style_for_statement',
  'for',
  'while_statement',
  'while_expression',
  'while',
  'until',
  'while_modifier',
  'until_modifier',
  'do_statement',
  'loop_expression',
  'switch_case',
  'case_statement',
  'case_clause',
  'case_item',
  'expression_case',
  'type_case',
  'communication_case',
  'switch_label',
  'switch_section',
  'switch_expression_arm',
  'match_arm',
  'match_conditional_expression',
  'when',
  'in_clause',
  'catch_clause',
  'except_clause',
  'except_group_clause',
  'rescue',
  'conditional_expression',
  'ternary_expression',
  'conditional',
  'if_clause',
  'try_expression',
];
/** Operators that do not look at their right side always. */
const OPERATORS = ['&&', '||', '??', 'and', 'or'];

const FUNCTIONS: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

export const complexity = act({
  summary: 'cyclomatic complexity of functions, highest first; over 15 HIGH, over 8 MED',
  effect: 'read',
  input: z.strictObject({ uri, pattern, cursor, max_results: limit(30) }),
  async run(ctx, input) {
    const place = await placeOf(ctx, input.uri);
    const rows: Row[] = [];
    const looked = await overFunctions(ctx, place, input.pattern, (file, parsed) => {
      rows.push(...measured(file, parsed));
    });
    rows.sort((a, b) => b.value - a.value || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
    const base = place.directory ? place.file : path.dirname(place.file);
    const page = pageOf(
      ctx,
      rows.map((each) => rowItem(each, base)),
      { key: 'functions', cursor: input.cursor, limit: input.max_results },
    );
    return answer(page, {
      uri: toUri(place.file),
      total: rows.length,
      high: rows.filter(({ value }) => value > HIGH).length,
      med: rows.filter(({ value }) => value > MED && value <= HIGH).length,
      ...looked,
    });
  },
});

interface Row {
  readonly file: string;
  readonly line: number;
  readonly lines: number;
  readonly name: string;
  readonly value: number;
}

const levelOf = (value: number): string | undefined => (value > HIGH ? 'HIGH' : value > MED ? 'MED' : undefined);

function rowItem({ file, line, lines, name, value }: Row, base: string): Item {
  const level = levelOf(value);
  return {
    text: `${value}${level ? ` ${level}` : ''} ${path.relative(base, file)}:${line} ${name} (${lines} lines)`,
    json: { name, complexity: value, ...(level ? { level } : {}), uri: toUri(file), line, lines },
  };
}

const qualified = ({ parent, name }: Declaration): string => (parent === undefined ? name : `${parent}.${name}`);

/** Every function that has a body, with its number. What stands in a function within belongs to that one, if it has a name. */
function measured(file: string, parsed: Parsed): Row[] {
  const functions = declarationsOf(parsed).filter((each) => FUNCTIONS.has(each.kind) && each.bodyStart !== undefined);
  const values = functions.map(() => 1);
  const nodes = parsed.tree.rootNode.descendantsOfType([...BRANCHES, ...OPERATORS]);
  const open: number[] = [];
  let next = 0;
  for (const node of nodes) {
    while (next < functions.length && (functions[next] as Declaration).startIndex <= node.startIndex) open.push(next++);
    let inside = open.at(-1);
    while (inside !== undefined && (functions[inside] as Declaration).endIndex <= node.startIndex) {
      open.pop();
      inside = open.at(-1);
    }
    if (inside !== undefined && counts(node)) values[inside] = (values[inside] ?? 1) + 1;
  }
  return functions.map((each, i) => ({
    file,
    line: each.line,
    lines: each.endLine - each.line + 1,
    name: qualified(each),
    value: values[i] ?? 1,
  }));
}

function counts(node: Node): boolean {
  const { type } = node;
  if (!node.isNamed) {
    // a keyword is called as a node is; `&&` is a reference in C++, `||` a closure without parameters in Rust
    return OPERATORS.includes(type) && /binary|boolean_operator|^list$/.test(node.parent?.type ?? '');
  }
  if (type === 'match_arm' || type === 'case_clause' || type === 'switch_expression_arm') {
    const first = node.namedChild(0)?.text.trim();
    return first !== '_' && first !== 'default';
  }
  if (/^(case_statement|switch_label|switch_section|case_item)$/.test(type)) {
    const head = node.text.slice(0, 10);
    return !/^(default\b|\*\s*\))/.test(head);
  }
  return true;
}

export const signatures = act({
  summary: 'heads of functions and methods',
  effect: 'read',
  input: z.strictObject({ uri, query: z.string().optional(), pattern, cursor, max_results: limit(200) }),
  async run(ctx, input) {
    const place = await placeOf(ctx, input.uri);
    const base = place.directory ? place.file : path.dirname(place.file);
    const items: Item[] = [];
    const looked = await overFunctions(ctx, place, input.pattern, (file, parsed) => {
      for (const each of declarationsOf(parsed)) {
        if (!FUNCTIONS.has(each.kind) || (input.query !== undefined && !each.name.includes(input.query))) continue;
        items.push({
          group: path.relative(base, file) || path.basename(file),
          text: `${each.line} ${each.parent === undefined ? '' : `${each.parent}: `}${each.signature}`,
          json: { name: qualified(each), line: each.line, signature: each.signature, uri: toUri(file) },
        });
      }
    });
    const page = pageOf(ctx, items, { key: 'signatures', cursor: input.cursor, limit: input.max_results });
    return answer(page, { uri: toUri(place.file), total: items.length, ...looked });
  },
});

/** Parses every source file of a place. What could not be looked at in time is told. */
export async function overFunctions(
  ctx: Ctx,
  place: Place,
  wanted: string | undefined,
  body: (file: string, parsed: Parsed) => void,
): Promise<Record<string, unknown>> {
  const files = await filesBelow(ctx, place, wanted);
  const budget = new Budget();
  let done = 0;
  let faulty = 0;
  for (const file of files) {
    if (budget.spent) break;
    ctx.signal.throwIfAborted();
    const source = await sourceAt(ctx, file);
    done++;
    if (!source || source.language === 'json') continue;
    await parsing(ctx, source, (parsed) => {
      if (parsed.errorCount > 0) faulty++;
      body(file, parsed);
    });
    ctx.progress({ progress: done, total: files.length, message: 'files read' });
  }
  const notes = [
    ...(done < files.length ? [`stopped at the time limit before ${files.length - done} files; narrow it by uri`] : []),
    ...(faulty > 0 ? [`${faulty} files have syntax errors; around those something may be missing`] : []),
  ];
  return {
    files: done,
    ...(done < files.length ? { partial: true } : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}
