// Go.
import type { Node } from 'web-tree-sitter';
import { bindings, childOf, children, each, field, lastName, named, type Pattern, supers, unquoted } from './help.ts';
import type { Declare, Row, Supertype } from './row.ts';

const PATTERN: Pattern = { names: ['identifier'], except: ['selector_expression', 'index_expression', 'comment'] };

const typeSpec: Declare = (node, around) => {
  const type = field(node, 'type')?.type;
  const kind = type === 'struct_type' ? 'struct' : type === 'interface_type' ? 'interface' : 'type';
  const body = type && kind !== 'type' ? childOf(field(node, 'type') ?? node, 'field_declaration_list') : undefined;
  return named(kind)(node, around).map((found) => ({
    ...found,
    body: body ?? (kind === 'interface' ? field(node, 'type') : undefined),
  }));
};

const method: Declare = (node) => {
  const name = field(node, 'name');
  const receiver = childOf(field(node, 'receiver') ?? node, 'parameter_declaration');
  const type = receiver && field(receiver, 'type');
  return name ? [{ kind: 'method', name, parent: type && lastName(type.text.replace(/^[*\s(]+/, '')) }] : [];
};

/** Types embedded in a struct or an interface. */
function embedded(node: Node): Supertype[] {
  const type = field(node, 'type');
  if (type?.type === 'interface_type') {
    return supers(
      children(type)
        .filter((part) => part.type === 'type_elem' && part.namedChildCount === 1)
        .flatMap(children)
        .filter((part) => /^(type_identifier|qualified_type|generic_type)$/.test(part.type)),
      'embeds',
    );
  }
  if (type?.type !== 'struct_type') return [];
  const list = childOf(type, 'field_declaration_list');
  const bare = (list ? children(list) : []).filter((part) => part.type === 'field_declaration' && !field(part, 'name'));
  return supers(
    bare.map((part) => field(part, 'type')).filter((part) => part !== undefined),
    'embeds',
  );
}

export const go: Row = {
  title: 'Go',
  grammar: 'tree-sitter-go/tree-sitter-go.wasm',
  endings: ['go'],
  declare: {
    function_declaration: named('function'),
    method_declaration: method,
    type_spec: typeSpec,
    type_alias: named('type'),
    const_spec: each('constant'),
    var_spec: each('variable'),
    short_var_declaration: (node) => bindings(field(node, 'left'), 'variable', PATTERN),
    range_clause: (node) =>
      node.children.some(({ type }) => type === ':=') ? bindings(field(node, 'left'), 'variable', PATTERN) : [],
    receive_statement: (node) =>
      node.children.some(({ type }) => type === ':=') ? bindings(field(node, 'left'), 'variable', PATTERN) : [],
    type_switch_statement: (node) => bindings(field(node, 'alias'), 'variable', PATTERN),
    parameter_declaration: each('parameter'),
    variadic_parameter_declaration: each('parameter'),
    type_parameter_declaration: each('type_parameter'),
    field_declaration: each('field'),
    method_elem: named('method'),
    method_spec: named('method'),
  },
  scopes: [
    'function_declaration',
    'method_declaration',
    'func_literal',
    'block',
    'if_statement',
    'for_statement',
    'expression_case',
    'default_case',
    'type_case',
    'communication_case',
    'type_switch_statement',
    'expression_switch_statement',
    'type_spec',
    'method_elem',
  ],
  functions: ['function_declaration', 'method_declaration', 'func_literal', 'method_elem'],
  wrappers: ['type_declaration', 'const_declaration', 'var_declaration'],
  identifiers: {
    identifier: 'reference',
    field_identifier: 'property',
    type_identifier: 'type',
    package_identifier: 'reference',
    label_name: 'key',
  },
  roles: { 'literal_element@keyed_element.key': 'key', package_clause: 'declaration' },
  importNodes: ['import_spec'],
  comments: ['comment'],
  strings: ['interpreted_string_literal', 'raw_string_literal', 'rune_literal'],
  imports: {
    import_spec: (node) => {
      const path = field(node, 'path');
      const alias = field(node, 'name');
      if (!path) return undefined;
      const module = unquoted(path);
      const local = alias ?? path;
      const name = alias?.text ?? lastName(path.text.replaceAll(/["`]/g, '').split('/').at(-1) ?? '');
      return {
        module,
        names: [{ name: '*', local: name, start: local.startIndex, end: local.endIndex }],
        form: 'import',
      };
    },
  },
  exported: (_node, { name }) => /^\p{Lu}/u.test(name.text),
  supertypes: { type_spec: embedded },
};
