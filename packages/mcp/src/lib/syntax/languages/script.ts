// TypeScript, TSX and JavaScript.
import type { Node } from 'web-tree-sitter';
import { bindings, childOf, children, field, isType, named, type Pattern, supers } from './help.ts';
import type { Around, Declare, Kind, Named, Row, Supertype } from './row.ts';
import { call, exportedNames, exportFrom, importStatement } from './script-modules.ts';

const PATTERN: Pattern = {
  names: ['identifier', 'undefined'],
  shorthand: ['shorthand_property_identifier_pattern'],
  except: ['member_expression', 'subscript_expression', 'computed_property_name', 'property_identifier', 'decorator'],
  exceptFields: ['right', 'key', 'type'],
};

const FUNCTIONS = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'generator_function',
  'arrow_function',
  'method_definition',
  'function_signature',
  'method_signature',
  'abstract_method_signature',
  'construct_signature',
  'call_signature',
  'function_type',
  'class_static_block',
];

/** What a value makes of the name it is given to. */
function kindOfValue(value: Node | undefined, otherwise: Kind): Kind {
  switch (value?.type) {
    case 'arrow_function':
    case 'function_expression':
    case 'generator_function':
      return 'function';
    case 'class':
      return 'class';
    default:
      return otherwise;
  }
}

const declarator: Declare = (node, { wrapper }) => {
  const name = field(node, 'name');
  const value = field(node, 'value');
  const constant = wrapper !== undefined && field(wrapper, 'kind')?.type === 'const';
  const kind = constant ? 'constant' : 'variable';
  const hoisted = wrapper?.type === 'variable_declaration';
  if (name?.type !== 'identifier') return bindings(name, kind, PATTERN).map((each) => ({ ...each, hoisted }));
  const made = kindOfValue(value, kind);
  return [{ kind: made, name, body: made === kind ? undefined : bodyOf(value), hoisted }];
};

const bodyOf = (value: Node | undefined): Node | undefined => value && field(value, 'body');

const method: Declare = (node, around) => {
  const name = property(field(node, 'name'));
  if (!name) return [];
  return [{ kind: name.text === 'constructor' && isType(around.owner) ? 'constructor' : 'method', name }];
};

/** A property's name as a node: what is between the quotes of a string. */
const property = (name: Node | undefined): Node | undefined =>
  name?.type === 'string' ? childOf(name, 'string_fragment') : name;

const classField: Declare = (node) => {
  const name = property(field(node, 'name') ?? field(node, 'property'));
  const value = field(node, 'value');
  const made = kindOfValue(value, 'field');
  return name
    ? [{ kind: made === 'field' ? made : 'method', name, body: made === 'field' ? undefined : bodyOf(value) }]
    : [];
};

/** `key: function () {}` in an object: a function that has a name there. */
const pair: Declare = (node) => {
  const value = field(node, 'value');
  const name = property(field(node, 'key'));
  return name && kindOfValue(value, 'key') === 'function' ? [{ kind: 'method', name, body: bodyOf(value) }] : [];
};

/** `exports.name = ...` and `Type.prototype.name = function`. */
const assignment: Declare = (node) => {
  const left = field(node, 'left');
  const value = field(node, 'right');
  const name = left?.type === 'member_expression' ? field(left, 'property') : undefined;
  const object = left && field(left, 'object');
  if (!name || !object || object.endIndex - object.startIndex > 200) return [];
  if (object.type === 'this') return [{ kind: 'field', name }];
  const of = object.text;
  const made = kindOfValue(value, 'variable');
  const body = made === 'variable' ? undefined : bodyOf(value);
  // a name that is passed on is declared elsewhere
  if (value?.type === 'identifier' && value.text === name.text) return [];
  if (of === 'exports' || of === 'module.exports') return [{ kind: made, name, body }];
  const prototype = /^([\p{L}\p{N}_$]+)\.prototype$/u.exec(of);
  return prototype && made === 'function' ? [{ kind: 'method', name, parent: prototype[1], body }] : [];
};

/** The members of an enum, in order: bare names, and those that are given a value. */
const enumBody: Declare = (node) =>
  children(node)
    .map((each) => property(each.type === 'enum_assignment' ? field(each, 'name') : each))
    .filter((name) => name !== undefined && name.type !== 'comment')
    .map((name) => ({ kind: 'enum_member' as const, name: name as Node }));

const parameter: Declare = (node) => {
  const name = field(node, 'pattern');
  return bindings(name, 'parameter', PATTERN);
};

const parameters: Declare = (node) =>
  children(node)
    .filter(({ type }) => type !== 'required_parameter' && type !== 'optional_parameter' && type !== 'comment')
    .flatMap((each) => bindings(each, 'parameter', PATTERN));

