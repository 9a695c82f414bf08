// Java.
import type { Node } from 'web-tree-sitter';
import { bindings, childOf, childrenOf, field, isType, named, type Pattern, supers } from './help.ts';
import type { Declare, ImportSpec, Row, Supertype } from './row.ts';

const PATTERN: Pattern = { names: ['identifier'] };
const NAMES = ['type_identifier', 'scoped_type_identifier', 'generic_type'];

const declarator: Declare = (node, { wrapper, local }) => {
  const name = field(node, 'name');
  if (name && wrapper?.type === 'spread_parameter') return [{ kind: 'parameter', name }];
  const constant = wrapper?.type === 'constant_declaration' || /\bfinal\b/.test(modifiersOf(wrapper));
  const kind = local ? 'variable' : constant && /\bstatic\b|^$/.test(modifiersOf(wrapper)) ? 'constant' : 'field';
  return name ? [{ kind, name }] : [];
};

function modifiersOf(node: Node | undefined): string {
  const found = node && childOf(node, 'modifiers');
  return found ? found.text.slice(0, 2000) : '';
}

function importOf(node: Node): ImportSpec | undefined {
  const path = childOf(node, 'scoped_identifier', 'identifier');
  if (!path) return undefined;
  const all = childOf(node, 'asterisk') !== undefined;
  const local = field(path, 'name') ?? path;
  const { text, startIndex: start, endIndex: end } = local;
  const form = node.children.some(({ type }) => type === 'static') ? 'import static' : 'import';
  return {
    module: path.text + (all ? '.*' : ''),
    names: all ? [] : [{ name: text, local: text, start, end }],
    form,
  };
}

function typeNames(node: Node | undefined, how: string): Supertype[] {
  if (!node) return [];
  const list = childOf(node, 'type_list') ?? node;
  return supers(childrenOf(list, ...NAMES), how);
}

const heritage = (node: Node): Supertype[] => [
  ...typeNames(field(node, 'superclass'), 'extends'),
  ...typeNames(field(node, 'interfaces'), 'implements'),
  ...typeNames(childOf(node, 'extends_interfaces'), 'extends'),
];

export const java: Row = {
  title: 'Java',
  grammar: 'tree-sitter-java/tree-sitter-java.wasm',
  endings: ['java'],
  declare: {
    class_declaration: named('class'),
    interface_declaration: named('interface'),
    enum_declaration: named('enum'),
    record_declaration: named('class'),
    annotation_type_declaration: named('interface'),
    annotation_type_element_declaration: named('method'),
    method_declaration: named('method'),
    constructor_declaration: named('constructor'),
    compact_constructor_declaration: named('constructor'),
    enum_constant: named('enum_member'),
    variable_declarator: declarator,
    // a record's parameters are its fields
    formal_parameter: (node, around) => named(isType(around.owner) ? 'field' : 'parameter')(node, around),
    catch_formal_parameter: named('parameter'),
    enhanced_for_statement: named('variable'),
    resource: named('variable'),
    inferred_parameters: (node) => bindings(node, 'parameter', PATTERN),
    lambda_expression: (node) => {
      const only = field(node, 'parameters');
      return only?.type === 'identifier' ? [{ kind: 'parameter', name: only }] : [];
    },
    instanceof_expression: named('variable'),
    type_pattern: (node) => childrenOf(node, 'identifier').map((name) => ({ kind: 'variable', name })),
    record_pattern_component: (node) => childrenOf(node, 'identifier').map((name) => ({ kind: 'variable', name })),
    type_parameter: (node) => {
      const name = childOf(node, 'type_identifier', 'identifier');
      return name ? [{ kind: 'type_parameter', name }] : [];
    },
  },
  scopes: [
    'class_declaration',
    'interface_declaration',
    'enum_declaration',
    'record_declaration',
    'annotation_type_declaration',
    'class_body',
    'method_declaration',
    'constructor_declaration',
    'compact_constructor_declaration',
    'lambda_expression',
    'block',
    'for_statement',
    'enhanced_for_statement',
    'try_with_resources_statement',
    'catch_clause',
    'switch_block_statement_group',
    'switch_rule',
  ],
  functions: [
    'method_declaration',
    'constructor_declaration',
    'compact_constructor_declaration',
    'lambda_expression',
    'static_initializer',
  ],
  wrappers: ['field_declaration', 'constant_declaration', 'local_variable_declaration', 'spread_parameter'],
  bareMembers: true,
  identifiers: { identifier: 'reference', type_identifier: 'type' },
  roles: {
    'field_access.field': 'property',
    'method_invocation.name': 'property',
    method_reference: 'property',
    'element_value_pair.key': 'key',
    labeled_statement: 'key',
    'scoped_identifier@package_declaration': 'declaration',
    package_declaration: 'declaration',
  },
  importNodes: ['import_declaration'],
  comments: ['line_comment', 'block_comment'],
  strings: ['string_literal', 'character_literal'],
  imports: { import_declaration: importOf },
  exported: (node, _named, { owner, wrapper }) =>
    /\bpublic\b/.test(modifiersOf(node) || modifiersOf(wrapper)) ||
    owner === 'interface' ||
    node.type === 'enum_constant',
  supertypes: {
    class_declaration: heritage,
    interface_declaration: heritage,
    enum_declaration: heritage,
    record_declaration: heritage,
  },
};
