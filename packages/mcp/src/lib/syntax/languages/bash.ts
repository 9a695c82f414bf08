// Bash and POSIX shell.
import type { Node } from 'web-tree-sitter';
import { childOf, children, field, named, unquoted } from './help.ts';
import type { ImportSpec, Row } from './row.ts';

/** `source FILE` and `. FILE`. */
function sourced(node: Node): ImportSpec | undefined {
  const name = field(node, 'name');
  if (!name || !/^(source|\.)$/.test(name.text.slice(0, 10))) return undefined;
  const argument = field(node, 'argument');
  return argument && { module: unquoted(argument).slice(0, 500), names: [], form: 'source' };
}

export const bash: Row = {
  title: 'Bash',
  grammar: 'tree-sitter-bash/tree-sitter-bash.wasm',
  endings: ['sh', 'bash', 'ksh', 'bats', 'ebuild'],
  names: ['.bashrc', '.bash_profile', '.profile', 'PKGBUILD', 'APKBUILD'],
  interpreters: ['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh'],
  declare: {
    function_definition: named('function'),
    variable_assignment: (node, { wrapper }) => {
      const name = field(node, 'name');
      const constant = wrapper?.child(0)?.type === 'readonly';
      return name?.type === 'variable_name' ? [{ kind: constant ? 'constant' : 'variable', name }] : [];
    },
    for_statement: (node) => {
      const name = field(node, 'variable');
      return name ? [{ kind: 'variable', name }] : [];
    },
  },
  scopes: ['function_definition', 'subshell', 'command_substitution'],
  functions: ['function_definition'],
  wrappers: ['declaration_command'],
  identifiers: { variable_name: 'reference', word: 'reference' },
  roles: {
    command: 'key',
    concatenation: 'key',
    heredoc_redirect: 'key',
    file_redirect: 'key',
    case_item: 'key',
    array: 'key',
  },
  importNodes: [],
  comments: ['comment'],
  strings: ['string', 'string_content', 'raw_string', 'ansi_c_string', 'heredoc_content'],
  imports: { command: sourced },
  exported: (node, _named, { wrapper, local }) =>
    !local && (node.type === 'function_definition' || wrapper?.child(0)?.type === 'export'),
  exportedNames: (root) => {
    const names = new Set<string>();
    for (const node of root.descendantsOfType(['declaration_command', 'command'])) {
      const exports = node.type === 'declaration_command' && node.child(0)?.type === 'export';
      if (exports) for (const each of children(node)) if (each.type === 'variable_name') names.add(each.text);
      const name = childOf(node, 'command_name');
      if (name?.text === 'export') for (const each of children(node).slice(1)) names.add(each.text);
    }
    return names;
  },
};
