// Memory and tasks at 5,000 entries: what adding and searching take, and what 100 writers in two processes leave, beside the way of a JSON file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { type Command, initialize, open, type Session } from './lib/client.ts';
import { command } from './lib/servers.ts';
import { median, ms, percentile, type Row } from './lib/table.ts';

const ENTRIES = 5000;
const ADDED = 200;
const ROUNDS = 5;
const WRITERS = 50;
/** Milliseconds after which a server that ended is not waited for. */
const PATIENCE = 20_000;

const [OURS, FILE] = ['hanzo-mcp', 'a JSON file'];
export const COLUMNS: readonly string[] = [OURS, FILE];

/**
 * The least a memory server can do, and what the small ones do: the whole file is read, changed and written at every add, and read
 * at every search. In the order of calls, without waiting for the disk, without ranking.
 */
const LEAST = `import{readFileSync as r,writeFileSync as w}from'node:fs';const f=process.argv[2];let b='';
const load=()=>JSON.parse(r(f,'utf8'));process.stdin.on('data',c=>{b+=c;for(let i;(i=b.indexOf('\\n'))>=0;){const m=JSON.parse(b.slice(0,i));b=b.slice(i+1);
if(m.id===undefined)continue;const a=m.params.arguments??{};let t='';
if(a.action==='store'){const d=load();const e=d.entries.find(x=>x.key===a.key);if(e)e.value=a.value;else d.entries.push({key:a.key,value:a.value,tags:[],namespace:'default'});w(f,JSON.stringify(d));t='stored'}
if(a.action==='search'){const q=a.query.toLowerCase().split(/\\s+/);const d=load().entries.filter(e=>q.every(x=>(e.key+' '+e.value+' '+e.tags.join(' ')).toLowerCase().includes(x)));t=JSON.stringify({data:{total:d.length,entries:d.slice(0,50)}})}
process.stdout.write(JSON.stringify({jsonrpc:'2.0',id:m.id,result:m.method==='initialize'?{protocolVersion:'2025-06-18',capabilities:{},serverInfo:{name:'file',version:'1'}}:{content:[{type:'text',text:t}]}})+'\\n')}})`;

const WORDS =
  'the server build cache deploy token schema index release branch review test agent memory prompt query latency region bucket worker память сборка проект 東京 データ 索引 café naïve'.split(
    ' ',
  );

/** Common and rare words, parts of words, several, one and two characters, other scripts, nothing at all. */
const QUERIES = [
  'server',
  'server cache',
  'ploy',
  'note-4711',
  'token-77',
  'release branch review',
  'память',
  'сборка проект',
  '東京',
  'タ',
  'ca',
  'cafe',
  'note-49 agent',
  '"nothing" OR here',
  'x9',
];

