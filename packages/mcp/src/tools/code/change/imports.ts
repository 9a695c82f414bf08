// organize_imports: what nothing uses goes, the rest is sorted within its own group; TypeScript, JavaScript and Python.
import type { Node } from 'web-tree-sitter';
import { type ActionResult, ToolError } from '@hanzo/tool';
import { z } from 'zod';
import { type Import, importsOf, type Parsed } from '../../../lib/syntax/index.ts';
import { act } from '../../../local.ts';
import { cursor, uri } from '../params.ts';
import { placeOf } from '../source.ts';
import { isScript, placesOf } from './binding.ts';
import { baseOf, Changes, lending, type Origin } from './changes.ts';
import { apply } from './params.ts';

export const organizeImports = act({
  summary: 'sort the imports of a file and drop what it does not use; comments and side effects stay where they are',
  effect: 'write',
  input: z.strictObject({ uri, cursor, apply }),
  async run(ctx, input): Promise<ActionResult> {
    const place = await placeOf(ctx, input.uri);
    if (place.directory)
      throw new ToolError('INVALID_PARAMS', "organize_imports needs 'uri', a file", { param: 'uri' });
    const changes = new Changes(ctx);
    const origin = await changes.origin(place.file);
    const removed = await lending(ctx, origin, (parsed) => organized(changes, origin, parsed));
    return changes.answer({ apply: input.apply, cursor: input.cursor, base: baseOf(place) }, { removed });
  },
});

/** One import statement that may be moved. */
interface Statement {
  readonly node: Node;
  readonly spec: Import;
  /** as it is to be; '' if nothing of it is used */
  readonly text: string;
  readonly key: string;
}

function organized(changes: Changes, origin: Origin, parsed: Parsed): string[] {
  const { language } = parsed;
  if (!isScript(language) && language !== 'python') {
    throw new ToolError('INVALID_PARAMS', `organize_imports knows TypeScript, JavaScript and Python, not ${language}`, {
      param: 'uri',
    });
  }
  const removed: string[] = [];
  const specs = new Map(importsOf(parsed).map((each) => [each.startIndex, each]));
  for (const group of groupsOf(parsed, specs)) {
    const statements = group.map((node) => statementOf(parsed, node, specs.get(node.startIndex) as Import, removed));
    const kept = statements
      .filter(({ text }) => text !== '')
      .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    const texts = [...new Set(kept.map(({ text }) => text))];
    const end = /\r\n/.test(
      parsed.text.slice(group[0]?.startIndex, group[0]?.endIndex ?? 0) +
        parsed.text.slice(group[0]?.endIndex, (group[0]?.endIndex ?? 0) + 2),
    )
      ? '\r\n'
      : '\n';
    const [start, stop] = [(group[0] as Node).startIndex, (group.at(-1) as Node).endIndex];
    const now = texts.join(end);
    if (now === parsed.text.slice(start, stop)) continue;
    // the line goes with what stood on it
    const after = now === '' ? (/^\r?\n/.exec(parsed.text.slice(stop, stop + 2))?.[0].length ?? 0) : 0;
    changes.replace(origin, start, stop + after, now);
  }
  return removed;
}

