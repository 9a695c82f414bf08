// How scripts bring names and pass them on: imports, re-exports, require, and what a file exports by lists.
import type { Node } from 'web-tree-sitter';
import { childOf, children, field, unquoted } from './help.ts';
import type { ImportedName, ImportSpec } from './row.ts';

const source = (node: Node): string | undefined => {
  const found = field(node, 'source');
  return found && unquoted(found);
};

const imported = (name: string, local: Node): ImportedName => ({
  name,
  local: local.text,
  start: local.startIndex,
  end: local.endIndex,
});

export function importStatement(node: Node): ImportSpec | undefined {
  const names: ImportedName[] = [];
  const required = childOf(node, 'import_require_clause');
  const module = source(required ?? node);
  if (module === undefined) return undefined;
  const alone = required && childOf(required, 'identifier');
  if (alone) names.push(imported('*', alone));
  for (const part of children(childOf(node, 'import_clause') ?? node)) {
    if (part.type === 'identifier') names.push(imported('default', part));
    if (part.type === 'namespace_import') {
      const local = childOf(part, 'identifier');
      if (local) names.push(imported('*', local));
    }
    if (part.type === 'named_imports') names.push(...specifiers(part));
  }
  const typeOnly = node.child(1)?.type === 'type';
  return { module, names, form: required ? 'require' : 'import', ...(typeOnly ? { typeOnly } : {}) };
}

function specifiers(node: Node): ImportedName[] {
  return children(node).flatMap((each) => {
    const name = field(each, 'name');
    const local = field(each, 'alias') ?? name;
    return name && local ? [imported(name.type === 'string' ? unquoted(name) : name.text, local)] : [];
  });
}

export function exportFrom(node: Node): ImportSpec | undefined {
  const module = source(node);
  if (module === undefined) return undefined;
  const clause = childOf(node, 'export_clause');
  const all = childOf(node, 'namespace_export');
  const as = all && children(all)[0];
  const names = clause ? specifiers(clause) : as ? [imported('*', as)] : [];
  return { module, names, form: 'export' };
}

/** A call of `require` or of `import` with a literal, with the names the declarator around it takes. */
export function call(node: Node): ImportSpec | undefined {
  const callee = field(node, 'function');
  const dynamic = callee?.type === 'import';
  if (!dynamic && !(callee?.type === 'identifier' && callee.text === 'require')) return undefined;
  const [argument] = children(field(node, 'arguments') ?? node);
  if (argument?.type !== 'string') return undefined;
  const up = node.parent;
  const holder = up?.type === 'await_expression' ? up.parent : up;
  const name = holder?.type === 'variable_declarator' ? field(holder, 'name') : undefined;
  return { module: unquoted(argument), names: takenBy(name), form: dynamic ? 'import()' : 'require' };
}

function takenBy(name: Node | undefined): ImportedName[] {
  if (!name) return [];
  if (name.type === 'identifier') return [imported('*', name)];
  if (name.type !== 'object_pattern') return [];
  return children(name).flatMap((each): ImportedName[] => {
    if (each.type === 'shorthand_property_identifier_pattern') return [imported(each.text, each)];
    const [key, value] = [field(each, 'key'), field(each, 'value')];
    return each.type === 'pair_pattern' && key && value?.type === 'identifier' ? [imported(key.text, value)] : [];
  });
}

/** Names exported by lists, by `export default name`, `export =`, and by CommonJS. */
export function exportedNames(root: Node): Set<string> {
  const names = new Set<string>();
  for (const node of root.descendantsOfType(['export_specifier', 'export_statement', 'assignment_expression'])) {
    if (node.type === 'export_specifier') {
      const name = field(node, 'name');
      if (name && !field(node.parent?.parent ?? node, 'source')) names.add(name.text);
    } else if (node.type === 'export_statement') {
      const value = field(node, 'value') ?? childOf(node, 'identifier');
      if (value?.type === 'identifier') names.add(value.text);
    } else {
      const left = field(node, 'left');
      const right = field(node, 'right');
      if (left?.type !== 'member_expression' || left.endIndex - left.startIndex > 200) continue;
      if (!/^(module\.)?exports\b/.test(left.text)) continue;
      if (right?.type === 'identifier') names.add(right.text);
      if (right?.type !== 'object') continue;
      for (const each of children(right)) {
        const value = each.type === 'pair' ? field(each, 'value') : each;
        if (value && value.type.endsWith('identifier')) names.add(value.text);
      }
    }
  }
  return names;
}
