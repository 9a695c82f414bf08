// Writes the prepared tool list: the JSON of every listing with its size in bytes and o200k tokens.
// Usage: node --conditions=hanzo-source scripts/catalog.ts VERSION OUTPUT
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Catalog } from '../packages/mcp/src/catalog.ts';
import { LOADERS } from '../packages/mcp/src/host.ts';

const [version, output] = process.argv.slice(2);
if (version === undefined || output === undefined) throw new Error('usage: catalog.ts VERSION OUTPUT');

const tools = await Promise.all(
  [...LOADERS].map(async ([name, load]) => {
    const json = JSON.stringify((await load()).describe());
    return { name, json, bytes: Buffer.byteLength(json), tokens: encode(json).length };
  }),
);
const catalog: Catalog = { version, tools };
writeFileSync(output, JSON.stringify(catalog));
