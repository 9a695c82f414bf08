// Python.
import type { Node } from 'web-tree-sitter';
import { bindings, childOf, children, field, named, type Pattern, supers, unquoted } from './help.ts';
import type { Declare, ImportedName, ImportSpec, Named, Row } from './row.ts';

const PATTERN: Pattern = {
  names: ['identifier'],
  except: ['attribute', 'subscript', 'call', 'type', 'comment'],
  exceptFields: ['type', 'value', 'right'],
};

const assignment: Declare = (node, around) => {
  const left = field(node, 'left');
  if (!left) return [];
  if (left.type !== 'attribute') {
    const kind = around.local ? 'variable' : around.owner === 'class' ? 'field' : 'variable';
    const found = bindings(left, kind, PATTERN);
    return found.map((each) =>
      kind === 'variable' && isConstant(each.name.text) ? { ...each, kind: 'constant' } : each,
    );
  }
  // an attribute that a method gives itself is a field of its class
  const name = field(left, 'attribute');
  return name && field(left, 'object')?.text === 'self' ? [{ kind: 'field', name }] : [];
};

const isConstant = (name: string): boolean => /^_{0,2}[A-Z][A-Z0-9_]*$/.test(name);

const parameters: Declare = (node) =>
  children(node).flatMap((each): readonly Named[] => {
    const name = field(each, 'name');
    if (name) return [{ kind: 'parameter', name }];
    return bindings(each, 'parameter', PATTERN);
  });

const imported = (name: string, local: Node): ImportedName => ({
  name,
  local: local.text,
  start: local.startIndex,
  end: local.endIndex,
});

function importFrom(node: Node): ImportSpec {
  const module = field(node, 'module_name')?.text ?? '__future__';
  const names = node.childrenForFieldName('name').map((each) => {
    const alias = field(each, 'alias');
    return alias ? imported(field(each, 'name')?.text ?? '', alias) : imported(each.text, each);
  });
  return { module: module.replaceAll(/\s/g, ''), names, form: childOf(node, 'wildcard_import') ? 'from *' : 'from' };
}

/** Python's `import a.b, c as d` is several imports in one statement; the module names them all, parted by commas. */
function importStatement(node: Node): ImportSpec {
  const parts = node.childrenForFieldName('name');
  const names = parts.map((each) => {
    const alias = field(each, 'alias');
    if (alias) return imported(field(each, 'name')?.text ?? '', alias);
    return imported(each.text, childOf(each, 'identifier') ?? each);
  });
  return { module: names.map(({ name }) => name).join(', '), names, form: 'import' };
}

/** What `__all__` lists, else nothing. */
function listed(root: Node): Set<string> | undefined {
  for (const statement of children(root)) {
    const assigned = childOf(statement, 'assignment');
    if (!assigned || field(assigned, 'left')?.text !== '__all__') continue;
    return new Set(children(field(assigned, 'right') ?? assigned).map(unquoted));
  }
  return undefined;
}

export const python: Row = {
  title: 'Python',
  grammar: 'tree-sitter-python/tree-sitter-python.wasm',
  endings: ['py', 'pyi', 'pyw'],
  interpreters: ['python', 'python2', 'python3'],
  declare: {
    function_definition: (node, around) =>
      named(!around.local && around.owner === 'class' ? 'method' : 'function')(node, around),
    class_definition: named('class'),
    assignment,
    augmented_assignment: () => [],
    named_expression: named('variable'),
    for_statement: (node) => bindings(field(node, 'left'), 'variable', PATTERN),
    for_in_clause: (node) => bindings(field(node, 'left'), 'variable', PATTERN),
    as_pattern_target: (node) => bindings(node, 'variable', PATTERN),
    type_alias_statement: (node) => {
      const name = childOf(field(node, 'left') ?? node, 'identifier');
      return name ? [{ kind: 'type', name }] : [];
    },
    parameters,
    lambda_parameters: parameters,
  },
  scopes: [
    'function_definition',
    'lambda',
    'class_definition',
    'list_comprehension',
    'set_comprehension',
    'dictionary_comprehension',
    'generator_expression',
  ],
  functions: ['function_definition', 'lambda'],
  wrappers: ['decorated_definition', 'expression_statement'],
  identifiers: { identifier: 'reference' },
  roles: {
    'attribute.attribute': 'property',
    'keyword_argument.name': 'key',
    keyword_pattern: 'key',
  },
  importNodes: ['import_statement', 'import_from_statement', 'future_import_statement'],
  comments: ['comment'],
  strings: ['string', 'string_content'],
  imports: {
    import_statement: importStatement,
    import_from_statement: importFrom,
    future_import_statement: importFrom,
  },
  exported: (_node, { name }, { owner, local }) => owner === undefined && !local && !name.text.startsWith('_'),
  exportedNames: (root) => listed(root) ?? new Set(),
  supertypes: {
    class_definition: (node) => {
      const list = field(node, 'superclasses');
      return list
        ? supers(
            children(list).filter(({ type }) => /^(identifier|attribute|subscript)$/.test(type)),
            'extends',
          )
        : [];
    },
  },
};
