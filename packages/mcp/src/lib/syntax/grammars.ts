// Grammars as WebAssembly: each is loaded once, on its first use, from the installed packages or from what a build packed.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Language, Parser } from 'web-tree-sitter';

/** What the parser library gives, as far as it is used. */
export interface Library {
  readonly Parser: typeof Parser;
  readonly Language: typeof Language;
  /** size of the memory that all trees share; it grows with the largest, and never shrinks */
  heapBytes(): number;
}

/** The parser's own module, under the name its package has for it. */
export const RUNTIME = 'web-tree-sitter/web-tree-sitter.wasm';

/** In a build (`scripts/build.ts`) every module lies here, compressed; among the sources there is no such folder. */
const PACKED = fileURLToPath(new URL('../grammars/', import.meta.url));

let library: Promise<Library> | undefined;
const grammars = new Map<string, Promise<Language>>();

/** The parser library, started. */
export function loadLibrary(): Promise<Library> {
  library ??= start().catch((error: unknown) => {
    library = undefined;
    throw error;
  });
  return library;
}

async function start(): Promise<Library> {
  const [{ Parser, Language }, wasmBinary] = await Promise.all([import('web-tree-sitter'), bytesOf(RUNTIME)]);
  // the options become the module, with a view of its memory
  const module: { wasmBinary?: Uint8Array; HEAPU8?: Uint8Array } = { wasmBinary };
  await Parser.init(module as object);
  return { Parser, Language, heapBytes: () => module.HEAPU8?.length ?? 0 };
}

/** A grammar by its file (`tree-sitter-go/tree-sitter-go.wasm`). */
export function loadGrammar(file: string): Promise<Language> {
  let known = grammars.get(file);
  if (!known) {
    known = Promise.all([loadLibrary(), bytesOf(file)]).then(([{ Language }, bytes]) => Language.load(bytes));
    known.catch(() => grammars.delete(file));
    grammars.set(file, known);
  }
  return known;
}

/** The name under which a build keeps a module. */
export const packedName = (file: string): string => `${path.basename(file)}.br`;

/** Where a module lies among the installed packages. */
export const fileOf = (file: string): string => createRequire(import.meta.url).resolve(file);

async function bytesOf(file: string): Promise<Uint8Array> {
  const packed = path.join(PACKED, packedName(file));
  return existsSync(packed) ? promisify(brotliDecompress)(await readFile(packed)) : readFile(fileOf(file));
}