export async function bench(): Promise<Row[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'bench-store-'));
  try {
    const add: Record<string, string> = {};
    const search: Record<string, string> = {};
    const kept: Record<string, string> = {};
    for (const name of [OURS, FILE]) {
      const started = start(name, lay(home, name));
      const session = await started();
      // Loads the tool, and imports the file.
      await must(session, { action: 'search', query: 'note' });
      add[name] = await timed(ADDED, (i) =>
        must(session, { action: 'store', key: `added-${i}`, value: text(ENTRIES + i) }),
      );
      search[name] = await timed(QUERIES.length * ROUNDS, (i) =>
        must(session, { action: 'search', query: QUERIES[i % QUERIES.length] as string }),
      );
      const other = await started();
      kept[name] = `${await together(session, other, started)} of ${2 * WRITERS}`;
      await Promise.all([session.end(), other.end()]);
    }
    const tasks = await timedTasks(path.join(home, 'tasks'));
    return [
      { measure: `add at ${ENTRIES} entries, median / p95 of ${ADDED}`, bar: 'median <= 5 ms', cells: add },
      {
        measure: `search of ${ENTRIES + ADDED} entries, median / p95 of ${QUERIES.length} queries`,
        bar: 'median <= 20 ms',
        cells: search,
      },
      { measure: `2 processes with ${WRITERS} writers each at once: kept`, bar: '100 of 100', cells: kept },
      {
        measure: `a task added at ${ENTRIES}, median / p95 of ${ADDED}`,
        bar: 'median <= 5 ms',
        cells: { [OURS]: tasks.add },
      },
      {
        measure: `search of ${ENTRIES + ADDED} tasks, median / p95 of ${QUERIES.length} queries`,
        bar: 'median <= 20 ms',
        cells: { [OURS]: tasks.search },
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Tasks of the same texts, imported from the documented file. */
async function timedTasks(folder: string): Promise<{ add: string; search: string }> {
  mkdirSync(path.join(folder, '.hanzo'), { recursive: true });
  const items = Array.from({ length: ENTRIES }, (_, i) => ({ id: i + 1, content: text(i), status: 'pending' }));
  writeFileSync(path.join(folder, '.hanzo', 'todos.json'), JSON.stringify({ items, lastId: ENTRIES }));
  const ours = command('hanzo-mcp', folder, folder, ['--tools', 'tasks']);
  const session = open({
    ...ours,
    env: { ...ours.env, HANZO_CONFIG_HOME: path.join(folder, '.hanzo'), TODO_PATH: '' },
  });
  await initialize(session);
  const first = await must(session, { action: 'search', query: 'server' }, 'tasks');
  if ((JSON.parse(first) as { data: { total: number } }).data.total === 0)
    throw new Error('the tasks were not imported');
  const add = await timed(ADDED, (i) => must(session, { action: 'add', content: text(ENTRIES + i) }, 'tasks'));
  const search = await timed(QUERIES.length * ROUNDS, (i) =>
    must(session, { action: 'search', query: QUERIES[i % QUERIES.length] as string }, 'tasks'),
  );
  await session.end();
  return { add, search };
}

/** The documented JSON file with the entries, in a folder of its own. */
function lay(home: string, name: string): string {
  const folder = path.join(home, name.replaceAll(' ', '-'));
  mkdirSync(path.join(folder, '.hanzo'), { recursive: true });
  const entries = Array.from({ length: ENTRIES }, (_, i) => ({
    key: `note-${i}`,
    value: text(i),
    tags: [WORDS[i % WORDS.length]],
    namespace: 'default',
  }));
  writeFileSync(path.join(folder, '.hanzo', 'memory.json'), JSON.stringify({ entries, lastId: ENTRIES, facts: [] }));
  return folder;
}

/** Some 40 words, the same at every run. */
function text(seed: number): string {
  let state = seed + 1;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
  return Array.from({ length: 40 }, () => {
    const word = WORDS[next(WORDS.length)] as string;
    return next(3) === 0 ? `${word}-${next(1000)}` : word;
  }).join(' ');
}

function start(name: string, folder: string): () => Promise<Session> {
  const file = path.join(folder, '.hanzo', 'memory.json');
  const program = path.join(folder, 'least.mjs');
  writeFileSync(program, LEAST);
  const ours = command('hanzo-mcp', folder, folder, ['--tools', 'memory']);
  const chosen: Command =
    name === OURS
      ? { ...ours, env: { ...ours.env, HANZO_CONFIG_HOME: path.join(folder, '.hanzo'), MEMORY_PATH: '' } }
      : { argv: [process.execPath, program, file], cwd: folder };
  return async () => {
    const session = open(chosen);
    await initialize(session);
    return session;
  };
}

/** A call that must succeed. */
async function must(session: Session, args: object, tool = 'memory'): Promise<string> {
  const { content, isError } = await session.call(tool, args);
  const said = content[0]?.text ?? '';
  if (isError) throw new Error(said);
  return said;
}

async function timed(count: number, work: (i: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await work(i);
    times.push(performance.now() - started);
  }
  return `${ms(median(times))} / ${ms(percentile(times, 0.95))}`;
}

function write(session: Session, name: string): Promise<unknown>[] {
  return Array.from({ length: WRITERS }, (_, i) =>
    session.call('memory', { action: 'store', key: `writer${name}x${i}x`, value: 'here' }, PATIENCE),
  );
}

/** How many of the keys that both servers were given a third one finds; none where it cannot read what they left. */
async function together(one: Session, two: Session, started: () => Promise<Session>): Promise<number> {
  await Promise.allSettled([...write(one, 'A'), ...write(two, 'B')]);
  const third = await started();
  let found = 0;
  try {
    for (const name of ['A', 'B']) {
      for (let i = 0; i < WRITERS; i++) {
        const args = { action: 'search', query: `writer${name}x${i}x` };
        const { content } = await third.call('memory', args, PATIENCE);
        const { data } = JSON.parse(content[0]?.text ?? '{}') as { data?: { total: number } };
        if (data?.total === 1) found++;
      }
    }
  } catch {
    // Two that write one file at once leave it broken at times, and who reads it then ends.
    return 0;
  } finally {
    await third.end();
  }
  return found;
}
