// PHP, with the HTML around it.
import type { Node } from 'web-tree-sitter';
import {
  bindings,
  childOf,
  children,
  childrenOf,
  field,
  member,
  named,
  type Pattern,
  supers,
  unquoted,
} from './help.ts';
import type { Declare, ImportedName, ImportSpec, Kind, Named, Row, Supertype } from './row.ts';

const PATTERN: Pattern = {
  names: ['name'],
  except: [
    'member_access_expression',
    'subscript_expression',
    'scoped_property_access_expression',
    'dynamic_variable_name',
  ],
};

/** `$name` is a variable_name around a name. */
const variable =
  (kind: Kind, from = 'name'): Declare =>
  (node) => {
    const holder = field(node, from);
    const name = holder?.type === 'variable_name' ? childOf(holder, 'name') : undefined;
    return name ? [{ kind, name }] : [];
  };

const assigned: Declare = (node) => {
  const left = field(node, 'left');
  return left && /^(variable_name|list_literal|array_creation_expression)$/.test(left.type)
    ? bindings(left, 'variable', PATTERN)
    : [];
};

/** The variables of a foreach are its children behind the first, up to its body. */
const foreach: Declare = (node) => {
  const body = field(node, 'body');
  return children(node)
    .slice(1)
    .filter(({ id }) => id !== body?.id)
    .flatMap((each) => bindings(each, 'variable', PATTERN));
};

/** `define('NAME', ...)`. */
const define: Declare = (node): Named[] => {
  const callee = field(node, 'function');
  if (callee?.type !== 'name' || callee.text !== 'define') return [];
  const [first] = childrenOf(field(node, 'arguments') ?? node, 'argument');
  const name = first && childOf(childOf(first, 'string', 'encapsed_string') ?? first, 'string_content');
  return name ? [{ kind: 'constant', name }] : [];
};

const constant: Declare = (node) => {
  const name = childOf(node, 'name');
  return name ? [{ kind: 'constant', name }] : [];
};

function use(node: Node): ImportSpec | undefined {
  const prefix = childOf(node, 'namespace_name')?.text;
  const clauses = childrenOf(childOf(node, 'namespace_use_group') ?? node, 'namespace_use_clause');
  const names = clauses.flatMap((clause): ImportedName[] => {
    const alias = field(clause, 'alias');
    const path = children(clause).find(({ id }) => id !== alias?.id);
    if (!path) return [];
    const last = path.type === 'qualified_name' ? (childOf(path, 'name') ?? path) : path;
    const local = alias ?? last;
    const name = prefix ? `${prefix}\\${path.text}` : path.text;
    return [{ name, local: local.text, start: local.startIndex, end: local.endIndex }];
  });
  return { module: prefix ?? names.map(({ name }) => name).join(', '), names, form: 'use' };
}

function required(node: Node): ImportSpec | undefined {
  const path = childOf(node, 'string', 'encapsed_string', 'parenthesized_expression', 'binary_expression');
  if (!path) return undefined;
  return { module: unquoted(path).slice(0, 500), names: [], form: node.type.replace(/_expression$/, '') };
}

const NAMES = ['name', 'qualified_name', 'relative_name'];

const heritage = (node: Node): Supertype[] => {
  const traits = childrenOf(field(node, 'body') ?? node, 'use_declaration');
  return [
    ...childrenOf(node, 'base_clause').flatMap((clause) => supers(childrenOf(clause, ...NAMES), 'extends')),
    ...childrenOf(node, 'class_interface_clause').flatMap((clause) =>
      supers(childrenOf(clause, ...NAMES), 'implements'),
    ),
    ...traits.flatMap((clause) => supers(childrenOf(clause, ...NAMES), 'uses')),
  ];
};

export const php: Row = {
  title: 'PHP',
  grammar: 'tree-sitter-php/tree-sitter-php.wasm',
  endings: ['php', 'phtml', 'php5', 'inc'],
  interpreters: ['php'],
  declare: {
    namespace_definition: named('namespace'),
    class_declaration: named('class'),
    interface_declaration: named('interface'),
    trait_declaration: named('trait'),
    enum_declaration: named('enum'),
    enum_case: named('enum_member'),
    function_definition: named('function'),
    method_declaration: (node, around) =>
      field(node, 'name')?.text === '__construct'
        ? named('constructor')(node, around)
        : member('method', 'method')(node, around),
    property_element: variable('field'),
    const_element: constant,
    simple_parameter: variable('parameter'),
    variadic_parameter: variable('parameter'),
    property_promotion_parameter: variable('field'),
    assignment_expression: assigned,
    static_variable_declaration: variable('variable'),
    catch_clause: variable('variable'),
    foreach_statement: foreach,
    function_call_expression: define,
  },
  scopes: [
    'function_definition',
    'method_declaration',
    'anonymous_function',
    'arrow_function',
    'class_declaration',
    'interface_declaration',
    'trait_declaration',
    'enum_declaration',
    'anonymous_class',
  ],
  functions: ['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function'],
  wrappers: ['property_declaration', 'const_declaration', 'expression_statement'],
  identifiers: { name: 'reference' },
  roles: {
    'member_access_expression.name': 'property',
    'nullsafe_member_access_expression.name': 'property',
    'member_call_expression.name': 'property',
    'nullsafe_member_call_expression.name': 'property',
    'scoped_call_expression.name': 'property',
    class_constant_access_expression: 'property',
    'variable_name@scoped_property_access_expression': 'property',
    named_type: 'type',
    base_clause: 'type',
    class_interface_clause: 'type',
    'argument.name': 'key',
  },
  importNodes: ['namespace_use_declaration'],
  comments: ['comment'],
  strings: ['string', 'string_content', 'encapsed_string', 'heredoc_body', 'nowdoc_body', 'text'],
  imports: {
    namespace_use_declaration: use,
    require_expression: required,
    require_once_expression: required,
    include_expression: required,
    include_once_expression: required,
  },
  exported: (node, { kind }, { owner, wrapper, local }) => {
    if (local) return false;
    const visibility = childOf(node, 'visibility_modifier') ?? (wrapper && childOf(wrapper, 'visibility_modifier'));
    return owner === undefined || owner === 'namespace'
      ? kind !== 'variable'
      : !/^(private|protected)$/.test(visibility?.text ?? '');
  },
  supertypes: {
    class_declaration: heritage,
    interface_declaration: heritage,
    trait_declaration: heritage,
    enum_declaration: heritage,
  },
};
