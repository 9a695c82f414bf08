// C#.
import type { Node } from 'web-tree-sitter';
import { childOf, childrenOf, field, isType, lastName, named, supers } from './help.ts';
import type { Declare, ImportSpec, Kind, Row, Supertype } from './row.ts';

const declarator: Declare = (node, { outer, local }) => {
  const name = field(node, 'name');
  const kind: Kind = hasModifier(outer, 'const') ? 'constant' : local ? 'variable' : 'field';
  return name ? [{ kind, name }] : [];
};

const hasModifier = (node: Node | undefined, word: string): boolean =>
  node !== undefined && childrenOf(node, 'modifier').some(({ text }) => text === word);

/** In a list that ends with `params`, the last parameter's name stands in the list itself. */
const parameters: Declare = (node) => node.childrenForFieldName('name').map((name) => ({ kind: 'parameter', name }));

function using(node: Node): ImportSpec | undefined {
  const alias = field(node, 'name');
  const path = childrenOf(node, 'qualified_name', 'identifier', 'alias_qualified_name', 'generic_name').findLast(
    ({ id }) => id !== alias?.id,
  );
  if (!path) return undefined;
  const names = alias ? [{ name: '*', local: alias.text, start: alias.startIndex, end: alias.endIndex }] : [];
  const form = node.children.some(({ type }) => type === 'static') ? 'using static' : 'using';
  return { module: path.text.slice(0, 500), names, form };
}

/** A base list does not say which is the class; by custom an interface's name begins with I and a capital. */
function bases(node: Node): Supertype[] {
  const list = childOf(node, 'base_list');
  const names = list
    ? childrenOf(list, 'identifier', 'qualified_name', 'generic_name', 'primary_constructor_base_type')
    : [];
  const onlyInterfaces = node.type === 'struct_declaration';
  return names.flatMap((name) => {
    const text = lastName(name.text);
    const implemented = node.type !== 'interface_declaration' && (onlyInterfaces || /^I\p{Lu}/u.test(text));
    return supers([name], implemented ? 'implements' : 'extends');
  });
}

export const csharp: Row = {
  title: 'C#',
  grammar: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  endings: ['cs', 'csx'],
  declare: {
    class_declaration: named('class'),
    struct_declaration: named('struct'),
    interface_declaration: named('interface'),
    enum_declaration: named('enum'),
    record_declaration: named('class'),
    delegate_declaration: named('type'),
    method_declaration: named('method'),
    constructor_declaration: named('constructor'),
    property_declaration: named('field'),
    event_declaration: named('field'),
    enum_member_declaration: named('enum_member'),
    namespace_declaration: named('namespace'),
    file_scoped_namespace_declaration: named('namespace'),
    local_function_statement: named('function'),
    variable_declarator: declarator,
    // what a type itself takes are its fields
    parameter: (node, around) => named(isType(around.owner) ? 'field' : 'parameter')(node, around),
    parameter_list: parameters,
    implicit_parameter: (node) => [{ kind: 'parameter', name: node }],
    foreach_statement: (node) => {
      const name = field(node, 'left');
      return name?.type === 'identifier' ? [{ kind: 'variable', name }] : [];
    },
    catch_declaration: named('variable'),
    declaration_expression: named('variable'),
    declaration_pattern: named('variable'),
    type_parameter: named('type_parameter'),
  },
  scopes: [
    'class_declaration',
    'struct_declaration',
    'interface_declaration',
    'record_declaration',
    'enum_declaration',
    'namespace_declaration',
    'method_declaration',
    'constructor_declaration',
    'destructor_declaration',
    'operator_declaration',
    'indexer_declaration',
    'accessor_declaration',
    'local_function_statement',
    'lambda_expression',
    'anonymous_method_expression',
    'delegate_declaration',
    'block',
    'for_statement',
    'foreach_statement',
    'using_statement',
    'catch_clause',
    'switch_section',
  ],
  functions: [
    'method_declaration',
    'constructor_declaration',
    'destructor_declaration',
    'operator_declaration',
    'indexer_declaration',
    'accessor_declaration',
    'local_function_statement',
    'lambda_expression',
    'anonymous_method_expression',
    'global_statement',
  ],
  wrappers: ['variable_declaration', 'field_declaration', 'event_field_declaration', 'local_declaration_statement'],
  bareMembers: true,
  identifiers: { identifier: 'reference', implicit_parameter: 'reference' },
  roles: {
    'member_access_expression.name': 'property',
    member_binding_expression: 'property',
    name_colon: 'key',
    labeled_statement: 'key',
    'qualified_name.name': 'property',
    'variable_declaration.type': 'type',
    'parameter.type': 'type',
    'method_declaration.returns': 'type',
    'property_declaration.type': 'type',
    'object_creation_expression.type': 'type',
    base_list: 'type',
    generic_name: 'type',
    type_argument_list: 'type',
  },
  importNodes: ['using_directive'],
  comments: ['comment'],
  strings: ['string_literal', 'verbatim_string_literal', 'raw_string_literal', 'character_literal', 'string_content'],
  imports: { using_directive: using },
  exported: (node, _named, { owner, outer }) =>
    hasModifier(node, 'public') ||
    hasModifier(outer, 'public') ||
    owner === 'interface' ||
    node.type.endsWith('namespace_declaration') ||
    node.type === 'enum_member_declaration',
  supertypes: {
    class_declaration: bases,
    struct_declaration: bases,
    interface_declaration: bases,
    record_declaration: bases,
  },
};
