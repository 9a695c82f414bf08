// One search of a tool: the list it asks for, kept for further pages, and the engine's refusals as the tools' own.
import type { Found, Query, SearchIndex, SearchOptions, SymbolQuery } from '@hanzo/search';
import { type CallContext, ToolError } from '@hanzo/tool';
import type { Indexes } from './indexes.ts';

/** How long a search may take before it answers with what it has. */
const DEADLINE_MS = 25_000;

/** What of a call a search needs. */
export type Asking = Pick<CallContext, 'signal' | 'progress'> & { readonly env: { readonly indexes: Indexes } };

export type Asked = { readonly text: Query } | { readonly symbol: SymbolQuery };

export interface Listed {
  readonly found: Found;
  /** this is a further page, and its list is not the one the page before came from */
  readonly renewed: boolean;
}

/** The list of a query: searched anew for a first page, the one kept for a further page. */
export async function listOf(ctx: Asking, index: SearchIndex, asked: Asked, further: boolean): Promise<Listed> {
  const { indexes } = ctx.env;
  const key = JSON.stringify([index.root, asked]);
  const known = further ? indexes.recall(key, index) : undefined;
  if (known) return { found: known, renewed: false };
  const before = indexes.lastId(key);
  const found = await answered(ctx, index, asked);
  indexes.keep(key, { found, index });
  return { found, renewed: further && found.id !== before };
}

async function answered(ctx: Asking, index: SearchIndex, asked: Asked): Promise<Found> {
  let told = 0;
  const options: SearchOptions = {
    signal: ctx.signal,
    deadlineMs: DEADLINE_MS,
    accept: ctx.env.indexes.accept,
    onProgress({ done, total, phase }) {
      // Progress must increase, and the phases of a search begin anew.
      if (done <= told) return;
      told = done;
      ctx.progress({
        progress: done,
        ...(total === undefined || total < done ? {} : { total }),
        message: WORDS[phase],
      });
    },
  };
  try {
    return 'text' in asked ? await index.search(asked.text, options) : await index.symbol(asked.symbol, options);
  } catch (error) {
    ctx.signal.throwIfAborted();
    throw explained(error, 'text' in asked ? 'pattern' : 'query', 'text' in asked ? 'glob' : 'pattern');
  }
}

const WORDS = { walk: 'files found', scan: 'files searched', build: 'bytes indexed' } as const;

/** By name: the engine is built apart from this file, and has a class of its own. */
function explained(error: unknown, pattern: string, glob: string): unknown {
  if (!(error instanceof Error) || error.name !== 'SearchError') return error;
  const { code, position } = error as Error & { code?: string; position?: number };
  switch (code) {
    case 'PATTERN': {
      const where = position === undefined || error.message.includes('position') ? '' : ` (at position ${position})`;
      const hint = pattern === 'pattern' ? '; pass literal: true to search for the text itself' : '';
      // what only a program can ask for is not for a caller of tools
      const message = error.message.replace(/; `backtrack`.*$/s, ', as in ripgrep');
      return new ToolError('INVALID_PARAMS', `'${pattern}': ${message}${where}${hint}`, {
        param: pattern,
        ...(position === undefined ? {} : { position }),
      });
    }
    case 'GLOB':
      return new ToolError('INVALID_PARAMS', `'${glob}': ${error.message}; give a file glob such as *.ts or src/**`, {
        param: glob,
      });
    case 'NOT_FOUND':
      return new ToolError('NOT_FOUND', error.message);
    default:
      return error;
  }
}
