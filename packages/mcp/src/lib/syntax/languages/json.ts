// JSON: its keys are what it declares.
import { childOf, field } from './help.ts';
import type { Row } from './row.ts';

export const json: Row = {
  title: 'JSON',
  grammar: 'tree-sitter-json/tree-sitter-json.wasm',
  endings: ['json', 'jsonc', 'json5', 'webmanifest', 'geojson', 'code-workspace', 'code-snippets'],
  names: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc', 'composer.lock'],
  declare: {
    pair: (node) => {
      const key = field(node, 'key');
      const name = key && childOf(key, 'string_content');
      return name ? [{ kind: 'key', name, body: field(node, 'value') }] : [];
    },
  },
  scopes: ['object'],
  functions: [],
  identifiers: {},
  importNodes: [],
  comments: ['comment'],
  strings: ['string'],
  imports: {},
  exported: () => false,
};
