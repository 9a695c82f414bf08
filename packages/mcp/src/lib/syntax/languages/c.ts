// C and C++.
import type { Node } from 'web-tree-sitter';
import {
  bindings,
  childOf,
  children,
  childrenOf,
  field,
  innermost,
  isType,
  lastName,
  named,
  type Pattern,
  supers,
  unquoted,
} from './help.ts';
import type { Around, Declare, ImportSpec, Kind, Named, Row, Supertype } from './row.ts';

const BOUND: Pattern = { names: ['identifier'] };
const WRAPPING = [
  'parenthesized_declarator',
  'reference_declarator',
  'attributed_declarator',
  'pointer_type_declarator',
];

/** One step inwards from a declarator to its name. */
const inwards = (node: Node): Node | undefined =>
  field(node, 'declarator') ??
  (WRAPPING.includes(node.type)
    ? children(node).find(({ type }) => /(declarator|identifier|name)$/.test(type))
    : undefined);

/** The name in a declarator, and whose member it is where it is qualified. */
function nameIn(declarator: Node): { name: Node; parent?: string } | undefined {
  const name = innermost(declarator, inwards);
  if (name.type === 'qualified_identifier') {
    const last = innermost(name, (at) => (at.type === 'qualified_identifier' ? field(at, 'name') : undefined));
    // the scope's last words are enough, and a text may have any length
    const before = name.text
      .slice(0, Math.max(0, last.startIndex - name.startIndex))
      .slice(-500)
      .trimEnd();
    const scope = before.endsWith('::') ? before.slice(0, -2) : before;
    return { name: last.type === 'template_function' ? (field(last, 'name') ?? last) : last, parent: lastName(scope) };
  }
  if (name.type === 'template_function') return { name: field(name, 'name') ?? name };
  return /(identifier|_name)$/.test(name.type) ? { name } : undefined;
}

/** What is called when the declarator is called: a function, unless it is a pointer to one. */
function isFunction(declarator: Node): boolean {
  let at: Node | undefined = declarator;
  for (let i = 0; at && i < 200; i++) {
    if (at.type === 'function_declarator') return field(at, 'declarator')?.type !== 'parenthesized_declarator';
    at = inwards(at);
  }
  return false;
}

const functionDefinition: Declare = (node, around) => {
  const found = nameIn(field(node, 'declarator') ?? node);
  if (!found) return [];
  const { name, parent } = found;
  return [{ kind: methodKind(name, parent, around), name, parent }];
};

function methodKind(name: Node, parent: string | undefined, around: Around): Kind {
  if (!isType(around.owner) && parent === undefined) return 'function';
  return name.type === 'identifier' && name.text === (parent ?? around.ownerName) ? 'constructor' : 'method';
}

const declaration: Declare = (node, around) =>
  node.childrenForFieldName('declarator').flatMap((declarator): readonly Named[] => {
    const bound = declarator.type === 'init_declarator' ? field(declarator, 'declarator') : declarator;
    if (bound?.type === 'structured_binding_declarator') return bindings(bound, 'variable', BOUND);
    const found = nameIn(declarator);
    if (!found) return [];
    const { name, parent } = found;
    if (isFunction(declarator)) return [{ kind: methodKind(name, parent, around), name, parent }];
    const kind = node.type === 'field_declaration' ? 'field' : isConstant(node) ? 'constant' : 'variable';
    return [{ kind, name, parent }];
  });

const isConstant = (node: Node): boolean =>
  children(node).some(({ type, text }) => type === 'type_qualifier' && (text === 'const' || text === 'constexpr'));

/** A type is declared where its body is; elsewhere it is only named. */
const withBody =
  (kind: Kind): Declare =>
  (node) => {
    const name = field(node, 'name');
    if (!name || !field(node, 'body')) return [];
    const last = name.type === 'qualified_identifier' ? innermost(name, (at) => field(at, 'name')) : name;
    return [{ kind, name: last.type === 'template_type' ? (field(last, 'name') ?? last) : last }];
  };

const typedef: Declare = (node) =>
  node.childrenForFieldName('declarator').flatMap((declarator) => {
    const found = nameIn(declarator);
    return found ? [{ kind: 'type' as const, name: found.name, body: null }] : [];
  });

