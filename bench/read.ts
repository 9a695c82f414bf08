// Reading what is large: a page of a 1 GB file, of one 3 MB line, of a folder with 10,000 entries.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { initialize, open, type Called } from './lib/client.ts';
import { command, type ServerName, SERVERS } from './lib/servers.ts';
import { kb, mb, ms, type Row } from './lib/table.ts';

const DEADLINE_MS = 120_000;

export const COLUMNS: readonly string[] = SERVERS;

interface Question {
  measure: string;
  bar: string;
  ask: Readonly<Record<ServerName, (folder: string) => readonly [tool: string, args: object]>>;
}

const QUESTIONS: readonly Question[] = [
  {
    measure: 'page of a 1 GB file, line 5,000,000 on',
    bar: '<= 50 KB, <= 64 MB',
    ask: {
      'hanzo-mcp': (folder) => ['fs', { action: 'read', uri: `${folder}/big.log`, offset: 5_000_000, limit: 100 }],
      filesystem: (folder) => ['read_text_file', { path: `${folder}/big.log`, head: 5_000_100 }],
      'desktop-commander': (folder) => ['read_file', { path: `${folder}/big.log`, offset: 5_000_000, length: 100 }],
    },
  },
  {
    measure: 'first page of a 3 MB line',
    bar: '<= 50 KB, <= 64 MB',
    ask: {
      'hanzo-mcp': (folder) => ['fs', { action: 'read', uri: `${folder}/line.txt` }],
      filesystem: (folder) => ['read_text_file', { path: `${folder}/line.txt`, head: 1 }],
      'desktop-commander': (folder) => ['read_file', { path: `${folder}/line.txt`, offset: 0, length: 1 }],
    },
  },
  {
    measure: 'page of a folder of 10,000',
    bar: '<= 50 KB, <= 64 MB',
    ask: {
      'hanzo-mcp': (folder) => ['fs', { action: 'list', uri: `${folder}/many` }],
      filesystem: (folder) => ['list_directory', { path: `${folder}/many` }],
      'desktop-commander': (folder) => ['list_directory', { path: `${folder}/many`, depth: 1 }],
    },
  },
];

export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-read-'));
  const home = mkdtempSync(path.join(tmpdir(), 'bench-home-'));
  try {
    prepare(folder);
    const rows: Row[] = [];
    for (const { measure, bar, ask } of QUESTIONS) {
      const cells: Record<string, string> = {};
      for (const name of SERVERS) cells[name] = await measureOne(name, folder, home, ask[name](folder));
      rows.push({ measure, bar, cells });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }
}

/** Time, size of the answer and growth of the server's peak memory; or what went wrong. */
async function measureOne(
  name: ServerName,
  folder: string,
  home: string,
  [tool, args]: readonly [string, object],
): Promise<string> {
  const session = open(command(name, folder, home));
  try {
    await initialize(session);
    await session.request('tools/list');
    const before = session.peak();
    const started = performance.now();
    const answer = await session.call(tool, args, DEADLINE_MS);
    const took = performance.now() - started;
    const failed = answer.isError ? ' (error)' : '';
    return `${ms(took)}, ${kb(sizeOf(answer))}, +${mb(session.peak() - before)}${failed}`;
  } catch (error) {
    return `${(error as Error).message}, +${mb(session.peak())}`;
  } finally {
    await session.end();
  }
}

function sizeOf(answer: Called): number {
  return answer.content.reduce((sum, block) => sum + Buffer.byteLength(block.text ?? block.data ?? ''), 0);
}

function prepare(folder: string): void {
  const lines =
    Array.from({ length: 10_000 }, (_, i) => `line ${String(i).padStart(6, '0')} ${'x'.repeat(88)}`).join('\n') + '\n';
  const block = Buffer.from(lines);
  const file = openSync(path.join(folder, 'big.log'), 'w');
  for (let written = 0; written < 1024 ** 3; written += block.length) writeSync(file, block);
  closeSync(file);
  writeFileSync(path.join(folder, 'line.txt'), 'abcdefghij'.repeat(300_000));
  mkdirSync(path.join(folder, 'many'));
  for (let i = 0; i < 10_000; i++) writeFileSync(path.join(folder, 'many', `file-${i}.txt`), '');
}
