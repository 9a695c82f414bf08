// Rust.
import type { Node } from 'web-tree-sitter';
import {
  bindings,
  childOf,
  children,
  childrenOf,
  field,
  lastName,
  member,
  named,
  type Pattern,
  supers,
} from './help.ts';
import type { Declare, ImportedName, ImportSpec, Row, Supertype } from './row.ts';

const PATTERN: Pattern = {
  names: ['identifier'],
  shorthand: ['shorthand_field_identifier'],
  except: ['scoped_identifier', 'range_pattern', 'macro_invocation', 'line_comment', 'block_comment', 'const_block'],
  exceptFields: ['type', 'condition'],
};
/** How many names one `use` may bring. */
const USED = 10_000;

/** In a refutable pattern a name with a capital is a constant or a variant that is compared with. */
const refutable: Declare = (node) =>
  bindings(field(node, 'pattern'), 'variable', PATTERN).filter(({ name }) => !/^\p{Lu}/u.test(name.text));

/** `use a::{b, c as d, e::*}` as the names it brings. */
function use(node: Node): ImportSpec | undefined {
  const argument = field(node, 'argument');
  if (!argument) return undefined;
  const names: ImportedName[] = [];
  const waiting: { part: Node; prefix: string }[] = [{ part: argument, prefix: '' }];
  for (let next = waiting.pop(); next && names.length < USED; next = waiting.pop()) {
    const { part, prefix } = next;
    const join = (rest: string): string => (prefix ? `${prefix}::${rest}` : rest);
    const bring = (path: string, local: Node): void => {
      names.push({ name: path, local: local.text, start: local.startIndex, end: local.endIndex });
    };
    if (part.type === 'use_list' || part.type === 'scoped_use_list') {
      const path = field(part, 'path');
      const list = part.type === 'use_list' ? part : field(part, 'list');
      const inner = path ? join(path.text) : prefix;
      for (const each of children(list ?? part).toReversed()) waiting.push({ part: each, prefix: inner });
    } else if (part.type === 'use_as_clause') {
      const [path, alias] = [field(part, 'path'), field(part, 'alias')];
      if (path && alias) bring(join(path.text), alias);
    } else if (part.type === 'use_wildcard') {
      names.push({
        name: join(part.text.replace(/::\*$/, '::*')),
        local: '*',
        start: part.startIndex,
        end: part.endIndex,
      });
    } else if (part.type === 'self') {
      names.push({ name: prefix, local: lastName(prefix), start: part.startIndex, end: part.endIndex });
    } else if (!part.type.endsWith('comment')) {
      bring(join(part.text), field(part, 'name') ?? part);
    }
  }
  const form = childOf(node, 'visibility_modifier') ? 'pub use' : 'use';
  return { module: argument.text.slice(0, 500).replaceAll(/\s+/g, ' '), names, form };
}

/** `mod name;`, whose body is another file. */
function modFile(node: Node): ImportSpec | undefined {
  const name = field(node, 'name');
  if (!name || field(node, 'body')) return undefined;
  const { text, startIndex, endIndex } = name;
  return { module: text, names: [{ name: '*', local: text, start: startIndex, end: endIndex }], form: 'mod' };
}

function implementedBy(node: Node): Supertype[] {
  const [trait, type] = [field(node, 'trait'), field(node, 'type')];
  return trait && type ? [{ name: lastName(trait.text), how: 'implements', of: lastName(type.text) }] : [];
}

const bounds = (node: Node): Supertype[] => {
  const list = field(node, 'bounds');
  return list ? supers(childrenOf(list, 'type_identifier', 'scoped_type_identifier', 'generic_type'), 'extends') : [];
};

export const rust: Row = {
  title: 'Rust',
  grammar: 'tree-sitter-rust/tree-sitter-rust.wasm',
  endings: ['rs'],
  declare: {
    function_item: member('method', 'function'),
    function_signature_item: member('method', 'function'),
    struct_item: named('struct'),
    enum_item: named('enum'),
    union_item: named('union'),
    enum_variant: named('enum_member'),
    trait_item: named('trait'),
    mod_item: (node, around) => (field(node, 'body') ? named('namespace')(node, around) : []),
    type_item: named('type'),
    associated_type: named('type'),
    const_item: named('constant'),
    static_item: named('variable'),
    macro_definition: named('macro'),
    field_declaration: named('field'),
    let_declaration: (node) => bindings(field(node, 'pattern'), 'variable', PATTERN),
    for_expression: (node) => bindings(field(node, 'pattern'), 'variable', PATTERN),
    let_condition: refutable,
    match_arm: refutable,
    parameter: (node) => bindings(field(node, 'pattern'), 'parameter', PATTERN),
    closure_parameters: (node) =>
      children(node)
        .filter(({ type }) => type !== 'parameter')
        .flatMap((part) => bindings(part, 'parameter', PATTERN)),
    type_parameter: named('type_parameter'),
    const_parameter: named('type_parameter'),
  },
  scopes: [
    'function_item',
    'function_signature_item',
    'closure_expression',
    'block',
    'for_expression',
    'if_expression',
    'while_expression',
    'match_arm',
    'mod_item',
    'struct_item',
    'enum_item',
    'trait_item',
    'impl_item',
    'type_item',
  ],
  functions: ['function_item', 'function_signature_item', 'closure_expression'],
  wrappers: ['foreign_mod_item'],
  owners: { impl_item: (node) => lastName(field(node, 'type')?.text ?? '') },
  identifiers: {
    identifier: 'reference',
    field_identifier: 'property',
    shorthand_field_identifier: 'reference',
    type_identifier: 'type',
  },
  roles: {
    'field_initializer.field': 'key',
    'field_pattern.name': 'key',
    'scoped_identifier.name': 'property',
    'mod_item.name': 'import',
  },
  importNodes: ['use_declaration', 'extern_crate_declaration'],
  comments: ['line_comment', 'block_comment'],
  strings: ['string_literal', 'raw_string_literal', 'char_literal'],
  imports: { use_declaration: use, mod_item: modFile, extern_crate_declaration: modFile },
  exported: (node, _named, { owner }) =>
    childOf(node, 'visibility_modifier') !== undefined ||
    (owner === 'trait' && /^(function|const|associated)/.test(node.type)) ||
    node.type === 'enum_variant',
  supertypes: { impl_item: implementedBy, trait_item: bounds },
};
