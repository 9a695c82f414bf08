// What a server costs before its first call: time and memory to `tools/list`, tokens of the list, and whether it is the same each start.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { type Command, initialize, open } from './lib/client.ts';
import { command, type ServerName, SERVERS } from './lib/servers.ts';
import { mb, median, ms, ratio, type Row } from './lib/table.ts';

const ROUNDS = 10;
const STARTS = 100;

/** The least any Node server can do: answer two methods from constants. */
const LOOP = `let b='';process.stdin.on('data',c=>{b+=c;for(let i;(i=b.indexOf('\\n'))>=0;){const m=JSON.parse(b.slice(0,i));b=b.slice(i+1);
if(m.id!==undefined)process.stdout.write(JSON.stringify({jsonrpc:'2.0',id:m.id,result:m.method==='tools/list'?{tools:[]}:{protocolVersion:'2025-06-18',capabilities:{},serverInfo:{name:'loop',version:'1'}}})+'\\n')}})`;

export const COLUMNS = ['node -e 0', 'bare loop', ...SERVERS];

export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-start-'));
  try {
    const loop = path.join(folder, 'loop.mjs');
    writeFileSync(loop, LOOP);
    const commands = new Map<string, Command>([
      ['bare loop', { argv: [process.execPath, loop], cwd: folder }],
      ...SERVERS.map((name) => [name, command(name, folder, folder)] as const),
    ]);
    const times = new Map<string, number[]>([...COLUMNS].map((name) => [name, []]));
    const memory = new Map<string, number>();
    const lists = new Map<string, string>();
    // One unmeasured round fills the page cache and the compile caches; then the servers take turns, so that noise hits all alike.
    for (let round = 0; round <= ROUNDS; round++) {
      if (round > 0) times.get('node -e 0')?.push(bareNode());
      for (const [name, each] of commands) {
        const started = performance.now();
        const session = open(each);
        await initialize(session);
        const { tools } = (await session.request('tools/list')) as { tools: unknown[] };
        if (round > 0) times.get(name)?.push(performance.now() - started);
        memory.set(name, session.memory());
        lists.set(name, JSON.stringify(tools));
        await session.end();
      }
    }
    const floor = median(times.get('node -e 0') as number[]);
    const cells = (cell: (name: string) => string | undefined): Record<string, string> =>
      Object.fromEntries(COLUMNS.flatMap((name) => (cell(name) === undefined ? [] : [[name, cell(name) as string]])));
    return [
      {
        measure: 'start to tools/list, median of 10',
        bar: '',
        cells: cells((name) => ms(median(times.get(name) as number[]))),
      },
      {
        measure: '  as a ratio to node -e 0',
        bar: '<= 1.5 x',
        cells: cells((name) => ratio(median(times.get(name) as number[]), floor)),
      },
      {
        measure: 'resident memory then',
        bar: '<= 60 MB',
        cells: cells((name) => (memory.has(name) ? mb(memory.get(name) as number) : undefined)),
      },
      {
        measure: 'tools listed by default',
        bar: '',
        cells: cells((name) =>
          isServer(name) ? String((JSON.parse(lists.get(name) as string) as unknown[]).length) : undefined,
        ),
      },
      {
        measure: 'tokens (o200k) of that list',
        bar: '<= 6000',
        cells: cells((name) => (isServer(name) ? String(encode(lists.get(name) as string).length) : undefined)),
      },
      {
        measure: 'tokens of fs,exec,code,git,fetch',
        bar: '<= 1500',
        cells: { 'hanzo-mcp': String(encode(await listOf(folder, ['--tools', 'fs,exec,code,git,fetch'])).length) },
      },
      { measure: `same bytes in ${STARTS} starts`, bar: '100', cells: { 'hanzo-mcp': await sameBytes(folder) } },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isServer(name: string): name is ServerName {
  return (SERVERS as readonly string[]).includes(name);
}

function bareNode(): number {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0'], { env });
  return performance.now() - started;
}

async function listOf(folder: string, flags: readonly string[]): Promise<string> {
  const session = open(command('hanzo-mcp', folder, folder, flags));
  const { tools } = (await session.request('tools/list')) as { tools: unknown[] };
  await session.end();
  return JSON.stringify(tools);
}

async function sameBytes(folder: string): Promise<string> {
  const seen = new Map<string, number>();
  for (let start = 0; start < STARTS; start++) {
    const digest = createHash('sha256')
      .update(await listOf(folder, []))
      .digest('hex');
    seen.set(digest, (seen.get(digest) ?? 0) + 1);
  }
  return `${Math.max(...seen.values())} of ${STARTS}`;
}
