// Ruby.
import type { Node } from 'web-tree-sitter';
import { bindings, children, field, member, named, type Pattern, supers, unquoted } from './help.ts';
import type { Declare, ImportSpec, Kind, Row, Supertype } from './row.ts';

const PATTERN: Pattern = {
  names: ['identifier', 'constant', 'instance_variable', 'class_variable', 'global_variable'],
  except: ['call', 'element_reference', 'scope_resolution'],
  exceptFields: ['value'],
};
const KINDS: Readonly<Record<string, Kind>> = {
  constant: 'constant',
  instance_variable: 'field',
  class_variable: 'field',
};

const assigned: Declare = (node) =>
  bindings(field(node, 'left') ?? field(node, 'pattern'), 'variable', PATTERN).map((each) => ({
    ...each,
    kind: KINDS[each.name.type] ?? 'variable',
  }));

const parameters: Declare = (node) => bindings(node, 'parameter', PATTERN);

/** The last name of `class A::B`. */
const scoped =
  (kind: Kind): Declare =>
  (node) => {
    const name = field(node, 'name');
    const last = name?.type === 'scope_resolution' ? field(name, 'name') : name;
    return last ? [{ kind, name: last }] : [];
  };

const ATTRIBUTES: ReadonlySet<string> = new Set(['attr_accessor', 'attr_reader', 'attr_writer', 'attr']);

/** `attr_accessor :a` declares a field, `define_method :a` a method. */
const call: Declare = (node) => {
  const method = field(node, 'method');
  if (!method || field(node, 'receiver') || method.endIndex - method.startIndex > 20) return [];
  const attribute = ATTRIBUTES.has(method.text);
  if (!attribute && method.text !== 'define_method' && method.text !== 'alias_method') return [];
  const names = symbolsOf(node);
  return (attribute ? names : names.slice(0, 1)).map((name) => ({ kind: attribute ? 'field' : 'method', name }));
};

const symbolsOf = (node: Node): Node[] =>
  children(field(node, 'arguments') ?? node).filter(({ type }) => type === 'simple_symbol');

/** Methods that `private` and `protected` keep from others: those behind the bare word, and those it names. */
function hidden(root: Node): Set<number> {
  const places = new Set<number>();
  for (const body of root.descendantsOfType('body_statement')) {
    let closed = false;
    const names = new Set<string>();
    const methods = children(body).filter(({ type }) => /^(method|identifier|call)$/.test(type));
    for (const each of methods) {
      if (each.type === 'method') {
        if (closed) places.add(each.startIndex);
        continue;
      }
      const word = each.type === 'call' ? (field(each, 'method')?.text ?? '') : each.text;
      if (!/^(private|protected|public)$/.test(word.slice(0, 10))) continue;
      if (each.type === 'identifier') closed = word !== 'public';
      else if (word !== 'public') {
        for (const name of symbolsOf(each)) names.add(name.text.slice(1));
        for (const inner of children(field(each, 'arguments') ?? each)) {
          if (inner.type === 'method') places.add(inner.startIndex);
        }
      }
    }
    for (const each of methods) {
      if (each.type === 'method' && names.has(field(each, 'name')?.text ?? '')) places.add(each.startIndex);
    }
  }
  return places;
}

const REQUIRES: ReadonlySet<string> = new Set(['require', 'require_relative', 'load', 'autoload']);

function required(node: Node): ImportSpec | undefined {
  const method = field(node, 'method');
  if (!method || field(node, 'receiver') || !REQUIRES.has(method.text.slice(0, 20))) return undefined;
  const path = children(field(node, 'arguments') ?? method).findLast(({ type }) => type === 'string');
  return path && { module: unquoted(path), names: [], form: method.text };
}

const MIXINS: ReadonlySet<string> = new Set(['include', 'extend', 'prepend']);

/** A class's superclass, and the modules its body mixes in. */
function mixed(node: Node): Supertype[] {
  const base = field(node, 'superclass');
  const found = base ? supers(children(base), 'extends') : [];
  for (const statement of children(field(node, 'body') ?? node)) {
    const method = statement.type === 'call' ? field(statement, 'method') : undefined;
    if (!method || field(statement, 'receiver') || !MIXINS.has(method.text.slice(0, 20))) continue;
    const names = children(field(statement, 'arguments') ?? method);
    found.push(
      ...supers(
        names.filter(({ type }) => /^(constant|scope_resolution)$/.test(type)),
        method.text,
      ),
    );
  }
  return found;
}

export const ruby: Row = {
  title: 'Ruby',
  grammar: 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  endings: ['rb', 'rake', 'gemspec', 'ru'],
  names: ['Rakefile', 'Gemfile', 'Guardfile', 'Vagrantfile'],
  interpreters: ['ruby', 'jruby'],
  declare: {
    method: (node, around) => member('method', around.owner === 'namespace' ? 'method' : 'function')(node, around),
    singleton_method: named('method'),
    class: scoped('class'),
    module: scoped('namespace'),
    assignment: assigned,
    operator_assignment: assigned,
    method_parameters: parameters,
    block_parameters: parameters,
    lambda_parameters: parameters,
    exception_variable: (node) => bindings(node, 'variable', PATTERN),
    for: assigned,
    alias: named('method'),
    call,
  },
  scopes: ['method', 'singleton_method', 'class', 'module', 'block', 'do_block', 'lambda', 'singleton_class'],
  functions: ['method', 'singleton_method', 'block', 'do_block', 'lambda'],
  bareMembers: true,
  identifiers: {
    identifier: 'reference',
    constant: 'reference',
    instance_variable: 'property',
    class_variable: 'property',
    global_variable: 'reference',
    hash_key_symbol: 'key',
  },
  roles: { 'call.method': 'property', 'scope_resolution.name': 'property', superclass: 'type' },
  symbols: ['simple_symbol'],
  importNodes: [],
  comments: ['comment'],
  strings: ['string', 'string_content', 'heredoc_content', 'regex'],
  imports: { call: required },
  exported: (node, { name }, { local }) =>
    !local && node.type !== 'call' && !(node.type.endsWith('assignment') && name.type !== 'constant'),
  hidden,
  supertypes: { class: mixed, module: mixed },
};
