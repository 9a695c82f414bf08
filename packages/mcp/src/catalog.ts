// The prepared list: what the door answers to `tools/list`, written at build time so that no tool is loaded for it.
import { readFileSync } from 'node:fs';

/** One tool as it is listed, with what its listing costs a model's context each turn. */
export interface CatalogEntry {
  readonly name: string;
  /** the listing of this tool, JSON text */
  readonly json: string;
  readonly bytes: number;
  /** o200k tokens of `json` */
  readonly tokens: number;
}

/** What `scripts/build.ts` writes beside the program. */
export interface Catalog {
  readonly version: string;
  readonly tools: readonly CatalogEntry[];
}

/** Reads the catalog that lies beside the running program. */
export function loadCatalog(file: URL): Catalog {
  return JSON.parse(readFileSync(file, 'utf8')) as Catalog;
}

/** The JSON text of the `tools` array for the given names, in their order. */
export function listing(catalog: Catalog, names: readonly string[]): string {
  const known = new Map(catalog.tools.map((each) => [each.name, each.json]));
  return `[${names.flatMap((name) => known.get(name) ?? []).join(',')}]`;
}
