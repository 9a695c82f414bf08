// The code tool: symbols of source files. One file per action.
import { defineTool } from '@hanzo/tool';
import type { Local } from '../../local.ts';
import { searchSymbol } from './symbol.ts';

export const code = defineTool<Local>({
  name: 'code',
  title: 'Code',
  summary: 'Symbols in source files.',
  actions: { search_symbol: searchSymbol },
  aliases: { path: 'uri', limit: 'max_results', symbol: 'query', glob: 'pattern' },
});
