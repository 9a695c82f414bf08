// @hanzo/search: a search engine over one tree. Everything public is named here.
export { openIndex } from './engine/open.ts';
export { cursorOf, readCursor } from './engine/cursor.ts';
export { SearchError } from './types.ts';
export type {
  FileHits,
  Found,
  Hit,
  IndexOptions,
  Page,
  Progress,
  Query,
  SearchIndex,
  SearchOptions,
  Skipped,
  Status,
  SymbolQuery,
} from './types.ts';
