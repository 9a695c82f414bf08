// Editing: how many of the corpus' plain replacements come out byte for byte (or are refused with nothing changed), and how fast.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Case,
  type Call,
  layOut,
  loadCorpus,
  outcomes,
  type Spelling,
  spell,
  type Stage,
} from '../packages/mcp/corpus/load.ts';
import { type Called, initialize, open, type Session } from './lib/client.ts';
import { command, type ServerName, SERVERS } from './lib/servers.ts';
import { ms, percentile, type Row } from './lib/table.ts';

const ANSWER_MS = 5_000;
const EDITS = 40;
/** A peer may take a second an edit, so every third case is put to all of them; `npm test` runs the whole corpus on ours. */
const EVERY = 3;

export const COLUMNS: readonly string[] = SERVERS;

interface Replacement {
  file: string;
  from: string;
  to: string;
}

/** The operation "replace this text in this file" of each server. */
const REPLACE: Readonly<Record<ServerName, (session: Session, edit: Replacement) => Promise<Called>>> = {
  'hanzo-mcp': (session, { file, from, to }) =>
    session.call('fs', { action: 'apply_patch', uri: file, old_text: from, new_text: to }, ANSWER_MS),
  filesystem: (session, { file, from, to }) =>
    session.call('edit_file', { path: file, edits: [{ oldText: from, newText: to }] }, ANSWER_MS),
  'desktop-commander': (session, { file, from, to }) =>
    session.call('edit_block', { file_path: file, old_string: from, new_string: to }, ANSWER_MS),
};

export async function bench(): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'bench-edit-')));
  const cases = loadCorpus()
    .flatMap((group) => group.cases)
    .filter((each) => each.tags?.includes('plain-replace') && isPlain(each))
    .filter((_, index) => index % EVERY === 0);
  const right: Record<string, string> = {};
  const speed: Record<string, string> = {};
  try {
    for (const name of SERVERS) {
      right[name] = `${await countRight(name, cases, folder)} of ${cases.length}`;
      speed[name] = await latency(name, folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    { measure: 'corpus edits exact or refused with nothing changed', bar: 'all', cells: right },
    { measure: `edit in a 1 MB file, median / p95 of ${EDITS}`, bar: 'p95 <= 20 ms', cells: speed },
  ];
}

/** One tool call that names a file and two texts; hash guards and the like are not for peers. */
function isPlain(each: Case): boolean {
  const [call] = each.calls;
  return (
    each.calls.length === 1 &&
    call !== undefined &&
    'action' in call &&
    call.action === 'apply_patch' &&
    !('base_hash' in call)
  );
}

async function countRight(name: ServerName, cases: readonly Case[], folder: string): Promise<number> {
  let right = 0;
  let session = await start(name, folder);
  for (const each of cases) {
    const stage = await layOut(each);
    try {
      await REPLACE[name](session, toReplacement(each, stage)).catch(async () => {
        // A server that died or hung is started again; what it did to the file counts.
        await session.end();
        session = await start(name, folder);
      });
      if (await isRight(each, stage)) right++;
    } finally {
      await stage.remove();
    }
  }
  await session.end();
  return right;
}

/** By bytes alone: one of the permitted outcomes, or untouched where exact matching cannot find the text. */
async function isRight(each: Case, stage: Stage): Promise<boolean> {
  for (const { after } of outcomes(each)) if ((await stage.differences(after)).length === 0) return true;
  return (each.tags?.includes('lenient') ?? false) && (await stage.differences([])).length === 0;
}

function text(value: unknown): string {
  return spell(value as Spelling).toString('utf8');
}

function toReplacement(each: Case, stage: Stage): Replacement {
  // isPlain() has established that there is one call of the tool.
  const call = each.calls[0] as Call;
  const uri = stage.fill(text(call['uri'] ?? call['path']));
  return {
    file: uri.startsWith('file://') ? decodeURIComponent(uri.slice('file://'.length)) : uri,
    from: text(call['old_text']),
    to: text(call['new_text']),
  };
}

async function latency(name: ServerName, folder: string): Promise<string> {
  const file = path.join(folder, `${name}.txt`);
  const lines = Array.from({ length: 14_000 }, (_, i) => `line ${String(i).padStart(5, '0')}: ${'text '.repeat(12)}`);
  writeFileSync(file, lines.join('\n'));
  const session = await start(name, folder);
  const times: number[] = [];
  for (let i = 0; i <= EDITS; i++) {
    const line = String(300 * i + 7).padStart(5, '0');
    const started = performance.now();
    await REPLACE[name](session, { file, from: `line ${line}: text`, to: `line ${line}: edited` });
    // The first edit loads the tool; sessions live long, so it is not counted.
    if (i > 0) times.push(performance.now() - started);
  }
  await session.end();
  return `${ms(percentile(times, 0.5))} / ${ms(percentile(times, 0.95))}`;
}

async function start(name: ServerName, folder: string): Promise<Session> {
  const session = open(command(name, realpathSync(tmpdir()), folder));
  await initialize(session);
  return session;
}