const parameter: Declare = (node) => {
  const declarator = field(node, 'declarator');
  const found = declarator && nameIn(declarator);
  return found ? [{ kind: 'parameter', name: found.name }] : [];
};

function include(node: Node): ImportSpec | undefined {
  const path = field(node, 'path');
  return (
    path && { module: unquoted(path), names: [], form: path.type === 'system_lib_string' ? 'include <>' : 'include' }
  );
}

const isStatic = (node: Node): boolean =>
  children(node).some(({ type, text }) => type === 'storage_class_specifier' && text === 'static');

const shared = {
  functions: ['function_definition', 'lambda_expression'],
  wrappers: ['type_definition', 'template_declaration', 'linkage_specification'],
  identifiers: {
    identifier: 'reference',
    field_identifier: 'property',
    type_identifier: 'type',
    namespace_identifier: 'reference',
    statement_identifier: 'key',
  },
  roles: { field_designator: 'key', field_initializer: 'key', labeled_statement: 'key', goto_statement: 'key' },
  importNodes: [],
  rawCode: ['preproc_arg'],
  comments: ['comment'],
  strings: ['string_literal', 'raw_string_literal', 'char_literal', 'system_lib_string'],
  imports: { preproc_include: include },
  exported: (node: Node, _named: Named, { local }: Around) =>
    !local && !isStatic(node) && !/^(field_declaration|parameter)/.test(node.type),
} satisfies Partial<Row>;

const declare = {
  function_definition: functionDefinition,
  declaration,
  field_declaration: declaration,
  struct_specifier: withBody('struct'),
  union_specifier: withBody('union'),
  enum_specifier: withBody('enum'),
  enumerator: named('enum_member'),
  type_definition: typedef,
  parameter_declaration: parameter,
  preproc_def: named('macro'),
  preproc_function_def: named('macro'),
} satisfies Row['declare'];

const SCOPES = [
  'function_definition',
  'compound_statement',
  'for_statement',
  'struct_specifier',
  'union_specifier',
  'parameter_list',
  'case_statement',
];

export const c: Row = {
  ...shared,
  title: 'C',
  grammar: 'tree-sitter-c/tree-sitter-c.wasm',
  endings: ['c', 'h'],
  declare,
  scopes: SCOPES,
};

function bases(node: Node): Supertype[] {
  const clause = childOf(node, 'base_class_clause');
  return clause
    ? supers(childrenOf(clause, 'type_identifier', 'qualified_identifier', 'template_type'), 'extends')
    : [];
}

const typeParameter: Declare = (node) =>
  childrenOf(node, 'type_identifier')
    .slice(0, 1)
    .map((name) => ({ kind: 'type_parameter', name }));

export const cpp: Row = {
  ...shared,
  title: 'C++',
  grammar: 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  endings: ['cc', 'cpp', 'cxx', 'c++', 'hh', 'hpp', 'hxx', 'h++', 'ipp', 'tpp', 'inl', 'cu', 'cuh'],
  declare: {
    ...declare,
    class_specifier: withBody('class'),
    namespace_definition: named('namespace'),
    namespace_alias_definition: named('namespace'),
    alias_declaration: named('type'),
    concept_definition: named('type'),
    optional_parameter_declaration: parameter,
    variadic_parameter_declaration: parameter,
    for_range_loop: (node) => {
      const declarator = field(node, 'declarator');
      if (declarator?.type === 'structured_binding_declarator') return bindings(declarator, 'variable', BOUND);
      const found = declarator && nameIn(declarator);
      return found ? [{ kind: 'variable', name: found.name }] : [];
    },
    type_parameter_declaration: typeParameter,
    optional_type_parameter_declaration: typeParameter,
    variadic_type_parameter_declaration: typeParameter,
  },
  scopes: [
    ...SCOPES,
    'class_specifier',
    'namespace_definition',
    'lambda_expression',
    'for_range_loop',
    'template_declaration',
    'catch_clause',
  ],
  bareMembers: true,
  roles: { ...shared.roles, 'qualified_identifier.name': 'property', using_declaration: 'import' },
  importNodes: ['using_declaration'],
  supertypes: { class_specifier: bases, struct_specifier: bases },
};
