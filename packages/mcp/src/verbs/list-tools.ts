// `hanzo-mcp list-tools`: what is served and what each tool costs a model's context, every turn.
import process from 'node:process';
import type { Catalog } from '../catalog.ts';
import type { Config } from '../config.ts';
import { createSurface } from '../surface.ts';

/** Prints the list as a table, or as JSON; returns the exit code. */
export function listTools(config: Config, catalog: Catalog, json: boolean): number {
  const listed = new Set(createSurface(config.tools, config.dataDir).listed());
  const rows = catalog.tools.filter((each) => listed.has(each.name));
  const bytes = sum(rows.map((each) => each.bytes));
  const tokens = sum(rows.map((each) => each.tokens));
  if (json) {
    const tools = rows.map((each) => ({ name: each.name, bytes: each.bytes, tokens: each.tokens }));
    process.stdout.write(`${JSON.stringify({ tools, total: { tools: rows.length, bytes, tokens } }, null, 2)}\n`);
    return 0;
  }
  process.stdout.write(
    line('tool', 'bytes', 'tokens') +
      rows.map((each) => line(each.name, each.bytes, each.tokens)).join('') +
      line(`${rows.length} tools`, bytes, tokens),
  );
  return 0;
}

function line(name: string, bytes: number | string, tokens: number | string): string {
  return `${name.padEnd(12)}${String(bytes).padStart(8)}${String(tokens).padStart(8)}\n`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