/** Imports that stand line by line with nothing between: neither a blank line nor a comment, nor one for its effects. */
function groupsOf({ tree, text, language }: Parsed, specs: ReadonlyMap<number, Import>): Node[][] {
  const groups: Node[][] = [];
  let last: Node | undefined;
  for (const node of tree.rootNode.namedChildren) {
    const spec = specs.get(node.startIndex);
    const statement = /^(import_statement|import_from_statement)$/.test(node.type) && spec?.endIndex === node.endIndex;
    const lineEnd = text.indexOf('\n', node.endIndex);
    const rest = text.slice(node.endIndex, lineEnd < 0 ? text.length : lineEnd);
    const remark = /(?:\/\/|\/\*|#)/.test(rest) || /(?:\/\/|\/\*|(?:^|\s)#)/.test(node.text);
    const effects = isScript(language) && spec?.names.length === 0 && !/^import\s*(?:type\s*)?\{/.test(node.text);
    if (!statement || remark || effects || rest.trim() !== '') {
      last = undefined;
      continue;
    }
    if (last && /^\r?\n$/.test(text.slice(last.endIndex, node.startIndex))) groups.at(-1)?.push(node);
    else groups.push([node]);
    last = node;
  }
  return groups;
}

function statementOf(parsed: Parsed, node: Node, spec: Import, removed: string[]): Statement {
  const unused = spec.names.filter(({ local }) => local !== '*' && !isUsed(parsed, local, node));
  for (const { local } of unused) removed.push(local);
  const key = isScript(parsed.language)
    ? `${/^\.{1,2}(\/|$)/.test(spec.module) ? (spec.module.startsWith('..') ? 1 : 2) : 0}${spec.module.toLowerCase()}\0${spec.typeOnly ? 1 : 0}`
    : `${spec.form === 'import' ? 0 : 1}${spec.module.toLowerCase()}`;
  if (unused.length > 0 && unused.length === spec.names.length) return { node, spec, text: '', key };
  const lists = node.descendantsOfType(['named_imports']);
  let text = node.text;
  const gone = new Set(unused.map(({ local }) => local));
  const [list] = lists;
  if (list) {
    const items = list.namedChildren.filter(
      (each) => !gone.has(each.childForFieldName('alias')?.text ?? each.childForFieldName('name')?.text ?? ''),
    );
    const sorted = items.map((each) => each.text).toSorted((a, b) => compare(bare(a), bare(b)));
    const same = sorted.length === list.namedChildCount && sorted.every((each, i) => each === list.namedChild(i)?.text);
    if (!same) text = text.replace(list.text, () => (sorted.length === 0 ? '{}' : listText(list.text, sorted)));
    if (sorted.length === 0) text = text.replace(/,\s*\{\}/, '');
  } else if (parsed.language === 'python' && gone.size > 0) {
    text = python(node, gone);
  }
  // a default that nothing uses beside names that something does
  const clause = node.namedChildren.find(({ type }) => type === 'import_clause');
  const [first] = clause?.namedChildren ?? [];
  if (clause && first?.type === 'identifier' && gone.has(first.text)) text = text.replace(`${first.text}, `, '');
  return { node, spec, text, key };
}

const bare = (text: string): string => text.replace(/^type\s+/, '');
const compare = (a: string, b: string): number => {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  return x < y ? -1 : x > y ? 1 : a < b ? -1 : a > b ? 1 : 0;
};

/** The names in the shape the list had: on one line, or each on its own. */
function listText(before: string, names: readonly string[]): string {
  if (!before.includes('\n')) return before.startsWith('{ ') ? `{ ${names.join(', ')} }` : `{${names.join(', ')}}`;
  const [, indent = '\n  '] = /(\r?\n[ \t]*)\S/.exec(before) ?? [];
  const [, close = '\n'] = /(\r?\n[ \t]*)\}$/.exec(before) ?? [];
  const comma = /,\s*\}$/.test(before) ? ',' : '';
  return `{${names.map((each) => indent + each).join(',')}${comma}${close}}`;
}

function python(node: Node, gone: ReadonlySet<string>): string {
  const names = node.childrenForFieldName('name');
  const left = names.filter((each) => !gone.has(each.childForFieldName('alias')?.text ?? each.text));
  const [first, last] = [names[0] as Node, names.at(-1) as Node];
  const from = first.startIndex - node.startIndex;
  const to = last.endIndex - node.startIndex;
  return node.text.slice(0, from) + left.map((each) => each.text).join(', ') + node.text.slice(to);
}

/** Whether a name that is brought is used anywhere else in the file, types and JSX included. */
function isUsed(parsed: Parsed, local: string, node: Node): boolean {
  const name = parsed.language === 'python' ? (local.split('.')[0] ?? local) : local;
  // what JSX compiles to may need it
  if (name === 'React' || name === 'h') return true;
  const used = placesOf(parsed, name).some(
    ({ startIndex, role, parents }) =>
      (startIndex < node.startIndex || startIndex > node.endIndex) &&
      role !== 'key' &&
      (role !== 'property' || parents[0]?.startsWith('jsx') === true),
  );
  // where the text is not understood, a word is a use
  if (!used && parsed.errorCount > 0 && wordsAround(parsed.text, node).has(name)) return true;
  if (used || parsed.language !== 'python') return used;
  // __all__ lists it, or the file is what its package shows
  return new Set(parsed.tree.rootNode.descendantsOfType('string_content').map(({ text }) => text)).has(name);
}

/** Every word of a text but those of one statement. */
function wordsAround(text: string, { startIndex, endIndex }: Node): Set<string> {
  const rest = `${text.slice(0, startIndex)} ${text.slice(endIndex)}`;
  return new Set(rest.match(/[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Nd}\p{Pc}$]*/gu) ?? []);
}
