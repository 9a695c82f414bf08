// The code tool: symbols, trees and names of source files, read and changed as their grammars read them.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { changeActions } from './change/index.ts';
import { definition } from './definition.ts';
import { hierarchy } from './hierarchy.ts';
import { metrics } from './metrics.ts';
import { references } from './references.ts';
import { summarize } from './summarize.ts';
import { searchSymbol } from './symbol.ts';
import { exports, outline, symbols, types } from './symbols.ts';
import { parse, serialize } from './tree.ts';

export const code = defineTool<Local>({
  name: 'code',
  title: 'Code',
  summary: 'Read and refactor source code by its syntax.',
  actions: {
    parse,
    serialize,
    symbols,
    outline,
    definition,
    references,
    search_symbol: searchSymbol,
    summarize,
    metrics,
    exports,
    types,
    hierarchy,
    ...changeActions,
  },
  aliases: {
    path: 'uri',
    file: 'uri',
    limit: 'max_results',
    symbol: 'query',
    glob: 'pattern',
    lang: 'language',
    ast: 'depth',
    old_name: 'query',
  },
  actionAliases: { find_references: 'references' },
});