const declare: Row['declare'] = {
  function_declaration: named('function'),
  generator_function_declaration: named('function'),
  function_signature: named('function'),
  class_declaration: named('class'),
  abstract_class_declaration: named('class'),
  interface_declaration: named('interface'),
  type_alias_declaration: named('type'),
  enum_declaration: named('enum'),
  enum_body: enumBody,
  internal_module: named('namespace'),
  module: (node) => {
    const name = property(field(node, 'name'));
    return name ? [{ kind: 'namespace', name }] : [];
  },
  method_definition: method,
  method_signature: method,
  abstract_method_signature: method,
  public_field_definition: classField,
  field_definition: classField,
  property_signature: classField,
  variable_declarator: declarator,
  pair,
  assignment_expression: assignment,
  required_parameter: parameter,
  optional_parameter: parameter,
  formal_parameters: parameters,
  arrow_function: (node) => bindings(field(node, 'parameter'), 'parameter', PATTERN),
  function_expression: (node, around) => named('function')(node, around).map((each) => ({ ...each, inside: true })),
  catch_clause: (node) => bindings(field(node, 'parameter'), 'variable', PATTERN),
  for_in_statement: (node) => (field(node, 'kind') ? bindings(field(node, 'left'), 'variable', PATTERN) : []),
  type_parameter: named('type_parameter'),
};

function heritage(node: Node): Supertype[] {
  const clause = childOf(node, 'class_heritage');
  const found: Supertype[] = [];
  for (const part of clause ? children(clause) : []) {
    if (part.type === 'extends_clause') found.push(...supers(part.childrenForFieldName('value'), 'extends'));
    else if (part.type === 'implements_clause') found.push(...supers(children(part), 'implements'));
    else found.push(...supers([part], 'extends')); // JavaScript has the expression itself there
  }
  return found;
}

const interfaceHeritage = (node: Node): Supertype[] =>
  children(node)
    .filter(({ type }) => type === 'extends_type_clause')
    .flatMap((clause) => supers(clause.childrenForFieldName('type'), 'extends'));

const ROLES: Row['roles'] = {
  'member_expression.property': 'property',
  'nested_type_identifier.name': 'type',
  'pair.key': 'key',
  'pair_pattern.key': 'key',
  jsx_attribute: 'key',
  namespace_export: 'import',
  'labeled_statement.label': 'key',
};

/** What `export` may stand before. */
const STATEMENTS: ReadonlySet<string> = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'class_declaration',
  'abstract_class_declaration',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
  'internal_module',
  'variable_declarator',
]);

const shared = {
  declare,
  scopes: [
    ...FUNCTIONS,
    'statement_block',
    'for_statement',
    'for_in_statement',
    'catch_clause',
    'class_body',
    'switch_body',
    'interface_declaration',
    'type_alias_declaration',
    'class_declaration',
    'abstract_class_declaration',
    'class',
    'enum_body',
    'object',
    'object_type',
    'interface_body',
  ],
  functions: FUNCTIONS,
  anonymous: { object_type: ['type_alias_declaration', 'property_signature', 'public_field_definition'] },
  wrappers: [
    'export_statement',
    'ambient_declaration',
    'lexical_declaration',
    'variable_declaration',
    'expression_statement',
  ],
  identifiers: {
    identifier: 'reference',
    property_identifier: 'property',
    private_property_identifier: 'property',
    shorthand_property_identifier: 'reference',
    shorthand_property_identifier_pattern: 'reference',
    type_identifier: 'type',
    statement_identifier: 'key',
  },
  roles: ROLES,
  importNodes: ['import_statement', 'import_require_clause'],
  comments: ['comment', 'html_comment', 'hash_bang_line'],
  strings: ['string', 'template_string', 'regex', 'jsx_text', 'string_fragment'],
  imports: { import_statement: importStatement, export_statement: exportFrom, call_expression: call },
  exported: (node: Node, _named: Named, around: Around) => {
    if (node.type === 'assignment_expression') return field(node, 'left')?.text.includes('exports') ?? false;
    return around.outer?.type === 'export_statement' && STATEMENTS.has(node.type);
  },
  exportedNames,
  supertypes: {
    class_declaration: heritage,
    abstract_class_declaration: heritage,
    class: heritage,
    interface_declaration: interfaceHeritage,
  },
} satisfies Partial<Row>;

export const typescript: Row = {
  ...shared,
  title: 'TypeScript',
  grammar: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  endings: ['ts', 'mts', 'cts'],
};

export const tsx: Row = {
  ...shared,
  title: 'TSX',
  grammar: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  endings: ['tsx'],
};

export const javascript: Row = {
  ...shared,
  title: 'JavaScript',
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  endings: ['js', 'mjs', 'cjs', 'jsx'],
  interpreters: ['node', 'deno', 'bun'],
};
