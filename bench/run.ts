// `npm run bench [-- NAME ... [FLAG ...]]`: measures ours beside its peers and its floor in one run and prints one table.
import os from 'node:os';
import process from 'node:process';
import { installPeers } from './lib/servers.ts';
import { render, type Row } from './lib/table.ts';

interface Bench {
  COLUMNS: readonly string[];
  /** `flags`: what stands on the command line after the names */
  bench(flags: readonly string[]): Promise<Row[]>;
}

const BENCHES: ReadonlyMap<string, () => Promise<Bench>> = new Map<string, () => Promise<Bench>>([
  ['start', () => import('./start.ts')],
  ['edit', () => import('./edit.ts')],
  ['read', () => import('./read.ts')],
  ['output', () => import('./output.ts')],
  ['kill', () => import('./kill.ts')],
  ['search', () => import('./search.ts')],
  ['verdict', () => import('./verdict.ts')],
  ['store', () => import('./store.ts')],
  ['plane', () => import('./plane.ts')],
]);

/** Those whose peers are MCP servers, which are installed first. */
const AMONG_SERVERS: ReadonlySet<string> = new Set(['start', 'edit', 'read', 'output', 'kill']);

const words = process.argv.slice(2);
const end = words.findIndex((word) => word.startsWith('-'));
const asked = end < 0 ? words : words.slice(0, end);
const flags = end < 0 ? [] : words.slice(end);
const unknown = asked.find((name) => !BENCHES.has(name));
if (unknown !== undefined) {
  process.stderr.write(`bench: no '${unknown}'; there are: ${[...BENCHES.keys()].join(', ')}\n`);
  process.exit(2);
}

if (asked.length === 0 || asked.some((name) => AMONG_SERVERS.has(name))) installPeers();
const rows: Row[] = [];
const columns = new Set<string>();
for (const [name, load] of BENCHES) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stderr.write(`bench: ${name}\n`);
  const { bench, COLUMNS } = await load();
  rows.push(...(await bench(flags)));
  for (const column of COLUMNS) columns.add(column);
}
const [load] = os.loadavg();
process.stdout.write(
  `${render(rows, [...columns])}\n\nNode ${process.versions.node}, ${os.availableParallelism()} cores, load ${load?.toFixed(1)}\n`,
);
