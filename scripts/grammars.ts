// Packs what the code tool parses with: the parser's own module and every grammar of the table, each compressed.
// Usage: node --conditions=hanzo-source scripts/grammars.ts OUTPUT [EARLIER]; what EARLIER has, and is not older, is taken from there.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { brotliCompressSync, constants } from 'node:zlib';
import { fileOf, packedName, RUNTIME } from '../packages/mcp/src/lib/syntax/grammars.ts';
import { LANGUAGES, rowOf } from '../packages/mcp/src/lib/syntax/languages/index.ts';

const [output, earlier] = process.argv.slice(2);
if (output === undefined) throw new Error('usage: grammars.ts OUTPUT [EARLIER]');

mkdirSync(output, { recursive: true });
for (const file of new Set([RUNTIME, ...LANGUAGES.map((id) => rowOf(id).grammar)])) {
  const source = fileOf(file);
  const target = path.join(output, packedName(file));
  const known = earlier === undefined ? undefined : path.join(earlier, packedName(file));
  if (known !== undefined && modified(known) > modified(source)) copyFileSync(known, target);
  else writeFileSync(target, packed(readFileSync(source)));
}

// They are others' work: their licences travel with them.
const folders = new Set(
  [RUNTIME, ...LANGUAGES.map((id) => rowOf(id).grammar)].map((file) => path.dirname(fileOf(file))),
);
const licences = [...folders].map((folder) => `${path.basename(folder)}\n\n${licenceOf(folder)}`);
writeFileSync(path.join(output, 'LICENSES'), licences.join('\n\n----\n\n'));

/** The text of a package's licence, else what its manifest says of it. */
function licenceOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(path.join(folder, file), 'utf8').trim();
  const { license = '', author = '' } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  return `${license}, ${typeof author === 'string' ? author : author.name}`;
}

interface Manifest {
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Quality 9 packs 19 MB into 1.3 MB in a few seconds; 11 would take a minute for a tenth less. */
function packed(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}
